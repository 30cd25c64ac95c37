"""/learn: the game in three minutes, in private."""

from __future__ import annotations

from handlers import learning
from handlers.calls import Call, Command
from handlers.outbox import Button


async def run(call: Call) -> None:
    """Show the first page; in a group say where it is."""
    assert call.person is not None
    if call.group is None:
        learning.show(call.house, call.person)
    else:
        link = f"https://t.me/{call.house.username}?start={learning.PAYLOAD}"
        call.say(call.words.html("learn.in_private"), ((Button(call.words("button.learn"), url=link),),))


COMMAND = Command("learn", run, place=100, pages={"l": learning.press})
