"""/ban and /unban: who may not sit at this group's tables; its admins say so."""

from __future__ import annotations

from collections.abc import Iterable

from data.model import Person
from handlers import blacklist
from handlers.calls import Call, Command
from handlers.names import shown_name
from handlers.outbox import Button
from handlers.preferences import GroupSettings
from handlers.presses import table_data

OFFERED = 8
"""People among whom an admin is asked to choose."""


async def run(call: Call) -> None:
    """In reply to a message: its writer is banned. Else ask whom, by buttons."""
    if not await call.by_admin():
        call.say_to("toast.admins_do")
    elif call.replied is not None:
        person = await call.house.people.person(call.replied)
        if call.person is not None and person.id == call.person.id:
            call.say_to("toast.not_yourself")
            return
        assert call.group is not None
        await blacklist.ban(call.house, call.group, person.id)
        call.say_key("toast.banned_now", name=shown_name(person.name))
    else:
        await ask(call, "ban", await candidates(call))


async def run_unban(call: Call) -> None:
    """In reply to a message: its writer may sit again. Else ask who."""
    assert call.group is not None
    if not await call.by_admin():
        call.say_to("toast.admins_do")
    elif call.replied is not None:
        person = await call.house.people.person(call.replied)
        await blacklist.unban(call.house, call.group, person.id)
        call.say_key("toast.unbanned", name=shown_name(person.name))
    else:
        await ask(call, "unban", GroupSettings.of(call.group).banned)


async def candidates(call: Call) -> list[int]:
    """Ids of those at the table, those who wait there, and those of the ranking; not who is banned already."""
    assert call.group is not None
    table = call.table
    ids = [] if table is None else [*table.state.persons, *(waiting.person for waiting in table.state.queue)]
    ids += [rank.person_id for rank in await call.house.store.ranking(call.group.id, limit=OFFERED)]
    banned = GroupSettings.of(call.group).banned
    me = call.person.id if call.person is not None else None
    return [number for number in dict.fromkeys(ids) if number not in banned and number != me]


async def ask(call: Call, action: str, ids: Iterable[int]) -> None:
    """A button for each of the first few."""
    chosen = list(ids)[:OFFERED]
    await call.house.people.load(chosen)
    known: list[Person] = [
        person
        for person in map(call.house.people.known, chosen)
        if person is not None and person.telegram_id is not None
    ]
    rows = tuple((Button(shown_name(person.name), table_data(0, f"{action}_{person.id}")),) for person in known)
    call.say(call.words.html(f"say.{action}_whom" if rows else f"say.{action}_nobody"), rows)


COMMAND = Command("ban", run, place=160, private=False, listed=False, admins=True)
UNBAN = Command("unban", run_unban, place=170, private=False, listed=False, admins=True)
