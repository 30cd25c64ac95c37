"""Disk full, database locked: a move is refused with a clear toast, the state is unchanged, the operator is told."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from playground.chats import Press
from tests.support.stories import played_out, table_of, text_of
from tests.support.town import Town
from tests.test_faults.conftest import Tell
from tests.test_faults.test_presses import force, state_of, turn

REFUSED = re.compile("存不进去|存不進去|could not be saved|not be kept|cannot be saved")
OPERATOR = 5_000_000_001
"""阿明, who presses START before everybody else."""


def pragma(town: Town, text: str) -> None:
    """Tell the bot's own connection something."""
    database: Any = town.store._database
    with database._database._reader.connect() as connection:
        connection.exec_driver_sql(f"PRAGMA {text}")


@contextmanager
def locked(town: Town) -> Iterator[None]:
    """Another program holds the database."""
    pragma(town, "busy_timeout = 0")
    other = sqlite3.connect(town.database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


@contextmanager
def full(town: Town) -> Iterator[None]:
    """The disk has no room for one page more, and what is there is used up."""
    with sqlite3.connect(town.database) as other:
        other.execute("CREATE TABLE IF NOT EXISTS filler (x BLOB)")
    other.close()
    pragma(town, "max_page_count = 1")
    try:
        yield
    finally:
        pragma(town, "max_page_count = 1000000")


TROUBLES = pytest.mark.parametrize(("trouble", "reason"), [(locked, "locked"), (full, "disk is full")])
ERRORS = ("could not be kept", "could not be remembered", "could not be handled")


@TROUBLES
def test_a_move_that_cannot_be_kept(tell: Tell, trouble: Any, reason: str) -> None:
    async def story(town: Town) -> None:
        await turn(town)
        refused = 0
        with trouble(town):
            # On a full disk there is room for some moves still; and what is refused first may be no press at all.
            for _ in range(60):
                try:
                    press, before = await press_a_discard(town)
                except AssertionError:
                    break
                if REFUSED.search(press.text):
                    assert press.alert
                    assert in_memory(town) == before
                    refused += 1
                    if refused == 2:
                        break
            assert refused == 2 or trouble is full
            await asyncio.sleep(20)
            told = [m for m in town.messages(OPERATOR) if reason in m.content.text]
            assert len(told) == 1, "the operator is told once"
        await played_out(town)

    tell(story, errors=ERRORS, admins=[OPERATOR])


async def press_a_discard(town: Town) -> tuple[Press, tuple[object, ...]]:
    """Whoever is to throw presses a tile, with plenty of time left; the press, and the table before it."""
    _, chat = await turn(town)
    table = table_of(town)
    for name in table.state.deadlines:
        table.state.deadlines[name] = "2026-05-02T00:00:00+00:00"
    table._arm()
    before = in_memory(town)
    found: list[Any] = []
    for _ in range(100):
        found = [b for b in town.buttons(chat) if re.match(r"m\|.*\|d", b[1]["callback_data"])]
        if found:
            break
        await asyncio.sleep(0.2)
    assert found
    for message, button in found:
        press = town.world.crowd.press(chat, chat, message.id, button["callback_data"], force=True)
        await asyncio.sleep(0.7)
        if REFUSED.search(press.text) or in_memory(town) != before:
            break
    return press, before


def in_memory(town: Town) -> tuple[object, ...]:
    """The table as the bot knows it: the database may not answer."""
    table = table_of(town)
    return table._seq, table.state.to_json(), table.hand.number if table.hand is not None else None


@TROUBLES
def test_what_falls_due_meanwhile_is_done_later(tell: Tell, trouble: Any, reason: str) -> None:
    """Nobody presses: a turn's time runs out while nothing can be kept; the table goes on as soon as it can."""

    async def story(town: Town) -> None:
        table = table_of(town)
        await turn(town)
        assert table.hand is not None
        with trouble(town):
            await asyncio.sleep(300)
            number = table.hand.number
        await asyncio.sleep(120)
        assert table_of(town).hand is not None
        assert table_of(town).hand.number > number  # type: ignore[union-attr]
        assert reason

    tell(story, errors=ERRORS, admins=[OPERATOR])


@TROUBLES
def test_commands_say_so(tell: Tell, trouble: Any, reason: str) -> None:
    async def story(town: Town) -> None:
        town.world.crowd.say(town.people[0], town.group_id, "/stop")
        await asyncio.sleep(3)
        await played_out(town)
        assert not town.house._tables
        stranger = town.world.crowd.add_person("Stranger", language_code="en").id
        with trouble(town):
            for _ in range(30):
                town.world.crowd.say(town.people[1], town.group_id, "/newgame")
                await asyncio.sleep(5)
                if town.house._tables:  # there was room for that still
                    town.world.crowd.say(town.people[1], town.group_id, "/stop")
                    await asyncio.sleep(5)
                if REFUSED.search(text_of(town, town.group_id)):
                    break
            assert REFUSED.search(text_of(town, town.group_id))
            town.world.crowd.start(stranger)
            await asyncio.sleep(5)
            assert REFUSED.search(text_of(town, stranger)) or reason != "locked"
        await asyncio.sleep(60)
        town.world.crowd.start(stranger)
        await asyncio.sleep(5)
        assert len(town.messages(stranger)) >= 1

    tell(story, errors=ERRORS, admins=[OPERATOR])


def test_a_press_in_the_group_by_somebody_new(tell: Tell) -> None:
    async def story(town: Town) -> None:
        stranger = town.world.crowd.add_person("Stranger", language_code="en").id
        town.world.crowd.join(town.group_id, stranger)
        message = town.messages(town.group_id)[-1].id
        with locked(town):
            said = await force(town, stranger, town.group_id, message, f"t|{table_of(town).id}|down")
            assert REFUSED.search(said)
        assert (await state_of(town, table_of(town)))[0]

    tell(story, errors=ERRORS)
