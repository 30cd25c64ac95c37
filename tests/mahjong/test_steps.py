"""The steps of a finished hand: everything open, what was declined, and nothing of a hand that runs."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from mahjong.hand import Hand
from mahjong.moves import IllegalRecord
from mahjong.notation import write_move
from mahjong.records import Record, record_of, replay
from mahjong.steps import Step, steps
from mahjong.views import opened
from tests.mahjong.play import deal
from tests.mahjong.play import steps as played

CASES = Path(__file__).parent.parent / "conformance"
RULES = ("zhangzhou", "putian-an", "putian-ming")


def case(name: str) -> tuple[Step, ...]:
    return steps(Record.from_json(json.loads((CASES / f"{name}.json").read_text("utf-8"))["record"]))


def a_hand(rules: str, number: int) -> Hand:
    hand = deal(rules, number)
    for _ in played(hand, Random(number)):
        pass
    return hand


def declined(step: Step) -> set[tuple[int, str, str | None]]:
    return {(found.seat, found.option.move.verb, found.option.by) for found in step.declined}


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("number", range(12))
def test_the_steps_are_the_hand_with_everything_open(rules: str, number: int) -> None:
    hand = a_hand(rules, number)
    found = steps(record_of(hand))
    moves = [write_move(step.taken) for step in found if step.taken is not None]
    made = [write_move(move) for move in hand.actions if move.verb != "pass"]
    assert moves == made
    for step in found:
        for seat in step.view.seats:
            assert seat.concealed is not None
            assert None not in [tile.tile for tile in seat.river]
            assert not any(None in meld.tiles for meld in seat.melds)
            held = len(seat.concealed) + (seat.drawn is not None)
            assert held == seat.concealed_count
    assert found[-1].phase == "ended"
    assert [step.turn for step in found] == sorted(step.turn for step in found)
    # What happened between the steps is all that happened, in order.
    told = [event for step in found for event in step.events]
    assert told == [event for event in hand.events if event in set(told)]


def test_who_outbids_leaves_no_one_who_declined() -> None:
    """A pong goes before a chow: whether the other would have taken the chow nobody knows."""
    for rules in RULES:
        for number in range(20):
            for step in steps(record_of(a_hand(rules, number))):
                if step.phase == "claim" and step.taken is not None and step.taken.verb in ("pong", "kong"):
                    assert not any(verb == "chow" for _, verb, _ in declined(step))
                if step.phase == "claim" and step.taken is not None and step.taken.verb == "chow":
                    others = {seat for seat in step.asked if seat != step.taken.seat}
                    assert others <= {seat for seat, _, _ in declined(step)}


def test_passed_claims_and_declined_wins_are_told() -> None:
    found = case("zz-double-you-upgrade")
    assert (1, "hu", "rob_gold") in declined(found[0])
    turned_down = [step for step in found if (1, "hu", "self_draw") in declined(step)]
    assert [write_move(step.taken) for step in turned_down if step.taken] == ["1 discard 1z"]
    gains = [one.option.gain for step in turned_down for one in step.declined if one.option.by == "self_draw"]
    assert gains == [80]
    assert any((3, "pong", None) in declined(step) for step in found)
    assert not found[-1].declined


def test_a_lock_shows_every_draw() -> None:
    found = case("zz-double-you-upgrade")
    assert [step.view.seats[step.events[-1].seat or 0].drawn is not None for step in found if step.phase == "lock"] == [
        True
    ] * 3


def test_what_matters_is_more_than_which_tile_to_throw() -> None:
    for rules in RULES:
        for step in steps(record_of(a_hand(rules, 4)))[:-1]:
            if not step.matters:
                assert step.phase in ("turn", "lock")
                assert step.taken is None or step.taken.verb == "discard"


@pytest.mark.parametrize("rules", RULES)
def test_a_hand_that_runs_is_never_opened(rules: str) -> None:
    hand = a_hand(rules, 2)
    cut = Record(hand.setup, tuple(write_move(move) for move in hand.actions[: len(hand.actions) // 2]))
    running = replay(cut)
    assert running.result is None
    with pytest.raises(IllegalRecord, match="not over"):
        steps(cut)
    with pytest.raises(ValueError, match="not over"):
        opened(running, running)
    with pytest.raises(ValueError, match="not over"):
        opened(running, a_hand(rules, 3))


@pytest.mark.parametrize(("name", "wrong"), [("zz-false-win", True), ("zz-rob-concealed", False)])
def test_a_guess_that_nobody_made_is_told_with_what_it_would_have_been(name: str, wrong: bool) -> None:
    data = json.loads((CASES / f"{name}.json").read_text("utf-8"))["record"]
    guessed = data["actions"][-1]
    assert guessed.endswith("rob")
    hand = replay(Record.from_json({**data, "actions": data["actions"][:-1]}))
    for _ in played(hand, Random(1), eager=0.0):
        pass
    guesses = [found for step in steps(record_of(hand)) for found in step.declined if found.option.move.verb == "rob"]
    mine = [found.wrong for found in guesses if found.seat == int(guessed[0])]
    assert mine[0] is wrong
