"""A table whose kept state or journal cannot be read: it is closed, so that nobody is held up by it."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from data.errors import StoreUnwritable
from data.model import Change, Entry, TableRow, Void
from handlers.names import shown_name
from handlers.outbox import Message

if TYPE_CHECKING:
    from handlers.house import House

log = logging.getLogger(__name__)

AGAIN = 30.0
"""Seconds until a table that could not be closed is tried again."""


async def close(house: House, table_id: int) -> None:
    """Close a table that cannot be taken up; of its running hand nothing moves.

    Its group may open another, and what its people had at stake is theirs again. State and journal stay in the store as
    they are. The operator is told once, since no later start finds the table open.
    """
    while True:
        try:
            row = await _closed(house, table_id)
        except StoreUnwritable as error:
            house.trouble(str(error))
            await house.clock.sleep(AGAIN)
        else:
            break
    for key in house.outbox.keys(f"t{table_id}:"):
        house.outbox.drop(key)
    if row is not None:
        house.trouble(f"table {table_id} could not be taken up: it was closed, and its hand does not count")
        await _tell(house, row)


async def _closed(house: House, table_id: int) -> TableRow | None:
    """Have the store close it; None if it was closed already."""
    row = await house.store.table(table_id)
    if row is None or row.closed_at is not None:
        return None
    hand, now = await house.store.running_hand(table_id), house.clock.now()
    entry = Entry(row.seq + 1, now, "broken", None, hand.id if hand is not None else None)
    void = Void(hand.id, now, "broken") if hand is not None else None
    await house.store.commit(Change(table_id, (entry,), void=void, close=now))
    return row


async def _tell(house: House, row: TableRow) -> None:
    """Tell the group, and in private those who sat there."""
    group = await house.store.group(row.group_id) if row.group_id is not None else None
    if group is not None:
        thread = row.state.get("thread")
        text = house.texts.get(group.language).html("lobby.broken")
        thread_id = thread if isinstance(thread, int) else None
        house.outbox.say(Message(group.telegram_id, text, silent=True, thread_id=thread_id))
    await house.people.load(row.seated)
    for person in map(house.people.known, row.seated):
        if person is not None and person.telegram_id is not None and person.private_ok:
            words = house.texts.get(person.language)
            text = words.html("lobby.broken")
            if group is not None:
                text = words.html("tell.at", group=shown_name(group.title), text=text)
            house.outbox.say(Message(person.telegram_id, text, silent=True))
