"""*hard*: single decisions by payment, and what it tells of the cost of moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from mahjong import shapes
from mahjong.hand import Hand
from mahjong.moves import Move
from mahjong.players import PLAYERS, cost
from mahjong.rulesets import RULESETS
from mahjong.state import Discard
from mahjong.tiles import FACES, parse_tile
from mahjong.views import view
from tests.mahjong.test_every_player import positions
from tests.mahjong.walls import advance, setup

HARD = PLAYERS["hard"]


def asked(hand: Hand, seat: int) -> Move:
    return HARD.choose(view(hand, seat), Random(1))


@pytest.mark.parametrize("rules", RULESETS)
def test_costs_are_by_worth_and_what_is_played_costs_nothing(rules: str) -> None:
    for number, (hand, seat) in enumerate(positions(rules, 3, 6000)):
        found = cost(view(hand, seat))
        assert {each.option.move for each in found} == set(hand.legal(seat))
        assert [each.worth for each in found] == sorted((each.worth for each in found), reverse=True)
        assert all(each.cost == found[0].worth - each.worth for each in found)
        if number % 4 == 0:
            played = asked(hand, seat)
            assert next(each for each in found if each.option.move == played).cost < 0.25 * hand.setup.base


def drawn(tile: str) -> Callable[[Hand], bool]:
    return lambda hand: hand.turn == 0 and hand.seats[0].drawn == parse_tile(tile)


def test_a_gold_drawn_in_single_you_goes_for_double_you() -> None:
    hand = Hand.deal(setup(hands={0: "111222333m456p78s55m", 1: "1z"}, draws="1z2z3z9s", gold="5m"))
    advance(hand, drawn("9s"))
    assert asked(hand, 0) == Move(0, "discard", (parse_tile("5m"),))


def test_you_is_gone_for_while_a_draw_is_to_come_and_not_after() -> None:
    """At 自摸 with the gold as half of the pair: 单游 pays twice as much, if there is a next draw."""
    made = setup(hands={0: "11122233m456p78s5m9p", 1: "1z"}, draws="1z2z3z3m9s", gold="5m")
    hand = Hand.deal(made)
    advance(hand, lambda now: now.turn == 0 and now.seats[0].complete)
    assert hand.questions[0].options[0].move.verb in ("hu", "discard")
    first = asked(hand, 0)
    assert first.verb == "discard"
    assert next(option for option in hand.questions[0].options if option.move == first).level == 1


def test_heavenly_is_let_go_for_double_you() -> None:
    """天胡 pays 4; with two gold as the pair the first throw makes 双游, worth 8, and nobody else is near."""
    hand = Hand.deal(setup(hands={0: "111222333m456p123s55m"}, gold="5m"))
    assert hand.questions[0].options[0].by == "heavenly"
    assert asked(hand, 0) == Move(0, "pass")
    hand.apply(Move(0, "pass"))
    hand.close()
    first = asked(hand, 0)
    assert first == Move(0, "discard", (parse_tile("5m"),))
    assert next(option for option in hand.questions[0].options if option.move == first).level == 2


def test_a_kong_is_worth_a_step_back() -> None:
    """In Zhangzhou a concealed kong is paid for by two others even when one of them wins."""
    hand = Hand.deal(setup(hands={0: "3334m5m1p4p7p2s5s8s1z2z3z4z6z3m"}, gold="9s"))
    hand.close()
    assert asked(hand, 0) == Move(0, "kong", (parse_tile("3m"),))


def test_a_hidden_kong_is_passed_where_many_faces_are_possible() -> None:
    made = setup(hands={0: "2222z1z", 2: "123789m123456p7899s"})
    hand = Hand.deal(made)
    hand.close()
    hand.apply(next(move for move in hand.legal(0) if move.verb == "kong"))
    assert asked(hand, 2) == Move(2, "pass")


@pytest.mark.parametrize("name", ["normal", "hard"])
def test_a_hidden_kong_is_robbed_where_it_can_only_be_what_one_waits_for(name: str) -> None:
    """One copy of every other face lies open, so that no four of it can be hidden."""
    made = setup(hands={0: "2222z1z", 2: "123789m123456p7899s"})
    hand = Hand.deal(made)
    hand.close()
    hand.apply(next(move for move in hand.legal(0) if move.verb == "kong"))
    shown = view(hand, 2)
    waits = set(shapes.waits_of(hand.seats[2].keys, 0, 5))
    rest = tuple(Discard(face) for face in range(FACES) if face not in waits)
    seats = (shown.seats[0], replace(shown.seats[1], river=rest), *shown.seats[2:])
    assert waits
    assert PLAYERS[name].choose(replace(shown, seats=seats), Random(1)) == Move(2, "rob")


def test_gold_is_the_safe_throw_in_the_last_four_of_a_hopeless_hand() -> None:
    """Who throws what another wins on pays for all (8.3); gold can be claimed by nobody."""
    hand = Hand.deal(setup(hands={0: "1479m1479p1479s1235z5m", 1: "2z"}, gold="5m"))
    advance(hand, lambda now: now.last_four and now.turn == 0)
    assert hand.seats[0].jokers == 1
    by_tile = {each.option.move.tiles: each.worth for each in cost(view(hand, 0))}
    gold = by_tile.pop((parse_tile("5m"),))
    assert gold >= max(by_tile.values())


def test_five_gold_are_taken_as_a_big_bomb() -> None:
    five = Hand.deal(setup("putian-an", hands={0: "55m666p147m147p147s12s"}, gold="5m6p", junk=1))
    assert asked(five, 0) == Move(0, "hu")
    assert five.questions[0].options[0].by == "big_bomb"
