"""Holds what is kept against itself: ledger, holds, hands, journals, sums for rankings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, Row, func, select

from data import careers, feats, flows, ledger, rankings
from data.schema import accounts, hand_seats, hands, holds, journal, postings, tables, transfers
from mahjong.moves import IllegalRecord
from mahjong.proof import verify
from mahjong.records import Record, play
from mahjong.wall import commitment


def first_difference(connection: Connection) -> str | None:
    """``Store.audit``."""
    sums = (rankings.first_difference, flows.first_difference, feats.first_difference, careers.first_difference)
    checks = (_file, ledger.first_difference, _holds, _hands, _seeds, _journals, *sums)
    return next((difference for check in checks if (difference := check(connection))), None)


def _file(connection: Connection) -> str | None:
    found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
    if found != "ok":
        return f"the file is damaged: {found}"
    row = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
    return f"a row of {row[0]} points to a row of {row[2]} that is not there" if row else None


def _holds(connection: Connection) -> str | None:
    ended = select(holds.c.hand_id).join_from(holds, hands).where(hands.c.ended_at.is_not(None))
    hand_id = connection.execute(ended).scalar()
    return None if hand_id is None else f"hand {hand_id} has ended and still holds coins"


def _hands(connection: Connection) -> str | None:
    """Each ended hand's seats have won and lost what its postings moved."""
    lines = postings.join(transfers)
    taken = select(transfers.c.hand_id, postings.c.payer.label("account"), (-postings.c.amount).label("net"))
    given = select(transfers.c.hand_id, postings.c.payee, postings.c.amount)
    moved = taken.select_from(lines).union_all(given.select_from(lines)).subquery()
    sums = (
        select(moved.c.hand_id, accounts.c.person_id, func.sum(moved.c.net).label("net"))
        .join_from(moved, accounts, moved.c.account == accounts.c.id)
        .where(moved.c.hand_id.is_not(None), accounts.c.person_id.is_not(None))
        .group_by(moved.c.hand_id, accounts.c.person_id)
    )
    paid = {(hand_id, person_id): net for hand_id, person_id, net in connection.execute(sums)}
    played = (
        select(hand_seats.c.hand_id, hand_seats.c.person_id, func.coalesce(hand_seats.c.net, 0))
        .join_from(hand_seats, hands)
        .where(~hands.c.friendly, hand_seats.c.person_id.is_not(None))
    )
    for hand_id, person_id, net in connection.execute(played):
        moved_net = paid.pop((hand_id, person_id), 0)
        if moved_net != net:
            return f"hand {hand_id}: person {person_id} should have got {net} coins, {moved_net} were moved"
    if stray := next((key for key, net in paid.items() if net), None):
        return f"hand {stray[0]}: coins of person {stray[1]} were moved, who has no share in it"
    return None


def _seeds(connection: Connection) -> str | None:
    for hand_id, seed, committed in connection.execute(select(hands.c.id, hands.c.seed, hands.c.commitment)):
        if commitment(seed) != committed:
            return f"hand {hand_id}: the seed is not the one committed to"
    return None


def _journals(connection: Connection) -> str | None:
    counted = (
        select(tables.c.id, tables.c.seq, func.count(journal.c.seq), func.coalesce(func.max(journal.c.seq), 0))
        .join_from(tables, journal, isouter=True)
        .group_by(tables.c.id)
    )
    for table_id, seq, entries, last in connection.execute(counted):
        if not seq == entries == last:
            return f"table {table_id}: the journal has {entries} entries up to {last}, the table says {seq}"
    return None


def first_wrong_record(connection: Connection, progress: Callable[[int], object] | None = None) -> str | None:
    """Play every record again: the first that does not come to what is kept of its hand, in one line, or None.

    ``progress``: told after each how many were played.
    """
    coins: dict[int, list[int]] = {}
    done = 0
    rows = connection.execution_options(yield_per=500).execute(
        select(hands).where(hands.c.record.is_not(None)).order_by(hands.c.id)
    )
    for part in rows.partitions():
        first, last = part[0].id, part[-1].id
        seats = select(hand_seats.c.hand_id, hand_seats.c.coins).where(hand_seats.c.hand_id.between(first, last))
        coins.clear()
        for hand_id, amount in connection.execute(seats.order_by(hand_seats.c.hand_id, hand_seats.c.seat)):
            coins.setdefault(hand_id, []).append(amount)
        for row in part:
            if (wrong := _record(row, coins.get(row.id, []))) is not None:
                return f"hand {row.id}: {wrong}"
            done += 1
            if progress is not None:
                progress(done)
    return None


def _record(row: Row[Any], coins: list[int]) -> str | None:
    """What of a hand's record is not as it should be, or None."""
    try:
        record = Record.from_json(row.record)
        proof = verify(record)
        result = play(record)
    except IllegalRecord as error:
        return f"its record cannot be played: {error}"
    setup = record.setup
    said = (setup.rules.name, setup.dealer, setup.streak, setup.base, list(setup.coins), record.free.get("dice", []))
    kept = (row.rules, row.dealer, row.streak, row.base, coins, list(row.dice or []))
    if said != kept or record.free["seed"] != row.seed.hex():
        return f"its record begins otherwise than it did: {said}, kept are {kept}"
    if proof["commitment"] != row.commitment:
        return "its record's seed is not the one committed to"
    if not (proof["wall"] and proof["gold_dice"]):
        return "its record's wall is not what seed and dice make"
    if result != row.result:
        return "its record does not come to its result"
    return f"coins were made or lost: {result['net']}" if sum(result["net"]) else None
