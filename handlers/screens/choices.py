"""Buttons of which one is chosen, side by side as far as a narrow phone shows them whole."""

from __future__ import annotations

from collections.abc import Iterable
from unicodedata import east_asian_width

from handlers.outbox import Button, Keyboard

WIDTHS = ((3, 7.5), (2, 13.0))
"""Buttons side by side, and the columns that each of so many shows on a phone of 360 points, without the tick."""


def fitting(buttons: Iterable[Button]) -> Keyboard:
    """Choices side by side as far as none is cut on a narrow phone, whichever of them is ticked: three, two, or one."""
    found = list(buttons)
    widest = max(columns(button.text) for button in found)
    a_row = next((number for number, room in WIDTHS if widest <= room), 1)
    return tuple(tuple(found[at : at + a_row]) for at in range(0, len(found), a_row))


def columns(text: str) -> float:
    """How wide a text is, a Latin letter being one; the tick, which any choice may get, not counted."""
    return sum(1.7 if east_asian_width(one) in "WF" else 1.0 for one in text.removeprefix("✅").strip())
