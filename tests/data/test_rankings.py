"""Rankings: sums by group, person and day."""

from __future__ import annotations

from data.store import Rank, Store
from tests.data.samples import four, group_table, opening, play, won


async def test_ranking_by_coins_won_in_the_group(store: Store) -> None:
    a, b, c, d = await four(store)
    seats = [a.id, b.id, c.id, d.id]
    table, elsewhere = await group_table(store), await group_table(store, chat=-200)
    assert table.group_id is not None
    wins = [(0, 20, "2026-04-30"), (1, 10, "2026-05-01"), (1, 10, "2026-05-02")]
    for number, (winner, amount, day) in enumerate(wins, start=1):
        hand = opening(store, seats, number, held=100)
        await play(store, table, hand, won(hand, winner, amount, day))
    hand = opening(store, seats, held=100)
    await play(store, elsewhere, hand, won(hand, 3, 33))
    hand = opening(store, [a.id, "easy", "easy", "easy"], 4)
    await play(store, table, hand, won(hand, 0, 500))

    rows = await store.ranking(table.group_id)
    assert rows == [
        Rank(1, 4, b.id, "阿珍", 3, 2, 40),
        Rank(2, 4, a.id, "阿明", 3, 1, 40),
        Rank(3, 4, c.id, "老林", 3, 0, -40),
        Rank(3, 4, d.id, "Xiaohong", 3, 0, -40),
    ]
    assert await store.ranking(table.group_id, limit=2, offset=1) == rows[1:3]
    assert [rank.net for rank in await store.ranking(table.group_id, "2026-05-01")] == [60, -20, -20, -20]
    assert [rank.net for rank in await store.ranking(table.group_id, "2026-05-02")] == [30, -10, -10, -10]
    assert await store.ranking(table.group_id, "2026-05-03") == []
    assert await store.rank_of(table.group_id, c.id) == rows[2]
    assert await store.rank_of(table.group_id, c.id, "2026-05-03") is None
    assert await store.rank_of(table.group_id, 99) is None


async def test_friendly_hands_and_private_tables_do_not_rank(store: Store) -> None:
    persons = await four(store)
    table = await group_table(store)
    assert table.group_id is not None
    hand = opening(store, [persons[0].id, "easy", "easy", "easy"])
    await play(store, table, hand, won(hand))
    assert await store.ranking(table.group_id) == []
    private = await store.create_table(None, {}, table.created_at)
    hand = opening(store, [person.id for person in persons])
    await play(store, private, hand, won(hand))
    assert await store.rank_of(table.group_id, persons[0].id) is None
