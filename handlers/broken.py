"""A table whose kept state or journal cannot be read: it is closed, so that nobody is held up by it."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import TYPE_CHECKING

from data.errors import StoreError
from data.model import Change, Entry, Group, Remains, Void
from handlers.names import shown_name
from handlers.outbox import Message

if TYPE_CHECKING:
    from handlers.house import House

log = logging.getLogger(__name__)

AGAIN = 30.0
"""Seconds until a table that could not be closed is tried again."""


async def close(house: House, table_id: int) -> None:
    """Close a table that cannot be taken up; of its running hand nothing moves.

    Its group may open another, and what its people had at stake is theirs again. The journal stays in the store as it
    is, and nothing that cannot be read is needed. The operator is told once, since no later start finds the table open.
    """
    while True:
        try:
            remains = await house.store.remains(table_id)
            # Looked up before, so that what is said does not depend on the store any more.
            group = await _group(house, remains)
            if remains is not None:
                await house.store.commit(_end(remains, house.clock.now()))
        except StoreError as error:
            house.trouble(str(error))
            await house.clock.sleep(AGAIN)
        else:
            break
    for key in house.outbox.keys(f"t{table_id}:"):
        house.outbox.drop(key)
    if remains is not None:
        fate = "its hand does not count" if remains.hand_id is not None else "no hand was running"
        house.trouble(f"table {table_id} could not be taken up: it was closed, and {fate}")
        _tell(house, remains, group)


def _end(remains: Remains, now: datetime) -> Change:
    entry = Entry(remains.seq + 1, now, "broken", None, remains.hand_id)
    void = Void(remains.hand_id, now, "broken") if remains.hand_id is not None else None
    return Change(remains.id, (entry,), void=void, close=now)


async def _group(house: House, remains: Remains | None) -> Group | None:
    """Where the table stood, if that can be read; its people are known then."""
    if remains is None:
        return None
    try:
        await house.people.load(remains.seated)
        return await house.store.group(remains.group_id) if remains.group_id is not None else None
    except StoreError:
        raise
    except Exception:
        log.exception("who played at table %d cannot be read", remains.id)
        return None


def _tell(house: House, remains: Remains, group: Group | None) -> None:
    """Tell the group, and in private those who sat there."""
    key = "lobby.broken" if remains.hand_id is not None else "lobby.broken_idle"
    if group is not None:
        thread = remains.state.get("thread")
        text = house.texts.get(group.language).html(key)
        thread_id = thread if isinstance(thread, int) else None
        house.outbox.say(Message(group.telegram_id, text, silent=True, thread_id=thread_id))
    for person in map(house.people.known, remains.seated):
        if person is not None and person.telegram_id is not None and person.private_ok:
            words = house.texts.get(person.language)
            if group is not None:
                text = words.html("tell.at", group=shown_name(group.title), text=words.html(key))
            else:
                # No coins are played for there; or what the group was called cannot be read.
                text = words.html(key if remains.group_id is not None else "lobby.broken_practice")
            house.outbox.say(Message(person.telegram_id, text, silent=True))
