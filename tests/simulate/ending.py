"""The end of a simulation: troubles are over, everybody plays and presses soon; what is open must come to an end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from data import audit
from data import tables as table_rows
from handlers.table import Table
from playground.entities import parse_html
from tests.simulate.people import Person
from tests.simulate.place import Place
from tests.simulate.wrong import Wrong
from tests.support.town import label_of

PATIENCE = 3 * 24 * 3600.0
"""Virtual seconds within which everything open must have ended."""
QUIET = 60.0
"""Virtual seconds after which all troubles are over, their late consequences too."""


async def come_to_rest(place: Place, people: Mapping[int, Person]) -> None:
    """Play on without troubles until no hand runs, see that every table can go on, and have all tables stopped."""
    await place.running()
    place.enough = place.winding_up = True
    for person in people.values():
        person.settle_down()
    await _until(place, lambda: False, "", QUIET)
    await _until(place, lambda: not _playing(place), lambda: f"a hand does not end: {_playing(place)}", PATIENCE)
    for table in place.tables():
        _waits(place, table)
    await place.outbox.idle()
    await _until(place, lambda: _shown(place) is None, lambda: f"a message is not up to date: {_shown(place)}", 120.0)
    begun = asyncio.get_running_loop().time()
    while place.look(table_rows.open_tables):
        for row in place.look(table_rows.open_tables):
            _stop(place, row.group_id, row.state, row.seated)
        await _until(place, lambda: not place.look(table_rows.open_tables), "", 600.0)
        if asyncio.get_running_loop().time() - begun > PATIENCE:
            raise Wrong("a table is stuck")


def _playing(place: Place) -> list[int]:
    """The tables at which a hand runs."""
    rows = place.look(table_rows.open_tables)
    return [row.id for row in rows if row.state["phase"] in ("countdown", "dice", "playing")]


def _waits(place: Place, table: Table) -> None:
    """An open table waits for something that will come: a deadline, or a person who has a button for it."""
    state = table.state
    if state.deadlines or state.phase == "dice":
        return
    chats = []
    if table.group is not None:
        chats.append(table.group.telegram_id)
    for person_id in state.persons:
        person = place.house.people.known(person_id)
        if person is not None and person.telegram_id in place.world.people:
            chats.append(person.telegram_id)
    mine = f"|{table.id}|"
    for chat_id in chats:
        for message in place.world.chats[chat_id].messages.values():
            if any(mine in button.get("callback_data", "") for row in message.keyboard for button in row):
                return
    raise Wrong(f"table {table.id} waits for nothing, in phase {state.phase}")


def _shown(place: Place) -> str | None:
    """The first message that does not look as its table wants it; None if all do."""
    for table in place.tables():
        if table.state.phase == "paused":
            # It is told of the new day in the morning, or with the first press.
            continue
        for key, (message, _) in table.showing._wanted().items():
            chat = place.world.chats.get(message.chat_id)
            if chat is None or not place.home(chat):
                continue
            where = place.outbox.where(key)
            shown = chat.messages.get(where[1]) if where is not None else None
            if where in place.deleted:
                continue
            if shown is None:
                return f"{key} is not there"
            if shown.content.text != parse_html(message.text)[0].strip():
                return f"{key} says {shown.content.text!r}, not {message.text!r}"
            want = [[button.data or button.url for button in row] for row in message.keyboard]
            have = [[button.get("callback_data") or button.get("url") for button in row] for row in shown.keyboard]
            if want != have:
                return f"{key} has buttons {have}, not {want}"
            media = shown.content.media
            if message.picture is not None and (
                media is None or label_of(media.data)["digest"] != message.picture.digest
            ):
                return f"{key} shows another picture"
    return None


def _stop(place: Place, group_id: int | None, state: Mapping[str, Any], seated: tuple[int, ...]) -> None:
    """Have a table stopped by its group's creator, or by who plays there alone."""
    crowd = place.world.crowd
    table = place.house.table(int(state["table"])) if place.up else None
    if group_id is not None:
        if table is None or table.group is None:
            return
        chat = place.world.chats.get(table.group.telegram_id)
        if chat is None or chat.migrated_to is not None:
            return
        creator = next((one.id for one in chat.members.values() if one.status == "creator"), None)
        if creator is not None and not chat.gone and place.home(chat):
            crowd.say(creator, chat.id, "/stop")
        return
    for person_id in seated:
        person = place.house.people.known(person_id)
        if (
            person is not None
            and person.telegram_id in place.world.people
            and place.home(place.world.chats[person.telegram_id])
        ):
            crowd.say(person.telegram_id, person.telegram_id, "/stop")


async def _until(place: Place, done: Callable[[], bool], why: str | Callable[[], str], seconds: float) -> None:
    """Wait until something holds, at most so long; ``why``: what is wrong if it does not then, empty: nothing."""
    end = asyncio.get_running_loop().time() + seconds
    while not done():
        await asyncio.wait([place.wrong], timeout=5 if seconds < PATIENCE else 60)
        if place.wrong.done():
            place.wrong.result()
        if asyncio.get_running_loop().time() >= end:
            if why:
                raise Wrong(why if isinstance(why, str) else why())
            return


async def look_over(place: Place) -> None:
    """What must hold in the end."""
    await place.outbox.idle()
    if place.wrong.done():
        place.wrong.result()
    if place.line.broken:
        raise Wrong(f"the playground broke: {place.line.broken[0]!r}")
    if wrong := place.look(audit.first_wrong_record):
        raise Wrong(f"a record does not add up: {wrong}")
    held = place.look(_held)
    if held:
        raise Wrong(f"coins are held for no hand: {held}")
    place.wrong.cancel()


def _held(connection: Any) -> int:
    return connection.exec_driver_sql("SELECT count(*) FROM holds").scalar() or 0
