"""Values that are made by the hundred thousand: frozen dataclasses for whoever checks types, quick ones at run time."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as value
else:
    from dataclasses import dataclass

    def value(*, frozen: bool, slots: bool):
        """As ``dataclass``, but that nothing is changed is left to the type checker: what keeps it from being changed
        at run time makes every instance several times as dear."""
        return dataclass(slots=slots, unsafe_hash=frozen)


__all__ = ["value"]
