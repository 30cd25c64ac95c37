"""Daily coins, and relief for who has too few to sit down (telegram.md, *Coins*); at a table they are offered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from data.ledger import DAILY_COINS, RELIEF_TO, RELIEF_UNDER, RELIEFS_A_DAY
from data.model import Grants, Person, Wallet
from handlers.answers import SILENT, Answer
from handlers.draft import Draft
from handlers.stakes import owned, stake_to_sit
from mahjong.match import SEAT_MINIMUM

if TYPE_CHECKING:
    from handlers.house import House
    from handlers.table import Table


@dataclass(frozen=True, slots=True)
class Given:
    """What came of asking for coins: ``daily`` and ``relief`` given just now, and how things stand after."""

    daily: int
    relief: int
    wallet: Wallet
    grants: Grants

    @property
    def reliefs_left(self) -> int:
        """How often there can be relief today still."""
        return RELIEFS_A_DAY - self.grants.reliefs


async def ask(house: House, person: Person) -> Given:
    """Give a person what is due: relief first, since that fills up, then the daily coins. May be asked again.

    A deal that waits for these coins begins.
    """
    now = house.clock.now()
    day = house.day(now)
    relief = await house.store.relief(person.id, day, now)
    daily = await house.store.daily(person.id, day, now)
    given = Given(daily, relief, await house.store.wallet(person.id), await house.store.grants(person.id, day))
    for table in house.tables_with(person):
        # A kill may have come between the coins and the table that waits for them.
        if relief or daily or str(person.id) in table.state.relief:
            await table.do(partial(_richer, table, person.id, given.wallet))
    return given


def due(wallet: Wallet, grants: Grants) -> int:
    """The coins that a person would get by asking now."""
    relief = RELIEF_TO - wallet.balance if wallet.balance < RELIEF_UNDER and grants.reliefs < RELIEFS_A_DAY else 0
    return relief + (0 if grants.daily else DAILY_COINS)


async def helps(house: House, poor: Mapping[int, Wallet], *, days: bool) -> dict[int, int]:
    """Of persons with too few coins for a seat those whom what is due would let stay, with how much that is."""
    day = house.day(house.clock.now())
    found = {}
    for person, wallet in poor.items():
        coins = due(wallet, await house.store.grants(person, day))
        if coins and owned(Wallet(wallet.balance + coins, wallet.held), days=days) >= SEAT_MINIMUM:
            found[person] = coins
    return found


def offer(draft: Draft, due_to: Mapping[int, int]) -> None:
    """Put the deal off while persons are offered coins; it begins when they have them, or goes on without them."""
    state = draft.state
    relief = {str(person): coins for person, coins in due_to.items()}
    if state.relief and relief.keys() <= state.relief.keys() and "relief" in state.deadlines:
        state.relief = relief
        return
    state.relief = relief
    state.waiting = False
    state.deadlines.clear()
    draft.time_for_people("relief", state.pace.offer)
    draft.note("relief", persons=list(due_to))


async def _richer(table: Table, person: int, wallet: Wallet, draft: Draft) -> Answer:
    """A person who sits here has more coins: a deal that waited for that begins, if it waits for nobody else."""
    state = draft.state
    index = state.seat_of(person)
    seat = state.seats[index] if index is not None else None
    if seat is not None and state.phase == "lobby":
        # The lobby tells the stake by what its people have.
        seat.wallet = stake_to_sit(wallet, days=state.days)
        draft.note("richer", index)
    if state.relief.pop(str(person), None) is None or state.phase not in ("countdown", "between"):
        return SILENT
    draft.note("helped", index)
    return SILENT if state.relief else await table.open_hand(draft)
