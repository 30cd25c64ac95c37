"""Coins: wallets, the house's sources, holds, and the transfers between them.

Double entry: a posting takes coins from one account and gives them to another, so every sum over all accounts is zero
whatever is written. A transfer is a set of postings with one cause, and no cause happens twice. ``accounts.balance``
is the sum of an account's postings, kept beside them; ``audit`` compares. What is amiss when this is done wrongly
(a wallet below its holds, a posting changed) the schema's checks and triggers refuse.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Final

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from data.errors import Conflict, NotEnough
from data.model import GrantKind, Grants, Payment, Wallet
from data.prepared import Prepared
from data.schema import accounts, holds, postings, transfers
from mahjong.match import SEAT_MINIMUM

START_COINS: Final = 1_500
DAILY_COINS: Final = 200
RELIEF_UNDER: Final = SEAT_MINIMUM
RELIEF_TO: Final = 500
RELIEFS_A_DAY: Final = 2
DAYS_COUNTED: Final = 1_000
"""Days in a row with daily coins that are counted at most."""

FORGOTTEN: Final = "forgotten"
"""The house's account that takes back what a forgotten person's wallet held, and the kind of that transfer."""

_COMPUTERS: Final = "computers"

# Statements on the way of every hand are built once.
_WALLETS: Final = (
    select(accounts.c.person_id, accounts.c.balance, accounts.c.held)
    .where(accounts.c.person_id.in_(bindparam("persons", expanding=True)))
    .order_by(accounts.c.person_id)
)
_WALLET_ID: Final = Prepared(select(accounts.c.id).where(accounts.c.person_id == bindparam("person")))
_HELD: Final = Prepared(
    select(accounts.c.person_id, holds.c.amount).join_from(holds, accounts).where(holds.c.hand_id == bindparam("hand"))
)
_HOLD: Final = Prepared(insert(holds))
_RELEASE: Final = Prepared(delete(holds).where(holds.c.hand_id == bindparam("hand")))
_TRANSFER: Final = Prepared(insert(transfers).returning(transfers.c.id), "cause", "kind", "at", "hand_id")
_POST: Final = Prepared(insert(postings))
_MOVE: Final = Prepared(
    update(accounts).where(accounts.c.id == bindparam("account")).values(balance=accounts.c.balance + bindparam("net"))
)


def open_wallet(connection: Connection, person_id: int, now: datetime) -> None:
    """Make a new person's wallet, with the first coins in it."""
    connection.execute(insert(accounts).values(person_id=person_id, balance=0, held=0))
    grant(connection, person_id, START_COINS, "start", f"start:{person_id}", now)


def wallets(connection: Connection, person_ids: Iterable[int]) -> dict[int, Wallet]:
    """``Store.wallets``."""
    rows = connection.execute(_WALLETS, {"persons": list(person_ids)})
    return {person_id: Wallet(balance, held) for person_id, balance, held in rows}


def wallet(connection: Connection, person_id: int) -> Wallet:
    """``Store.wallet``."""
    found = wallets(connection, (person_id,)).get(person_id)
    if found is None:
        raise Conflict(f"there is no person {person_id}")
    return found


def grant(connection: Connection, person_id: int, amount: int, kind: GrantKind, cause: str, now: datetime) -> bool:
    """``Store.grant``."""
    if amount <= 0:
        raise ValueError(f"a grant must be above 0: {amount}")
    if connection.execute(select(transfers.c.id).where(transfers.c.cause == cause)).first():
        return False
    line = (_house(connection, kind), _wallet_ids(connection, (person_id,))[person_id], amount, kind)
    _transfer(connection, cause, kind, now, [line])
    return True


def daily(connection: Connection, person_id: int, day: str, now: datetime) -> int:
    """``Store.daily``."""
    return DAILY_COINS * grant(connection, person_id, DAILY_COINS, "daily", f"daily:{person_id}:{day}", now)


def relief(connection: Connection, person_id: int, day: str, now: datetime) -> int:
    """``Store.relief``."""
    balance = wallet(connection, person_id).balance
    if balance >= RELIEF_UNDER:
        return 0
    missing = RELIEF_TO - balance
    causes = (f"relief:{person_id}:{day}:{turn}" for turn in range(1, RELIEFS_A_DAY + 1))
    return missing if any(grant(connection, person_id, missing, "relief", cause, now) for cause in causes) else 0


