"""/newgame: open a table in a group; in private, a practice table against computer players."""

from __future__ import annotations

from handlers.calls import Call, Command
from handlers.opening import open_in_group, where
from handlers.outbox import Button
from handlers.seating import practise


async def run(call: Call) -> None:
    """Open a table, or show where the one that there is stands."""
    assert call.person is not None
    if call.group is None:
        answer = await practise(call.house, call.person)
    else:
        answer = await open_in_group(call.house, call.group, call.person, call.thread)
    if answer.key == "lobby.exists_elsewhere":
        point_to_the_table(call)
    else:
        call.say_answer(answer)


def point_to_the_table(call: Call) -> None:
    """Say that the group's table is in another topic, with a button that leads there."""
    link = where(call.table) if call.table is not None else None
    rows = ((Button(call.words("button.go_there"), url=link),),) if link is not None else ()
    call.say(call.words.html("lobby.exists_elsewhere"), rows)


COMMAND = Command("newgame", run, place=10, by_button="open")
