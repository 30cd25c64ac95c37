"""/stop: end the table after the running hand; its host and the group's admins may, all who sit there void the hand."""

from __future__ import annotations

from handlers import lobby
from handlers.calls import Call, Command
from handlers.outbox import Button
from handlers.presses import table_data
from handlers.table import Table
from handlers.which import ask_which


async def run(call: Call) -> None:
    """End the table, or say why not; of several tables ask which. An operator is offered to void the hand alone."""
    tables = [call.table] if call.table is not None else call.own_tables if call.group is None else []
    if not tables:
        call.say_key("say.no_table" if call.group is not None else "say.no_seat")
    elif len(tables) > 1:
        ask_which(call, "say.stop_which", [(table, "stop") for table in tables])
    else:
        await stop(call, tables[0])


async def stop(call: Call, table: Table) -> None:
    """End one table."""
    operator = call.user_id in call.house.operators
    admin = operator or await call.by_admin()
    person = call.person.id if call.person is not None else None
    answer = await table.do(lambda draft: lobby.stop(draft, person, admin=admin))
    if operator and answer.key == "toast.stopping":
        annul = Button(call.words("button.annul"), table_data(table.id, "annul", table.state.hand), style="danger")
        call.say(call.words.html("say.annul"), ((annul,),))
    elif answer.key is not None and answer.key != "lobby.closed":
        call.say_key(answer.key, **answer.fields)


COMMAND = Command("stop", run, admins=True)
