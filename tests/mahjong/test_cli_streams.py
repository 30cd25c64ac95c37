"""The command with arguments and streams that are not what they should be: one line, never a traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE

ROOT = Path(__file__).parent.parent.parent
SIMULATE = "simulate --rules putian-ming --hands 2 --players random"


@pytest.mark.parametrize(
    ("arguments", "redirect", "status"),
    [
        ("play $'/no\\nsuch'", "", 2),
        ("simulate --rules $'a\\nb'", "", 2),
        ("simulate --rules zhangzhou --players $'a\\nb'", "", 2),
        (f"{SIMULATE} --records $'/no\\nsuch/x'", "", 2),
        (f"{SIMULATE} --records ''", "", 2),
        (f"{SIMULATE} --records /", "", 2),
        (f"{SIMULATE} --records /dev/full", "", 2),
        (f"{SIMULATE} --records /dev/full --jobs 2 --duplicate --hands 8", "", 2),
        ("play - --x $'a\\nb'", "", 2),
        ("simulate --rules zhangzhou --hands x", "", 2),
        (SIMULATE, ">/dev/full", 2),
        (SIMULATE, ">&-", 2),
        ("play -", "<&-", 2),
        ("play /", "", 2),
    ],
)
def test_one_line_and_no_traceback(arguments: str, redirect: str, status: int) -> None:
    command = f"{sys.executable} -m mahjong {arguments} {redirect}"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
    assert done.returncode == status
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("files", [8, 12])
def test_more_processes_than_the_system_lets_be_started(files: int) -> None:
    command = f"ulimit -n {files}; {sys.executable} -m mahjong {SIMULATE} --duplicate --hands 40 --jobs 10"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (2, "mahjong: --jobs: 10 processes: Too many open files\n")
