"""/kick: send somebody away from the table before a hand begins; its host and the group's admins may."""

from __future__ import annotations

from handlers import hosting
from handlers.calls import Call, Command
from handlers.screens.lobby import kick_button


async def run(call: Call) -> None:
    """In reply to a message: its writer goes. Else ask whom, by buttons."""
    table = call.table
    if table is None:
        call.say_key("say.no_table")
        return
    if call.replied is None:
        me = call.person.id if call.person is not None else None
        others = [seat for seat in table.state.taken if seat.person is not None and seat.person != me]
        rows = tuple((kick_button(table.id, seat, call.words),) for seat in others)
        call.say(call.words.html("say.kick_whom" if rows else "say.kick_nobody"), rows)
        return
    by = call.person.id if call.person is not None else None
    admin = table.state.host != by and await call.by_admin()
    person = await call.house.people.person(call.replied)
    answer = await table.do(lambda draft: hosting.kick(draft, by, person.id, admin=admin))
    call.say_answer(answer)


COMMAND = Command("kick", run, place=150, private=False, listed=False, admins=True)
