"""Worlds by seed (``tests/simulate``): the first thirty, and that a seed plays the same every time."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.simulate.run import again, simulate
from tests.support.process import ROOT

pytestmark = pytest.mark.filterwarnings("ignore:.*retry_after")


@pytest.mark.parametrize("seed", range(1, 31))
def test_a_world_by_seed(seed: int) -> None:
    report = simulate(seed, hands=1)
    assert report.wrong is None, f"{report.wrong}\nAgain: {again(seed, 1, None, False)}"


def test_a_seed_makes_the_same_calls_byte_for_byte_in_every_process() -> None:
    command = [sys.executable, "-m", "tests.simulate", "--seed", "77", "--hands", "1"]
    told = [
        subprocess.run(
            command, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": hashes}, capture_output=True, check=True, text=True
        ).stdout
        for hashes in ("1", "2")
    ]
    assert told[0] == told[1]
    assert str(simulate(77, hands=1)).strip() == told[0].strip()
    assert simulate(78, hands=1).log != simulate(77, hands=1).log
