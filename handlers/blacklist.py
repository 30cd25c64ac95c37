"""A group's blacklist: persons who may not sit at its tables; its admins keep it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from data.model import Group
from handlers import hosting, seating

if TYPE_CHECKING:
    from handlers.house import House


async def ban(house: House, group: Group, person_id: int) -> Group:
    """Put a person on the blacklist; whoever sits at the group's table loses the seat, after a running hand."""
    changed = await house.people.set_listed(group, "banned", person_id, True)
    await house.group_changed(changed)
    table = house.table_of(changed)
    if table is not None:
        await table.do(lambda draft: hosting.put_off(draft, person_id))
    return changed


async def unban(house: House, group: Group, person_id: int) -> Group:
    """Take a person off the blacklist again."""
    changed = await house.people.set_listed(group, "banned", person_id, False)
    await house.group_changed(changed)
    table = house.table_of(changed)
    await house.people.load([person_id])
    person = house.people.known(person_id)
    if table is not None and person is not None:
        await seating.forgive(house, table, person)
    return changed
