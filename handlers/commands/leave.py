"""/leave: give up one's seat."""

from __future__ import annotations

from handlers import lobby
from handlers.calls import Call, Command
from handlers.names import shown_name


async def run(call: Call) -> None:
    """Leave the table: at once between hands, after the running hand else."""
    assert call.person is not None
    person, table = call.person, call.table
    if table is None:
        call.say_key("say.no_table" if call.group is not None else "say.no_seat")
        return
    answer = await table.do(lambda draft: lobby.leave(draft, person.id))
    if call.group is not None and answer.key in ("toast.left", "toast.leaving"):
        key = "say.left" if answer.key == "toast.left" else "say.leaving"
        call.say_key(key, name=shown_name(person.name))
    elif answer.key is not None:
        call.say_key(answer.key, **answer.fields)


COMMAND = Command("leave", run)
