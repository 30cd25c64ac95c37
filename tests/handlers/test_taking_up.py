"""After a start: tables sleep until somebody needs them, and one that is broken keeps no other from being played."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from handlers import taking_up
from handlers.house import House
from tests.support.evening import excused, run_virtual
from tests.support.town import Town


async def nobody() -> None:
    """Wakes no table."""


async def in_mid_hand(town: Town) -> int:
    """All are seated and dealt to; the table's number."""
    await town.open()
    await town.seat_all()
    await asyncio.sleep(30)
    (table,) = town.house._tables.values()
    return table.id


def test_a_press_wakes_its_table_and_nothing_is_shown_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(House, "_wake_all", lambda _: nobody())

    async def story() -> None:
        town = Town(tmp_path / "x.sqlite3", 3)
        number = await in_mid_hand(town)
        await town.kill()
        await town.open()
        table = town.house.table(number)
        assert table is not None
        before = len(town.calls)
        table.showing.stop()
        await asyncio.sleep(60)
        assert table.asleep
        assert table.hand is None
        assert [call.method for call in town.calls[before:] if call.method != "getUpdates"] == []
        await town.press(town.people[0], town.people[0], r"\|table$")
        assert not table.asleep
        assert table.hand is not None
        await asyncio.sleep(30)
        assert all(call.status == 200 or excused(call) for call in town.calls)
        await town.close()

    run_virtual(story())


def test_a_refresh_wakes_a_table_rather_than_to_take_its_messages_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(House, "_wake_all", lambda _: nobody())

    async def story() -> None:
        town = Town(tmp_path / "x.sqlite3", 3)
        number = await in_mid_hand(town)
        await town.kill()
        await town.open()
        table = town.house.table(number)
        assert table is not None
        living = set(town.outbox.keys(f"t{number}:"))
        table.showing.refresh()
        assert set(town.outbox.keys(f"t{number}:")) == living
        await asyncio.sleep(30)
        assert not table.asleep
        await town.close()

    run_virtual(story())


def test_all_wake_by_themselves(tmp_path: Path) -> None:
    async def story() -> None:
        town = Town(tmp_path / "x.sqlite3", 3)
        number = await in_mid_hand(town)
        await town.kill()
        await town.open()
        await asyncio.sleep(5)
        table = town.house.table(number)
        assert table is not None
        assert not table.asleep
        await town.close()

    run_virtual(story())


def test_a_broken_table_is_gone_and_answers_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object) -> None:
        raise ValueError("the journal makes no sense")

    async def story() -> None:
        town = Town(tmp_path / "x.sqlite3", 3)
        number = await in_mid_hand(town)
        await town.kill()
        monkeypatch.setattr(taking_up, "hand_of", broken)
        await town.open()
        toast = await town.press(town.people[0], town.people[0], r"\|table$")
        assert toast
        assert town.house.table(number) is None
        await town.close()

    run_virtual(story())
