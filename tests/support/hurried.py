"""The bot on a clock that runs faster than the machine's, for tests in a browser: `python -m tests.support.hurried`.

Everything else is as it always is: its own process, real sockets, the pauses of a table, only shorter. How fast and
since when stands in the environment, so that a bot that is started again has the same time.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime

import bot
from handlers.clock import Clock

HURRY = "HURRY"


def pace(speed: float, since: float) -> dict[str, str]:
    """The environment of a bot whose clock runs ``speed`` times as fast since an instant (Unix seconds)."""
    return {HURRY: f"{speed} {since}"}


class HurriedClock(Clock):
    """Shows the same time as the playground's clock at that speed."""

    def __init__(self) -> None:
        super().__init__()
        self._speed, self._since = map(float, os.environ[HURRY].split())

    def now(self) -> datetime:
        return datetime.fromtimestamp(self._since + (time.time() - self._since) * self._speed, UTC)

    def time(self) -> float:
        return super().time() * self._speed

    def after(self, seconds: float, callback: Callable[[], object]) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(max(seconds, 0.0) / self._speed, callback)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / self._speed)


if __name__ == "__main__":
    bot.Clock = HurriedClock  # type: ignore[misc]
    sys.exit(bot.main())
