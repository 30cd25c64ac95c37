"""What keeping a hand costs: its settlement beside a commit of one row, in the same file and the same run."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from data.model import Change, Entry, OpenHand, Settle
from data.store import Sent, Store
from mahjong.records import record_of
from tests.bench.figures import Figure, at_most
from tests.bench.played import played
from tests.data.samples import NOW, four, group_table, opening, won

HANDS = 300
RATIO = 4.0


def store() -> Iterator[Figure]:
    """One row, a move, the settlement of a hand, and the last against the first."""
    with tempfile.TemporaryDirectory() as folder:
        row, move, settled = asyncio.run(_measure(Path(folder) / "bench.sqlite3"))
    yield Figure("commit of one row", row, "ms")
    yield Figure("commit of a move", move, "ms")
    yield Figure("commit of a settlement", settled, "ms")
    yield at_most("settlement against one row", settled / row, "×", RATIO)


async def _measure(path: Path) -> tuple[float, float, float]:
    """The medians in milliseconds, interleaved so that a busy disk slows all three."""
    store = await Store.open(path)
    persons = [person.id for person in await four(store)]
    table = await group_table(store)
    record = record_of(played("easy", 3), id="1", seed="00" * 32).to_json()
    rows, moves, settlements = [], [], []
    seq = 0
    for number in range(1, HANDS + 1):
        opened = opening(store, persons, number, held=200)
        ended = replace(won(opened, winner=number % 4), record=record)
        await _open(store, table.id, seq + 1, opened)
        began = time.perf_counter()
        await store.save_sent(Sent(f"bench:{number}", -1, number, "digest", NOW))
        rows.append(time.perf_counter() - began)
        began = time.perf_counter()
        await store.commit(
            Change(table.id, (Entry(seq + 2, NOW, "move", 0, opened.hand_id, {"move": "0 discard 5m"}),))
        )
        moves.append(time.perf_counter() - began)
        began = time.perf_counter()
        await _settle(store, table.id, seq + 3, ended)
        settlements.append(time.perf_counter() - began)
        seq += 3
    await store.close()
    row, move, settled = (statistics.median(times) * 1000 for times in (rows, moves, settlements))
    return row, move, settled


async def _open(store: Store, table_id: int, seq: int, opened: OpenHand) -> None:
    await store.commit(Change(table_id, (Entry(seq, NOW, "sealed", None, opened.hand_id),), open_hand=opened))


async def _settle(store: Store, table_id: int, seq: int, ended: Settle) -> None:
    await store.commit(Change(table_id, (Entry(seq, NOW, "move", 0, ended.hand_id),), settle=ended))
