"""/stop: end the table after the running hand; its host and the group's admins may."""

from __future__ import annotations

from handlers import lobby
from handlers.calls import Call, Command
from handlers.seating import is_admin


async def run(call: Call) -> None:
    """End the table, or say why not."""
    assert call.person is not None
    person, table = call.person, call.table
    if table is None:
        call.say_key("say.no_table" if call.group is not None else "say.no_seat")
        return
    admin = call.group is not None and await is_admin(call.house, call.chat_id, call.user_id)
    answer = await table.do(lambda draft: lobby.stop(draft, person.id, admin=admin))
    if answer.key is not None and answer.key != "lobby.closed":
        call.say_key(answer.key, **answer.fields)


COMMAND = Command("stop", run)
