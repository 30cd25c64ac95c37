"""Presses in the lobby: who sits, the game, its options and timer, the queue, calls, what hosts and admins may do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

from handlers import (
    allowance,
    blacklist,
    hosting,
    learning,
    lobby,
    missing,
    opening,
    practice,
    seating,
    voiding,
    waiting,
)
from handlers.answers import SILENT, Answer
from handlers.computers import LEVELS
from handlers.draft import Draft
from handlers.names import shown_name
from handlers.preferences import GroupSettings, Preferences
from handlers.presses import TablePress
from handlers.pressing import Pressing
from handlers.table import Table
from handlers.table_state import PACES
from mahjong.rulesets import RULESETS

Action = Callable[[Pressing, Table, TablePress], Awaitable[Answer]]


def numbered(act: Callable[[Pressing, Table, TablePress, int], Awaitable[Answer]]) -> Action:
    """An action whose buttons say which one of several; one that does not is forged."""

    async def checked(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
        if pressed.number is None:
            return Answer("toast.forged")
        return await act(pressing, table, pressed, pressed.number)

    return checked


async def _sit(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    if table.group is None or pressing.chat_id != table.group.telegram_id:
        return Answer("toast.forged")
    return await seating.sit(pressing.house, table, pressing.person)


async def _leave(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    return await table.do(lambda draft: lobby.leave(draft, pressing.person.id))


@numbered
async def _add(pressing: Pressing, table: Table, pressed: TablePress, number: int) -> Answer:
    return await table.do(lambda draft: lobby.add_computer(draft, pressing.person.id, number))


@numbered
async def _drop(pressing: Pressing, table: Table, pressed: TablePress, number: int) -> Answer:
    return await table.do(lambda draft: lobby.drop_computer(draft, pressing.person.id, number))


async def _start(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    return await table.do(lambda draft: lobby.start(draft, pressing.person.id))


async def _options(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    return await table.do(lambda draft: lobby.show_options(draft, pressing.person.id))


@numbered
async def _game(pressing: Pressing, table: Table, pressed: TablePress, number: int) -> Answer:
    if number >= len(RULESETS):
        return Answer("toast.forged")
    rules = list(RULESETS)[number]
    options = _usual_options(table, rules)
    return await table.do(lambda draft: lobby.choose_game(draft, pressing.person.id, rules, options))


def _usual_options(table: Table, rules: str) -> Mapping[str, Any]:
    """The house rules that a table's group has chosen for a game."""
    return GroupSettings.of(table.group).options[rules] if table.group is not None else {}


@numbered
async def _option(pressing: Pressing, table: Table, pressed: TablePress, number: int) -> Answer:
    return await table.do(lambda draft: lobby.choose_option(draft, pressing.person.id, number))


@numbered
async def _practice_game(pressing: Pressing, table: Table, pressed: TablePress, number: int) -> Answer:
    """One press at a private table chooses the game and begins."""
    if number >= len(RULESETS):
        return Answer("toast.forged")
    rules = list(RULESETS)[number]

    def begin(draft: Draft) -> Answer:
        if table.group is not None:
            return Answer("toast.forged")
        chosen = lobby.choose_game(draft, pressing.person.id, rules, {})
        return lobby.start(draft, pressing.person.id) if chosen.key is None else chosen

    answer = await table.do(begin)
    if answer.key is None and Preferences.of(pressing.person).game != rules:
        await pressing.house.people.set_prefs(pressing.person, {"game": rules})
    return answer


@numbered
async def _level(pressing: Pressing, table: Table, pressed: TablePress, number: int) -> Answer:
    """How strong the computers are; whoever practises finds them so again the next time."""
    if number >= len(LEVELS):
        return Answer("toast.forged")
    answer = await table.do(lambda draft: lobby.choose_level(draft, pressing.person.id, number))
    level = LEVELS[number]
    if answer.key is None and table.group is None and Preferences.of(pressing.person).level != level:
        await pressing.house.people.set_prefs(pressing.person, {"level": level})
    return answer


@numbered
async def _timer(pressing: Pressing, table: Table, pressed: TablePress, number: int) -> Answer:
    if number >= len(PACES):
        return Answer("toast.forged")
    return await seating.choose_timer(pressing.house, table, pressing.person, list(PACES)[number])


@numbered
async def _queue(pressing: Pressing, table: Table, pressed: TablePress, number: int) -> Answer:
    if table.group is None or pressing.chat_id != table.group.telegram_id:
        return Answer("toast.forged")
    return await seating.wait(pressing.house, table, pressing.person, number)


