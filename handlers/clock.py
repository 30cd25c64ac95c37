"""The one place that knows what time it is.

Everything that waits or dates asks the bot's `Clock`: deadlines in the journal are UTC instants, timers are
`loop.call_at`. Under a virtual event loop (`looptime`) a clock with a fixed start moves with the loop, so that
hours of play pass in no time and the same every time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

# A timer looks at the UTC time again at least this often: a machine that slept, or whose clock was set, is noticed.
LOOK_AGAIN = 60.0


class Timer:
    """A callback that waits for an instant; made by `Clock.at`."""

    __slots__ = ("_callback", "_clock", "_handle", "when")

    def __init__(self, clock: Clock, when: datetime, callback: Callable[[], object]) -> None:
        self.when = when
        self._clock = clock
        self._callback: Callable[[], object] | None = callback
        self._handle: asyncio.TimerHandle | None = None
        self._arm()

    def _arm(self) -> None:
        left = (self.when - self._clock.now()).total_seconds()
        self._handle = self._clock.after(min(left, LOOK_AGAIN), self._look)

    def _look(self) -> None:
        if self._callback is None:
            return
        if self._clock.now() < self.when:
            self._arm()
            return
        callback, self._callback, self._handle = self._callback, None, None
        callback()

    @property
    def waiting(self) -> bool:
        """Whether the callback is still to come: neither called nor cancelled."""
        return self._callback is not None

    def cancel(self) -> None:
        """Forget the callback. Harmless when it was called or cancelled before."""
        self._callback = None
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None


class Clock:
    """UTC instants, the event loop's time, and timers.

    `Clock()` shows the system's time. `Clock(start)` shows `start` plus the loop's time in seconds: under a virtual
    loop every clock of the same start agrees, also one made after a restart within the same loop.
    """

    def __init__(self, start: datetime | None = None) -> None:
        if start is not None and start.tzinfo is None:
            raise ValueError("a clock starts at an instant with a time zone")
        self._start = None if start is None else start.astimezone(UTC)

    def now(self) -> datetime:
        """The instant, in UTC. Called while the event loop runs."""
        if self._start is None:
            return datetime.now(UTC)
        return self._start + timedelta(seconds=self.time())

    def time(self) -> float:
        """The running loop's time in seconds: monotonic, from an unspecified beginning."""
        return asyncio.get_running_loop().time()

    def at(self, when: datetime, callback: Callable[[], object]) -> Timer:
        """Call `callback` once, at the instant `when` or as soon as may be after it, never before; at once (next
        turn of the loop) if it is past.

        Ask `when` from the journal, not from a duration, so that a restart arms the same timer again.
        """
        return Timer(self, when, callback)

    def after(self, seconds: float, callback: Callable[[], object]) -> asyncio.TimerHandle:
        """Call `callback` once, after so many seconds of the loop's time: for pauses that no restart has to know
        of."""
        loop = asyncio.get_running_loop()
        return loop.call_at(loop.time() + max(seconds, 0.0), callback)

    async def sleep(self, seconds: float) -> None:
        """Wait that many seconds of the loop's time."""
        await asyncio.sleep(seconds)
