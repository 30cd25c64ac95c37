"""The yardstick: *normal*'s answers by a digest, its reasons, and single decisions."""

from __future__ import annotations

import hashlib
from random import Random

import pytest

from mahjong import shapes
from mahjong.hand import Hand
from mahjong.moves import Move
from mahjong.notation import write_move
from mahjong.players import PLAYERS, weigh
from mahjong.rulesets import RULESETS
from mahjong.seen import seen
from mahjong.tiles import FACES, parse_tile
from mahjong.views import view
from tests.mahjong.test_every_player import positions
from tests.mahjong.walls import advance, setup

NORMAL = PLAYERS["normal"]
FROZEN = {
    "zhangzhou": "a24450c0d30d9f3a",
    "putian-an": "a155cf56e12d5588",
    "putian-ming": "048cf7b058b41226",
}
"""Of all answers in the positions of thirty hands. They never change: another *normal* is another version."""


@pytest.mark.parametrize("rules", FROZEN)
def test_normal_is_frozen(rules: str) -> None:
    digest = hashlib.sha256()
    for number, (hand, seat) in enumerate(positions(rules, 30, 3000)):
        digest.update(write_move(NORMAL.choose(view(hand, seat), Random(number))).encode())
    assert digest.hexdigest()[:16] == FROZEN[rules]


@pytest.mark.parametrize("rules", RULESETS)
def test_weighing_tells_what_is_played_and_counts_right(rules: str) -> None:
    for number, (hand, seat) in enumerate(positions(rules, 5, 4000)):
        shown = view(hand, seat)
        weighed = weigh(shown)
        assert {found.move for found in weighed} == set(hand.legal(seat))
        played = NORMAL.choose(shown, Random(number))
        state = hand.seats[seat]
        best = weighed[0]
        chosen = next(found for found in weighed if found.move == played)
        assert (chosen.missing, chosen.live, chosen.kinds) == (best.missing, best.live, best.kinds)
        unseen = seen(shown).unseen
        for found in weighed:
            assert found.live == sum(copies for _, copies in found.improving)
            assert found.kinds == len(found.improving) or found.kinds <= len(found.improving) <= found.kinds + 1
            assert all(unseen[tile] == copies for tile, copies in found.improving)
            if found.move.verb != "discard":
                continue
            after = state.copy()
            after.remove(found.move.tiles)
            assert found.missing == after.missing
            assert found.keeps_gold == (after.jokers == state.jokers)
            for tile in range(FACES):
                if unseen[tile] and tile in hand.rules.tiles and tile not in hand.flowers:
                    more = after.copy()
                    more.add(tile)
                    assert (more.missing < after.missing) == (tile in dict(found.improving))


def asked(hand: Hand, seat: int) -> Move:
    return NORMAL.choose(view(hand, seat), Random(1))


def test_a_complete_hand_goes_for_you_while_two_rounds_are_left() -> None:
    """456p and the gold with 1s: throwing 1s leaves sets and a lone gold, worth 4 against 2 now."""
    made = setup(hands={0: "111222333m456p789s5m9p"}, gold="5m")
    hand = Hand.deal(made)
    hand.close()
    assert hand.seats[0].complete
    found = weigh(view(hand, 0))
    assert (found[0].move, found[0].reason, found[0].option.level) == (
        Move(0, "discard", (parse_tile("9p"),)),
        "you",
        1,
    )
    assert asked(hand, 0) == found[0].move


def test_a_gold_drawn_in_single_you_is_thrown_for_double_you() -> None:
    hand = Hand.deal(setup(hands={0: "111222333m456p78s55m", 1: "1z"}, draws="1z2z3z9s", gold="5m"))
    advance(hand, lambda now: now.turn == 0 and now.seats[0].drawn == parse_tile("9s"))
    assert hand.questions[0].options[0].by == "single_you"
    best = weigh(view(hand, 0))[0]
    assert (best.reason, best.option.level, best.move.tiles) == ("you", 2, (parse_tile("5m"),))


def test_near_the_end_the_win_that_is_there_is_taken() -> None:
    hand = Hand.deal(setup(hands={0: "111222333m456p78s5m9p"}, gold="5m"))
    advance(hand, lambda now: now.last_four and now.turn == 0)
    assert hand.seats[0].jokers == 1
    found = weigh(view(hand, 0))
    assert all(move.reason != "you" for move in found)


def test_gold_is_kept_though_throwing_it_would_widen_nothing() -> None:
    for rules in RULESETS:
        for hand, seat in positions(rules, 6, 5000):
            move = asked(hand, seat)
            option = next(option for option in hand.questions[seat].options if option.move == move)
            if move.verb == "discard" and not option.level and hand.turned:
                plain = any(tile not in hand.gold for tile in hand.seats[seat].held())
                assert move.tiles[0] not in hand.gold or not plain


def test_a_hidden_kong_is_never_guessed_unless_it_can_be_no_other() -> None:
    made = setup(hands={0: "2222z1z", 2: "123789m123456p7899s"})
    hand = Hand.deal(made)
    hand.close()
    hand.apply(next(move for move in hand.legal(0) if move.verb == "kong"))
    assert asked(hand, 2) == Move(2, "pass")
    found = weigh(view(hand, 2))
    assert [(each.move.verb, each.reason) for each in found] == [("pass", "keeps"), ("rob", "guess")]


def test_claims_count_the_discard_that_follows() -> None:
    """A pong that brings the hand nearer is made, one that breaks a run for nothing is not."""
    hand = Hand.deal(setup(hands={0: "1z", 1: "11z234567m123456p78s"}))
    hand.close()
    hand.apply(Move(0, "discard", (parse_tile("1z"),)))
    found = {each.move.verb: each for each in weigh(view(hand, 1))}
    state = hand.seats[1]
    assert found["pass"].missing == shapes.missing_of(state.keys, state.jokers, state.sets)
    assert found["pong"].then is not None
    assert asked(hand, 1).verb == ("pong" if found["pong"].missing < found["pass"].missing else "pass")
