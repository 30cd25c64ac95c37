"""Many hands from the command line: records that are gone on with, several processes, interruptions."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from mahjong import batch
from mahjong.cli import main
from mahjong.records import Record
from mahjong.simulate import Plan, Statistics, play_block, simulate
from tests.support.patience import PATIENCE

ROOT = Path(__file__).parent.parent.parent
DUPLICATE = ["simulate", "--rules", "putian-ming", "--seed", "9", "--players", "easy,random", "--duplicate"]
CHAIN = ["simulate", "--rules", "zhangzhou", "--seed", "9", "--players", "random"]


@pytest.fixture(params=[DUPLICATE, CHAIN], ids=["duplicate", "chain"])
def arguments(request: pytest.FixtureRequest) -> list[str]:
    """A run of 40 hands."""
    return [*request.param, "--hands", "40"]


def run(arguments: list[str], path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, bytes]:
    """Exit status, what is printed, and the records."""
    status = main([*arguments, "--records", str(path)])
    return status, capsys.readouterr().out, path.read_bytes() if path.exists() else b""


def test_as_many_processes_as_one_likes_play_the_same_hands(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = run(arguments, tmp_path / "one", capsys)
    assert one[0] == 0
    assert one[2].count(b"\n") == 40
    assert run([*arguments, "--jobs", "3"], tmp_path / "three", capsys) == one


def test_a_run_goes_on_where_it_was_cut_off(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "records"
    whole = run(arguments, path, capsys)
    lines = whole[2].splitlines(keepends=True)
    for left in (b"", b"".join(lines[:1]), b"".join(lines[:5]), b"".join(lines[:20]) + lines[20][:50], whole[2][:-1]):
        path.write_bytes(left)
        assert run(arguments, path, capsys) == whole


def test_what_is_there_is_not_played_again(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "records"
    whole = run(arguments, path, capsys)
    played: list[int] = []

    def spy(plan: Plan, block: int) -> Iterator[list[Record]]:
        played.append(block)
        return play_block(plan, block)

    monkeypatch.setattr(batch, "play_block", spy)
    assert run(arguments, path, capsys) == whole
    assert not played
    # Fewer hands than are there are counted, and none is lost.
    status, out, records = run([*arguments[:-1], "20"], path, capsys)
    assert (status, records) == (0, whole[2])
    assert "20 hands" in out
    path.write_bytes(b"".join(whole[2].splitlines(keepends=True)[:36]))
    assert run(arguments, path, capsys) == whole
    assert played == ([9] if "--duplicate" in arguments else [2])


@pytest.mark.parametrize("other", ["--seed 8", "--players easy", "--rules putian-an", "--garbage"])
def test_records_of_another_run_are_left_alone(other: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "records"
    if other == "--garbage":
        path.write_bytes(b"\xff\n{}\n")
    else:
        run([*DUPLICATE, "--hands", "8", *other.split()], path, capsys)
    before = path.read_bytes()
    assert main([*DUPLICATE, "--hands", "8", "--records", str(path)]) == 2
    assert path.read_bytes() == before
    assert capsys.readouterr().err.endswith("line 1 is not of this run; name another file\n")


def test_records_whose_results_are_no_results_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "records"
    _, _, written = run([*CHAIN, "--hands", "1"], path, capsys)
    record = json.loads(written)
    for change in (
        {"result": None},
        {"result": record["result"] | {"net": [0, 0, 0]}},
        {"result": record["result"] | {"net": [0, 0, 0, "0"]}},
        {"result": record["result"] | {"net": [1, 0, 0, 0]}},
        {"result": record["result"] | {"by": 5}},
        {"result": record["result"] | {"outcome": None}},
        {"base": 0},
        {"base": "10"},
    ):
        path.write_text(json.dumps(record | change) + "\n")
        assert main([*CHAIN, "--hands", "1", "--records", str(path)]) == 2, change


def test_an_interrupted_run_tells_what_it_has(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "records"
    whole = run(arguments, tmp_path / "whole", capsys)

    def cut(plan: Plan, block: int) -> Iterator[list[Record]]:
        for number, wall in enumerate(play_block(plan, block)):
            if block == 1 and number == (0 if plan.duplicate else 4):
                raise KeyboardInterrupt
            yield wall

    with monkeypatch.context() as patch:
        patch.setattr(batch, "play_block", cut)
        status, out, records = run(arguments, path, capsys)
    hands = 4 if "--duplicate" in arguments else 20
    assert status == 130
    assert f"{hands} hands of 40, interrupted" in out
    assert "player 3" in out
    assert records == b"".join(whole[2].splitlines(keepends=True)[:hands])
    assert run(arguments, path, capsys) == whole


def as_on_a_terminal() -> None:
    """Heed Ctrl-C also where the tests themselves run in the background of a shell, which has it ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def running(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A long run of two processes in a session of its own; its records come through a pipe, so that it is known that
    some are there, and are read to their end afterwards, when nobody holds the pipe any more."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "mahjong", *DUPLICATE, "--hands", "400000", "--jobs", "2", "--records", str(pipe)]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=as_on_a_terminal,
    )
    with pipe.open("rb") as records:
        records.readline()
        yield process
        records.read()


