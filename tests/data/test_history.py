"""Ended hands a page at a time, who won from whom, and feats: as kept beside each settled hand."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from data.store import Change, Feat, Flow, OpenHand, Payment, Person, Settle, Store, TableRow, Void
from tests.data.samples import CHAT, DAY, NOW, four, group_table, later, make_older, opening, play, won


async def evening(
    store: Store, table: TableRow, seats: Sequence[int | str], winners: Sequence[int], first: int = 1, **given: Any
) -> list[OpenHand]:
    """Hands played one after the other, a minute each, with a winner a hand; ``given`` to ``opening``."""
    opened = []
    for number, winner in enumerate(winners, first):
        hand = opening(store, seats, number, held=100, **given)
        await play(store, table, hand, replace(won(hand, winner), at=later(60 * number)))
        opened.append(hand)
    return opened


def ids(persons: Sequence[Person]) -> list[int]:
    return [person.id for person in persons]


async def walked(store: Store, group_id: int, limit: int) -> tuple[list[list[int]], list[int]]:
    """All pages of a group's hands from the newest to the oldest, and where the way back leads from each."""
    pages, backs, first = [], [], 0
    while True:
        page = await store.hands_of_group(group_id, first, limit)
        assert page is not None
        pages.append([line.id for line in page.lines])
        backs.append(-1 if page.newer is None else page.newer)
        if page.older is None:
            return pages, backs
        first = page.older


async def test_a_groups_hands_are_paged_both_ways_without_a_gap(store: Store) -> None:
    persons = await four(store)
    table = await group_table(store, persons)
    opened = await evening(store, table, ids(persons), [0] * 11)
    newest = [hand.hand_id for hand in reversed(opened)]
    pages, backs = await walked(store, table.group_id or 0, 4)
    assert pages == [newest[:4], newest[4:8], newest[8:]]
    assert backs == [-1, 0, newest[4]]
    # A hand that ends meanwhile moves no page that begins at a hand.
    await evening(store, table, ids(persons), [1], 12)
    page = await store.hands_of_group(table.group_id or 0, newest[4], 4)
    assert page is not None
    assert [line.id for line in page.lines] == newest[4:8]
    assert page.newer == newest[0]


async def test_a_line_tells_how_its_hand_ended(store: Store) -> None:
    persons = await four(store)
    table = await group_table(store, persons)
    (hand,) = await evening(store, table, ids(persons), [2])
    friendly = opening(store, [*ids(persons)[:3], "easy"], 2)
    await play(store, table, friendly, won(friendly, 3))
    void = opening(store, ids(persons), 3, held=100)
    await play(store, table, void, None)
    await store.commit(Change(table.id, (), void=Void(void.hand_id, later(900), "test")))
    await play(store, table, opening(store, ids(persons), 4, held=100), None)
    page = await store.hands_of_group(table.group_id or 0)
    assert page is not None
    # The one that runs is nobody's business yet.
    assert [line.id for line in page.lines] == [void.hand_id, friendly.hand_id, hand.hand_id]
    gone, other, line = page.lines
    assert (line.number, line.winner, line.by, line.source, line.tile) == (1, 2, "discard", 0, "3p")
    assert (line.net, line.seats, line.friendly) == ((-20, -20, 60, -20), tuple(ids(persons)), False)
    assert (other.friendly, other.seats[3]) == (True, "easy")
    assert (gone.outcome, gone.net, gone.tile) == ("void", (), None)


async def test_hands_of_others_are_no_page(store: Store) -> None:
    persons = await four(store)
    table = await group_table(store, persons)
    other = await group_table(store, (), chat=CHAT - 1)
    (hand,) = await evening(store, table, ids(persons), [0])
    assert await store.hands_of_group(other.group_id or 0, hand.hand_id) is None
    assert await store.hands_of_group(table.group_id or 0, 999) is None
    stranger = await store.person_by_telegram(99, "阿福", None, None, NOW)
    assert await store.hands_of_person(stranger.id, hand.hand_id) is None


async def test_my_hands_are_those_of_all_tables_where_i_sat(store: Store) -> None:
    persons = await four(store)
    table = await group_table(store, persons)
    practice = await store.create_table(None, {}, NOW)
    mine = await evening(store, table, ids(persons), [0] * 3)
    alone = opening(store, [persons[0].id, "easy", "easy", "easy"], 1)
    await play(store, practice, alone, won(alone))
    newest = [alone.hand_id, *(hand.hand_id for hand in reversed(mine))]
    page = await store.hands_of_person(persons[0].id, 0, 3)
    assert page is not None
    assert [line.id for line in page.lines] == newest[:3]
    assert (page.newer, page.older) == (None, newest[3])
    last = await store.hands_of_person(persons[0].id, newest[3], 3)
    assert last is not None
    assert ([line.id for line in last.lines], last.newer, last.older) == (newest[3:], 0, None)
    others = await store.hands_of_person(persons[1].id)
    assert others is not None
    assert [line.group_id for line in others.lines] == [table.group_id] * 3


