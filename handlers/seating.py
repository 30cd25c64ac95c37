"""Who may sit where, asked of the store and of Telegram before a table is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from data.model import Group, Person, Wallet
from handlers import absence, hosting, lobby, stakes
from handlers import waiting as queue
from handlers.answers import SILENT, Answer
from handlers.draft import Draft
from handlers.names import shown_name
from handlers.preferences import is_banned
from handlers.table_state import TableState

if TYPE_CHECKING:
    from handlers.house import House
    from handlers.table import Table

DAYS_TABLES = 5
"""Tables of ``days`` games at which one person may sit (telegram.md)."""

LATELY = 60.0
"""Seconds for which it is known that somebody belongs to a group, while they look through its hands."""

_AGAIN = Answer("toast.stale")
"""Somebody has sat down meanwhile: it has to be looked at anew."""


def at_live_table(house: House, person: Person, but: Table | None = None) -> Table | None:
    """A group's live table at which a person sits, other than ``but``: one at a time (telegram.md).

    Whoever is leaving is bound by the coins that the hand holds, and by nothing else.

    A practice table keeps nobody: it closes when its player sits down elsewhere.
    """
    return next(
        (
            table
            for table in house.tables_with(person)
            if table is not but and table.state.live and table.group is not None and table.state.stays(person.id)
        ),
        None,
    )


def kept_off(house: House, group: Group | None, person: Person) -> Answer | None:
    """What somebody is told whom an operator, or this group's admins, let sit nowhere; None: they may.

    ``group`` None: at a table of their own.
    """
    if person.telegram_id in house.banned:
        return Answer("toast.banned_all", alert=True)
    return Answer("toast.banned", alert=True) if is_banned(group, person) else None


def kept_from_own(house: House, person: Person) -> Answer | None:
    """Why somebody may not sit at a table of their own now; None: they may.

    Who sits at a group's live table has its hand at the bottom of the private chat again.
    """
    there = at_live_table(house, person)
    if there is not None and there.group is not None:
        there.showing.bring_hand_down(person)
        return Answer("toast.elsewhere", {"group": shown_name(there.group.title)}, alert=True)
    return kept_off(house, None, person)


def obstacle(
    house: House, person: Person, table: Table, state: TableState, wallet: Wallet | None = None
) -> Answer | None:
    """Why a person may not sit at a table whose state is ``state``, as far as other tables and the group say; or None.

    One live table, and at most five of ``days`` games, a person (telegram.md). ``wallet``: theirs, if it shall matter
    that other hands hold their coins.
    """
    if (banned := kept_off(house, table.group, person)) is not None:
        return banned
    if state.days:
        others = [
            other
            for other in house.tables_with(person)
            if other is not table and other.state.days and other.state.stays(person.id)
        ]
        if len(others) >= DAYS_TABLES:
            return Answer("toast.many_days", {"n": DAYS_TABLES}, alert=True)
    else:
        there = at_live_table(house, person, but=table)
        if there is not None and there.group is not None:
            return Answer("toast.elsewhere", {"group": shown_name(there.group.title)}, alert=True)
    if wallet is None or state.seat_of(person.id) is not None:
        return None
    return stakes.held_elsewhere(state, wallet)


async def sit(house: House, table: Table, person: Person) -> Answer:
    """Seat a person, if the bot may write to them; else the answer opens the deep link."""
    if not person.private_ok:
        return Answer(url=table.start_link())
    async with house.seating(person):
        wallet = await house.store.wallet(person.id)

        def step(draft: Draft) -> Answer:
            stake = stakes.stake_to_sit(wallet, days=draft.state.days)
            return lobby.sit(draft, person, stake, obstacle(house, person, table, draft.state, wallet))

        answer = await table.do(step)
        await settle(house, person, table)
    return answer


async def stay(house: House, table: Table, person: Person) -> Answer:
    """I am back, or I stay after all (``lobby.stay``), if there is no other table by now."""
    async with house.seating(person):
        answer = await table.do(lambda draft: lobby.stay(draft, person.id, obstacle(house, person, table, draft.state)))
        await settle(house, person, table)
    return answer


async def reachable(house: House, table: Table, person: Person) -> None:
    """The bot may write to somebody again who sits at a table (``lobby.reachable``)."""
    async with house.seating(person):
        await table.do(lambda draft: lobby.reachable(draft, person.id, obstacle(house, person, table, draft.state)))


async def forgive(house: House, table: Table, person: Person) -> None:
    """Somebody is off the blacklist of a table's group again (``hosting.forgive``)."""
    async with house.seating(person):
        await table.do(lambda draft: hosting.forgive(draft, person.id, obstacle(house, person, table, draft.state)))
        await settle(house, person, table)


async def wait(house: House, table: Table, person: Person, waiting: int | None = None) -> Answer:
    """Have a person wait for the table's next free seat; or sit down, if one is free.

    ``waiting``: of the queue's button (``waiting.toggle``); None: they come to wait, whatever was before.
    """
    if not person.private_ok:
        return Answer(url=table.start_link("queue"))
    async with house.seating(person):
        wallet = await house.store.wallet(person.id)

        def step(draft: Draft) -> Answer:
            stake = stakes.stake_to_sit(wallet, days=draft.state.days)
            kept_off = obstacle(house, person, table, draft.state, wallet)
            if waiting is None:
                return queue.join(draft, person, stake, kept_off)
            return queue.toggle(draft, person, stake, waiting, kept_off)

        answer = await table.do(step)
        await settle(house, person, table)
    return answer


