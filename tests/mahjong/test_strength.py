"""The figures of docs/players.md are worked out of records as they say."""

from __future__ import annotations

import math

import pytest

from mahjong.records import Record
from mahjong.simulate import Plan, Statistics, simulate
from tests.bench.strength import strength


def played(walls: int) -> tuple[Statistics, list[Record]]:
    statistics = Statistics()
    plan = Plan("zhangzhou", 11, 4 * walls, ("normal", "easy", "easy", "easy"), duplicate=True)
    return statistics, list(simulate(plan, statistics))


def test_strength_is_what_simulating_says() -> None:
    statistics, records = played(12)
    found = strength(record.to_json() for record in records)
    assert (found.net, found.half) == pytest.approx(statistics.mean(0))
    assert found.walls == 12
    assert 0 < found.wins < 1
    assert 1 <= found.turn < 20
    assert not math.isnan(found.you)


def test_walls_that_are_not_whole_are_left_out() -> None:
    _, records = played(3)
    rows = [record.to_json() for record in records]
    assert strength(rows[:-1]).walls == 2
    with pytest.raises(ValueError, match="two walls"):
        strength(rows[:4])


def test_normal_beats_easy() -> None:
    statistics, _ = played(60)
    mean, half = statistics.mean(0)
    assert mean - half > 0