async def test_a_hand_without_a_day_is_kept_and_counts_in_no_sum_and_no_list(store: Store) -> None:
    (person, *_) = persons = await four(store)
    table = await store.create_table(None, {}, NOW)
    learnt = opening(store, [person.id, "easy", "easy", "easy"], 1)
    await play(store, table, learnt, replace(won(learnt), day=None))
    practised = opening(store, [person.id, "easy", "easy", "easy"], 2)
    await play(store, table, practised, won(practised))
    page = await store.hands_of_person(person.id)
    assert page is not None
    assert [line.id for line in page.lines] == [practised.hand_id]
    assert (await store.careers(person.id)).friendly.hands == 1
    kept = await store.hand(learnt.hand_id)
    assert kept is not None
    assert kept.record is not None
    assert await store.audit() is None
    group = await group_table(store, persons)
    counts = opening(store, ids(persons), 1)
    with pytest.raises(ValueError, match="needs its day"):
        await play(store, group, counts, replace(won(counts), day=None))


async def test_who_won_from_whom_by_day_and_over_all_days(store: Store) -> None:
    persons = await four(store)
    a, b, c, d = ids(persons)
    table = await group_table(store, persons)
    first, second = opening(store, [a, b, c, d], 1), opening(store, [a, b, c, d], 2, held=100)
    await play(store, table, first, won(first, 0, 30, "2026-04-30"))
    await play(store, table, second, won(second, 1, 20, DAY))
    group = table.group_id or 0
    assert await store.flows(group) == [
        Flow(a, c, 30),
        Flow(a, d, 30),
        Flow(b, c, 20),
        Flow(b, d, 20),
        Flow(a, b, 10),
    ]
    assert await store.flows(group, DAY) == [Flow(b, a, 20), Flow(b, c, 20), Flow(b, d, 20)]
    assert await store.flows(group, "2026-04-01") == await store.flows(group)
    assert await store.flows(group + 1) == []


async def test_computers_that_play_for_coins_are_one_side_of_a_flow(store: Store) -> None:
    persons = await four(store)
    a, b, *_ = ids(persons)
    table = await group_table(store, persons)
    holds = {a: 100, b: 100}
    hand = opening(store, [a, b, "easy", "easy"], friendly=False, holds=holds, held=100)
    await play(store, table, hand, won(hand))
    assert await store.flows(table.group_id or 0) == [Flow(a, None, 40), Flow(a, b, 20)]


async def test_flows_follow_a_group_that_became_a_supergroup(store: Store) -> None:
    persons = await four(store)
    table = await group_table(store, persons)
    other = await group_table(store, (), chat=CHAT - 1)
    await evening(store, table, ids(persons), [0])
    await store.commit(Change(table.id, (), close=later(900)))
    await evening(store, other, ids(persons), [0, 1])
    before = await store.flows(table.group_id or 0)
    await store.migrate_group(CHAT, CHAT - 1)
    joined = await store.flows(table.group_id or 0)
    assert sum(flow.net for flow in joined) > sum(flow.net for flow in before)
    assert await store.flows(other.group_id or 0) == []
    assert await store.audit() is None


def names(feats: Sequence[Feat]) -> set[str]:
    return {feat.feat for feat in feats}


async def with_feats(store: Store, table: TableRow, hand: OpenHand, winner: int, *feats: tuple[int, str]) -> None:
    await play(store, table, hand, replace(won(hand, winner), feats=feats, at=later(60 * hand.number)))


async def test_a_feat_is_kept_with_its_first_hand_and_counted_after(store: Store) -> None:
    persons = await four(store)
    table = await group_table(store, persons)
    first, second = opening(store, ids(persons), 1), opening(store, ids(persons), 2, held=100)
    await with_feats(store, table, first, 0, (0, "triple_you"), (2, "eight_flowers"))
    await with_feats(store, table, second, 0, (0, "triple_you"))
    mine = {feat.feat: feat for feat in await store.feats_of(persons[0].id)}
    assert mine["triple_you"] == Feat(persons[0].id, "triple_you", first.hand_id, later(60), 2)
    assert names(await store.feats_of(persons[2].id)) == {"eight_flowers"}
    told = [(feat.person_id, feat.feat) for feat in await store.first_feats(first.hand_id)]
    assert sorted(told) == sorted(
        [(persons[0].id, "first_win"), (persons[0].id, "triple_you"), (persons[2].id, "eight_flowers")]
    )
    assert await store.first_feats(second.hand_id) == []


async def test_rare_hands_count_at_a_friendly_table_and_patience_does_not(store: Store) -> None:
    persons = await four(store)
    table = await group_table(store, persons)
    hand = opening(store, [*ids(persons)[:3], "easy"])
    await with_feats(store, table, hand, 0, (0, "heavenly"), (0, "comeback"), (3, "four_kongs"))
    assert names(await store.first_feats(hand.hand_id)) == {"heavenly"}


