"""Computer players, many hands of them, and what simulating prints."""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import pytest

from mahjong.hand import Hand
from mahjong.moves import Move
from mahjong.players import PLAYERS
from mahjong.rulesets import RULESETS, of_game
from mahjong.simulate import Plan, Statistics, play_out, simulate
from mahjong.views import view
from tests.mahjong.play import check, deal, steps
from tests.mahjong.walls import setup

HANDS = int(os.environ.get("SIMULATED_HANDS", "2000"))
"""Hands a ruleset; 50,000 for the long check."""


COMMON = {
    "zhangzhou": {"discard", "self_draw", "three_gold", "rob_gold", "rob_kong", "single_you", "false_win", "draw"},
    "putian-an": {"self_draw", "rob_gold", "small_bomb", "big_bomb", "heavenly", "draw"},
    "putian-ming": {"self_draw", "discard", "three_gold", "rob_gold", "draw"},
}
"""What comes by chance; the rest is forced by chosen walls in other tests."""


@pytest.mark.parametrize("rules", RULESETS)
def test_many_hands_break_nothing(rules: str) -> None:
    """At random, eager to claim and kong and guess: every hand ends, tiles are conserved, payments sum to zero."""
    outcomes: Counter[str] = Counter()
    for number in range(HANDS):
        hand = deal(rules, number, streak=number % 4 + 1)
        for _ in steps(hand, Random(number)):
            pass
        check(hand)
        assert hand.result is not None
        outcomes[hand.result.by or hand.result.outcome] += 1
    assert of_game(COMMON, rules) <= set(outcomes)


@pytest.mark.parametrize("rules", RULESETS)
def test_players_play_to_the_end(rules: str) -> None:
    seats = [PLAYERS[name] for name in ("random", "easy", "normal", "hard")]
    outcomes: Counter[str] = Counter()
    for number in range(120):
        hand = deal(rules, number)
        play_out(hand, seats, Random(number))
        check(hand)
        assert hand.result is not None
        outcomes[hand.result.by or hand.result.outcome] += 1
    if rules == "zhangzhou":
        assert outcomes["single_you"]


def test_players_answer_only_what_is_asked() -> None:
    hand = deal("zhangzhou", 1)
    hand.close()
    assert hand.turn is not None
    for player in PLAYERS.values():
        with pytest.raises(ValueError, match="asks nothing"):
            player.choose(view(hand, (hand.turn + 1) % 4), Random(1))
        assert player.choose(view(hand, hand.turn), Random(1)) in hand.legal(hand.turn)
        assert player.choose(view(hand, hand.turn), Random(1)) == player.choose(view(hand, hand.turn), Random(1))


def test_easy_takes_wins_but_does_not_guess() -> None:
    easy = PLAYERS["easy"]
    ready = Hand.deal(setup(hands={0: "123789m123456p7899s9s"}))
    assert easy.choose(view(ready, 0), Random(1)) == Move(0, "hu")
    made = setup(hands={0: "2222z1z", 2: "123789m123456p7899s"})
    hand = Hand.deal(made)
    hand.close()
    hand.apply(next(move for move in hand.legal(0) if move.verb == "kong"))
    assert easy.choose(view(hand, 2), Random(1)) == Move(2, "pass")


def test_easy_beats_random() -> None:
    statistics = Statistics()
    for _ in simulate(Plan("zhangzhou", 3, 80, ("easy", "random", "random", "random"), duplicate=True), statistics):
        pass
    assert statistics.hands == 80
    mean, half = statistics.mean(0)
    assert mean - half > 0
