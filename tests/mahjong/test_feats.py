"""Feats, told from real records and from what would be rarer still."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from mahjong.feats import FEATS, FOR_COINS, HANDS, feats_of
from mahjong.hand import Hand
from mahjong.records import Record, replay
from mahjong.state import Meld
from mahjong.tiles import parse_tiles

CASES = Path(__file__).parents[1] / "conformance"

TOLD = {
    "pta-big-bomb": [(3, "big_bomb")],
    "pta-heavenly": [(0, "heavenly")],
    "pta-pair-rethrown": [(2, "rob_gold")],
    "pta-two-gold": [(3, "two_gold")],
    "pta-white-gold": [(1, "rob_gold")],
    "ptm-heavenly": [(0, "heavenly")],
    "ptm-three-gold": [(3, "blast")],
    "zz-double-you-direct": [(0, "double_you")],
    "zz-double-you-upgrade": [(1, "double_you")],
    "zz-fenbing-stops": [(0, "fenbing")],
    "zz-fenbing-two": [(0, "fenbing")],
    "zz-gold-dice-flower": [(2, "rob_gold")],
    "zz-heavenly": [(0, "heavenly")],
    "zz-last-four-forced": [(1, "last_four")],
    "zz-rob-added": [(0, "rob_added")],
    "zz-rob-concealed": [(1, "rob_hidden")],
    "zz-rob-gold-dealer": [(0, "rob_gold")],
    "zz-rob-gold-idle": [(1, "rob_gold")],
    "zz-rob-gold-order": [(3, "rob_gold")],
    "zz-shortfall": [(0, "triple_you"), (0, "comeback")],
    "zz-three-gold-later": [(2, "three_gold")],
    "zz-three-gold-opening": [(2, "eight_flowers"), (2, "three_gold")],
    "zz-triple-you": [(0, "triple_you"), (0, "comeback")],
}
"""The feats of the conformance hands that have any."""


@cache
def record(name: str) -> Record:
    return Record.from_json(json.loads((CASES / f"{name}.json").read_text("utf-8"))["record"])


def ended() -> Iterator[str]:
    for path in sorted(CASES.glob("*.json")):
        case = json.loads(path.read_text("utf-8"))
        if case["expect"].get("outcome") in ("win", "draw", "false_win"):
            yield path.stem


def again(name: str, streak: int) -> Hand:
    """A conformance hand as the dealer's hand number ``streak`` in a row."""
    case = record(name)
    return replay(Record(replace(case.setup, streak=streak), case.actions, case.free))


@pytest.mark.parametrize("name", list(ended()))
def test_real_hands_have_the_feats_that_people_would_tell(name: str) -> None:
    assert list(feats_of(replay(record(name)))) == TOLD.get(name, [])


def test_every_hand_with_a_feat_is_looked_at() -> None:
    assert TOLD.keys() <= set(ended())


def test_a_hand_that_goes_on_has_none_yet() -> None:
    with pytest.raises(ValueError, match="not over"):
        feats_of(Hand.deal(record("zz-triple-you").setup))


@pytest.mark.parametrize(
    ("streak", "told"), [(4, []), (5, ["dealer_5"]), (9, ["dealer_5"]), (10, ["dealer_10", "dealer_5"])]
)
def test_a_dealer_who_wins_may_have_won_five_or_ten_times_in_a_row(streak: int, told: list[str]) -> None:
    won = [feat for _, feat in feats_of(again("zz-heavenly", streak)) if feat.startswith("dealer")]
    assert won == told
    # A drawn hand keeps the deal too (rules-zhangzhou 10.7), and is nothing to be proud of.
    assert feats_of(again("zz-draw", streak)) == ()


def test_a_deal_that_passes_ends_the_run() -> None:
    assert "dealer_5" not in dict(map(reversed, feats_of(again("zz-rob-gold-idle", 5))))  # type: ignore[arg-type]


def test_four_kongs_and_four_whites_are_the_owners_whoever_wins() -> None:
    hand = replay(record("zz-draw"))
    hand.seats[2].melds = [Meld("concealed_kong", tuple(parse_tiles(f"{n}{n}{n}{n}m"))) for n in (1, 2, 3)]
    assert feats_of(hand) == ()
    hand.seats[2].melds.append(Meld("kong", tuple(parse_tiles("9999p")), 0, 1))
    assert feats_of(hand) == ((2, "four_kongs"),)
    white = replay(record("pta-self-draw-suanhua"))
    white.seats[3].flowers = list(parse_tiles("5555z"))
    assert feats_of(white) == ((3, "four_whites"),)


def test_every_feat_that_is_told_is_listed() -> None:
    assert len(set(FEATS)) == len(FEATS)
    assert set(FEATS) >= FOR_COINS | set(HANDS.values()) | {feat for told in TOLD.values() for _, feat in told}
