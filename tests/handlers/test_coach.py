"""What a coach says, whatever hand it is and whatever the learner does."""

from __future__ import annotations

from random import Random

import pytest

from handlers.coach import EXPLAINED, lesson_now, topics
from handlers.screens.coach import alone, coach_text, pointed
from handlers.screens.hand import caption, keyboard
from handlers.screens.sheet import CAPTION, visible
from handlers.table_state import Seat, TableState
from mahjong import lessons
from mahjong.advice import advice
from mahjong.players import PLAYERS
from mahjong.tiles import parse_tile
from mahjong.views import View, view
from tests.lessons import dealt, played
from tests.support.town import texts

LONGEST = {"zh_Hans": 120, "zh_Hant": 120, "en": 260}
"""Characters that a coach takes at most."""
HANDS = 40


def state_of() -> TableState:
    state = TableState(table=7, hand=1, lesson=0, phase="playing", timer="none")
    state.seats = [Seat(1, name="阿明"), *(Seat(computer="easy") for _ in range(3))]
    state.players = list(state.seats)
    return state


def asked(number: int) -> list[View]:
    """All that the learner is asked in a hand that random players and strong ones play."""
    hand, chance = dealt(number), Random(number)
    level = ("random", "normal")[number % 2]
    found: list[View] = []
    for _ in range(1000):
        if hand.result is not None:
            return found
        window = hand.number
        for seat in sorted(hand.questions):
            while hand.result is None and hand.number == window and seat in hand.questions:
                seen = view(hand, seat)
                if seat == lessons.LEARNER:
                    found.append(seen)
                hand.apply(PLAYERS[level].choose(seen, chance))
        if hand.result is None and hand.number == window and hand.in_window:
            hand.close()
    raise AssertionError("the hand came to no end")


@pytest.mark.parametrize("number", range(HANDS))
def test_whatever_is_asked_there_is_advice_short_enough_and_one_button_in_colour(number: int) -> None:
    state = state_of()
    for seen in asked(number):
        state.teaching = lesson_now(seen, state.taught)
        if state.teaching is not None:
            assert state.teaching not in state.taught
            state.taught.append(state.teaching)
        best = advice(seen)
        assert best is not None
        for language in texts().languages:
            words = texts().get(language)
            said = coach_text(state, seen, words)
            assert "👉" in said
            assert visible(said) <= LONGEST[language], said
            assert visible(caption(state, seen, words)) <= CAPTION
            buttons = [button for row in keyboard(state, seen, words) for button in row]
            coloured = [button for button in buttons if button.style is not None]
            assert len(coloured) == 1
            assert coloured[0].data is not None
            assert coloured[0].data.startswith("m|7|1|")
    assert set(state.taught) <= set(EXPLAINED)


def test_all_there_is_to_explain_comes_up_in_some_hand() -> None:
    """But for what is rarer than that; those have a text all the same."""
    met: set[str] = set()
    for number in range(HANDS):
        for seen in asked(number):
            met |= set(topics(seen))
    assert met >= set(EXPLAINED) - {"opening", "rob"}


def test_nothing_is_explained_while_nobody_asks() -> None:
    hand = dealt(lessons.NUMBERS[0])
    seen = view(hand, lessons.LEARNER)
    assert seen.question is None
    assert lesson_now(seen, ()) is None
    assert list(topics(view(hand, None))) == []
    state = state_of()
    words = texts().get("zh_Hans")
    assert coach_text(state, seen, words) == words("coach.rests")
    assert pointed(state, seen, keyboard(state, seen, words)) == keyboard(state, seen, words)


def test_a_tile_is_alone_without_another_like_it_or_near_it() -> None:
    # 4m is gold; 2m 2m 6m 3p 4p 6p 8p 2s 3s 7s 8s 9s 1z 4z 6z are held.
    seen = view(dealt(lessons.NUMBERS[0]), lessons.LEARNER)
    single = [name for name in ("6m", "1z", "4z", "6z") if alone(seen, parse_tile(name))]
    assert single == ["6m", "1z", "4z", "6z"]
    assert not any(alone(seen, parse_tile(name)) for name in ("2m", "3p", "8p", "2s", "9s", "4m"))


@pytest.mark.parametrize("number", lessons.NUMBERS)
def test_of_several_claims_the_one_advised_is_explained_first(number: int) -> None:
    claims = [(seen, best) for seen, best in played(number).told if best.move.verb in ("chow", "pong")]
    assert claims
    for seen, best in claims:
        assert next(topics(seen)) == best.move.verb
