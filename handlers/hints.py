"""Hints while a hand is played, for those who play it and where they are given: from their own view alone."""

from __future__ import annotations

from handlers.answers import Answer, other_hand
from handlers.presses import TablePress
from handlers.pressing import Pressing
from handlers.screens.hints import hint_text, waits_text
from handlers.table import Table
from mahjong.players import weigh
from mahjong.views import view


async def press(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    """💡 what *normal* would do and why, in a toast; 🎯 what the hand waits for, in an alert that
    stays: it is a list to read."""
    if not pressing.private:
        return Answer("toast.forged")
    state, hand = table.state, table.hand
    seat = state.seat_of(pressing.person.id)
    if seat is None:
        return Answer("toast.not_seated")
    if state.phase != "playing" or hand is None or pressed.hand != state.hand:
        return other_hand(pressed.hand, state.hand)
    if not state.hints_given:
        return Answer("hint.not_here", alert=True)
    table.showing.ringing.noticed(pressing.person.id)
    seen = view(hand, seat)
    if pressed.action == "waits":
        return Answer("alert.text", {"text": waits_text(seen, pressing.words)}, alert=True)
    weighed = weigh(seen) if seen.question is not None else ()
    return Answer("alert.text", {"text": hint_text(seen, weighed, pressing.words)})
