"""Tables, seats, hands and the journal: one change is written whole or not at all."""

from __future__ import annotations

import logging
from dataclasses import replace

import pytest

from data.store import Change, Conflict, Dice, Entry, NotEnough, Store, Void
from mahjong.wall import commitment
from tests.data.samples import NOW, SEED, current, four, group_table, later, opening, play, won


async def test_a_group_has_one_open_table(store: Store) -> None:
    table = await group_table(store)
    assert table.group_id is not None
    with pytest.raises(Conflict, match="has an open table"):
        await store.create_table(table.group_id, {}, NOW)
    assert await store.table_of_group(table.group_id) == table
    assert await store.commit(Change(table.id, close=later(1)))
    assert await store.table_of_group(table.group_id) is None
    assert (await current(store, table)).closed_at == later(1)
    again = await store.create_table(table.group_id, {"n": 2}, NOW)
    private = [await store.create_table(None, {}, NOW) for _ in range(2)]
    assert await store.open_tables() == [again, *private]
    assert await store.table(99) is None


async def test_who_sits_where(store: Store) -> None:
    a, b, c, _ = await four(store)
    table = await group_table(store, [b, a])
    private = await store.create_table(None, {}, NOW, [a.id])
    assert table.seated == (a.id, b.id)
    assert await store.tables_of(a.id) == [table, private]
    assert await store.tables_of(c.id) == []
    await store.commit(Change(table.id, seated=(c.id, b.id)))
    assert await store.tables_of(a.id) == [private]
    assert (await current(store, table)).seated == (b.id, c.id)
    await store.commit(Change(table.id, state={"x": 1}))
    assert (await current(store, table)).seated == (b.id, c.id)
    await store.commit(Change(table.id, close=NOW))
    assert await store.tables_of(b.id) == []
    with pytest.raises(Conflict):
        await store.commit(Change(private.id, seated=(99,)))


async def test_the_journal_comes_back_as_it_went_in(store: Store) -> None:
    persons = await four(store)
    table = await group_table(store, persons)
    hand = opening(store, [person.id for person in persons])
    first = Entry(1, later(0.5), "sit", 2, None, {"names": ["阿明", None, 1.5, True]})
    opened = Entry(2, later(1), "open", None, hand.hand_id)
    assert await store.commit(Change(table.id, (first, opened), {"phase": "dice", "中": [1, {}]}, open_hand=hand))
    answer = Entry(3, later(2), "answer", 0, hand.hand_id, {"move": "0 discard 5m"})
    assert await store.commit(Change(table.id, (answer,)))
    assert await store.journal(hand.hand_id) == [opened, answer]
    assert await store.table_journal(table.id) == [first, opened, answer]
    assert await store.table_journal(table.id, after=2) == [answer]
    now = await current(store, table)
    assert (now.seq, now.state) == (3, {"phase": "dice", "中": [1, {}]})


@pytest.mark.parametrize("inline", [True])
@pytest.mark.parametrize("numbers", [(1,), (4,), (3, 5), (3, 3)])
async def test_journal_numbers_neither_repeat_nor_leave_gaps(store: Store, numbers: tuple[int, ...]) -> None:
    table = await group_table(store)
    await store.commit(Change(table.id, (Entry(1, NOW, "a"), Entry(2, NOW, "b"))))
    with pytest.raises(Conflict, match="journal"):
        await store.commit(Change(table.id, tuple(Entry(n, NOW, "x") for n in numbers), {"phase": "wrong"}))
    now = await current(store, table)
    assert (now.seq, now.state) == (2, {"phase": "lobby"})
    assert len(await store.table_journal(table.id)) == 2


async def test_nothing_is_written_to_a_closed_or_unknown_table(store: Store) -> None:
    table = await group_table(store)
    await store.commit(Change(table.id, close=NOW))
    with pytest.raises(Conflict, match="closed"):
        await store.commit(Change(table.id, state={}))
    with pytest.raises(Conflict, match="closed"):
        await store.commit(Change(table.id, (Entry(1, NOW, "a"),)))
    with pytest.raises(Conflict, match="no table 99"):
        await store.commit(Change(99, state={}))


async def test_a_hand_comes_back_as_it_was_opened(store: Store) -> None:
    persons = await four(store)
    table = await group_table(store, persons)
    seats = [person.id for person in persons]
    hand = opening(store, seats, coins=(1_500, 1_500, 1_500, 1_499))
    await play(store, table, hand, None)
    kept = await store.hand(hand.hand_id)
    assert kept is not None
    assert kept == await store.running_hand(table.id)
    same = ("number", "rules", "options", "dealer", "streak", "base", "seed", "commitment", "seats", "coins", "dice")
    assert {name: getattr(kept, name) for name in same} == {name: getattr(hand, name) for name in same}
    assert (kept.table_id, kept.group_id, kept.opened_at) == (table.id, table.group_id, NOW)
    assert (kept.ended_at, kept.outcome, kept.result, kept.record) == (None, None, None, None)

    await store.commit(Change(table.id, dice=Dice(hand.hand_id, (3, 4))))
    await store.commit(Change(table.id, dice=Dice(hand.hand_id, (5, 6))))
    settled = won(hand)
    assert await store.commit(Change(table.id, settle=settled))
    kept = await store.hand(hand.hand_id)
    assert kept is not None
    assert (kept.dice, kept.outcome, kept.ended_at) == ((5, 6), "win", settled.at)
    assert (kept.result, kept.record) == (settled.result, settled.record)
    assert await store.running_hand(table.id) is None
    assert await store.hand(99) is None
    with pytest.raises(Conflict, match="no hand"):
        await store.commit(Change(table.id, dice=Dice(hand.hand_id, (1, 1))))


