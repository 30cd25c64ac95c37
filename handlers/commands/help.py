"""/help: how to play, on one page."""

from __future__ import annotations

from handlers import rules
from handlers.calls import Call, Command
from handlers.outbox import Button, Keyboard
from handlers.screens.rules_terms import OPEN, rules_data
from handlers.screens.settings import ways_to_begin


async def run(call: Call) -> None:
    """Say the page; in private with the ways to a first hand and to the rules."""
    ways: Keyboard = ()
    if call.group is None and call.person is not None:
        to_rules = rules_data(OPEN, *rules.of_person(call.house, call.person))
        ways = (*ways_to_begin(call.words), (Button(call.words("button.rules"), to_rules),))
    call.say(call.words.html("help.text"), ways)


COMMAND = Command("help", run, place=180, anonymous=True)
