"""/table: the table again, newest at the bottom."""

from __future__ import annotations

from handlers.calls import Call, Command
from handlers.commands.newgame import point_to_the_table


async def run(call: Call) -> None:
    """Bring the living message down: the group's in a group; in private the person's own, one a table."""
    if call.group is not None:
        table = call.table
        if table is not None and table.state.thread != call.thread:
            point_to_the_table(call)
        elif table is None or not table.showing.bring_down():
            call.say_key("say.no_table")
        return
    assert call.person is not None
    brought = [table.showing.bring_hand_down(call.person) for table in call.own_tables]
    if not any(brought):
        call.say_key("say.no_seat")


COMMAND = Command("table", run, place=40, anonymous=True)
