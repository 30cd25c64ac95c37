"""The real bot as a process of its own, on a playground in the test's loop: real sockets, real time."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from playground.server import Playground
from playground.state import StateFile
from playground.world import SystemClock, World
from tests.support.hurried import pace
from tests.support.patience import PATIENCE
from tests.support.request import WatchedWorld

ROOT = Path(__file__).parent.parent.parent


class BotProcess:
    """`python bot.py` on a playground.

    `hurry`: what makes its clock run as fast as the playground's, if need be; `log`: a file for what it logs;
    `settings`: beyond those that it must have.
    """

    def __init__(
        self,
        world: World,
        port: int,
        database: Path,
        hurry: dict[str, str] | None = None,
        *,
        log: Path | None = None,
        **settings: str,
    ) -> None:
        self.program = ["-m", "tests.support.hurried"] if hurry else ["bot.py"]
        self.log = log
        self.environment = {
            **os.environ,
            "TELEGRAM_BOT_TOKEN": world.token,
            "TELEGRAM_API_URL": f"http://127.0.0.1:{port}",
            "DATABASE_PATH": str(database),
            "RENDER_PROCESSES": "0",
            **(hurry or {}),
            **settings,
        }
        self.process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        with contextlib.ExitStack() as stack:
            errors = None if self.log is None else stack.enter_context(self.log.open("ab"))
            self.process = await asyncio.create_subprocess_exec(
                sys.executable, *self.program, cwd=ROOT, env=self.environment, stderr=errors
            )

    async def kill(self) -> None:
        """SIGKILL: no chance to save anything."""
        assert self.process is not None
        tell(self.process, signal.SIGKILL)
        await self.process.wait()

    async def stop(self) -> int:
        """SIGTERM; returns the exit status."""
        assert self.process is not None
        if self.process.returncode is None:
            tell(self.process, signal.SIGTERM)
        return await self.process.wait()


def tell(process: asyncio.subprocess.Process, number: signal.Signals) -> None:
    """Send a signal, or none if it has just ended. asyncio's own way asks first how the process ended (gh-87744),
    and whatever waits for that on the loop's behalf comes too late: 255."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(process.pid, number)


@asynccontextmanager
async def running(
    database: Path,
    *,
    feed: bool = False,
    speed: float | None = None,
    state: Path | None = None,
    log: Path | None = None,
    **settings: str,
) -> AsyncIterator[tuple[Playground, BotProcess]]:
    """A playground in this loop, and the bot on it; ``feed`` for a page that watches, ``speed`` of both their clocks,
    ``state`` for a playground that can be started anew; the rest for `BotProcess`."""
    clock, hurry = SystemClock(), None
    if speed is not None:
        clock.change(speed=speed)
        hurry = pace(speed, time.time())
    playground = Playground(
        lambda: WatchedWorld(clock, check=True, feed=feed), StateFile(str(state)) if state else None
    )
    playground.listen(0, "127.0.0.1")
    bot = BotProcess(playground.world, playground.port, database, hurry, log=log, **settings)
    await bot.start()
    try:
        await until(lambda: playground.world.polling, "the bot to take updates")
        yield playground, bot
    finally:
        await bot.stop()
        await playground.close()


async def until(holds: Callable[[], object], what: str) -> None:
    """Wait until something is true, `PATIENCE` at most."""
    deadline = asyncio.get_running_loop().time() + PATIENCE
    while not holds():
        assert asyncio.get_running_loop().time() < deadline, f"waited in vain for: {what}"
        await asyncio.sleep(0.05)
