"""After a start: tables sleep until somebody needs them, and one that is broken keeps no other from being played."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from data.errors import StoreUnwritable
from data.model import Change
from data.store import Store
from handlers import taking_up
from handlers.house import House
from handlers.table_state import TableState
from tests.support.evening import excused, run_virtual
from tests.support.stories import newest, sits
from tests.support.town import START, Town


async def broken(_: object, state: TableState) -> tuple[None, None]:
    """In place of ``taking_up.hand_of``: no hand can be played again from its journal."""
    if state.hand:
        raise ValueError("the journal makes no sense")
    return None, None


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


def test_a_table_killed_before_its_first_step_knows_its_number(tmp_path: Path) -> None:
    async def story() -> None:
        town = Town(tmp_path / "x.sqlite3", 3)
        await town.open()
        await town.seat_all(town.people[:1])
        (table,) = town.house._tables.values()
        group = table.group
        assert group is not None
        town.world.crowd.say(town.people[0], town.group_id, "/stop")
        await asyncio.sleep(5)
        # All that is kept of it when the kill comes: what ``new_table`` writes first.
        row = await town.store.create_table(group.id, replace(table.state, table=0, phase="lobby").to_json(), START)
        await town.kill()
        await town.open()
        await asyncio.sleep(5)
        there = town.house.table(row.id)
        assert there is not None
        assert (there.id, there.state.table) == (row.id, row.id)
        await town.close()

    run_virtual(story())


def test_a_broken_table_is_gone_and_answers_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        town = Town(tmp_path / "x.sqlite3", 3)
        number = await in_mid_hand(town)
        message, button = town.find(town.people[0], r"\|table$") or pytest.fail("no button")
        await town.kill()
        monkeypatch.setattr(taking_up, "hand_of", broken)
        await town.open()
        toast = await town.press_data(town.people[0], town.people[0], message.id, button["callback_data"], force=True)
        assert toast
        assert town.house.table(number) is None
        await nobody_is_held_up(town, number)

    run_virtual(story())


async def nobody_is_held_up(town: Town, number: int) -> None:
    """A broken table is closed once and for all, and said to be; its people open another."""
    await asyncio.sleep(30)
    assert not town.outbox.keys(f"t{number}:")
    assert newest(town, town.group_id, "这一桌出了故障") is not None
    assert all(newest(town, person, "出了故障|table broke") is not None for person in town.people)
    (row,) = await town.hands()
    assert row.outcome == "void"
    assert [(await town.store.wallet(person)).held for person in (1, 2, 3, 4)] == [0] * 4
    assert await town.store.audit() is None
    town.world.crowd.say(town.people[1], town.group_id, "/newgame")
    await asyncio.sleep(6)
    (table,) = town.house._tables.values()
    assert sits(town, town.people[1])
    await town.kill()
    said = len(town.troubles)
    await town.open()
    await asyncio.sleep(30)
    assert said == 1
    assert len(town.troubles) == said
    assert set(town.house._tables) == {table.id}
    await town.close()


def test_a_table_whose_state_cannot_be_read_holds_nobody_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = TableState.from_json

    def unread(document: dict[str, Any]) -> TableState:
        if document["hand"]:
            raise ValueError("the state makes no sense")
        return read(document)

    async def story() -> None:
        town = Town(tmp_path / "x.sqlite3", 3)
        number = await in_mid_hand(town)
        await town.kill()
        monkeypatch.setattr(TableState, "from_json", unread)
        await town.open()
        await nobody_is_held_up(town, number)

    run_virtual(story())


def test_a_broken_table_is_closed_when_the_store_can_be_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        town = Town(tmp_path / "x.sqlite3", 3)
        number = await in_mid_hand(town)
        await town.kill()
        monkeypatch.setattr(taking_up, "hand_of", broken)
        commit, full = Store.commit, [True]

        async def unwritable(store: Store, change: Change) -> bool:
            if full[0]:
                raise StoreUnwritable("the disk is full")
            return await commit(store, change)

        monkeypatch.setattr(Store, "commit", unwritable)
        await town.open()
        await asyncio.sleep(100)
        row = await town.store.table(number)
        assert row is not None
        assert row.closed_at is None
        full[0] = False
        await asyncio.sleep(60)
        row = await town.store.table(number)
        assert row is not None
        assert row.closed_at is not None
        await town.close()

    run_virtual(story())
