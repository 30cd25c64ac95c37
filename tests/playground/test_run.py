"""``make run`` without a token: the playground and the bot as people start them."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]


def until(look: Callable[[], Any], what: str) -> Any:
    """What ``look`` finds, once it is something."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            if found := look():
                return found
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    raise AssertionError(f"waited in vain for: {what}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def environment(port: int, **more: str) -> dict[str, str]:
    return {**os.environ, "TELEGRAM_BOT_TOKEN": "", "PLAYGROUND_PORT": str(port), "RENDER_PROCESSES": "0", **more}


def child(of: int, named: str) -> int | None:
    """The process that ``of`` has started with that in its command line."""
    for number in Path(f"/proc/{of}/task/{of}/children").read_text().split():
        # It may have ended since.
        with contextlib.suppress(OSError):
            if named.encode() in Path(f"/proc/{number}/cmdline").read_bytes():
                return int(number)
    return None


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_both_go_on_after_a_kill_where_a_folder_keeps_their_state(tmp_path: Path) -> None:
    port = free_port()
    settings = environment(port, PLAYGROUND_STATE=str(tmp_path / "kept"))
    journal = tmp_path / "kept" / "playground.sqlite3-wal"
    run = subprocess.Popen([sys.executable, "-m", "playground.run"], cwd=ROOT, env=settings, stdout=subprocess.DEVNULL)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}/control", trust_env=False, timeout=PATIENCE) as http:

            def state() -> dict[str, Any]:
                document: dict[str, Any] = http.get("/state").json()["result"]
                return document

            def last_answer(to: int) -> int:
                """The id of the bot's newest message to somebody, 0 if there is none."""
                chat = next(chat for chat in state()["chats"] if chat["person_id"] == to)
                return max((one["id"] for one in chat["messages"] if one["sender"]["kind"] == "bot"), default=0)

            before = until(lambda: (found := state())["bot"]["polling"] and found, "the bot")
            assert [offer.get("start") for offer in before["offers"]["offers"]] == ["practice", "learn", None]
            person = before["people"][0]["id"]
            http.post("/start", json={"person_id": person})
            known = until(lambda: last_answer(person), "an answer")
            # Whatever is written after this has the answer, and somebody else's first step makes it be written.
            written = journal.stat().st_mtime_ns
            http.post("/start", json={"person_id": before["people"][1]["id"]})
            until(lambda: journal.stat().st_mtime_ns > written, "the file")
            for victim in ("--state", "bot.py"):
                os.kill(child(run.pid, victim) or 0, signal.SIGKILL)
                until(lambda victim=victim: child(run.pid, victim), "another one")  # type: ignore[misc]
            after = until(lambda: (found := state())["bot"]["polling"] and found, "the bot")
            assert after["session"] != before["session"]
            assert last_answer(person) == known
            http.post("/start", json={"person_id": person})
            until(lambda: last_answer(person) > known, "an answer after the kill")
    finally:
        run.terminate()
        assert run.wait(PATIENCE) == 0


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_started_over_on_the_page_the_bot_begins_anew_as_well(tmp_path: Path) -> None:
    port = free_port()
    settings = environment(port, PLAYGROUND_STATE=str(tmp_path / "kept"))
    run = subprocess.Popen([sys.executable, "-m", "playground.run"], cwd=ROOT, env=settings, stdout=subprocess.DEVNULL)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}/control", trust_env=False, timeout=PATIENCE) as http:

            def practises() -> bool:
                """Somebody asks for a hand of practice, and is dealt one."""
                person = http.get("/state").json()["result"]["people"][0]["id"]
                http.post("/start", json={"person_id": person, "payload": "practice"})
                chat = {"chat_id": person, "person_id": person}

                def photo() -> bool:
                    messages = http.get("/messages", params=chat).json()["result"]
                    return any(message["kind"] == "photo" for message in messages)

                return bool(until(photo, "a hand"))

            until(lambda: http.get("/bot").json()["result"]["polling"], "the bot")
            assert practises()
            before = child(run.pid, "bot.py")
            for _ in range(2):
                http.post("/reset", json={})
                # What is done at once is for the bot that comes, not for the one that goes.
                assert practises()
                assert child(run.pid, "bot.py") != before
    finally:
        run.terminate()
        assert run.wait(PATIENCE) == 0


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_told_to_stop_again_and_again_it_leaves_nothing_behind(number: int) -> None:
    port = free_port()
    # However the tests themselves were started.
    command = ["env", "--default-signal=HUP", sys.executable, "-m", "playground.run"]
    run = subprocess.Popen(
        command, cwd=ROOT, env=environment(port), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert run.stdout is not None
    assert any("Play here" in line for line in run.stdout)
    children = [until(lambda named=named: child(run.pid, named), named) for named in ("--port", "bot.py")]  # type: ignore[misc]
    until(lambda: httpx.get(f"http://127.0.0.1:{port}/control/state", trust_env=False).status_code == 200, "the page")
    for _ in range(100):
        if run.poll() is None:
            run.send_signal(number)
            time.sleep(0.1)
    _, errors = run.communicate(timeout=PATIENCE)
    assert (run.returncode, [line for line in errors.splitlines() if "Traceback" in line]) == (0, [])
    assert not [one for one in children if Path(f"/proc/{one}").exists()]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_started_with_nohup_it_outlives_its_terminal() -> None:
    command = ["env", "--ignore-signal=HUP", sys.executable, "-m", "playground.run"]
    run = subprocess.Popen(command, cwd=ROOT, env=environment(free_port()), stdout=subprocess.PIPE, text=True)
    try:
        assert run.stdout is not None
        assert any("Play here" in line for line in run.stdout)
        status = dict(line.split(":\t", 1) for line in Path(f"/proc/{run.pid}/status").read_text().splitlines())
        assert int(status["SigIgn"], 16) & 1 << (signal.SIGHUP - 1)
    finally:
        run.terminate()
        run.communicate(timeout=PATIENCE)
    assert run.returncode == 0


def test_what_the_bot_cannot_run_with_is_told_before_anybody_is_sent_to_the_page(tmp_path: Path) -> None:
    """It is in a folder of its own, as somebody's checkout is: so is its ``.env``."""
    for path in ROOT.iterdir():
        if path.name not in (".env", "var"):
            (tmp_path / path.name).symlink_to(path)
    (tmp_path / ".env").mkdir()
    command = [sys.executable, "-m", "playground.run"]
    settings = environment(free_port())
    ended = subprocess.run(command, cwd=tmp_path, env=settings, capture_output=True, text=True, timeout=PATIENCE)
    assert ended.returncode == 2
    assert "Play here" not in ended.stdout
    assert ".env" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(("setting", "value"), [("PLAYGROUND_PORT", "x"), ("PLAYGROUND_STATE", "/dev/null/x")])
def test_a_wrong_setting_is_one_line(setting: str, value: str) -> None:
    settings = {**environment(free_port()), setting: value}
    command = [sys.executable, "-m", "playground.run"]
    ended = subprocess.run(command, cwd=ROOT, env=settings, capture_output=True, text=True, timeout=PATIENCE)
    assert ended.returncode in (1, 2)
    assert ended.stderr.startswith(setting)
    assert ended.stderr.count("\n") == 1
