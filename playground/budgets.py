"""How much a bot may send: Telegram's limits for a group, a private chat and overall (Bot FAQ, "hitting limits").

Edits count like messages. What is refused does not count.
"""

from __future__ import annotations

import math
from collections import deque
from typing import Any

GROUP_LIMIT = 20
GROUP_WINDOW = 60.0
PRIVATE_RATE = 1.0
PRIVATE_BURST = 5
OVERALL_LIMIT = 30
OVERALL_WINDOW = 0.9
"""30 a second, looked at over 0.9 s: a bot that keeps to it by its own clock cannot see how calls bunch on the wire."""


class Budgets:
    """Counts the messages and edits of each chat; times are Unix seconds, never going back."""

    def __init__(self, enforced: bool = True) -> None:
        self.enforced = enforced
        self.refused = 0
        self._chats: dict[int, deque[float]] = {}
        self._tokens: dict[int, tuple[float, float]] = {}
        self._all: deque[float] = deque()

    def spend(self, chat_id: int, now: float) -> int:
        """Takes one message out of the budgets. Returns 0, or the seconds to wait: then nothing was taken."""
        wait = self._wait(chat_id, now)
        if self.enforced and wait > 0:
            self.refused += 1
            return max(1, math.ceil(wait))
        self._all.append(now)
        if chat_id < 0:
            self._chats.setdefault(chat_id, deque()).append(now)
        else:
            self._tokens[chat_id] = (self._left(chat_id, now) - 1, now)
        return 0

    def _left(self, chat_id: int, now: float) -> float:
        tokens, since = self._tokens.get(chat_id, (float(PRIVATE_BURST), now))
        return min(float(PRIVATE_BURST), tokens + (now - since) * PRIVATE_RATE)

    def _wait(self, chat_id: int, now: float) -> float:
        wait = 0.0
        while self._all and self._all[0] <= now - OVERALL_WINDOW:
            self._all.popleft()
        if len(self._all) >= OVERALL_LIMIT:
            wait = self._all[-OVERALL_LIMIT] + OVERALL_WINDOW - now
        if chat_id < 0:
            sent = self._recent(chat_id, now)
            if len(sent) >= GROUP_LIMIT:
                wait = max(wait, sent[-GROUP_LIMIT] + GROUP_WINDOW - now)
        else:
            left = self._left(chat_id, now)
            if left < 1:
                wait = max(wait, (1 - left) / PRIVATE_RATE)
        return wait

    def _recent(self, chat_id: int, now: float) -> deque[float]:
        sent = self._chats.setdefault(chat_id, deque())
        while sent and sent[0] <= now - GROUP_WINDOW:
            sent.popleft()
        return sent

    def overall(self, now: float) -> dict[str, Any]:
        """The budget of all chats together as docs/playground.md has it."""
        self._wait(0, now)
        return {"used": len(self._all), "limit": OVERALL_LIMIT, "window": 1}

    def chat(self, chat_id: int, now: float) -> dict[str, Any]:
        """One chat's budget as docs/playground.md has it."""
        wait = max(0, math.ceil(self._wait(chat_id, now)))
        if chat_id < 0:
            used, limit, window = len(self._recent(chat_id, now)), GROUP_LIMIT, int(GROUP_WINDOW)
        else:
            used = max(0, math.ceil(PRIVATE_BURST - self._left(chat_id, now)))
            limit, window = PRIVATE_BURST, PRIVATE_BURST
        return {"chat_id": chat_id, "used": used, "limit": limit, "window": window, "retry_after": wait}

    def document(self, now: float) -> dict[str, Any]:
        """All budgets that have been drawn on, as docs/playground.md has them."""
        chats = [self.chat(chat_id, now) for chat_id in sorted({*self._chats, *self._tokens})]
        return {"enforced": self.enforced, "overall": self.overall(now), "chats": chats, "refused": self.refused}

    def move(self, old: int, new: int) -> None:
        """A group has become the supergroup ``new``."""
        if old in self._chats:
            self._chats[new] = self._chats.pop(old)
