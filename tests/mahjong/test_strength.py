"""The figures of docs/players.md are worked out of records as they say."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from mahjong.records import Record
from mahjong.simulate import Plan, Statistics, simulate
from tests.bench.strength import main, strength


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


def test_the_records_of_a_run_that_was_killed_are_counted_up_to_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, records = played(3)
    whole = "".join(json.dumps(record.to_json()) + "\n" for record in records)
    path = tmp_path / "records"
    path.write_text(whole[:-40])
    assert main([str(path)]) == 0
    assert "| 2 |" in capsys.readouterr().out


@pytest.mark.parametrize("written", ["", "{}\n", "[1]\n", "x\n", '{"id": "1:zhangzhou:0", "result": {}}\n', None])
def test_what_are_no_records_of_walls_is_one_line(
    written: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "records"
    if written is not None:
        path.write_text(written)
    assert main([str(path)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"{path}: ")


def test_normal_beats_easy() -> None:
    statistics, _ = played(60)
    mean, half = statistics.mean(0)
    assert mean - half > 0
