"""What ``make bench`` says of shapes is measured on right answers."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest

from mahjong import shapes as ours
from tests.bench import __main__ as bench
from tests.bench import shapes


def test_ours_answers_rightly_in_its_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shapes, "HANDS", 30)
    hands = shapes._hands(Random(5))
    player = shapes._Player("ours", Path(sys.executable), hands)
    times = player.go()
    player.end()
    assert all(time > 0 for passes in times.values() for time in passes)
    assert set(player.answers["complete"]) == {-1}
    for at, hand in enumerate(hands["17"]):
        shanten = ours.shanten(ours.count([face for face in hand if face >= 0]), hand.count(-1), 5)
        assert player.answers["shanten, hand"][at] == player.answers["shanten"][at] == shanten
        assert player.answers["win, hand"][at] == player.answers["win"][at] == min(shanten, 0)


def test_a_library_that_does_not_run_is_told_of(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def none(name: str) -> Path:
        raise shapes._Missing("no such package")

    monkeypatch.setattr(shapes, "HANDS", 4)
    monkeypatch.setattr(shapes, "ROUNDS", 1)
    monkeypatch.setattr(shapes, "_environment", none)
    monkeypatch.setattr(shapes, "_loading", lambda: 0.1)
    found = {figure.name: figure for figure in shapes.shapes()}
    assert found["shapes: win, hand of 17 with jokers"].value
    assert found["shapes: jansou (Python)"].value is None
    assert "SKIPPED jansou: no such package" in capsys.readouterr().err
    with pytest.raises(shapes._Missing):
        shapes._Player("mahjong", Path(sys.executable), {})


@pytest.mark.parametrize("arguments", ["--load 0", "--load -2", "--load x", "--load 1 --seconds 0", "--seconds nan"])
def test_what_cannot_be_measured_is_refused_at_once(
    arguments: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["bench", *arguments.split()])
    with pytest.raises(SystemExit) as ended:
        bench.main()
    assert ended.value.code == 2
    assert arguments.split()[-1] in capsys.readouterr().err.splitlines()[-1]
