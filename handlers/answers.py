"""What a presser is told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a press or a command: a toast, an ``alert`` that must be closed, or a ``url`` that opens.

    ``key``: a catalogue key, filled with ``fields`` in the presser's own language; None: nothing is said. A field that
    starts with ``tile.`` is a catalogue key itself. ``later``: somebody else will answer.
    """

    key: str | None = None
    fields: dict[str, Any] = field(default_factory=dict)
    alert: bool = False
    url: str | None = None
    later: bool = False


SILENT = Answer()
LATER = Answer(later=True)
