"""Presses in the lobby beyond sitting down and starting: the timer, the queue, calls, what hosts and admins may do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from handlers import seating
from handlers.answers import Answer
from handlers.presses import TablePress
from handlers.table import Table
from handlers.table_state import PACES

if TYPE_CHECKING:
    from handlers.callbacks import Pressing

Action = Callable[["Pressing", Table, TablePress], Awaitable[Answer]]


async def _timer(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    if pressed.number >= len(PACES):
        return Answer("toast.forged")
    return await seating.choose_timer(pressing.house, table, pressing.person, list(PACES)[pressed.number])


ACTIONS: dict[str, Action] = {
    "timer": _timer,
}
