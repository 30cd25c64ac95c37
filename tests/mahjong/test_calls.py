"""What is called out follows from what a reader may see, and is the same for all."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from mahjong.calls import CALLS, Called, Heard, calls_since, ending_call, heard, latest_call, loudest
from mahjong.hand import Hand
from mahjong.records import Record, replay
from mahjong.rulesets import RULESETS, of_game
from mahjong.views import glimpse, sheet, view
from tests.mahjong.play import deal, steps
from tests.mahjong.test_every_player import shuffled

READERS = (None, 0, 1, 2, 3)
CONFORMANCE = Path(__file__).parent.parent / "conformance"


@pytest.mark.parametrize("rules", RULESETS)
def test_all_readers_hear_the_same_whatever_they_cannot_see(rules: str) -> None:
    rng = Random(3)
    moved = called = 0
    for number in range(25):
        ears = dict.fromkeys(READERS, Heard())
        for hand in steps(deal(rules, number), Random(number)):
            calls = {reader: calls_since(glimpse(hand, reader), ears[reader]) for reader in READERS}
            assert len({tuple(found) for found in calls.values()}) == 1
            called += len(calls[None])
            if hand.result is None and number % 3 == 0:
                for reader in range(4):
                    other = shuffled(hand, reader, rng)
                    moved += [state.tiles for state in other.seats] != [state.tiles for state in hand.seats]
                    assert calls_since(view(other, reader), ears[reader]) == calls[reader]
                    assert latest_call(view(other, reader)) == latest_call(view(hand, None))
            ears = {reader: heard(glimpse(hand, reader)) for reader in READERS}
    assert called > 20
    assert moved > 20


CALLED = {
    "zhangzhou": {"flower", "chow", "pong", "kong", "concealed_kong", "gold", "hu", "self_draw", "single_you"},
    "putian-an": {"replace", "concealed_kong", "gold", "self_draw"},
    "putian-ming": {"replace", "concealed_kong", "kong", "gold", "hu", "self_draw"},
}
"""What is called in some of 150 hands at random."""


@pytest.mark.parametrize("rules", RULESETS)
def test_what_is_called_has_a_name_and_no_tile(rules: str) -> None:
    assert set(Called.__slots__) == {"name", "seat"}
    found: Counter[str] = Counter()
    for number in range(150):
        hand = deal(rules, number)
        for now in steps(hand, Random(number)):
            hand = now
        found.update(call.name for call in calls_since(view(hand, None), Heard()))
        found[ending_call(sheet(hand)).name] += 1
    assert set(found) <= set(CALLS)
    assert of_game(CALLED, rules) <= set(found)
    if rules == "putian-an":
        assert not {"chow", "pong", "kong", "hu", "fenbing"} & set(found)


def test_the_deal_is_silent_but_for_the_gold() -> None:
    for rules in RULESETS:
        for number in range(30):
            assert calls_since(view(deal(rules, number), 0), Heard()) == [Called("gold")]


def at_every_step(name: str) -> list[list[str]]:
    """The calls of a recorded hand, step by step."""
    record = Record.from_json(json.loads((CONFORMANCE / f"{name}.json").read_text("utf-8"))["record"])
    ear = Heard()
    found: list[list[str]] = []

    def listen(hand: Hand) -> None:
        nonlocal ear
        seen = glimpse(hand, 1)
        found.append([call.name for call in calls_since(seen, ear)])
        if hand.result is not None:
            found[-1].append(ending_call(sheet(hand)).name)
        ear = heard(seen)

    replay(record, listen)
    return found


@pytest.mark.parametrize(
    ("name", "call", "times"),
    [
        ("zz-fenbing-two", "fenbing", 2),
        ("zz-single-you", "single_you", 1),
        ("zz-double-you-upgrade", "double_you", 2),
        ("zz-triple-you", "triple_you", 1),
        ("zz-rob-concealed", "rob_kong", 2),
        ("zz-false-win", "false_win", 1),
        ("zz-rob-gold-idle", "rob_gold", 1),
        ("zz-three-gold-later", "three_gold", 1),
        ("zz-heavenly", "heavenly", 1),
        ("zz-draw", "draw", 1),
        ("ptm-three-gold", "explosion", 1),
        ("pta-two-gold", "two_gold", 1),
        ("pta-small-bomb", "small_bomb", 1),
        ("pta-big-bomb", "big_bomb", 1),
    ],
)
def test_rare_calls_come_when_they_are_due(name: str, call: str, times: int) -> None:
    steps_ = at_every_step(name)
    assert sum(found.count(call) for found in steps_) == times


def test_single_you_is_not_called_before_the_hand_is_over() -> None:
    *before, last = at_every_step("zz-single-you")
    assert not any("single_you" in found for found in before)
    assert last[-1] == "single_you"


def test_of_several_calls_the_rarest_is_heard_and_of_equals_the_last() -> None:
    assert loudest([]) is None
    assert loudest([Called("double_you", 1), Called("pong", 2)]) == Called("double_you", 1)
    assert loudest([Called("pong", 1), Called("pong", 2)]) == Called("pong", 2)


def test_the_latest_call_is_read_until_a_second_tile_is_thrown() -> None:
    read = 0
    for number in range(20):
        for hand in steps(deal("zhangzhou", number), Random(number)):
            if hand.result is not None:
                continue
            seen = view(hand, 2)
            kinds = [event.kind for event in seen.events]
            if "pong" in kinds:
                thrown = kinds[::-1][: kinds[::-1].index("pong")].count("discarded")
                latest = latest_call(seen)
                if thrown <= 1:
                    assert latest is not None
                    assert latest.rank >= Called("pong").rank
                    read += 1
    assert read > 10
