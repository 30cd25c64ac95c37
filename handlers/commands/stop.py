"""/stop: end the table after the running hand; its host and the group's admins may, all who sit there void the hand."""

from __future__ import annotations

from handlers import stopping
from handlers.calls import Call, Command
from handlers.table import Table
from handlers.which import ask_which


async def run(call: Call) -> None:
    """End the table, or say why not; of several tables ask which. An operator is offered to void the hand alone."""
    tables = [call.table] if call.table is not None else call.own_tables
    if not tables:
        call.say_key("say.no_table" if call.group is not None else "say.no_seat")
    elif len(tables) > 1:
        ask_which(call, "say.stop_which", [(table, "stop") for table in tables])
    else:
        await stop(call, tables[0])


async def stop(call: Call, table: Table) -> None:
    """End one table."""
    person = call.person.id if call.person is not None else None
    answer = await stopping.stop(call.house, table, person, call.user_id, admin=await call.by_admin())
    offer = stopping.offer_to_annul(call.house, table, call.user_id, answer, call.words)
    if offer is not None:
        call.say(*offer)
    elif answer.key != "lobby.closed" or table.group is None:
        call.say_answer(answer)


COMMAND = Command("stop", run, place=140, admins=True)
