"""The outbox's living messages, found by key, by the table they belong to, and by where they stand."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from handlers.outbox_jobs import DELETABLE, Shown, Slot

LASTING = timedelta(days=30)
"""For so long after it was sent a message lives, unless it is closed or dropped before."""


class Slots:
    """Slots by key. All keys with the same word before their first colon are found without looking at the others, and
    so is the slot of a message in a chat."""

    def __init__(self) -> None:
        self._slots: dict[str, Slot] = {}
        self._places: dict[tuple[int, int], Slot] = {}
        self._families: dict[str, dict[str, None]] = {}

    def __iter__(self) -> Iterator[Slot]:
        return iter(self._slots.values())

    def get(self, key: str) -> Slot | None:
        """The slot of a key."""
        return self._slots.get(key)

    def new(self, key: str, chat_id: int) -> Slot:
        """A slot for a key that has none."""
        slot = self._slots[key] = Slot(key, chat_id)
        self._families.setdefault(_family(key), {})[key] = None
        return slot

    def pop(self, key: str) -> Slot | None:
        """Take the slot of a key out; the key is free then."""
        slot = self._slots.pop(key, None)
        if slot is not None:
            self._leave_place(slot)
            family = self._families[_family(key)]
            del family[key]
            if not family:
                del self._families[_family(key)]
        return slot

    def show(self, slot: Slot, shown: Shown | None) -> None:
        """This is what a slot shows by now; one that is not, or no longer, under a key is not found by it."""
        self._leave_place(slot)
        slot.shown = shown
        if shown is not None and slot.key is not None and self._slots.get(slot.key) is slot:
            self._places[shown.chat_id, shown.message_id] = slot

    def at(self, chat_id: int, message_id: int) -> Slot | None:
        """The slot whose message stands there."""
        return self._places.get((chat_id, message_id))

    def outlived(self, now: datetime) -> list[str]:
        """The keys under which nothing more is to be expected: nothing stands or is wanted there, or has for too long.

        Without buttons nobody can act on a message, and it cannot be deleted after two days either; a table's may
        still be edited, however long its game takes.
        """
        return [key for key, slot in self._slots.items() if _rests(slot) and _outlived(key, slot.shown, now)]

    def _leave_place(self, slot: Slot) -> None:
        shown = slot.shown
        if shown is not None and self._places.get((shown.chat_id, shown.message_id)) is slot:
            del self._places[shown.chat_id, shown.message_id]

    def keys(self, prefix: str) -> list[str]:
        """All keys that begin so."""
        family, colon, _ = prefix.partition(":")
        keys = self._families.get(family, {}) if colon else self._slots
        return [key for key in keys if key.startswith(prefix)]


def _family(key: str) -> str:
    return key.partition(":")[0]


def _rests(slot: Slot) -> bool:
    return slot.wanted is None and not slot.flying


def _outlived(key: str, shown: Shown | None, now: datetime) -> bool:
    family = _family(key)
    of_table = family[:1] == "t" and family[1:].isdigit()
    if shown is None:
        return not of_table
    return now - shown.sent_at > (LASTING if shown.keyboard or of_table else DELETABLE)
