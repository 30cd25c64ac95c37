"""Presses under a hand: moves, warnings, refusals; deadlines that play for who is away."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from handlers import play
from handlers.dealing import setup_of
from handlers.draft import BEAT, Draft
from handlers.play import Warnings
from handlers.presses import MovePress, move_data, read_press
from handlers.table_state import Seat, TableState
from mahjong.moves import Move, Option, Question
from mahjong.tiles import parse_tile

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
SEED = bytes(range(32))


@pytest.fixture
def draft() -> Draft:
    """A dealt hand whose opening window has been closed: the dealer is to throw."""
    state = TableState(table=1, group=1, host=1)
    state.seats = [Seat(person=number, name=f"P{number}", wallet=1500) for number in (1, 2, 3, 4)]
    draft = Draft(state, None, NOW, UTC, Random(1), 0, setup_of)
    draft.seal(7, SEED, (1500,) * 4, {})
    draft.deal((3, 4), (1500,) * 4)
    draft.close_window()
    return draft


def first_discard(draft: Draft) -> MovePress:
    assert draft.hand is not None
    (question,) = draft.hand.questions.values()
    gold = draft.hand.gold
    option = next(o for o in question.options if o.move.verb == "discard" and o.move.tiles[0] not in gold)
    return MovePress(1, 1, question.number, Move(-1, "discard", option.move.tiles))


def test_what_is_pressed_is_played_and_the_window_lasts_its_beat(draft: Draft) -> None:
    answer = play.press(draft, 1, first_discard(draft), Warnings())
    assert answer.key == "toast.discard"
    assert draft.hand is not None
    assert draft.hand.phase == "claim"
    window = draft.state.due("window")
    assert window is not None
    assert window >= NOW + timedelta(seconds=BEAT)
    assert draft.hand.questions or window.isoformat() == draft.state.beat_until


@pytest.mark.parametrize(
    ("person", "change", "toast"),
    [
        (9, {}, "toast.not_seated"),
        (2, {}, "toast.not_yours"),
        (1, {"number": 1}, "toast.stale"),
        (1, {"hand": 0}, "toast.stale_hand"),
        (1, {"hand": 5}, "toast.forged"),
        (1, {"move": Move(-1, "discard", (parse_tile("1f"),))}, "toast.illegal"),
        (1, {"move": Move(-1, "pong")}, "toast.illegal"),
    ],
)
def test_stale_foreign_and_forged_presses_change_nothing(
    draft: Draft, person: int, change: dict[str, object], toast: str
) -> None:
    pressed = first_discard(draft)
    values = {"table": 1, "hand": pressed.hand, "number": pressed.number, "move": pressed.move, **change}
    before = len(draft.entries)
    assert play.press(draft, person, MovePress(**values), Warnings()).key == toast  # type: ignore[arg-type]
    assert len(draft.entries) == before


def test_the_same_press_twice_is_one_move(draft: Draft) -> None:
    pressed = first_discard(draft)
    play.press(draft, 1, pressed, Warnings())
    assert play.press(draft, 1, pressed, Warnings()).key == "toast.stale"
    assert sum(entry.kind == "move" for entry in draft.entries) == 1


def test_a_second_press_after_a_warning_counts_only_after_a_while() -> None:
    warnings, move = Warnings(), Move(0, "discard", (4,))
    assert not warnings.heeded(3, move, NOW)
    assert not warnings.heeded(3, move, NOW + timedelta(seconds=0.3))
    assert warnings.heeded(3, move, NOW + timedelta(seconds=0.8))
    assert not warnings.heeded(4, move, NOW + timedelta(seconds=9)), "another question, another warning"
    assert not warnings.heeded(4, Move(0, "discard", (5,)), NOW + timedelta(seconds=9))


def test_who_confirms_discards_presses_each_twice_and_no_more_than_twice(draft: Draft) -> None:
    pressed, warnings = first_discard(draft), Warnings()
    warned = play.press(draft, 1, pressed, warnings, confirm=True)
    assert warned.key == "toast.warn_discard"
    assert warned.fields["tile"].startswith("tile.")
    assert play.press(draft, 1, pressed, warnings, confirm=True).key == "toast.warn_discard", "a double tap"
    assert not any(entry.kind == "move" for entry in draft.entries)
    draft.now += timedelta(seconds=play.TOO_SOON)
    assert play.press(draft, 1, pressed, warnings, confirm=True).key == "toast.discard"


def test_two_turns_timed_out_and_a_computer_takes_over_until_any_press(draft: Draft) -> None:
    seat = draft.state.seats[0]
    assert seat is not None
    seat.missed = 1
    draft.turn_ran_out()
    assert seat.auto
    assert [entry.kind for entry in draft.entries][-1] == "timeout"
    stale = MovePress(1, 1, 1, Move(-1, "pass"))
    assert play.press(draft, 1, stale, Warnings()).key == "toast.back"
    assert not seat.auto
    assert seat.missed == 0


def test_a_hand_is_settled_to_the_last_coin(draft: Draft) -> None:
    chance = Random(5)
    for _ in range(2000):
        hand = draft.hand
        assert hand is not None
        if hand.result is not None:
            break
        if hand.questions:
            seat = chance.choice(sorted(hand.questions))
            draft.computer_plays(seat)
        else:
            draft.close_window()
    assert draft.settle is not None
    assert draft.state.phase == "paused", "nobody has pressed anything"
    assert sum(draft.settle.result["net"]) == 0
    paid = dict.fromkeys((1, 2, 3, 4), 0)
    for payment in draft.settle.payments:
        assert payment.payer is not None
        assert payment.payee is not None
        paid[payment.payer] -= payment.amount
        paid[payment.payee] += payment.amount
    assert list(paid.values()) == draft.settle.result["net"]
    assert [seat.wallet for seat in draft.state.taken] == draft.settle.result["coins"]


def test_a_tile_that_gives_up_a_win_only_warns_unless_its_button_names_the_level() -> None:
    win = Option(Move(0, "hu"), "self_draw", gain=80)
    level = Option(Move(0, "discard", (4,)), "single_you", level=1, gain=160)
    question = Question(3, 0, "turn", (win, level, Option(Move(0, "discard", (5,)))))
    draft = None
    assert play.warning_for(question, level, draft) == "toast.warn_win"  # type: ignore[arg-type]
    named = read_press(move_data(1, 1, 3, level.move, declared=True))
    plain = read_press(move_data(1, 1, 3, level.move))
    assert isinstance(named, MovePress)
    assert isinstance(plain, MovePress)
    assert named.declared
    assert not plain.declared
    assert named.move == plain.move
