"""/hand: my hand again, at the bottom of the private chat."""

from __future__ import annotations

from handlers.calls import Call, Command


async def run(call: Call) -> None:
    """Bring the person's living message down; in a group only say where it is."""
    assert call.person is not None
    tables = call.house.tables_with(call.person)
    if call.group is not None:
        tables = [table for table in tables if table.group is not None and table.group.id == call.group.id]
    if tables and tables[-1].showing.bring_hand_down(call.person):
        if call.group is not None:
            call.say_key("say.hand_private")
    else:
        call.say_key("say.no_seat")


COMMAND = Command("hand", run)
