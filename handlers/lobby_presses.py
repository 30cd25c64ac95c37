"""Presses in the lobby beyond sitting down and starting: the timer, the queue, calls, what hosts and admins may do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from handlers import allowance, blacklist, hosting, missing, opening, seating, voiding, waiting
from handlers.answers import Answer
from handlers.names import shown_name
from handlers.presses import TablePress
from handlers.pressing import Pressing
from handlers.table import Table
from handlers.table_state import PACES

Action = Callable[["Pressing", Table, TablePress], Awaitable[Answer]]


async def _timer(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    if pressed.number >= len(PACES):
        return Answer("toast.forged")
    return await seating.choose_timer(pressing.house, table, pressing.person, list(PACES)[pressed.number])


async def _queue(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    if table.group is None or pressing.chat_id != table.group.telegram_id:
        return Answer("toast.forged")
    return await seating.wait(pressing.house, table, pressing.person, pressed.number)


async def _unqueue(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    return await table.do(lambda draft: waiting.leave(draft, pressing.person.id))


async def _take(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    """Sit down from the private chat: only who waits here, or was called, and still is in the group."""
    person, state = pressing.person, table.state
    if state.place_of(person.id) is None and person.id not in state.called:
        return Answer("toast.seated" if state.seat_of(person.id) is not None else "toast.stale")
    if not await seating.belongs(pressing.house, table, pressing.user_id):
        return Answer("start.stranger", alert=True)
    return await seating.sit(pressing.house, table, person)


async def _call(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    return await missing.call_players(pressing.house, table, pressing.person)


async def _call_me(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    if table.group is None or pressing.chat_id != table.group.telegram_id:
        return Answer("toast.forged")
    return await missing.call_me(pressing.house, table.group, pressing.person, table)


async def _void(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    person = pressing.person.id
    return await table.do(lambda draft: voiding.vote(draft, person, pressed.hand, pressed.number))


async def _annul(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    if pressing.user_id not in pressing.house.operators:
        return Answer("toast.operator_only")
    return await table.do(lambda draft: voiding.annul(draft, pressed.hand))


async def _kicking(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    admin = await _admin(pressing, table)
    return await table.do(lambda draft: hosting.show_kicking(draft, pressing.person.id, admin=admin))


async def _kick(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    admin = await _admin(pressing, table)
    return await table.do(lambda draft: hosting.kick(draft, pressing.person.id, pressed.number, admin=admin))


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
    group = await pressing.house.store.group(pressed.number)
    if group is None:
        return Answer("toast.forged")
    return await missing.call_me_not(pressing.house, group, pressing.person)


async def _practise(pressing: Pressing, pressed: TablePress) -> Answer:
    return await seating.practise(pressing.house, pressing.person)


async def _ban(pressing: Pressing, pressed: TablePress) -> Answer:
    return await _list(pressing, pressed.number, banned=True)


async def _unban(pressing: Pressing, pressed: TablePress) -> Answer:
    return await _list(pressing, pressed.number, banned=False)


async def _list(pressing: Pressing, person_id: int, *, banned: bool) -> Answer:
    """Put a person on the blacklist of the group pressed in, or take them off: its admins may."""
    house, chat = pressing.house, pressing.chat
    if pressing.private or chat is None or not await seating.is_admin(house, chat.id, pressing.user_id):
        return Answer("toast.admins_do")
    await house.people.load([person_id])
    person = house.people.known(person_id)
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
    "uncall": _call_me_not,
    "ban": _ban,
    "unban": _unban,
}
"""Actions whose buttons belong to no table: their data names table 0."""
