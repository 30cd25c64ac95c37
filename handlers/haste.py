"""Who presses faster than anybody can mean it is refused cheaply, so that nobody else waits (telegram.md, faults)."""

from __future__ import annotations

from handlers.clock import Clock

BURST = 12
"""Presses and commands that may come at once."""
REFUSALS = 50
"""Presses beyond those that are told so; a machine that goes on for ever is not."""
RATE = 4.0
"""So many more a second, of either."""
KNOWN = 5_000
"""People remembered; above it those who have rested are forgotten."""


class Haste:
    """Counts what each person asks for: a bucket of so many, ``burst``, that fills up again by ``RATE``."""

    def __init__(self, clock: Clock, burst: int = BURST) -> None:
        self._clock = clock
        self._burst = float(burst)
        self._left: dict[int, tuple[float, float]] = {}

    def too_fast(self, who: int) -> bool:
        """Count one more of this person (or chat); whether it is one too many, which then does not count."""
        now = self._clock.time()
        left = self._now(who, now)
        if left < 1:
            return True
        if len(self._left) >= KNOWN:
            self._left = {other: known for other, known in self._left.items() if self._now(other, now) < self._burst}
        self._left[who] = left - 1, now
        return False

    def _now(self, who: int, now: float) -> float:
        left, since = self._left.get(who, (self._burst, now))
        return min(self._burst, left + (now - since) * RATE)
