"""How many calls Telegram allows: per chat and overall (design: 18 a minute in a group, 1 a second in a private
chat with short bursts, 30 a second in all; edits count).

All are sliding windows. A call is in its windows from the moment it begins until `seconds` after it has *ended*:
the server met it somewhere between, so that its own windows are never exceeded, however long calls take.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

INFINITY = float("inf")
# Two clocks at exactly the same distance must not disagree about the last call of a window.
MARGIN = 0.01


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `calls` in any `seconds`. `burst`: so many may come together, the others are spread evenly over the time
    that is left, so that nothing waits long after a busy moment; None: as they come."""

    calls: int
    seconds: float
    burst: int | None = None


class Window:
    """The calls of one sliding window. Times are the loop's, in seconds."""

    __slots__ = ("_ended", "limit", "running")

    def __init__(self, limit: Limit) -> None:
        self.limit = limit
        self.running = 0
        self._ended: deque[float] = deque()

    def _prune(self, now: float) -> None:
        while self._ended and self._ended[0] + self.limit.seconds + MARGIN <= now:
            self._ended.popleft()

    def used(self, now: float) -> int:
        """How many calls count at `now`."""
        self._prune(now)
        return self.running + len(self._ended)

    def delay(self, now: float, calls: int | None = None) -> float:
        """Seconds until one more call fits (0 if it does now); infinite while that depends on running calls alone.

        `calls` narrows the limit for callers who must leave room for others.
        """
        over = self.used(now) - (self.limit.calls if calls is None else calls)
        if over < 0:
            return self._spread(now)
        if over >= len(self._ended):
            return INFINITY
        return self._ended[over] + self.limit.seconds + MARGIN - now

    def _spread(self, now: float) -> float:
        """Seconds until one more call is in step with an even pace, after the burst that is free."""
        burst = self.limit.burst
        if burst is None or self.running + len(self._ended) < burst:
            return 0.0
        every = self.limit.seconds / (self.limit.calls - burst)
        free, since = float(burst), 0.0
        for ended in self.stamps(now):
            free = min(burst, free + (ended - since) / every) - 1
            since = ended
        free += (now - since) / every
        return max(0.0, (1 - free) * every + MARGIN) if free < 1 else 0.0

    def begin(self) -> None:
        """A call sets out."""
        self.running += 1

    def end(self, now: float) -> None:
        """A call is over; ``now``: in seconds, as everywhere here."""
        self.running -= 1
        self._ended.append(now)

    def recall(self, ended: Iterable[float]) -> None:
        """Count calls of an earlier life, ended at these times."""
        self._ended = deque(sorted([*self._ended, *ended]))

    def stamps(self, now: float) -> list[float]:
        """When the calls that still count ended; running ones as of now."""
        self._prune(now)
        return [*self._ended, *[now] * self.running]


class Budgets:
    """The windows of every chat, and the one over all.

    A chat id below zero is a group's. `spare` calls of the overall limit are kept for what matters most (see
    `delay`).
    """

    def __init__(
        self,
        group: Limit = Limit(18, 60.0, burst=4),
        private: Limit = Limit(3, 3.0),
        beside: Limit = Limit(2, 6.0),
        overall: Limit = Limit(30, 1.0),
        spare: int = 5,
    ) -> None:
        self.overall = Window(overall)
        self._group = group
        self._private = private
        self._beside = beside
        self._besides: dict[int, Window] = {}
        self._spare = spare
        self._chats: dict[int, Window] = {}

    def chat(self, chat_id: int) -> Window:
        """The window of one chat."""
        window = self._chats.get(chat_id)
        if window is None:
            window = self._chats[chat_id] = Window(self._group if chat_id < 0 else self._private)
        return window

    def delay(self, chat_id: int, now: float, *, thin: bool = False) -> float:
        """Seconds until a call to this chat fits, 0 if it does now. `thin`: a call that leaves the spare ones to
        others."""
        overall = self.thin_delay(now) if thin else self.overall.delay(now)
        return max(self.chat(chat_id).delay(now), overall)

    def thin_delay(self, now: float) -> float:
        """Seconds until a call that leaves the spare ones to others fits overall."""
        return self.overall.delay(now, self.overall.limit.calls - self._spare)

    def begin(self, chat_id: int) -> None:
        """A call to this chat begins."""
        self.chat(chat_id).begin()
        self.overall.begin()

    def end(self, chat_id: int, now: float) -> None:
        """A call to this chat has ended, well or badly."""
        self.chat(chat_id).end(now)
        self.overall.end(now)

    # Beside everything else

    def beside(self, chat_id: int, now: float) -> float:
        """Seconds until a call fits for which nobody must ever wait, 0 if it does now.

        In a private chat such calls have a window of their own, and go only while at most one other call counts: what
        comes next finds its whole budget, and together they stay within what Telegram calls short bursts. In a
        group, where they count as all others, only while at least half of its window is free.
        """
        limit = self.chat(chat_id).limit
        overall = self.overall.delay(now, self.overall.limit.calls - 2 * self._spare)
        if chat_id < 0:
            return max(overall, self.chat(chat_id).delay(now), self.chat(chat_id).delay(now, limit.calls // 2))
        apart = self._besides.get(chat_id)
        return max(overall, self.chat(chat_id).delay(now, limit.calls - 1), apart.delay(now) if apart else 0.0)

    def begin_beside(self, chat_id: int) -> None:
        """Such a call begins."""
        if chat_id < 0:
            self.begin(chat_id)
            return
        self._besides.setdefault(chat_id, Window(self._beside)).begin()
        self.overall.begin()

    def end_beside(self, chat_id: int, now: float) -> None:
        """Such a call has ended."""
        if chat_id < 0:
            self.end(chat_id, now)
            return
        self._besides[chat_id].end(now)
        self.overall.end(now)

    # Memory

    def recall(self, chat_id: int, ended: list[float]) -> None:
        """Count calls to this chat that an earlier process made, ended at these times."""
        self.chat(chat_id).recall(ended)
        self.overall.recall(ended)

    def move(self, old_chat_id: int, new_chat_id: int, now: float) -> None:
        """A group has another id from now on: what counts for the old one counts for the new one."""
        if old_chat_id in self._chats:
            self.chat(new_chat_id).recall(self._chats[old_chat_id].stamps(now))

    def busy(self, now: float) -> bool:
        """Whether only the spare calls are left."""
        return self.overall.used(now) >= self.overall.limit.calls - self._spare

    def forget_idle(self, now: float) -> None:
        """Let go of the windows of chats in which no call counts any more."""
        for chat_id in [chat_id for chat_id, window in self._chats.items() if not window.used(now)]:
            del self._chats[chat_id]
        for chat_id in [chat_id for chat_id, window in self._besides.items() if not window.used(now)]:
            del self._besides[chat_id]
