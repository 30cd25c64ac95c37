"""What an operator may do beyond everybody else (/admin): keep people off all tables, close a table. All of it is
written down, in the table's journal or among the acts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from data.errors import Conflict
from data.model import Group, Person
from handlers import hosting, lobby, seating, voiding
from handlers.answers import Answer
from handlers.names import shown_name
from handlers.preferences import is_banned

if TYPE_CHECKING:
    from handlers.house import House
    from handlers.table import Table


async def ban(house: House, operator: Person, person: Person) -> Answer:
    """Keep somebody off all tables: they lose every seat, after a hand that runs; practice ends at once."""
    if person.telegram_id is None:
        return Answer("toast.gone")
    if person.id == operator.id or person.telegram_id in house.operators:
        return Answer("toast.not_yourself")
    async with house.seating(person):
        try:
            house.banned.add(await house.store.ban(person.id, operator.id, house.clock.now()))
        except Conflict:
            return Answer("toast.gone")
        for table in house.tables:
            if table.group is not None:
                await table.do(lambda draft: hosting.put_off(draft, person.id, "ban_all.told"))
            elif table.state.seat_of(person.id) is not None:
                await table.do(lobby.end_practice)
    return Answer("admin.banned", {"name": shown_name(person.name)})


async def unban(house: House, operator: Person, telegram_id: int) -> Answer:
    """Let somebody sit again, where no group keeps them off."""
    if not await house.store.unban(telegram_id, operator.id, house.clock.now()):
        return Answer("admin.not_banned")
    house.banned.discard(telegram_id)
    person = await house.store.known_user(telegram_id)
    if person is None:
        return Answer("admin.unbanned_unknown")
    for table in house.tables:
        if table.group is not None and not is_banned(table.group, person):
            await seating.forgive(house, table, person)
    return Answer("admin.unbanned", {"name": shown_name(person.name)})


async def close_table(house: House, operator: Person, table: Table, hand: int) -> Answer:
    """Close a table; of a running hand nothing moves. ``hand``: the one that was running when it was asked for."""
    answer = await table.do(lambda draft: voiding.close(draft, operator.id, hand))
    if answer.key == "admin.closed":
        group: Group | None = table.group
        body = {"table": table.id, "group": group.id if group is not None else None, "hand": hand}
        await house.store.note_act(operator.id, "close", body, house.clock.now())
    return answer
