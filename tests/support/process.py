"""The real bot as a process of its own, on a playground in the test's loop: real sockets, real time."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from playground.server import Playground
from playground.world import World

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 60.0


class BotProcess:
    """`python bot.py` on a playground."""

    def __init__(self, world: World, port: int, database: Path) -> None:
        self.environment = {
            **os.environ,
            "TELEGRAM_BOT_TOKEN": world.token,
            "TELEGRAM_API_URL": f"http://127.0.0.1:{port}",
            "DATABASE_PATH": str(database),
            "RENDER_PROCESSES": "0",
        }
        self.process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        self.process = await asyncio.create_subprocess_exec(sys.executable, "bot.py", cwd=ROOT, env=self.environment)

    async def kill(self) -> None:
        """SIGKILL: no chance to save anything."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        await self.process.wait()

    async def stop(self) -> int:
        """SIGTERM; returns the exit status."""
        assert self.process is not None
        if self.process.returncode is None:
            self.process.terminate()
        return await self.process.wait()


@asynccontextmanager
async def running(database: Path, *, feed: bool = False) -> AsyncIterator[tuple[Playground, BotProcess]]:
    """A playground in this loop, and the bot on it; ``feed`` for a page that watches."""
    playground = Playground(lambda: World(check=True, feed=feed))
    playground.listen(0, "127.0.0.1")
    bot = BotProcess(playground.world, playground.port, database)
    await bot.start()
    try:
        await until(lambda: playground.world.polling, "the bot to take updates")
        yield playground, bot
    finally:
        await bot.stop()
        await playground.close()


async def until(holds: Callable[[], object], what: str) -> None:
    """Wait until something is true, for a minute at most."""
    deadline = asyncio.get_running_loop().time() + PATIENCE
    while not holds():
        assert asyncio.get_running_loop().time() < deadline, f"waited in vain for: {what}"
        await asyncio.sleep(0.05)
