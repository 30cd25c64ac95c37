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


async def test_a_page_with_ones_own_row_and_the_day(store: Store) -> None:
    seats = [person.id for person in await four(store)]
    table = await group_table(store)
    assert table.group_id is not None
    for number, (winner, day) in enumerate([(0, "2026-04-30"), (1, "2026-05-01")], start=1):
        hand = opening(store, seats, number, held=100)
        await play(store, table, hand, won(hand, winner, 20 * number, day))
    page = await store.ranking_page(table.group_id, seats[3], "2026-05-01", limit=2)
    assert [rank.person_id for rank in page.rows] == [seats[1], seats[0]]
    assert page.own is not None
    assert (page.own.person_id, page.own.place, page.of) == (seats[3], 3, 4)
    assert page.today == {seats[0]: -40, seats[1]: 120, seats[3]: -40}
    beyond = await store.ranking_page(table.group_id, None, "2026-05-02", limit=2, offset=4)
    assert (beyond.rows, beyond.own, beyond.of, beyond.today) == ((), None, 4, {})
    nothing = await store.ranking_page(99, seats[0], "2026-05-01")
    assert (nothing.rows, nothing.own, nothing.of) == ((), None, 0)


async def test_the_groups_that_a_person_has_played_in(store: Store) -> None:
    seats = [person.id for person in await four(store)]
    table, elsewhere = await group_table(store), await group_table(store, chat=-200)
    await group_table(store, chat=-300)
    for number, at in enumerate((table, elsewhere, elsewhere), start=1):
        hand = opening(store, seats, number, held=100)
        await play(store, at, hand, won(hand, 1))
    ranked = await store.ranked_in(seats[0])
    assert [(group, rank.place, rank.net) for group, rank in ranked.items()] == [
        (elsewhere.group_id, 2, -40),
        (table.group_id, 2, -20),
    ]
    assert await store.ranked_in(99) == {}


async def test_places_at_the_end_of_each_day(store: Store) -> None:
    seats = [person.id for person in await four(store)]
    table = await group_table(store)
    assert table.group_id is not None
    days = [(3, 10, "2026-04-28"), (0, 20, "2026-04-30"), (1, 50, "2026-05-01"), (3, 10, "2026-05-01")]
    for number, (winner, amount, day) in enumerate(days, start=1):
        hand = opening(store, seats, number, held=200)
        await play(store, table, hand, won(hand, winner, amount, day))
    others = [seats[1], "easy", seats[2], "easy"]
    hand = opening(store, others, 5)
    await play(store, table, hand, won(hand, 0, 10, "2026-05-02"))
    assert await store.places(table.group_id, seats[0], 60) == [("2026-04-28", 2), ("2026-04-30", 1), ("2026-05-01", 3)]
    assert await store.places(table.group_id, seats[0], 2) == [("2026-04-30", 1), ("2026-05-01", 3)]
    assert await store.places(table.group_id, 99, 60) == []
