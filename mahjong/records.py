"""Records of hands (record.md): read strictly, played, written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mahjong.hand import Hand, Setup
from mahjong.moves import IllegalRecord

__all__ = ["IllegalRecord", "Record", "play", "record_of"]


@dataclass(frozen=True, slots=True)
class Record:
    """One hand, whole: its set-up, its actions as written, and what is carried through (``id``, ``seed``, ``note`` …)."""

    setup: Setup
    actions: tuple[str, ...]
    free: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def from_json(cls, data: object) -> Record:
        """Read a parsed JSON object. Raises ``IllegalRecord`` naming the field that is wrong."""
        raise NotImplementedError

    def to_json(self) -> dict[str, Any]:
        """The record as a JSON object with the keys of record.md."""
        raise NotImplementedError


def replay(record: Record) -> Hand:
    """Play the actions of a record and return the hand. Raises ``IllegalRecord`` naming the action that is wrong."""
    raise NotImplementedError


def play(record: Record) -> dict[str, Any]:
    """The result of a record as record.md has it, ``unfinished`` with ``legal`` when the actions run out first."""
    raise NotImplementedError


def result_json(hand: Hand) -> dict[str, Any]:
    """The result of an ended hand as record.md has it."""
    raise NotImplementedError


def record_of(hand: Hand, **free: Any) -> Record:
    """The record of a hand so far, in the written form; ``free`` are the free keys (``id``, ``seed``, ``dice`` …)."""
    raise NotImplementedError
