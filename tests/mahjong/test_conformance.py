"""The worked hands of tests/conformance, each through the command's own code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mahjong.analyse import analyse
from mahjong.moves import IllegalRecord
from mahjong.notation import read_move
from mahjong.records import Record, play

FOLDER = Path(__file__).parent.parent / "conformance"
CASES = sorted(FOLDER.glob("*.json"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    case = json.loads(path.read_text(encoding="utf-8"))
    expect = case["expect"]
    assert case["id"] == case["record"]["id"] == path.stem
    if "error" in expect:
        assert expect == {"error": True}
        with pytest.raises(IllegalRecord):
            play(Record.from_json(case["record"]))
        return
    result = play(Record.from_json(case["record"]))
    for key, value in expect.items():
        if key == "legal":
            offered = {read_move(action) for actions in result["legal"].values() for action in actions}
            assert {read_move(action) for action in value["has"]} <= offered
            assert offered.isdisjoint(read_move(action) for action in value["has_not"])
        else:
            assert result[key] == value, key


def _hands() -> list[dict[str, Any]]:
    with (FOLDER / "analyse.jsonl").open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def test_analyse() -> None:
    hands = _hands()
    assert len(hands) == 200
    for case in hands:
        answer = analyse(case["input"])
        for key, value in case["expect"].items():
            assert (set(answer[key]) if key == "waits" else answer[key]) == (set(value) if key == "waits" else value), (
                case
            )