async def settle(house: House, person: Person, table: Table) -> None:
    """Somebody sits at a group's live table now: their practice table closes, and at other live tables they wait no
    longer.

    The caller holds ``house.seating(person)``.
    """
    if table.group is None or not table.state.stays(person.id) or not table.state.live:
        return
    for other in house.tables_with(person):
        if other.group is None:
            await other.do(lobby.end_practice)
    for other in house.tables_waited_at(person.id):
        if other.state.live:
            await other.do(lambda draft: queue.leave(draft, person.id))


async def practice_table(house: House, person: Person) -> Table | None:
    """A person's table against computers. A hand with a coach, which counts nowhere, gives way when asked for one."""
    own = house.practice_of(person)
    if own is None or own.state.lesson is None:
        return own
    await own.do(lobby.end_practice)
    return None


async def practise(house: House, person: Person) -> Answer:
    """Open a person's table against computers, or bring it down if there is one; not while they sit at a live one."""
    async with house.seating(person):
        own = await practice_table(house, person)
        if own is not None:
            own.showing.bring_hand_down(person)
            return SILENT
        if (why := kept_from_own(house, person)) is not None:
            return why
        await house.new_table(None, person)
    return SILENT


async def choose_timer(house: House, table: Table, person: Person, timer: str) -> Answer:
    """Give a table another timer, if nobody who sits there would then sit at too many tables (telegram.md)."""

    def step(draft: Draft, seated: Mapping[int, Person], wallets: Mapping[int, Wallet]) -> Answer:
        wanted = draft.state.copy()
        wanted.timer = timer
        put = {number: stakes.stake_to_sit(wallets[number], days=wanted.days) for number in wanted.persons}
        for number, stake in put.items():
            name = shown_name(seated[number].name)
            if obstacle(house, seated[number], table, wanted) is not None:
                return Answer("toast.timer_elsewhere", {"name": name}, alert=True)
            if stakes.held_elsewhere(wanted, wallets[number]) is not None:
                return Answer("toast.timer_held", {"name": name}, alert=True)
            if stakes.cannot_pay(wanted, stake) is not None:
                poor = "toast.timer_poor_days" if wanted.days else "toast.timer_poor"
                return Answer(poor, {"name": name, "least": stakes.least_to_sit(days=wanted.days)}, alert=True)
        return lobby.choose_timer(draft, person.id, timer, put)

    return await _while_all_stay(house, table, step)


async def resume(house: House, table: Table, person: Person) -> Answer:
    """Go on with a table that pauses; who sits at another live table by now has given up the seat here."""

    def step(draft: Draft, seated: Mapping[int, Person], wallets: Mapping[int, Wallet]) -> Answer:
        busy = {
            known.id: shown_name(there.group.title)
            for known in seated.values()
            if (there := at_live_table(house, known, but=table)) is not None and there.group is not None
        }
        return absence.resume(draft, person.id, busy)

    return await _while_all_stay(house, table, step)


async def _while_all_stay(
    house: House, table: Table, step: Callable[[Draft, Mapping[int, Person], Mapping[int, Wallet]], Answer]
) -> Answer:
    """Take a step that may make a table live, while none of those who sit there can sit down anywhere else.

    ``step`` gets them and their wallets, by id. Afterwards they have ``settle``d here.
    """
    answer = _AGAIN
    while answer is _AGAIN:
        async with AsyncExitStack() as locks:
            seated = {known.id: known for known in map(house.people.known, table.state.persons) if known is not None}
            for _, known in sorted(seated.items()):
                await locks.enter_async_context(house.seating(known))
            wallets = await house.store.wallets(seated)

            def among(
                draft: Draft, seated: Mapping[int, Person] = seated, wallets: Mapping[int, Wallet] = wallets
            ) -> Answer:
                return step(draft, seated, wallets) if seated.keys() >= set(draft.state.persons) else _AGAIN

            answer = await table.do(among)
            for known in seated.values():
                await settle(house, known, table)
    return answer


async def belongs(house: House, table: Table, user_id: int) -> bool:
    """Whether a person is in the table's group."""
    return table.group is not None and await house.members.belongs(table.group.telegram_id, user_id)


async def may_look_into(house: House, group: Group, person: Person, user_id: int) -> bool:
    """Whether a person may see what was played in a group: who is in it, asked once a minute.

    Where Telegram does not tell, as of a group that the bot was removed from: who has played there.
    """
    played = await house.store.has_played(group.id, person.id)
    return await house.members.belongs(group.telegram_id, user_id, lately=LATELY, unsure=played)


async def is_admin(house: House, chat_id: int, user_id: int) -> bool:
    """Whether a person administers a group."""
    return await house.members.is_admin(chat_id, user_id)
