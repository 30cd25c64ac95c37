"""What a hand may hold of a wallet, and a deal that waits for coins which another hand holds (telegram.md, *Coins*)."""

from __future__ import annotations

from collections.abc import Mapping

from data.model import Wallet
from handlers.answers import Answer
from handlers.draft import Draft
from handlers.table_state import HELD_AGAIN, TableState
from mahjong.match import SEAT_MINIMUM

DAYS_SHARE = 4
"""A ``days`` game holds at most one part in so many of a wallet (telegram.md, *Coins*)."""


def stake_of(wallet: Wallet, *, days: bool) -> int:
    """The coins of a wallet that a hand can hold now: all that is free.

    In a ``days`` game a quarter of what is free, so that whatever many hands hold leaves something for the next; but no
    less than a seat asks for, if that much is free and no more than a quarter of the wallet.

    >>> [stake_of(Wallet(1_500, held), days=True) for held in (0, 375, 656, 867, 1_027)]
    [375, 281, 211, 160, 160]
    """
    if not days:
        return wallet.available
    if wallet.balance < SEAT_MINIMUM * DAYS_SHARE:
        return min(wallet.available, wallet.balance // DAYS_SHARE)
    return min(wallet.available, max(wallet.available // DAYS_SHARE, SEAT_MINIMUM))


def owned(wallet: Wallet, *, days: bool) -> int:
    """The coins that a hand can hold once those are free that other hands hold now, as far as the minimum matters."""
    whole = stake_of(Wallet(wallet.balance, 0), days=days)
    return max(stake_of(wallet, days=days), min(whole, SEAT_MINIMUM))


def least_to_sit(*, days: bool) -> str:
    """The coins that one must have to sit, as they are said."""
    return f"{SEAT_MINIMUM * (DAYS_SHARE if days else 1):,}"


def stake_to_sit(wallet: Wallet, *, days: bool) -> int:
    """The coins that count when somebody wants to sit: a ``days`` game has time to wait for those held elsewhere."""
    return owned(wallet, days=True) if days else wallet.available


def cannot_pay(state: TableState, stake: int) -> Answer | None:
    """What somebody is told who has too little to put at stake here; None: it is enough."""
    if state.friendly or stake >= SEAT_MINIMUM:
        return None
    key = "toast.poor_days" if state.days else "toast.poor"
    return Answer(key, {"least": least_to_sit(days=state.days)}, alert=True)


def held_elsewhere(state: TableState, wallet: Wallet) -> Answer | None:
    """What somebody is told who has the coins for a seat here, but not free: other hands hold them."""
    short = stake_to_sit(wallet, days=state.days) < SEAT_MINIMUM <= owned(wallet, days=state.days)
    return Answer("toast.held", alert=True) if short and not state.friendly else None


def wait_for_coins(draft: Draft, wallets: Mapping[int, Wallet]) -> bool:
    """Put the deal off if other hands hold the coins of somebody here. Returns whether it waits.

    It is tried again with every press, when such a hand ends, and now and then; after a long while the table pauses.
    """
    state = draft.state
    held = [person for person in state.persons if stake_of(wallets[person], days=state.days) < SEAT_MINIMUM]
    if state.friendly or not held:
        return False
    if held == state.held and "start" in state.deadlines:
        return True
    until = state.deadlines.get("idle") if state.held else None
    state.held = held
    state.waiting = False
    state.deadlines.clear()
    if until is None:
        draft.time_for_people("idle", state.pace.idle)
    else:
        state.deadlines["idle"] = until
    draft.due_in("start", HELD_AGAIN)
    draft.note("held", persons=held)
    return True


def waited_long(draft: Draft) -> None:
    """Nobody went on for long, or the coins have not become free: the table pauses; before its first hand it closes."""
    state = draft.state
    if state.phase == "countdown" and state.hand == 0:
        about = [seat for seat in state.taken if seat.person in state.held]
        draft.end_table("held.dead")
        state.remark("held.dead", about)
    else:
        draft.pause()
