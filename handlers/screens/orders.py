"""Standing orders in one's own hand message: what shall be taken as soon as it is thrown (telegram.md)."""

from __future__ import annotations

from data.texts import Words
from handlers.orders import offered
from handlers.outbox import Button, Keyboard
from handlers.presses import order_data
from handlers.table_state import TableState
from handlers.wording import tile_word
from mahjong.tiles import parse_tile
from mahjong.views import View

ROW = 2


def may_order(state: TableState) -> bool:
    """Whether standing orders are offered: where nobody is hurried, they spare the others hours of waiting."""
    return state.group is not None and (state.pace.turn is None or state.days)


def orders_keyboard(state: TableState, view: View, words: Words) -> Keyboard:
    """A button for each order of the reader that makes sense now, and for each that still holds; may be empty."""
    owner = state.seats[view.reader or 0]
    assert owner is not None
    named = dict.fromkeys([*offered(view), *(order for order in owner.orders if ":" in order)])
    buttons = []
    for order in named:
        verb, _, tile = order.partition(":")
        text = words(f"button.order.{verb}_tile", tile=tile_word(words, parse_tile(tile)))
        shown = words("button.chosen", text=text) if order in owner.orders else text
        buttons.append(Button(shown, order_data(state.table, state.hand, order)))
    return tuple(tuple(buttons[i : i + ROW]) for i in range(0, len(buttons), ROW))
