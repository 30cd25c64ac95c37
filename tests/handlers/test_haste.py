"""Presses faster than anybody can mean them: refused, without effect on tables or on others."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from handlers.clock import Clock
from handlers.haste import BURST, KNOWN, RATE, REFUSALS, Haste
from tests.support.evening import run_virtual
from tests.support.town import Town


@pytest.mark.looptime(noop_cycles=0)
async def test_a_burst_then_an_even_pace() -> None:
    haste = Haste(Clock())
    assert [haste.too_fast(1) for _ in range(BURST + 3)] == [False] * BURST + [True] * 3
    assert not haste.too_fast(2), "another one's haste is another one's"
    await asyncio.sleep(1)
    assert [haste.too_fast(1) for _ in range(int(RATE) + 1)] == [False] * int(RATE) + [True]


@pytest.mark.looptime(noop_cycles=0)
async def test_who_has_rested_is_forgotten() -> None:
    haste = Haste(Clock())
    for who in range(KNOWN):
        haste.too_fast(who)
    await asyncio.sleep(60)
    haste.too_fast(-1)
    assert len(haste._left) == 1


def test_a_flood_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        town = Town(tmp_path / "x.sqlite3", 3)
        await town.open()
        await town.seat_all()
        await asyncio.sleep(30)
        (table,) = town.house._tables.values()
        person = town.people[0]
        taken: list[object] = []
        take = table._take

        async def counted(step: object) -> object:
            taken.append(step)
            return await take(step)  # type: ignore[arg-type]

        table._take = counted  # type: ignore[method-assign, assignment]
        last = town.chat(person).last_id
        start = asyncio.get_running_loop().time()
        presses = [town.world.crowd.press(person, person, last, f"m|{table.id}|1|1|d5m", force=True)]
        while asyncio.get_running_loop().time() < start + 10:
            await asyncio.sleep(0.02)
            presses.append(town.world.crowd.press(person, person, last, f"m|{table.id}|1|1|d5m", force=True))
        await asyncio.sleep(10)
        assert len(presses) > 400
        refused = [press for press in presses if "太快" in press.text]
        assert all(press.status == "answered" for press in presses[: BURST + REFUSALS])
        assert REFUSALS <= len(refused) <= REFUSALS + 11 * RATE, "a machine that goes on is not answered any more"
        assert len(taken) < BURST + 10 * RATE + 20, "a flood reaches the table only as fast as anybody might press"
        await town.close()

    run_virtual(story())
