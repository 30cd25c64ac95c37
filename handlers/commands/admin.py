"""/admin: the operator's pages, in private; for everybody else there is no such command."""

from __future__ import annotations

from datetime import datetime

from data.model import Person
from data.texts import Words
from handlers import operating
from handlers.answers import SILENT, Answer
from handlers.calls import Call, Command
from handlers.house import House
from handlers.outbox import Message
from handlers.presses import PagePress
from handlers.pressing import Pressing
from handlers.screens import admin as screen
from handlers.vitals import vitals


async def run(call: Call) -> None:
    """The first page; ``/admin ban 123`` or ``@name``, ``/admin unban 123``: for whom no page shows."""
    what, _, whom = call.argument.partition(" ")
    if what in ("ban", "unban"):
        call.say_answer(await _by_name(call.house, call.person, what, whom.strip()))
        return
    message = await _main(call.house, call.chat_id, call.words)
    call.say(message.text, message.keyboard)


async def _by_name(house: House, operator: Person | None, what: str, whom: str) -> Answer:
    """Keep off, or let sit again, somebody by Telegram's id or user name."""
    assert operator is not None
    number = int(whom) if whom.isascii() and whom.isdigit() and len(whom) <= 15 else None
    if what == "unban" and number is not None:
        return await operating.unban(house, operator, number)
    store = house.store
    person = await (store.known_user(number) if number is not None else store.user_named(whom.removeprefix("@")))
    if person is None or person.telegram_id is None:
        return Answer("admin.nobody")
    if what == "unban":
        return await operating.unban(house, operator, person.telegram_id)
    return await operating.ban(house, operator, person)


async def press(pressing: Pressing, pressed: PagePress) -> Answer:
    """``a|…``: pages, and what is done on them; from anybody else it is forged."""
    house = pressing.house
    if not pressing.private or pressing.user_id not in house.operators:
        return Answer("toast.forged")
    chat, words = pressing.chat_id, pressing.words
    key = pressing.answer_key("admin")
    if pressing.message_id is not None and pressing.genuine:
        house.outbox.pressed(key, chat, pressing.message_id)
    answer, message = SILENT, None
    match pressed.fields:
        case ("main",):
            message = await _main(house, chat, words)
        case ("tables", _) if (number := pressed.number(1)) is not None:
            message = await _tables(house, chat, number, words)
        case ("table", _):
            answer, message = await _table(house, chat, pressed.number(1), words)
        case ("close", _):
            table = house.table(pressed.number(1) or 0)
            if table is None:
                return Answer("toast.gone")
            message = screen.close_page(chat, table, words)
        case ("close", _, _) if (hand := pressed.number(2)) is not None:
            table = house.table(pressed.number(1) or 0)
            if table is None:
                return Answer("toast.gone")
            answer = await operating.close_table(house, pressing.person, table, hand)
            message = await _tables(house, chat, 0, words)
        case ("ban", _) | ("ban", _, "now"):
            person = await house.store.person(pressed.number(1) or 0)
            if person is None or person.telegram_id is None:
                return Answer("toast.gone")
            if len(pressed.fields) == 2:
                message = screen.ban_page(chat, person, words)
            else:
                answer = await operating.ban(house, pressing.person, person)
                message = await _bans(house, chat, 0, words)
        case ("bans", _) if (number := pressed.number(1)) is not None:
            message = await _bans(house, chat, number, words)
        case ("unban", _) if (telegram_id := pressed.number(1)) is not None:
            answer = await operating.unban(house, pressing.person, telegram_id)
            message = await _bans(house, chat, 0, words)
        case ("upkeep", "0" | "1"):
            message = _upkeep(house, chat, pressed.fields[1] == "1", words)
        case ("announce", _, "0" | "1") if pressed.number(1) in screen.MINUTES:
            hold = pressed.fields[2] == "1"
            at = await house.upkeep.announce(pressing.person, pressed.number(1) or 0, hold=hold)
            answer = Answer("admin.announced", {"at": house.upkeep.clock(at)})
            message = _upkeep(house, chat, hold, words)
        case ("cancel",):
            await house.upkeep.cancel(pressing.person)
            answer, message = Answer("admin.cancelled"), _upkeep(house, chat, True, words)
        case _:
            return Answer("toast.forged")
    if message is not None:
        house.outbox.want(key, message)
    return answer


async def _main(house: House, chat: int, words: Words) -> Message:
    upkeep, outbox = house.upkeep, house.outbox
    load = screen.Load(
        version=house.version,
        up=house.clock.now() - house.since,
        tables=house.tables,
        pending=outbox.depth,
        oldest=outbox.oldest,
        floods=outbox.floods,
        calls=outbox.calls.total(),
        drawings=house.renderer.pending,
        vitals=vitals(house.store.path),
        upkeep=upkeep.clock(upkeep.at) if upkeep.at is not None else None,
        hold=upkeep.hold,
        banned=len(house.banned),
    )
    return screen.main_page(chat, load, words)


async def _tables(house: House, chat: int, number: int, words: Words) -> Message:
    moved = await house.store.last_moves()
    return screen.tables_page(chat, house.tables, moved, number, house.clock.now(), house.timezone, words)


async def _table(house: House, chat: int, number: int | None, words: Words) -> tuple[Answer, Message | None]:
    table = house.table(number or 0)
    if table is None:
        return Answer("toast.gone"), await _tables(house, chat, 0, words)
    now: datetime = house.clock.now()
    moved = (await house.store.last_moves()).get(table.id, now)
    return SILENT, screen.table_page(chat, table, moved, now, house.timezone, words)


async def _bans(house: House, chat: int, number: int, words: Words) -> Message:
    banned = await house.store.banned()
    known = {telegram_id: await house.store.known_user(telegram_id) for telegram_id in banned}
    persons = {telegram_id: person for telegram_id, person in known.items() if person is not None}
    return screen.bans_page(chat, banned, persons, number, house.clock.now(), house.timezone, words)


def _upkeep(house: House, chat: int, hold: bool, words: Words) -> Message:
    upkeep = house.upkeep
    at = upkeep.clock(upkeep.at) if upkeep.at is not None else None
    return screen.upkeep_page(chat, at, upkeep.hold, hold, words)


COMMAND = Command("admin", run, place=200, group=False, listed=False, operators=True, pages={screen.KIND: press})