def test_ctrl_c_ends_all_processes(tmp_path: Path) -> None:
    """As on a terminal, where all of them are sent the signal."""
    with running(tmp_path) as process:
        os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "of 400000, interrupted" in out
    assert not err
    # Nobody of its session is left.
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


def test_ctrl_c_between_two_steps_of_a_lock_is_an_interruption_as_any(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Interrupted(threading.Condition):
        """The signal comes once the lock was given back, and before it is known that it was."""

        def __init__(self, lock: Any = None) -> None:
            super().__init__(lock)
            release = self._release_save

            def give_back() -> Any:
                state = release()
                if threading.current_thread() is threading.main_thread():
                    signal.raise_signal(signal.SIGINT)
                return state

            self._release_save = give_back

    monkeypatch.setattr(threading, "Condition", Interrupted)
    before = signal.getsignal(signal.SIGINT)
    as_on_a_terminal()
    try:
        assert main([*CHAIN, "--hands", "4000", "--jobs", "2"]) == 130
    finally:
        signal.signal(signal.SIGINT, before)
    assert "of 4000, interrupted" in capsys.readouterr().out


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_nobody_plays_on_for_a_run_that_was_killed(number: signal.Signals, tmp_path: Path) -> None:
    with running(tmp_path) as process:
        process.send_signal(number)
    # All streams end with the last who holds them.
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (-number, "", "")


@pytest.mark.parametrize("hands", ["1", "8", "48"])
def test_more_processes_than_there_is_work_for_end_without_a_word(hands: str) -> None:
    command = [sys.executable, "-m", "mahjong", *CHAIN, "--hands", hands, "--jobs", "99"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, "")
    assert f" {hands} hands" in done.stdout


def test_nothing_played_is_told_as_such(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def cut(plan: Plan, block: int) -> Iterator[list[Record]]:
        raise KeyboardInterrupt

    monkeypatch.setattr(batch, "play_block", cut)
    assert main([*CHAIN, "--hands", "5"]) == 130
    assert capsys.readouterr().out == "zhangzhou: 0 hands of 5, interrupted, seed 9; payments sum to zero\n"


@pytest.mark.parametrize("jobs", ["0", "-1", "x", "257", "999999999"])
def test_numbers_of_processes_that_cannot_be(jobs: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*CHAIN, "--jobs", jobs]) == 2
    assert "--jobs" in capsys.readouterr().err


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("stream", [_Terminal, io.StringIO])
def test_progress_is_for_terminals(stream: type[io.StringIO], monkeypatch: pytest.MonkeyPatch) -> None:
    err = stream()
    monkeypatch.setattr(sys, "stderr", err)
    assert main([*CHAIN, "--hands", "4"]) == 0
    if stream is _Terminal:
        assert "50% 2/4" in err.getvalue()
        # Cleared at the end.
        assert err.getvalue().endswith("\r\x1b[K")
    else:
        assert err.getvalue() == ""


def test_a_longer_plan_begins_with_the_hands_of_a_shorter() -> None:
    short, long = (
        [record.to_json() for record in simulate(Plan("putian-an", 1, hands, ("random",) * 4), Statistics())]
        for hands in (10, 20)
    )
    assert long[:10] == short
    # A table's dealer and streak go on; the next table begins anew.
    assert [(record["dealer"], record["streak"]) for record in (long[0], long[16])] == [(0, 1), (0, 1)]
    following = long[0]["result"]["next"]
    assert (long[1]["dealer"], long[1]["streak"]) == (following["dealer"], following["streak"])
