"""Full disk, locks, cancelled callers, SIGKILL: an answered change is kept, one that failed has changed nothing."""

from __future__ import annotations

import asyncio
import multiprocessing
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from data.store import Change, Entry, Store, StoreUnwritable
from tests.data.samples import NOW, current, four, group_table, later, opening, play, won


@contextmanager
def pragma(text: str) -> Iterator[None]:
    """Every connection made inside gets this pragma first."""

    def connected(connection: Any, _record: Any) -> None:
        connection.cursor().execute(f"PRAGMA {text}")

    event.listen(Engine, "connect", connected)
    try:
        yield
    finally:
        event.remove(Engine, "connect", connected)


async def test_a_full_disk(path: Path, inline: bool) -> None:
    store = await Store.open(path, inline=inline)
    seats = [person.id for person in await four(store)]
    table = await group_table(store)
    hand = opening(store, seats)
    await play(store, table, hand, None)
    before = await current(store, table)
    await store.close()

    with pragma("max_page_count = 1"):  # SQLite makes that what there is
        store = await Store.open(path, inline=inline)
        entry = Entry(before.seq + 1, NOW, "answer", 0, hand.hand_id, {"move": "0 discard 5m" * 9_000})
        for _ in range(2):
            with pytest.raises(StoreUnwritable, match=r"cannot be used: the disk is full; make room$"):
                await store.commit(Change(table.id, (entry,), {"phase": "wrong"}, settle=won(hand)))
        assert await current(store, table) == before
        assert await store.running_hand(table.id) is not None
        await store.close()

    store = await Store.open(path, inline=inline)
    assert await store.commit(Change(table.id, (entry,), settle=won(hand)))
    assert await store.audit() is None
    await store.close()


async def test_a_database_that_may_only_be_read(path: Path, inline: bool) -> None:
    # Root may write everywhere, so SQLite itself is told to refuse.
    with pragma("query_only = ON"), pytest.raises(StoreUnwritable, match="only be read; give the bot's user the right"):
        await Store.open(path, inline=inline)


async def test_a_locked_database(path: Path, inline: bool) -> None:
    store = await Store.open(path, inline=inline, busy_timeout=0.05)
    table = await group_table(store)
    with closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnwritable, match="another program keeps it locked"):
            await store.commit(Change(table.id, state={"phase": "wrong"}))
        assert await current(store, table) == table
        with pytest.raises(StoreUnwritable, match="locked"):
            await Store.open(path, inline=inline, busy_timeout=0.05)
        other.rollback()
    assert await store.commit(Change(table.id, state={"phase": "right"}))
    await store.close()


async def test_a_lock_that_is_soon_given_back(path: Path) -> None:
    store = await Store.open(path)
    table = await group_table(store)
    with closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        waiting = asyncio.create_task(store.commit(Change(table.id, state={"phase": "late"})))
        assert await store.table(table.id) == table
        other.rollback()
        assert await waiting
    await store.close()


async def test_a_caller_that_is_cancelled(path: Path, inline: bool) -> None:
    store = await Store.open(path, inline=inline)
    table = await group_table(store)
    for steps in range(4) if inline else range(0, 60, 3):
        seq = (await current(store, table)).seq + 1
        entries = (Entry(seq, NOW, "a"), Entry(seq + 1, NOW, "b"))
        task = asyncio.create_task(store.commit(Change(table.id, entries, {"seq": seq + 1})))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        now = await current(store, table)
        assert now.seq in (seq - 1, seq + 1)
        assert now.state.get("seq", 0) == now.seq
    assert await store.audit() is None
    await store.close()


async def test_many_at_once(path: Path, inline: bool) -> None:
    store = await Store.open(path, inline=inline)
    tables = [await store.create_table(None, {}, NOW) for _ in range(8)]

    async def go_on(table_id: int) -> None:
        for seq in range(1, 6):
            assert await store.commit(Change(table_id, (Entry(seq, NOW, "a"),), {"seq": seq}))
            row = await store.table(table_id)
            assert row is not None
            assert (row.seq, row.state) == (seq, {"seq": seq})

    await asyncio.gather(*(go_on(table.id) for table in tables))
    assert await store.audit() is None
    await store.close()


def test_killed_while_it_commits(path: Path, inline: bool) -> None:
    fork = multiprocessing.get_context("fork")
    for answers in (1, 7, 12, 30):
        ours, theirs = fork.Pipe(duplex=False)
        child = fork.Process(target=_child, args=(path, inline, theirs), daemon=True)
        child.start()
        theirs.close()
        answered = [ours.recv() for _ in range(answers)]
        child.kill()
        with suppress(EOFError, OSError):
            while True:
                answered.append(ours.recv())
        child.join()
        asyncio.run(_check(path, inline, *answered[-1]))


async def _check(path: Path, inline: bool, hand_id: int, seq: int) -> None:
    store = await Store.open(path, inline=inline)
    (table,) = await store.open_tables()
    assert table.seq in (seq, seq + 1)  # the last one may not have been answered yet
    assert table.state == {"seq": table.seq}
    assert [entry.seq for entry in await store.table_journal(table.id)] == list(range(1, table.seq + 1))
    assert await store.hand(hand_id) is not None
    assert await store.audit() is None
    await store.close()


def _child(path: Path, inline: bool, pipe: Connection) -> None:
    asyncio.run(_play_for_ever(path, inline, pipe))


async def _play_for_ever(path: Path, inline: bool, pipe: Connection) -> None:
    """Open and settle hands, each with a few answers; say so after each commit."""
    store = await Store.open(path, inline=inline)
    seats = [person.id for person in await four(store)]
    group = await store.group_by_telegram(-1, "g", False, NOW)
    table = await store.table_of_group(group.id) or await store.create_table(group.id, {"seq": 0}, NOW)
    seq = table.seq
    hand = await store.running_hand(table.id)
    if hand:
        seq += 1
        ending = won(opening(store, seats, hand_id=hand.id))
        await store.commit(Change(table.id, (Entry(seq, NOW, "end"),), {"seq": seq}, settle=ending))
    while True:
        opened = opening(store, seats, seq + 1, held=200)
        changes: list[dict[str, Any]] = [{"open_hand": opened}, *[{}] * 4, {"settle": won(opened, seq % 4, 5)}]
        for change in changes:
            seq += 1
            entry = Entry(seq, later(seq), "answer", 1, opened.hand_id)
            assert await store.commit(Change(table.id, (entry,), {"seq": seq}, **change))
            pipe.send((opened.hand_id, seq))