async def _unqueue(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    return await table.do(lambda draft: waiting.leave(draft, pressing.person.id))


async def _take(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    """Sit down from the private chat: only who waits here, or was called, and still is in the group."""
    person, state = pressing.person, table.state
    if state.place_of(person.id) is None and person.id not in state.called:
        return Answer("toast.sits_already" if state.seat_of(person.id) is not None else "toast.stale")
    if not await seating.belongs(pressing.house, table, pressing.user_id):
        return Answer("start.stranger", alert=True)
    return await seating.sit(pressing.house, table, person)


async def _call(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    return await missing.call_players(pressing.house, table, pressing.person)


async def _call_me(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    if table.group is None or pressing.chat_id != table.group.telegram_id:
        return Answer("toast.forged")
    return await missing.call_me(pressing.house, table.group, pressing.person, table)


@numbered
async def _void(pressing: Pressing, table: Table, pressed: TablePress, number: int) -> Answer:
    person = pressing.person.id
    return await table.do(lambda draft: voiding.vote(draft, person, pressed.hand, number))


async def _annul(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    if pressing.user_id not in pressing.house.operators:
        return Answer("toast.operator_only")
    return await table.do(lambda draft: voiding.annul(draft, pressed.hand))


async def _kicking(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    admin = await _admin(pressing, table)
    return await table.do(lambda draft: hosting.show_kicking(draft, pressing.person.id, admin=admin))


@numbered
async def _kick(pressing: Pressing, table: Table, pressed: TablePress, number: int) -> Answer:
    admin = await _admin(pressing, table)
    return await table.do(lambda draft: hosting.kick(draft, pressing.person.id, number, admin=admin))


async def _admin(pressing: Pressing, table: Table) -> bool:
    """Whether the presser administers the group pressed in; not asked of the table's host."""
    if table.state.host == pressing.person.id or pressing.private:
        return False
    return await seating.is_admin(pressing.house, pressing.chat_id, pressing.user_id)


async def _relief(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    """Take what is offered before a deal; whoever presses again has it already."""
    offered = str(pressing.person.id) in table.state.relief
    if not offered and table.state.seat_of(pressing.person.id) is None:
        return Answer("toast.not_seated")
    given = await allowance.ask(pressing.house, pressing.person) if offered else None
    if given is None or not given.daily + given.relief:
        return Answer("relief.had")
    return Answer("relief.given", {"coins": f"{given.daily + given.relief:,}", "now": f"{given.wallet.balance:,}"})


ACTIONS: dict[str, Action] = {
    "sit": _sit,
    "leave": _leave,
    "add": _add,
    "drop": _drop,
    "start": _start,
    "options": _options,
    "game": _game,
    "option": _option,
    "practice": _practice_game,
    "level": _level,
    "relief": _relief,
    "kicking": _kicking,
    "kick": _kick,
    "void": _void,
    "annul": _annul,
    "queue": _queue,
    "unqueue": _unqueue,
    "take": _take,
    "call": _call,
    "callme": _call_me,
    "timer": _timer,
}


async def _call_me_not(pressing: Pressing, pressed: TablePress) -> Answer:
    group = await pressing.house.store.group(pressed.number) if pressed.number is not None else None
    if group is None:
        return Answer("toast.forged")
    return await missing.call_me_not(pressing.house, group, pressing.person)


async def _practise(pressing: Pressing, pressed: TablePress) -> Answer:
    return await seating.practise(pressing.house, pressing.person)


async def _play(pressing: Pressing, pressed: TablePress) -> Answer:
    if not pressing.private:
        return Answer("toast.forged")
    return await practice.play(pressing.house, pressing.person)


async def _learn(pressing: Pressing, pressed: TablePress) -> Answer:
    if not pressing.private:
        return Answer("toast.forged")
    learning.show(pressing.house, pressing.person)
    return SILENT


async def _list(pressing: Pressing, pressed: TablePress, *, banned: bool) -> Answer:
    """Put a person on the blacklist of the group pressed in, or take them off: its admins may."""
    house, chat, number = pressing.house, pressing.chat, pressed.number
    if number is None:
        return Answer("toast.forged")
    if pressing.private or chat is None or not await seating.is_admin(house, chat.id, pressing.user_id):
        return Answer("toast.admins_do")
    await house.people.load([number])
    person = house.people.known(number)
    if person is None:
        return Answer("toast.forged")
    if banned and person.id == pressing.person.id:
        return Answer("toast.not_yourself")
    group = await house.people.group(chat)
    await (blacklist.ban if banned else blacklist.unban)(house, group, person.id)
    return Answer("toast.banned_now" if banned else "toast.unbanned", {"name": shown_name(person.name)})


async def _open(pressing: Pressing, pressed: TablePress) -> Answer:
    """Open a table by button, which carries the real person behind an anonymous admin."""
    if pressing.private or pressing.chat is None:
        return Answer("toast.forged")
    group = await pressing.house.people.group(pressing.chat)
    return await opening.open_in_group(pressing.house, group, pressing.person, pressing.thread)


AT_NO_TABLE: dict[str, Callable[[Pressing, TablePress], Awaitable[Answer]]] = {
    "open": _open,
    "practice": _practise,
    "play": _play,
    "learn": _learn,
    "uncall": _call_me_not,
    "ban": partial(_list, banned=True),
    "unban": partial(_list, banned=False),
}
"""Actions whose buttons belong to no table: their data names table 0."""
