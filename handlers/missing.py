"""三缺一: who wants to be called in private when a group's table lacks players, and the call (telegram.md)."""

from __future__ import annotations

from data.model import Group, Person
from handlers import waiting
from handlers.answers import Answer
from handlers.draft import Draft
from handlers.house import House
from handlers.names import shown_name
from handlers.outbox import Button, Message
from handlers.preferences import GroupSettings
from handlers.presses import table_data
from handlers.seating import obstacle
from handlers.table import Table

MOST_CALLED = 100
"""People called at once, those who asked for it last."""


async def call_players(house: House, table: Table, person: Person) -> Answer:
    """Call those of the group who want to be called when players are missing (三缺一), once a lobby."""
    if table.group is None:
        return Answer("toast.stale")
    callers = GroupSettings.of(table.group).callers
    await house.people.load(callers)
    reachable = [known for known in map(house.people.known, callers) if known is not None and known.private_ok]

    def step(draft: Draft) -> Answer:
        may = [known.id for known in reachable if obstacle(house, known, table, draft.state) is None]
        return waiting.call(draft, person.id, may[-MOST_CALLED:])

    return await table.do(step)


async def call_me(house: House, group: Group, person: Person, table: Table) -> Answer:
    """A person wants to be called in private when this group's table lacks players; there it can be undone."""
    if not person.private_ok:
        return Answer(url=table.start_link("callme"))
    known = person.id in GroupSettings.of(group).callers
    if not known:
        await house.group_changed(await house.people.set_listed(group, "callers", person.id, True))
    words = house.texts.get(person.language)
    text = words.html("call.on", group=shown_name(group.title))
    off = Button(words("button.call_off"), table_data(0, f"uncall_{group.id}"))
    house.outbox.ring(_call_key(group.id, person), Message(person.telegram_id or 0, text, ((off,),), silent=True))
    return Answer("toast.call_is_on" if known else "toast.call_on")


async def call_me_not(house: House, group: Group, person: Person) -> Answer:
    """A person no longer wants to be called to this group's tables."""
    changed = await house.people.set_listed(group, "callers", person.id, False)
    await house.group_changed(changed)
    house.outbox.drop(_call_key(group.id, person))
    table = house.table_of(changed)
    if table is not None and person.id in table.state.called:
        await table.do(lambda draft: waiting.uncall(draft, person.id))
    return Answer("toast.call_off")


async def left_the_group(house: House, group: Group, person: Person) -> None:
    """Somebody is no longer in a group: nobody calls them there, and they wait for no seat."""
    if person.id in GroupSettings.of(group).callers:
        await call_me_not(house, group, person)
    table = house.table_of(group)
    if table is not None and table.state.place_of(person.id) is not None:
        await table.do(lambda draft: waiting.forget(draft, person.id))


def _call_key(group_id: int, person: Person) -> str:
    return f"callme:{group_id}:p{person.id}"