async def test_ten_wins_in_a_day_are_told_once_a_day(store: Store) -> None:
    persons = await four(store)
    table = await group_table(store, persons)
    opened = await evening(store, table, ids(persons), [0] * 12)
    (feat,) = (feat for feat in await store.feats_of(persons[0].id) if feat.feat == "ten_wins")
    assert (feat.hand_id, feat.count) == (opened[9].hand_id, 1)


async def test_a_run_as_dealer_belongs_to_who_sat_there_all_along(store: Store) -> None:
    persons = await four(store)
    a, b, c, d = ids(persons)
    table = await group_table(store, persons)
    runs = [[b, a, c, d], *[[a, b, c, d]] * 4]
    for streak, seats in enumerate(runs, 1):
        hand = opening(store, seats, streak, streak=streak, held=100)
        await with_feats(store, table, hand, 0, *([(0, "dealer_5")] if streak == 5 else []))
    assert "dealer_5" not in names(await store.feats_of(a))
    for streak in range(1, 6):
        hand = opening(store, [a, b, c, d], 5 + streak, streak=streak, held=100)
        await with_feats(store, table, hand, 0, *([(0, "dealer_5")] if streak == 5 else []))
    assert "dealer_5" in names(await store.feats_of(a))


async def test_a_run_as_dealer_is_of_wins_and_a_drawn_hand_breaks_it(store: Store) -> None:
    persons = await four(store)
    table = await group_table(store, persons)
    told = []
    for streak in range(1, 13):
        hand = opening(store, ids(persons), streak, streak=streak, held=100)
        if streak == 3:
            nobody = {"outcome": "draw", "winner": None, "payments": [], "net": [0] * 4}
            await play(store, table, hand, replace(won(hand), result=nobody, payments=()))
            continue
        await with_feats(store, table, hand, 0, *((0, f"dealer_{run}") for run in (5, 10) if streak >= run))
        told += [(streak, feat.feat) for feat in await store.first_feats(hand.hand_id) if "dealer" in feat.feat]
    assert told == [(8, "dealer_5")]
    (feat,) = (feat for feat in await store.feats_of(persons[0].id) if feat.feat == "dealer_5")
    assert feat.count == 1


async def test_a_comeback_follows_relief(store: Store) -> None:
    persons = await four(store)
    a, b, c, d = ids(persons)
    table = await group_table(store, persons)
    rich = opening(store, [a, b, c, d], 1)
    await with_feats(store, table, rich, 0, (0, "comeback"))
    assert "comeback" not in names(await store.feats_of(a))
    poor = opening(store, [a, b, c, d], 2, held=1_440)
    await play(store, table, poor, won(poor, 1, 1_440))
    assert await store.relief(a, DAY, later(200)) > 0
    for person in (c, d):
        await store.grant(person, 1_000, "refund", f"test:{person}", NOW)
    for number in (4, 5):
        hand = opening(store, [a, b, c, d], number, held=100)
        await with_feats(store, table, hand, 0, (0, "comeback"))
    (feat,) = (feat for feat in await store.feats_of(a) if feat.feat == "comeback")
    assert feat.count == 1, "one a relief"


async def test_the_migration_counts_the_hands_that_were_played_before(path: Path) -> None:
    store = await Store.open(path, inline=True)
    persons = await four(store)
    table = await group_table(store, persons)
    for number in range(1, 104):
        hand = opening(store, ids(persons), number, held=100)
        day = (NOW + timedelta(days=number // 40)).date().isoformat()
        winner = number % 4
        losers = [seat for seat in range(4) if seat != winner]
        paid = tuple(Payment(ids(persons)[seat], ids(persons)[winner], 1, "win") for seat in losers)
        net = [3 if seat == winner else -1 for seat in range(4)]
        end = Settle(hand.hand_id, later(number), day, {**won(hand, winner).result, "net": net}, {}, paid)
        await play(store, table, hand, end)
    await store.close()
    with closing(sqlite3.connect(path)) as connection:
        kept = {name: set(connection.execute(f"SELECT * FROM {name}")) for name in ("flows", "feats")}
        kept["flows"] = {row for row in kept["flows"] if row[-1]}
        make_older(connection, "0001")
    store = await Store.open(path, inline=True)
    assert await store.audit() is None
    assert names(await store.feats_of(persons[0].id)) == {"first_win", "hands_100"}
    await store.close()
    with closing(sqlite3.connect(path)) as connection:
        again = {name: set(connection.execute(f"SELECT * FROM {name}")) for name in kept}
    again["flows"] = {row for row in again["flows"] if row[-1]}
    # What only a whole day shows is counted from now on.
    kept["feats"] = {row for row in kept["feats"] if row[1] != "ten_wins"}
    assert again == kept
