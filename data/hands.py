"""Hands: how they begin and end, and what is kept of them."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Row, Select, bindparam, func, insert, select, update

from data import careers, feats, flows, ledger, rankings
from data.errors import Conflict
from data.model import Dice, HandRow, Json, OpenHand, Payment, SeatOwner, Settle, Void
from data.prepared import Prepared
from data.schema import hand_seats, hands, tables

VOID: Final = "void"

# Statements on the way of every hand are built once.
_OWNERS: Final = Prepared(
    select(hand_seats.c.person_id, hand_seats.c.computer, hand_seats.c.coins)
    .where(hand_seats.c.hand_id == bindparam("hand"))
    .order_by(hand_seats.c.seat)
)
_BY_ID: Final = select(hands).where(hands.c.id == bindparam("hand"))
_RUNNING: Final = select(hands).where(hands.c.table_id == bindparam("table"), hands.c.ended_at.is_(None))
_LAST: Final = (
    select(hands)
    .where(hands.c.table_id == bindparam("table"), hands.c.record.is_not(None))
    .order_by(hands.c.number.desc())
    .limit(1)
)
_RUNNING_ID: Final = Prepared(
    select(hands.c.id).where(hands.c.table_id == bindparam("table"), hands.c.ended_at.is_(None))
)
_ENDED: Final = Prepared(select(hands.c.ended_at.is_not(None)).where(hands.c.id == bindparam("hand")))
_NET: Final = Prepared(
    update(hand_seats)
    .where(hand_seats.c.hand_id == bindparam("hand"), hand_seats.c.seat == bindparam("at"))
    .values(net=bindparam("won"), nth=bindparam("number"))
)
_OF_END: Final = ("ended_at", "day", "outcome", "winner", "source", "by", "result", "record")
_END: Final = Prepared(
    update(hands).where(hands.c.id == bindparam("hand")).values({name: bindparam(name) for name in _OF_END})
)


def last_id(connection: Connection) -> int:
    """The highest id a hand bears, 0 if there is none."""
    return connection.execute(select(func.max(hands.c.id))).scalar() or 0


def open_hand(connection: Connection, table_id: int, opened: OpenHand) -> None:
    """Begin a hand at a table and hold what its seats can lose."""
    if len(opened.seats) != 4 or len(opened.coins) != 4:
        raise ValueError(f"four seats and their coins are needed: {opened}")
    if opened.friendly and any(opened.holds.values()):
        raise ValueError(f"a friendly hand holds no coins: {opened}")
    if running := running_id(connection, table_id):
        raise Conflict(f"hand {running} of table {table_id} has not ended")
    group_id = select(tables.c.group_id).where(tables.c.id == table_id).scalar_subquery()
    connection.execute(
        insert(hands).values(
            id=opened.hand_id,
            table_id=table_id,
            group_id=group_id,
            number=opened.number,
            rules=opened.rules,
            options=opened.options,
            dealer=opened.dealer,
            streak=opened.streak,
            base=opened.base,
            seed=opened.seed,
            commitment=opened.commitment,
            dice=_list(opened.dice),
            friendly=opened.friendly,
            opened_at=opened.at,
        )
    )
    connection.execute(
        insert(hand_seats),
        [
            {
                "hand_id": opened.hand_id,
                "seat": seat,
                "person_id": owner if isinstance(owner, int) else None,
                "computer": owner if isinstance(owner, str) else None,
                "coins": coins,
            }
            for seat, (owner, coins) in enumerate(zip(opened.seats, opened.coins, strict=True))
        ],
    )
    ledger.hold(connection, opened.hand_id, opened.holds)


def throw(connection: Connection, table_id: int, dice: Dice) -> None:
    """Note the dice of a hand that has not ended."""
    _must_run(connection, table_id, dice.hand_id)
    connection.execute(update(hands).where(hands.c.id == dice.hand_id).values(dice=_list(dice.values)))


def has_ended(connection: Connection, hand_id: int) -> bool:
    """Whether there is such a hand and it has ended."""
    return (_ENDED.run(connection, {"hand": hand_id}).fetchone() or (0,))[0] == 1


def settle(connection: Connection, table_id: int, settled: Settle) -> None:
    """End a hand that runs: result and record, payments, aggregates."""
    result = settled.result
    found = running_hand(connection, table_id)
    if found is None or found.id != settled.hand_id:
        raise _not_running(table_id, settled.hand_id)
    if settled.day is None and (found.group_id is not None or not found.friendly):
        raise ValueError(f"hand {found.id} counts, and needs its day")
    payments: tuple[Payment, ...] = () if found.friendly else settled.payments
    paid, moved = ledger.settle(connection, settled.hand_id, payments, settled.at)
    if not found.friendly:
        told = {owner: net for owner, net in zip(found.seats, result["net"], strict=True) if isinstance(owner, int)}
        if told != {owner: paid[owner] for owner in told} or paid.keys() - told.keys() - {None}:
            raise ValueError(f"the payments of hand {found.id} come to {dict(paid)}, its result says {told}")
    _end(
        connection,
        settled.hand_id,
        settled.at,
        outcome=result["outcome"],
        result=result,
        day=settled.day,
        winner=result.get("winner"),
        source=result.get("from"),
        by=result.get("by"),
        record=settled.record,
    )
    numbers = careers.count(connection, found, result) if settled.day is not None else {}
    nets = [
        {"hand": settled.hand_id, "at": seat, "won": net, "number": numbers.get(seat)}
        for seat, net in enumerate(result["net"])
    ]
    _NET.many(connection, nets)
    if found.group_id is not None and settled.day is not None:
        rankings.count(connection, found.group_id, settled.day, found.seats, result, friendly=found.friendly)
        flows.count(connection, found.group_id, settled.day, moved)
        feats.count(connection, found, settled)


def void(connection: Connection, table_id: int, given_up: Void) -> None:
    """End a hand that runs with nothing moved; nothing else of it need be readable."""
    _must_run(connection, table_id, given_up.hand_id)
    ledger.release(connection, given_up.hand_id)
    _end(connection, given_up.hand_id, given_up.at, outcome=VOID, result={"reason": given_up.reason})


def _end(connection: Connection, hand_id: int, at: datetime, *, outcome: str, result: Json, **more: Any) -> None:
    ended = {"hand": hand_id, "ended_at": at, "outcome": outcome, "result": result, **more}
    _END.run(connection, {**dict.fromkeys(_OF_END), **ended})


def hand(connection: Connection, hand_id: int) -> HandRow | None:
    """``Store.hand``."""
    return _find(connection, _BY_ID, {"hand": hand_id})


def running_hand(connection: Connection, table_id: int) -> HandRow | None:
    """``Store.running_hand``."""
    return _find(connection, _RUNNING, {"table": table_id})


def last_hand(connection: Connection, table_id: int) -> HandRow | None:
    """``Store.last_hand``."""
    return _find(connection, _LAST, {"table": table_id})


def running_id(connection: Connection, table_id: int) -> int | None:
    """The id of ``running_hand``, whatever else of it can be read."""
    (found,) = _RUNNING_ID.run(connection, {"table": table_id}).fetchone() or (None,)
    return found


def _must_run(connection: Connection, table_id: int, hand_id: int) -> None:
    if running_id(connection, table_id) != hand_id:
        raise _not_running(table_id, hand_id)


def _not_running(table_id: int, hand_id: int) -> Conflict:
    return Conflict(f"no hand {hand_id} runs at table {table_id}")


def _find(connection: Connection, query: Select[Any], values: Json) -> HandRow | None:
    row = connection.execute(query, values).first()
    if row is None:
        return None
    at = _OWNERS.run(connection, {"hand": row.id}).fetchall()
    seats = tuple(person_id if person_id is not None else computer for person_id, computer, _ in at)
    return _hand(row, seats, tuple(coins for _, _, coins in at))


def _hand(row: Row[Any], seats: tuple[SeatOwner, ...], coins: tuple[int, ...]) -> HandRow:
    return HandRow(
        id=row.id,
        table_id=row.table_id,
        group_id=row.group_id,
        number=row.number,
        rules=row.rules,
        options=row.options,
        dealer=row.dealer,
        streak=row.streak,
        base=row.base,
        seed=row.seed,
        commitment=row.commitment,
        dice=None if row.dice is None else tuple(row.dice),
        seats=seats,
        coins=coins,
        friendly=row.friendly,
        opened_at=row.opened_at,
        ended_at=row.ended_at,
        outcome=row.outcome,
        result=row.result,
        record=row.record,
    )


def _list(dice: tuple[int, ...] | None) -> list[int] | None:
    return None if dice is None else list(dice)