async def test_all_of_a_hand_in_one_change(store: Store) -> None:
    persons = await four(store)
    table = await group_table(store, persons)
    hand = opening(store, [*(person.id for person in persons[:3]), "easy"], dice=())
    entries = (Entry(1, NOW, "open", hand_id=hand.hand_id), Entry(2, NOW, "end", hand_id=hand.hand_id))
    assert await store.commit(Change(table.id, entries, {}, (), hand, None, won(hand), None, later(9)))
    kept = await store.hand(hand.hand_id)
    assert kept is not None
    assert (kept.seats[3], kept.friendly, kept.dice, kept.outcome) == ("easy", True, (), "win")
    assert (await current(store, table)).closed_at == later(9)


async def test_one_hand_runs_at_a_table(store: Store) -> None:
    table = await group_table(store)
    hand = opening(store, ["easy"] * 4)
    await store.commit(Change(table.id, open_hand=hand))
    with pytest.raises(Conflict, match="has not ended"):
        await store.commit(Change(table.id, open_hand=opening(store, ["easy"] * 4, 2)))
    with pytest.raises(Conflict, match="hand 1 runs"):
        await store.commit(Change(table.id, close=NOW))
    await store.commit(Change(table.id, settle=won(hand)))
    with pytest.raises(Conflict):  # the same number
        await store.commit(Change(table.id, open_hand=opening(store, ["easy"] * 4, 1)))
    with pytest.raises(Conflict):  # the same id
        await store.commit(Change(table.id, open_hand=replace(opening(store, ["easy"] * 4, 2), hand_id=hand.hand_id)))
    other = await store.create_table(None, {}, NOW)
    await store.commit(Change(table.id, open_hand=(second := opening(store, ["easy"] * 4, 2))))
    with pytest.raises(Conflict, match=r"no hand \d runs"):
        await store.commit(Change(other.id, void=Void(second.hand_id, NOW, "x")))
    with pytest.raises(Conflict, match=r"no hand \d runs"):
        await store.commit(Change(table.id, settle=won(opening(store, ["easy"] * 4))))


async def test_a_change_that_fails_late_leaves_nothing(store: Store) -> None:
    persons = await four(store)
    table = await group_table(store, persons)
    hand = opening(store, [person.id for person in persons], held=1_501)
    with pytest.raises(NotEnough, match="1500 coins free, not 1501"):
        await store.commit(
            Change(table.id, (Entry(1, NOW, "open", hand_id=hand.hand_id),), {"phase": "dice"}, (), hand)
        )
    assert await current(store, table) == table
    assert await store.hand(hand.hand_id) is None


async def test_hand_ids_go_on_after_a_restart(store: Store) -> None:
    assert [store.new_hand_id() for _ in range(3)] == [1, 2, 3]
    table = await group_table(store)
    await store.commit(Change(table.id, open_hand=opening(store, ["easy"] * 4, hand_id=7)))
    again = await Store.open(store.path)
    assert again.new_hand_id() == 8
    await again.close()


async def test_secrets_are_in_no_repr(store: Store) -> None:
    persons = await four(store)
    table = await store.create_table(None, {"standing": "orders"}, NOW)
    hand = opening(store, [person.id for person in persons])
    entry = Entry(1, NOW, "answer", 0, hand.hand_id, {"move": "0 discard 5m"})
    change = Change(table.id, (entry,), {"standing": "orders"}, open_hand=hand)
    await store.commit(change)
    kept = await store.hand(hand.hand_id)
    shown = " ".join(map(repr, (change, kept, await store.open_tables(), await store.journal(hand.hand_id))))
    assert repr(SEED) not in shown
    assert "5m" not in shown
    assert "orders" not in shown


async def test_secrets_are_in_no_log(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    table = await store.create_table(None, {"standing": "orders"}, NOW)
    hand = opening(store, ["easy"] * 4, seed=b"a secret that is 32 bytes long !!")
    await store.commit(Change(table.id, open_hand=replace(hand, commitment=commitment(hand.seed))))
    assert await store.running_hand(table.id) is not None
    assert "a secret" not in caplog.text
    assert "orders" not in caplog.text


async def test_no_error_shows_what_was_to_be_written(store: Store) -> None:
    table = await group_table(store)
    hand = opening(store, ["easy"] * 4, rules=None)
    with pytest.raises(Conflict) as caught:
        await store.commit(Change(table.id, open_hand=hand))
    assert "hands.rules" in str(caught.value)
    assert hand.commitment not in str(caught.value)
    assert caught.value.__suppress_context__
