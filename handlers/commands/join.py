"""/join: sit down at the group's table, or wait for a seat there."""

from __future__ import annotations

from handlers.calls import Call, Command
from handlers.names import shown_name
from handlers.outbox import Button
from handlers.seating import wait


async def run(call: Call) -> None:
    """Sit, or wait for a seat; or point to the private chat where START does either."""
    assert call.person is not None
    table = call.table
    if table is None:
        call.say_key("say.no_table")
        return
    answer = await wait(call.house, table, call.person)
    if answer.url is not None:
        button = Button(call.words("button.open_bot"), url=table.start_link("queue"))
        call.say(call.words.html("lobby.need_start", name=shown_name(call.person.name)), ((button,),))
    elif answer.key != "toast.sat":
        call.say_answer(answer)


COMMAND = Command("join", run, place=20, private=False, by_button="sit")
