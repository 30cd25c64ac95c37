"""What each person has played and won: kept at settlement, filled in by the migration, checked by the audit."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from data.model import Career, Settle
from data.store import Store
from tests.data.samples import four, group_table, later, make_older, opening, play, won


def by(settled: Settle, kind: str, source: int | None) -> Settle:
    return replace(settled, result={**settled.result, "by": kind, "from": source})


async def an_evening(store: Store) -> list[int]:
    """Six hands for coins and a friendly one; ids of the four."""
    seats = [person.id for person in await four(store)]
    table = await group_table(store)
    wins = [
        (0, 20, "discard", 1),
        (0, 50, "double_you", None),
        (0, 50, "double_you", None),
        (1, 30, "rob_kong", 0),
        (2, 10, "discard", 0),
        (0, 5, "self_draw", None),
    ]
    for number, (winner, amount, kind, source) in enumerate(wins, start=1):
        hand = opening(store, seats, number, held=200, dealer=0, streak=number)
        settled = replace(won(hand, winner, amount), at=later(number * 300))
        await play(store, table, hand, by(settled, kind, source))
    hand = opening(store, [seats[0], "easy", "easy", "easy"], 7, dealer=1)
    await play(store, table, hand, replace(won(hand, 0, 500), at=later(3000)))
    return seats


async def test_a_persons_hands_are_summed_up(store: Store) -> None:
    a, b, c, d = await an_evening(store)
    mine = await store.careers(a)
    assert mine.for_coins == Career(
        hands=6,
        wins=4,
        dealt_in=2,
        net=60 + 150 + 150 - 30 - 10 + 15,
        longest_run=3,
        longest_deal=6,
        best_hand=2,
        best_net=150,
        won=(("zhangzhou", "double_you", 2), ("zhangzhou", "discard", 1), ("zhangzhou", "self_draw", 1)),
    )
    assert mine.friendly == Career(1, 1, 0, 1500, 1, 0, 7, 1500, (("zhangzhou", "discard", 1),))
    theirs = (await store.careers(b)).for_coins
    assert (theirs.hands, theirs.wins, theirs.dealt_in, theirs.longest_run, theirs.longest_deal) == (6, 1, 1, 1, 0)
    assert (await store.careers(d)).for_coins.won == ()
    assert (await store.careers(99)).for_coins == Career()
    assert c != d


async def test_a_false_win_deals_nobody_in(store: Store) -> None:
    seats = [person.id for person in await four(store)]
    table = await group_table(store)
    hand = opening(store, seats)
    settled = won(hand)
    result = {**settled.result, "outcome": "false_win", "winner": None, "by": None, "from": 1}
    await play(store, table, hand, replace(settled, result=result))
    assert (await store.careers(seats[1])).for_coins.dealt_in == 0
    assert (await store.careers(seats[0])).for_coins.wins == 0


async def test_the_migration_fills_in_what_settlement_would_have_kept(path: Path) -> None:
    store = await Store.open(path, inline=True)
    await an_evening(store)
    await store.close()

    def kept(connection: sqlite3.Connection) -> list[list[tuple[object, ...]]]:
        asked = ("careers", "career_wins", "hand_seats")
        return [connection.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall() for name in asked]

    with closing(sqlite3.connect(path)) as connection:
        before = kept(connection)
        make_older(connection, "0002")
    store = await Store.open(path, inline=True)
    assert await store.audit() is None
    await store.close()
    with closing(sqlite3.connect(path)) as connection:
        assert kept(connection) == before
    assert len(before[0]) == 5


@pytest.mark.parametrize(
    ("spoil", "difference"),
    [
        ("UPDATE careers SET longest_run = 9 WHERE person_id = 1 AND friendly = 0", r"person, friendly \(1, False\)"),
        ("DELETE FROM careers WHERE person_id = 4", r"person, friendly \(4, False\)"),
        ("UPDATE career_wins SET wins = 3 WHERE person_id = 3", r"kind \(3, False, 'zhangzhou', 'discard'\)"),
        ("UPDATE hand_seats SET nth = 9 WHERE hand_id = 2 AND seat = 0", "hand 3 is number 3 of person 1, not 2"),
    ],
)
async def test_the_audit_finds_sums_that_are_wrong(path: Path, spoil: str, difference: str) -> None:
    store = await Store.open(path, inline=True)
    await an_evening(store)
    await store.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(spoil)
        connection.commit()
    store = await Store.open(path, inline=True)
    with pytest.raises(AssertionError, match=difference):
        assert (found := await store.audit()) is None, found
    await store.close()
