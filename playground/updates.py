"""What waits for the bot: updates in order, and which kinds it has asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

DAY = 24 * 3600.0
NOT_BY_DEFAULT = frozenset({"chat_member", "message_reaction", "message_reaction_count"})


class Updates:
    """The bot's queue. An update leaves it when a getUpdates with a higher offset has confirmed it, or after a day."""

    def __init__(self) -> None:
        self.allowed: tuple[str, ...] | None = None
        self.on_new: Callable[[], None] | None = None
        self._pending: list[tuple[float, dict[str, Any]]] = []
        self._next = 100_000_001
        self._again: list[dict[str, Any]] = []
        self._repeated = 0
        self.changes = 0
        """Counts what has been put in and confirmed."""

    def wants(self, kind: str) -> bool:
        """Whether the bot gets updates of that kind; without a list all but three."""
        return kind in self.allowed if self.allowed else kind not in NOT_BY_DEFAULT

    def allow(self, kinds: Iterable[str] | None) -> None:
        """``allowed_updates`` of a call: None keeps what was set, an empty list means the default."""
        if kinds is not None:
            self.allowed = tuple(kinds) or None

    def add(self, kind: str, content: dict[str, Any], now: float) -> None:
        """One more update for the bot, unless it does not want this kind."""
        if not self.wants(kind):
            return
        self._pending.append((now, {"update_id": self._next, kind: content}))
        self._next += 1
        self.changes += 1
        if self.on_new is not None:
            self.on_new()

    def pending(self, now: float) -> int:
        """How many wait to be fetched; those older than a day are gone."""
        self._pending = [(time, update) for time, update in self._pending if time > now - DAY]
        return len(self._pending)

    def confirm(self, offset: int, now: float) -> None:
        """Forgets updates before ``offset``; a negative one keeps only so many from the end."""
        self.pending(now)
        self.changes += 1
        if offset < 0:
            self._pending = self._pending[offset:]
        else:
            self._pending = [entry for entry in self._pending if entry[1]["update_id"] >= offset]

    def look(self, limit: int, now: float) -> list[dict[str, Any]]:
        """The oldest that wait, none of them for a day."""
        self.pending(now)
        return [update for _, update in self._pending[:limit]]

    def take(self, limit: int, now: float) -> list[dict[str, Any]]:
        """The next answer to getUpdates."""
        repeated, self._again = self._again, []
        return repeated + self.look(limit, now)

    def fresh(self, updates: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Those that have not been repeated yet."""
        return [update for update in updates if update["update_id"] > self._repeated]

    def repeat(self, updates: list[dict[str, Any]]) -> None:
        """These come once more with the next answer, as if a confirmation had been lost."""
        self._again = list(updates)
        self._repeated = max(update["update_id"] for update in updates)

    def renumber(self, older: Updates) -> None:
        """Numbers all that waits, and what comes, from where ``older`` is; keeps which kinds are wanted."""
        self.allowed = older.allowed
        self._next = older._next
        for _, update in self._pending:
            update["update_id"] = self._next
            self._next += 1

    def document(self) -> dict[str, Any]:
        """All of it, for the state file."""
        return {"allowed": self.allowed, "pending": self._pending, "next": self._next}

    def restore(self, document: dict[str, Any]) -> None:
        """As they were when they were saved."""
        self.allowed = tuple(document["allowed"]) if document["allowed"] else None
        self._pending = [(time, update) for time, update in document["pending"]]
        self._next = document["next"]

    def leap(self, far: int) -> None:
        """Leaves out so many numbers."""
        self._next += far

    def clear(self) -> None:
        """Those that wait are dropped."""
        self._pending.clear()
        self._again.clear()

    @property
    def waiting(self) -> bool:
        """Whether any wait."""
        return bool(self._pending or self._again)
