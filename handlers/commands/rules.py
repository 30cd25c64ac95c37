"""/rules: what pays what in the game that is played here, and the rules in pages, in private."""

from __future__ import annotations

from handlers import rules
from handlers.calls import Call, Command
from handlers.preferences import group_tiles
from handlers.screens.rules import card


async def run(call: Call) -> None:
    """In private the contents; in a group, which is no place to leaf through pages, the table of what pays what."""
    if call.group is None:
        assert call.person is not None
        rules.show(call.house, call.person, rules.of_person(call.house, call.person))
        return
    opened = rules.of_group(call.house, call.group)
    link = rules.link(call.house, opened)
    call.say(*card(call.house.renderer, *opened, call.words, link, group_tiles(call.group)))


COMMAND = Command("rules", run, place=110, anonymous=True, pages={"u": rules.press})
"""In a private chat there is always a person."""
