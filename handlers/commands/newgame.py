"""/newgame: open a table in a group; in private, a practice table against computer players."""

from __future__ import annotations

from data.errors import Conflict
from handlers.blacklist import is_banned
from handlers.calls import Call, Command
from handlers.seating import practise


async def run(call: Call) -> None:
    """Open a table; if there is one already, bring it down to where people are reading.

    While Telegram's limits are nearly used up by the tables there are, no more is opened (telegram.md, budgets).
    """
    assert call.person is not None
    if call.group is None:
        answer = await practise(call.house, call.person)
        if answer.key is not None:
            call.say_key(answer.key, **answer.fields)
        return
    if is_banned(call.group, call.person):
        call.say_key("toast.banned")
        return
    if call.table is None and call.house.outbox.busy:
        call.say_key("say.busy")
        return
    if call.table is None:
        try:
            await call.house.open_table(call.group, call.person, call.thread)
            return
        except Conflict:
            # Two commands at once: the other one opened it.
            pass
    table = call.table
    if table is not None:
        call.say_key("lobby.exists")
        table.showing.bring_down()


COMMAND = Command("newgame", run)
