"""The outbox's living messages, found by key and by the table they belong to."""

from __future__ import annotations

from collections.abc import Iterator

from handlers.outbox_jobs import Slot


class Slots:
    """Slots by key. All keys with the same word before their first colon are found without looking at the others."""

    def __init__(self) -> None:
        self._slots: dict[str, Slot] = {}
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
            family = self._families[_family(key)]
            del family[key]
            if not family:
                del self._families[_family(key)]
        return slot

    def keys(self, prefix: str) -> list[str]:
        """All keys that begin so."""
        family, colon, _ = prefix.partition(":")
        keys = self._families.get(family, {}) if colon else self._slots
        return [key for key in keys if key.startswith(prefix)]


def _family(key: str) -> str:
    return key.partition(":")[0]
