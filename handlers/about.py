"""Which table and hand the work at hand is about, for the log: set where that work begins, never read by the game."""

from __future__ import annotations

from contextvars import ContextVar
from typing import NamedTuple


class About(NamedTuple):
    """A table's id, and the id of the hand that is played there or was played last."""

    table: int
    hand: int | None = None


ABOUT: ContextVar[About | None] = ContextVar("about", default=None)
"""Tasks and timers inherit it from what began them; None: no table in particular."""
