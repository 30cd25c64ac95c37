"""/table: the table again, newest at the bottom."""

from __future__ import annotations

from handlers.calls import Call, Command


async def run(call: Call) -> None:
    """Bring the living message down: the group's in a group, the person's own in private."""
    table = call.table
    if call.group is not None:
        if table is None or not table.showing.bring_down():
            call.say_key("say.no_table")
    elif table is None or call.person is None or not table.showing.bring_hand_down(call.person):
        call.say_key("say.no_seat")


COMMAND = Command("table", run, anonymous=True)
