"""Persons, tables and hands to try the store with."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from data.store import Change, Entry, OpenHand, Payment, Person, Settle, Store, TableRow
from mahjong.wall import commitment

NOW = datetime(2026, 5, 1, 12, 0, 0, 123456, tzinfo=UTC)
DAY = "2026-05-01"
SEED = bytes(range(32))
CHAT = -100


def later(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


async def four(store: Store, first: int = 11) -> list[Person]:
    """Four persons, Telegram users from ``first`` on, 1,500 coins each."""
    names = ("阿明", "阿珍", "老林", "Xiaohong")
    return [await store.person_by_telegram(first + seat, name, None, "zh-hans", NOW) for seat, name in enumerate(names)]


async def group_table(store: Store, persons: Sequence[Person] = (), chat: int = CHAT) -> TableRow:
    group = await store.group_by_telegram(chat, "周末麻将", False, NOW)
    return await store.create_table(group.id, {"phase": "lobby"}, NOW, [person.id for person in persons])


def opening(store: Store, seats: Sequence[int | str], number: int = 1, *, held: int = 1_500, **given: Any) -> OpenHand:
    """A hand for coins of these owners, ``held`` of each person's coins; friendly if a computer plays."""
    friendly = any(isinstance(owner, str) for owner in seats)
    fields: dict[str, Any] = {
        "hand_id": store.new_hand_id(),
        "number": number,
        "at": NOW,
        "rules": "zhangzhou",
        "options": {"dead_wall_stacks": 8},
        "dealer": 0,
        "streak": 1,
        "base": 10,
        "seed": SEED,
        "commitment": commitment(SEED),
        "seats": tuple(seats),
        "coins": (held,) * 4,
        "friendly": friendly,
        "holds": {} if friendly else {owner: held for owner in seats if isinstance(owner, int)},
    }
    return OpenHand(**{**fields, **given})


def won(opened: OpenHand, winner: int = 0, amount: int = 20, day: str = DAY) -> Settle:
    """The end of a hand in which each other seat pays the winner ``amount``."""
    losers = [seat for seat in range(4) if seat != winner]
    owners = [owner if isinstance(owner, int) else None for owner in opened.seats]
    return Settle(
        hand_id=opened.hand_id,
        at=later(300),
        day=day,
        result={
            "outcome": "win",
            "winner": winner,
            "by": "discard",
            "from": losers[0],
            "tile": "3p",
            "payments": [{"from": seat, "to": winner, "item": "win", "amount": amount} for seat in losers],
            "net": [3 * amount if seat == winner else -amount for seat in range(4)],
        },
        record={"rules": opened.rules, "actions": ["0 discard 5m"]},
        payments=tuple(Payment(owners[seat], owners[winner], amount, "win") for seat in losers),
    )


async def play(store: Store, table: TableRow, opened: OpenHand, settled: Settle | None) -> None:
    """Open a hand and, unless told otherwise, settle it, with one entry each."""
    seq = (await current(store, table)).seq
    await store.commit(Change(table.id, (Entry(seq + 1, NOW, "open", hand_id=opened.hand_id),), open_hand=opened))
    if settled:
        entry = Entry(seq + 2, settled.at, "end", hand_id=opened.hand_id)
        await store.commit(Change(table.id, (entry,), settle=settled))


_OLDER: dict[str, tuple[str, ...]] = {
    "0005": (),
    "0004": ("DROP TABLE acts", "DROP TABLE bans"),
    "0003": (
        "DROP TABLE careers",
        "DROP TABLE career_wins",
        "DROP INDEX daily_of_person",
        "DROP INDEX standings_of_person",
        "ALTER TABLE hand_seats DROP COLUMN nth",
    ),
    "0002": ("DROP TABLE flows", "DROP TABLE feats"),
}


def make_older(connection: sqlite3.Connection, revision: str) -> None:
    """Take from a database what the migrations after ``revision`` made."""
    for later_one in (known for known in _OLDER if known > revision):
        for statement in _OLDER[later_one]:
            connection.execute(statement)
    connection.execute("UPDATE alembic_version SET version_num = ?", (revision,))
    connection.commit()


async def current(store: Store, table: TableRow) -> TableRow:
    found = await store.table(table.id)
    assert found is not None
    return found
