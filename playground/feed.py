"""What happens, for those who watch: numbered events (docs/playground.md, "The event stream")."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

KEPT = 5000


class Event(NamedTuple):
    """Something that has happened: its number in a row, its name, its fields as JSON."""

    seq: int
    name: str
    data: str


class Feed:
    """The last events, and who is told of new ones. Off, it costs nothing: simulations have no watchers."""

    def __init__(self, on: bool) -> None:
        self.on = on
        self.seq = 0
        self.events: deque[Event] = deque(maxlen=KEPT)
        self.watchers: list[Callable[[Event], None]] = []

    def emit(self, name: str, make: Callable[[], dict[str, Any]]) -> None:
        """Tells everybody; ``make`` gives the data and is called only if somebody may read it."""
        if not self.on:
            return
        self.seq += 1
        event = Event(self.seq, name, json.dumps(make(), ensure_ascii=False, separators=(",", ":")))
        self.events.append(event)
        for watcher in tuple(self.watchers):
            watcher(event)

    def since(self, seq: int) -> list[Event] | None:
        """The events after number ``seq``; None if some of them are no longer kept, or it lies in the future."""
        if seq > self.seq or (self.events and seq < self.events[0].seq - 1) or (not self.events and seq < self.seq):
            return None
        return [event for event in self.events if event.seq > seq]
