"""What a presser is told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


class Key(str):
    """A catalogue key, such as that of a tile's name."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a press or a command: a toast, an ``alert`` that must be closed, or a ``url`` that opens.

    ``key``: a catalogue key, filled with ``fields`` in the presser's own language; None: nothing is said. A field that
    is a ``Key`` is said in that language as well. ``later``: somebody else will answer.
    """

    key: str | None = None
    fields: dict[str, Any] = field(default_factory=dict)
    alert: bool = False
    url: str | None = None
    later: bool = False


SILENT = Answer()
LATER = Answer(later=True)


def other_hand(pressed: int | None, hand: int) -> Answer:
    """What is told of a button of another hand than the one that is played; a number that was none yet is forged."""
    return Answer("toast.stale_hand" if pressed is not None and pressed <= hand else "toast.forged")
