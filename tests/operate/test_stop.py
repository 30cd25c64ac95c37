"""Told to stop, the bot ends in time whatever holds it up."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

import bot
from data.settings import Settings
from tests.support.patience import PATIENCE
from tests.support.process import ROOT, running, tell
from tests.support.virtual import run

PROMISED = 5.0
"""Seconds (docs/operate.md)."""


def test_each_thing_to_put_away_is_cut_off_that_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    handlers: dict[int, Callable[..., object]] = {}
    timers: list[float] = []
    put_away: list[str] = []
    monkeypatch.setattr(bot.signal, "signal", handlers.__setitem__)
    monkeypatch.setattr(bot.signal, "setitimer", lambda _, seconds: timers.append(seconds))

    async def serve(_: Settings, running: asyncio.Event, stop: asyncio.Event) -> None:
        running.set()
        await stop.wait()
        for thing in ("updates", "tables", "messages", "database"):
            try:
                await asyncio.sleep(1_000)
            finally:
                put_away.append(thing)
                continue  # noqa: B012 - as an exit stack goes on

    monkeypatch.setattr(bot, "serve", serve)

    async def story() -> float:
        loop = asyncio.get_running_loop()
        loop.call_later(100, lambda: handlers[signal.SIGTERM]())
        await bot.run(Settings.model_construct())
        return loop.time() - 100

    seconds = run(story())
    assert put_away == ["updates", "tables", "messages", "database"]
    assert seconds <= timers[0] < PROMISED


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_process_ends_though_its_loop_stands_still(number: int) -> None:
    program = """
        import asyncio, sys, time
        import bot

        async def serve(settings, running, stop):
            running.set()
            print("running", flush=True)
            while True:
                time.sleep(10 * 60)

        bot.serve = serve
        asyncio.run(bot.run(None))
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "running\n"
        # Whoever is impatient does not make it longer.
        ended = None
        for _ in range(int(PATIENCE)):
            process.send_signal(number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                ended = process.wait(1)
                break
        assert ended == 0
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_told_again_and_again_it_ends_in_order(tmp_path: Path, number: signal.Signals) -> None:
    log = tmp_path / "log"
    async with running(tmp_path / "x.sqlite3", log=log, RENDER_PROCESSES="1") as (_, one):
        process = one.process
        assert process is not None
        while process.returncode is None:
            tell(process, number)
            await asyncio.sleep(0.02)
        assert process.returncode == 0
    said = log.read_text()
    assert "stopping" in said
    assert "Traceback" not in said
    assert "leaked" not in said
