"""My hand in the group: a picture that only its owner sees, where the server can do that (telegram.md).

It lives no longer than it is true: it goes when its owner's tiles change, when the hand ends, and after a while. The
caller has an answer in words ready for a server that cannot.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING

from data.model import Person
from data.texts import Html, Words
from handlers.outbox import Asked, Message
from handlers.preferences import GroupSettings, Preferences
from handlers.screens import group as group_screen
from handlers.screens.hand import title
from handlers.screens.pictures import hand_words, picture
from handlers.screens.seating import lines
from handlers.wording import tile_words
from mahjong.views import view

if TYPE_CHECKING:
    from handlers.table import Table

Tiles = tuple[object, ...]
"""What of a hand is its owner's alone to see, to be compared."""


class OwnHands:
    """The looks of a table's players at their own hands in its group. Keys: ``tTABLE:pPERSON``."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._seen: dict[str, Tiles] = {}

    def show(self, person: Person, asked: Asked, done: Callable[[bool], object]) -> bool:
        """Show a person their hand in the group; False if they have none there just now.

        ``done`` is told a moment later whether it is shown.
        """
        table = self._table
        tiles = self._tiles(person.id)
        if tiles is None or table.hand is None or table.group is None or person.telegram_id is None:
            return False
        chat, state = table.group.telegram_id, table.state
        seat = state.seat_of(person.id)
        assert seat is not None
        words = table.house.texts.get(person.language)
        seen, everybody = view(table.hand, seat), view(table.hand, None)
        tile_set = Preferences.of(person).tiles
        hand = hand_words(state, seen, words, title(seen, words, state))
        shown = picture(table.house.renderer, "hand", seen, hand, tile_set)
        text = lines(words.html("hand.own_eyes"), Html(escape(self.in_words(person, words) or "", quote=False)))
        message = Message(chat, text, (), shown, silent=True, protect=True, thread_id=state.thread)
        public = group_screen.table_message(
            table.house.renderer,
            chat,
            state,
            everybody,
            table.showing.words(),
            table.start_link(),
            GroupSettings.of(table.group).tiles,
        )
        cover = Message(chat, words.html("hand.own_eyes"), (), public.picture, True, True, state.thread)
        key = f"t{table.id}:p{person.id}"
        self._seen[key] = tiles
        table.house.outbox.want_ephemeral(key, message, person.telegram_id, cover=cover, asked=asked, done=done)
        return True

    def refresh(self) -> None:
        """What is out of date goes."""
        outbox = self._table.house.outbox
        for key in outbox.ephemeral_keys(f"t{self._table.id}:p"):
            if self._seen.get(key) != self._tiles(int(key.rpartition("p")[2])):
                self._seen.pop(key, None)
                outbox.drop_ephemeral(key)

    def in_words(self, person: Person, words: Words) -> str | None:
        """A person's own hand in words, for an alert in the group; None if none runs for them."""
        table = self._table
        seat = table.state.seat_of(person.id)
        if seat is None or table.hand is None or table.state.phase != "playing":
            return None
        seen = view(table.hand, seat)
        me = seen.seats[seat]
        tiles = [*(me.concealed or ()), *([me.drawn] if me.drawn is not None else [])]
        text = words("alert.hand", tiles=tile_words(words, tiles))
        melds = [tile for meld in me.melds for tile in meld.tiles if tile is not None]
        if melds:
            text += "\n" + words("alert.melds", tiles=tile_words(words, melds))
        return text + "\n" + words("alert.gold", tiles=tile_words(words, seen.gold))

    def _tiles(self, person: int) -> Tiles | None:
        table = self._table
        seat = table.state.seat_of(person)
        if seat is None or table.hand is None or table.state.phase != "playing":
            return None
        me = view(table.hand, seat).seats[seat]
        return (table.state.hand, me.concealed, me.drawn, me.melds)