def grants(connection: Connection, person_id: int, day: str) -> Grants:
    """``Store.grants``."""
    causes = [f"relief:{person_id}:{day}:{turn}" for turn in range(1, RELIEFS_A_DAY + 1)]
    reliefs = connection.execute(select(func.count()).where(transfers.c.cause.in_(causes))).scalar_one()
    prefix = f"daily:{person_id}:"
    given = (
        select(transfers.c.cause)
        .where(transfers.c.cause > prefix, transfers.c.cause <= f"{prefix}{day}")
        .order_by(transfers.c.cause.desc())
        .limit(DAYS_COUNTED)
    )
    taken = connection.execute(given).scalars().all()
    today = date.fromisoformat(day)
    daily = f"{prefix}{day}" in taken
    expected = today if daily else today - timedelta(days=1)
    days = 0
    for cause in taken:
        if cause != f"{prefix}{expected.isoformat()}":
            break
        days += 1
        expected -= timedelta(days=1)
    return Grants(daily, reliefs, days)


def give_back(connection: Connection, person_id: int, kind: str, cause: str, now: datetime) -> None:
    """Move all that is in a wallet back to an account of the house. The schema refuses it while a hand holds some."""
    balance = wallet(connection, person_id).balance
    if balance:
        line = (_wallet_ids(connection, (person_id,))[person_id], _house(connection, kind), balance, kind)
        _transfer(connection, cause, kind, now, [line])


def hold(connection: Connection, hand_id: int, amounts: Mapping[int, int]) -> None:
    """Set coins aside for a hand, by person. Raises ``NotEnough`` if one has fewer free."""
    ids = _wallet_ids(connection, amounts)
    free = wallets(connection, amounts)
    for person_id, amount in amounts.items():
        if amount > free[person_id].available:
            raise NotEnough(f"person {person_id} has {free[person_id].available} coins free, not {amount}")
    rows = [
        {"hand_id": hand_id, "account_id": ids[person_id], "amount": amount}
        for person_id, amount in amounts.items()
        if amount
    ]
    if rows:
        _HOLD.many(connection, rows)


def release(connection: Connection, hand_id: int) -> dict[int, int]:
    """End the holds of a hand; what they were, by person."""
    rows = _HELD.run(connection, {"hand": hand_id})
    held = {person_id: amount for person_id, amount in rows if person_id is not None}
    if held:
        _RELEASE.run(connection, {"hand": hand_id})
    return held


def settle(
    connection: Connection, hand_id: int, payments: Iterable[Payment], now: datetime
) -> tuple[Counter[int | None], list[tuple[int, int, int]]]:
    """Release a hand's holds and pay; what each person (None: the computers) has won or lost, and what moved.

    The latter by account: payer, payee, amount.

    Raises ``NotEnough`` if someone would lose more than the hand held of theirs.
    """
    held = release(connection, hand_id)
    net: Counter[int | None] = Counter()
    lines = [payment for payment in payments if payment.amount and payment.payer != payment.payee]
    for payment in lines:
        if payment.amount < 0:
            raise ValueError(f"a payment below 0: {payment}")
        net[payment.payer] -= payment.amount
        net[payment.payee] += payment.amount
    for person_id, amount in net.items():
        if person_id is not None and -amount > held.get(person_id, 0):
            raise NotEnough(f"person {person_id} would lose {-amount} coins of {held.get(person_id, 0)} held")
    moved: list[tuple[int, int, int]] = []
    if lines:
        ids: dict[int | None, int] = {None: _house(connection, _COMPUTERS)} if None in net else {}
        ids.update(_wallet_ids(connection, (owner for owner in net if owner is not None)).items())
        rows = [(ids[line.payer], ids[line.payee], line.amount, line.item) for line in lines]
        _transfer(connection, f"hand:{hand_id}", "hand", now, rows, hand_id)
        moved = [(payer, payee, amount) for payer, payee, amount, _ in rows]
    return net, moved


def _transfer(
    connection: Connection,
    cause: str,
    kind: str,
    now: datetime,
    lines: list[tuple[int, int, int, str]],
    hand_id: int | None = None,
) -> None:
    """Move coins: (payer, payee, amount, item) a line, by account. ``Conflict`` (unique) if the cause has happened."""
    made = {"cause": cause, "kind": kind, "at": now, "hand_id": hand_id}
    (transfer,) = _TRANSFER.run(connection, made).fetchone()
    rows = [
        {"transfer_id": transfer, "line": line, "payer": payer, "payee": payee, "amount": amount, "item": item}
        for line, (payer, payee, amount, item) in enumerate(lines)
    ]
    _POST.many(connection, rows)
    # Summed first: within one transfer a wallet may give before it gets.
    net: Counter[int] = Counter()
    for payer, payee, amount, _ in lines:
        net[payer] -= amount
        net[payee] += amount
    _MOVE.many(connection, [{"account": account, "net": amount} for account, amount in net.items()])


