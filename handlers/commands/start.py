"""/start: the first contact in private, and the deep link that seats (telegram.md, *From nothing to playing*)."""

from __future__ import annotations

import re

from data.model import Person
from handlers import learning, practice, replay, rules
from handlers.calls import Call, Command
from handlers.commands.lang import PAYLOAD as LANG
from handlers.commands.me import START as ME
from handlers.commands.me import show
from handlers.missing import call_me
from handlers.replay import SHOWN
from handlers.seating import belongs, sit, wait
from handlers.settings import greet, show_languages

_HAND = re.compile(rf"({'|'.join(SHOWN)})_([0-9]{{1,15}})")
_LINK = re.compile(r"(sit|queue|callme)_([0-9]{1,15})_([0-9a-f]{12})")


async def run(call: Call) -> None:
    """Ask for the language, then say hello; with a payload (``links.start_link``) do what its button was for."""
    if call.group is not None or call.person is None:
        call.say_key("start.group")
        return
    person = await call.house.people.set_private_ok(call.person, True)
    link = _LINK.fullmatch(call.argument)
    if link is not None:
        await follow(call, person, *link.groups())
        return
    hand = _HAND.fullmatch(call.argument)
    if hand is not None:
        call.say_answer(await replay.follow(call.house, person, call.user_id, int(hand[2]), hand[1]))
        return
    if call.argument == ME:
        await show(call.house, person)
        return
    if call.argument == practice.PAYLOAD:
        call.say_answer(await practice.play(call.house, person))
        return
    if call.argument == learning.PAYLOAD:
        learning.show(call.house, person)
        return
    if call.argument == LANG:
        show_languages(call.house, person, call.chat_id)
        return
    if rules.follow(call.house, person, call.argument):
        return
    tables = [table for table in call.house.tables_with(person) if table.state.phase == "playing"]
    # Whoever is in the middle of a hand needs that at the bottom, and no greeting below it.
    brought = [table.showing.bring_hand_down(person) for table in tables]
    if not any(brought):
        greet(call.house, person, call.chat_id)


async def follow(call: Call, person: Person, intent: str, number: str, token: str) -> None:
    """Somebody pressed a group's button before the bot could write to them, and has pressed START now."""
    table = call.house.table(int(number))
    if table is None or table.group is None or table.state.token != token:
        call.say_key("start.gone")
        return
    if not await belongs(call.house, table, call.user_id):
        call.say_key("start.stranger")
        return
    if intent == "callme":
        await call_me(call.house, table.group, person, table)
        return
    answer = await (sit if intent == "sit" else wait)(call.house, table, person)
    if answer.key == "toast.sits_already":
        table.showing.bring_hand_down(person)
    elif answer.key not in (None, "toast.sat"):
        call.say_key(answer.key, **answer.fields)


COMMAND = Command("start", run, place=190, anonymous=True, listed=False)
