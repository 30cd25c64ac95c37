"""/join: sit down at the group's table."""

from __future__ import annotations

from handlers.calls import Call, Command
from handlers.outbox import Button
from handlers.seating import sit, start_link


async def run(call: Call) -> None:
    """Sit, or point to the private chat where START seats."""
    assert call.person is not None
    table = call.table
    if table is None:
        call.say_key("say.no_table")
        return
    answer = await sit(call.house, table, call.person)
    if answer.url is not None:
        button = Button(call.words("button.open_bot"), url=start_link(call.house, table))
        call.say(call.words.html("lobby.need_start"), ((button,),))
    elif answer.key is not None and answer.key != "toast.sat":
        call.say_key(answer.key, **answer.fields)


COMMAND = Command("join", run, private=False)
