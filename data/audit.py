"""Holds what is kept against itself: ledger, holds, hands, journals, sums for rankings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, Row, func, select

from data import careers, flows, ledger, rankings
from data import feats as feat_rows
from data.feats import HAND, WIN
from data.hands import VOID
from data.schema import accounts, feats, hand_seats, hands, holds, journal, postings, tables, transfers
from mahjong.feats import FOR_COINS, feats_of
from mahjong.moves import IllegalRecord
from mahjong.proof import verify
from mahjong.records import Record, replay, result_json
from mahjong.wall import commitment


def first_difference(connection: Connection) -> str | None:
    """``Store.audit``."""
    sums = (rankings.first_difference, flows.first_difference, feat_rows.first_difference, careers.first_difference)
    checks = (_file, ledger.first_difference, _holds, _hands, _seeds, _journals, *sums)
    return next((difference for check in checks if (difference := check(connection))), None)


def _file(connection: Connection) -> str | None:
    found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
    if found != "ok":
        return f"the file is damaged: {' '.join(str(found).split())}"
    row = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
    return f"a row of {row[0]} points to a row of {row[2]} that is not there" if row else None


def _holds(connection: Connection) -> str | None:
    """No hand that has ended holds coins; one that runs for coins holds those that its seats began with."""
    ended = select(holds.c.hand_id).join_from(holds, hands).where(hands.c.ended_at.is_not(None))
    hand_id = connection.execute(ended).scalar()
    if hand_id is not None:
        return f"hand {hand_id} has ended and still holds coins"
    running = (
        select(hand_seats.c.hand_id, hand_seats.c.person_id, hand_seats.c.coins)
        .join_from(hand_seats, hands)
        .where(hands.c.ended_at.is_(None), ~hands.c.friendly, hand_seats.c.person_id.is_not(None))
    )
    held = select(holds.c.hand_id, accounts.c.person_id, holds.c.amount).join_from(holds, accounts)
    kept = {(hand_id, person_id): amount for hand_id, person_id, amount in connection.execute(held)}
    for hand_id, person_id, coins in connection.execute(running):
        amount = kept.pop((hand_id, person_id), 0)
        if amount != coins:
            return f"hand {hand_id}: person {person_id} plays with {coins} coins, {amount} are held"
    return f"hand {min(kept)[0]} holds coins of person {min(kept)[1]}, who does not play it for coins" if kept else None


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

    What was paid, line by line, is held against it as well. ``progress``: told after each how many were played.
    """
    done = 0
    rows = connection.execution_options(yield_per=500).execute(
        select(hands).where(hands.c.ended_at.is_not(None)).order_by(hands.c.id)
    )
    for part in rows.partitions():
        kept = _Kept(connection, part[0].id, part[-1].id)
        for row in part:
            if (wrong := _wrong(row, kept)) is not None:
                return f"hand {row.id}: {wrong}"
            done += 1
            if progress is not None:
                progress(done)
    return None


class _Kept:
    """What is kept of hands beside their rows: their seats, what was paid, and feats that they were the first of."""

    def __init__(self, connection: Connection, first: int, last: int) -> None:
        self.seats: dict[int, list[Row[Any]]] = defaultdict(list)
        self.paid: dict[int, Counter[tuple[int | None, int | None, int, str]]] = defaultdict(Counter)
        self.feats: dict[int, set[tuple[int, str]]] = defaultdict(set)
        at = select(hand_seats).where(hand_seats.c.hand_id.between(first, last))
        for seat in connection.execute(at.order_by(hand_seats.c.hand_id, hand_seats.c.seat)):
            self.seats[seat.hand_id].append(seat)
        payer, payee = accounts.alias(), accounts.alias()
        lines = (
            select(transfers.c.hand_id, payer.c.person_id, payee.c.person_id, postings.c.amount, postings.c.item)
            .select_from(postings.join(transfers))
            .join(payer, payer.c.id == postings.c.payer)
            .join(payee, payee.c.id == postings.c.payee)
            .where(transfers.c.hand_id.between(first, last))
        )
        for hand_id, *line in connection.execute(lines):
            self.paid[hand_id][line[0], line[1], line[2], line[3]] += 1
        told = select(feats.c.hand_id, feats.c.person_id, feats.c.feat)
        alone = told.where(feats.c.hand_id.between(first, last), feats.c.feat.not_in((HAND, WIN, *FOR_COINS)))
        for hand_id, person_id, feat in connection.execute(alone):
            self.feats[hand_id].add((person_id, feat))


def _wrong(row: Row[Any], kept: _Kept) -> str | None:
    """What of an ended hand is not as it should be, or None."""
    paid = kept.paid[row.id]
    if row.outcome == VOID:
        return "it is void, and has a record or moved coins" if row.record is not None or paid else None
    if row.record is None:
        return "it has no record"
    try:
        record = Record.from_json(row.record)
        proof = verify(record)
        hand = replay(record)
    except IllegalRecord as error:
        return f"its record cannot be played: {error}"
    seats = kept.seats[row.id]
    if (wrong := _otherwise(row, record, seats)) is not None:
        return wrong
    if proof["commitment"] != row.commitment:
        return "its record's seed is not the one committed to"
    if not (proof["wall"] and proof["gold_dice"]):
        return "its record's wall is not what seed and dice make"
    result = result_json(hand)
    if result != row.result:
        return "its record does not come to its result"
    ended = [result.get(name) for name in ("outcome", "winner", "from", "by")]
    if ended != [row.outcome, row.winner, row.source, row.by]:
        return f"it is kept as {[row.outcome, row.winner, row.source, row.by]}, its result says {ended}"
    nets = [seat.net for seat in seats]
    if nets != result["net"]:
        return f"its seats are kept with {nets}, its result says {result['net']}"
    if sum(nets):
        return f"coins were made or lost: {nets}"
    owners = [seat.person_id for seat in seats]
    lines = ((owners[line["from"]], owners[line["to"]], line["amount"], line["item"]) for line in result["payments"])
    due = Counter() if row.friendly else Counter(line for line in lines if line[2] and line[0] != line[1])
    if due != paid:
        return f"other payments were made than its result says: {sorted(map(str, (due - paid) + (paid - due)))[0]}"
    done = {(owners[seat], feat) for seat, feat in feats_of(hand)}
    if stray := sorted(kept.feats[row.id] - done):
        return f"person {stray[0][0]} did not do what is told of them: {stray[0][1]}"
    return None


def _otherwise(row: Row[Any], record: Record, seats: list[Row[Any]]) -> str | None:
    """What of the beginning of a hand its record tells otherwise, or None."""
    setup = record.setup
    said = {
        "rules": setup.rules.name,
        "options": setup.rules.complete_options(setup.options),
        "dealer": setup.dealer,
        "streak": setup.streak,
        "base": setup.base,
        "coins": list(setup.coins),
        "dice": record.free.get("dice", []),
        "seed": record.free["seed"],
    }
    kept = {
        "rules": row.rules,
        "options": {**setup.rules.complete_options({}), **row.options},
        "dealer": row.dealer,
        "streak": row.streak,
        "base": row.base,
        "coins": [seat.coins for seat in seats],
        "dice": list(row.dice or []),
        "seed": row.seed.hex(),
    }
    for name, value in kept.items():
        if said[name] != value:
            return f"its record begins otherwise than it did: {name} {said[name]}, kept is {value}"
    return None