def _wallet_ids(connection: Connection, person_ids: Iterable[int]) -> dict[int, int]:
    found = {}
    for person_id in sorted(set(person_ids)):
        row = _WALLET_ID.run(connection, {"person": person_id}).fetchone()
        if row is None:
            raise Conflict(f"there is no person {person_id}")
        (found[person_id],) = row
    return found


def _house(connection: Connection, name: str) -> int:
    """The account of one of the house's sources, made when first needed."""
    connection.execute(upsert(accounts).values(house=name, balance=0, held=0).on_conflict_do_nothing())
    found: int = connection.execute(select(accounts.c.id).where(accounts.c.house == name)).scalar_one()
    return found


def first_difference(connection: Connection) -> str | None:
    """What is wrong in the ledger, in one line, or None."""
    taken = select(postings.c.payer.label("id"), func.sum(-postings.c.amount).label("net")).group_by(postings.c.payer)
    given = select(postings.c.payee.label("id"), func.sum(postings.c.amount).label("net")).group_by(postings.c.payee)
    moved = taken.union_all(given).subquery()
    sums = dict(connection.execute(select(moved.c.id, func.sum(moved.c.net)).group_by(moved.c.id)).all())
    held = dict(
        connection.execute(select(holds.c.account_id, func.sum(holds.c.amount)).group_by(holds.c.account_id)).all()
    )
    for account in connection.execute(select(accounts).order_by(accounts.c.id)):
        name = f"account {account.id} ({account.house or f'person {account.person_id}'})"
        if account.balance != sums.get(account.id, 0):
            return f"{name}: the balance is {account.balance}, the postings sum to {sums.get(account.id, 0)}"
        if account.held != held.get(account.id, 0):
            return f"{name}: {account.held} are held, the holds sum to {held.get(account.id, 0)}"
        if account.house is None and account.balance < account.held:
            return f"{name}: the balance {account.balance} is below the {account.held} held"
    # Every posting takes what it gives: so the balances sum to zero.
    return _first_stray(connection)


def _first_stray(connection: Connection) -> str | None:
    """The first transfer that has no right to be, in one line, or None: each kind has its cause, amount and sides."""
    payer, payee = accounts.alias(), accounts.alias()
    lines = (
        select(transfers, postings.c.amount, payer.c.person_id, payer.c.house, payee.c.person_id, payee.c.house)
        .select_from(transfers.join(postings))
        .join(payer, payer.c.id == postings.c.payer)
        .join(payee, payee.c.id == postings.c.payee)
        .order_by(transfers.c.id)
    )
    for line in connection.execution_options(yield_per=1000).execute(lines):
        made = (line.cause, line.kind, line.hand_id, line.amount, *line[-4:])
        if not _rightful(*made):
            return f"transfer {line.id} ({line.kind}, {line.cause}) of {line.amount} coins has no right to be"
    return None


def _rightful(
    cause: str, kind: str, hand_id: int | None, amount: int,
    payer: int | None, source: str | None, payee: int | None, sink: str | None,
) -> bool:  # fmt: skip
    """Whether coins that moved could: from and to whom (a person, or an account of the house), how many, and why."""
    if kind == "hand":
        sides = {source, sink} <= {None, _COMPUTERS}
        return sides and hand_id is not None and cause == f"hand:{hand_id}"
    if kind == FORGOTTEN:
        return sink == FORGOTTEN and cause == f"{FORGOTTEN}:{payer}"
    if hand_id is not None or source != kind or payee is None:
        return False
    match kind:
        case "start":
            return amount == START_COINS and cause == f"start:{payee}"
        case "daily":
            return amount == DAILY_COINS and re.fullmatch(rf"daily:{payee}:[0-9-]{{10}}", cause) is not None
        case "relief":
            turns = rf"relief:{payee}:[0-9-]{{10}}:[1-{RELIEFS_A_DAY}]"
            return RELIEF_TO - RELIEF_UNDER < amount <= RELIEF_TO and re.fullmatch(turns, cause) is not None
        case "refund":
            return True
    return False
