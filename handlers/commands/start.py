"""/start: the first contact in private, and the deep link that seats (telegram.md, *From nothing to playing*)."""

from __future__ import annotations

import re

from handlers.calls import Call, Command
from handlers.seating import belongs, sit
from handlers.settings import greet

_SIT = re.compile(r"sit_([0-9]{1,15})_([0-9a-f]{12})")


async def run(call: Call) -> None:
    """Ask for the language, then say hello; with a ``sit_TABLE`` payload, sit down there."""
    if call.group is not None or call.person is None:
        call.say_key("start.group")
        return
    person = await call.house.people.set_private_ok(call.person, True)
    link = _SIT.fullmatch(call.argument)
    if link is not None:
        table = call.house.table(int(link[1]))
        if table is None or table.state.token != link[2]:
            call.say_key("start.gone")
            return
        if not await belongs(call.house, table, call.user_id):
            call.say_key("start.stranger")
            return
        answer = await sit(call.house, table, person)
        if answer.key not in (None, "toast.sat", "toast.seated"):
            call.say_key(answer.key, **answer.fields)
        elif answer.key == "toast.seated":
            table.showing.bring_hand_down(person)
        return
    greet(call.house, person, call.chat_id)


COMMAND = Command("start", run, anonymous=True, listed=False)
