"""A table is opened in a group, by command or by button."""

from __future__ import annotations

from data.errors import Conflict
from data.model import Group, Person
from handlers import seating, stakes
from handlers.answers import SILENT, Answer
from handlers.house import House
from handlers.links import message_link
from handlers.table import Table


async def open_in_group(house: House, group: Group, person: Person, thread: int | None) -> Answer:
    """Open a group's table; if there is one already, bring it down to where people are reading.

    While Telegram's limits are nearly used up by the tables there are, no more is opened (telegram.md, budgets).
    ``lobby.exists_elsewhere``: it is in another topic, and stays as it is.
    """
    if (banned := seating.kept_off(house, group, person)) is not None:
        return banned
    table = house.table_of(group)
    if table is None and house.outbox.busy:
        return Answer("say.busy", alert=True)
    if table is None:
        try:
            return await _why_not_seated(house, await house.open_table(group, person, thread), person)
        except Conflict:
            # Two at once: the other one opened it.
            table = house.table_of(group)
            if table is None:
                return Answer("toast.trouble")
    if table.state.thread != thread:
        return Answer("lobby.exists_elsewhere")
    table.showing.bring_down()
    return Answer("lobby.exists")


async def _why_not_seated(house: House, table: Table, person: Person) -> Answer:
    """What keeps somebody who has opened a table from sitting there."""
    if not person.private_ok or table.state.seat_of(person.id) is not None:
        return SILENT
    wallet = await house.store.wallet(person.id)
    kept_off = seating.obstacle(house, person, table, table.state, wallet)
    stake = stakes.stake_to_sit(wallet, days=table.state.days)
    return kept_off or stakes.cannot_pay(table.state, stake) or SILENT


def where(table: Table) -> str | None:
    """A link to the table's message in its group, if there is one and Telegram has links there."""
    for key in (f"t{table.id}:lobby", f"t{table.id}:table", f"t{table.id}:sheet"):
        if (found := table.house.outbox.where(key)) is not None:
            return message_link(found[0], table.state.thread, found[1])
    return None
