"""After a start one row that cannot be read stops its own table alone: that is closed, its people get their coins back
and are told; all others go on."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from pathlib import Path

import pytest

from tests.support.evening import check, run_virtual
from tests.support.stories import dealt, newcomer, newest, played_out, practise, sits
from tests.support.town import Town

BAD_HAND = {
    "options that are no JSON": "UPDATE hands SET options = '{'",
    "options of another shape": "UPDATE hands SET options = '[1]'",
    "options that are no text": "UPDATE hands SET options = CAST(x'ff' AS TEXT)",
    "dice that are no JSON": "UPDATE hands SET dice = '[1'",
    "no dice": "UPDATE hands SET dice = NULL",
    "no time": "UPDATE hands SET opened_at = 'soon'",
    "no such game": "UPDATE hands SET rules = 'whist'",
}
BAD_TABLE = {
    "no JSON": "UPDATE tables SET state = '{'",
    "another shape": "UPDATE tables SET state = '[]'",
    "nested without end": "UPDATE tables SET state = replace(hex(zeroblob(100000)), '00', '[')",
    "no text": "UPDATE tables SET state = CAST(x'ff' AS TEXT)",
    "no number": "UPDATE tables SET state = 7",
    "guesses of nobody": "UPDATE tables SET state = json_set(state, '$.guesses', json('{\"x\": 1}'))",
    "a deadline at no time": "UPDATE tables SET state = json_set(state, '$.deadlines.turn:0', 'soon')",
    "a hand that is not there": "UPDATE tables SET state = json_set(state, '$.hand_id', 99)",
    "no time": "UPDATE tables SET created_at = 'soon'",
}
BAD_JOURNAL = {
    "no JSON": "UPDATE journal SET body = '{'",
    "no time": "UPDATE journal SET at = 'soon'",
}


def change(town: Town, statement: str, *values: object) -> None:
    """Change the file behind the bot's back."""
    with sqlite3.connect(town.database) as file:
        file.execute(statement, values)
    file.close()


async def one_hand(town: Town) -> None:
    """In the group a hand has been played out."""
    await town.open()
    await town.seat_all()
    await dealt(town)
    await played_out(town)


async def start_with(town: Town, statement: str) -> None:
    """Kill the bot, change the file, and start it."""
    await town.kill()
    change(town, statement)
    await town.open()
    await asyncio.sleep(30)


async def two_tables(town: Town) -> tuple[int, int]:
    """In the group a hand is being played, and somebody else plays with computers; the tables' numbers."""
    await town.open()
    await town.seat_all()
    await dealt(town)
    (bad,) = town.house._tables
    other = await newcomer(town)
    await practise(town, other)
    (good,) = town.house._tables.keys() - {bad}
    await asyncio.sleep(10)
    return bad, good


def spoils(bad: int) -> list[str]:
    hands = [f"{statement} WHERE table_id = {bad}" for statement in BAD_HAND.values()]
    tables = [f"{statement} WHERE id = {bad}" for statement in BAD_TABLE.values()]
    journal = [f"{statement} WHERE table_id = {bad} AND hand_id IS NOT NULL" for statement in BAD_JOURNAL.values()]
    return [*hands, *tables, *journal]


KINDS = [
    *(f"a hand: {name}" for name in BAD_HAND),
    *(f"a table: {name}" for name in BAD_TABLE),
    *(f"a journal: {name}" for name in BAD_JOURNAL),
]


@pytest.mark.parametrize("kind", range(len(KINDS)), ids=KINDS)
def test_a_bad_row_closes_its_table_and_no_other(tmp_path: Path, kind: int) -> None:
    async def story() -> None:
        town = Town(tmp_path / "x.sqlite3", 3)
        bad, good = await two_tables(town)
        held = [(await town.store.wallet(person)).held for person in (1, 2, 3, 4)]
        assert all(held)
        await start_with(town, spoils(bad)[kind])
        healthy = town.house.table(good)
        assert healthy is not None
        assert not healthy.asleep
        assert healthy.hand is not None
        assert set(town.house._tables) == {good}
        assert [(await town.store.wallet(person)).held for person in (1, 2, 3, 4)] == [0] * 4
        assert newest(town, town.group_id, "这一桌出了故障") is not None
        assert all(newest(town, person, "出了故障|table broke") is not None for person in town.people[:4])
        assert [line for line in town.troubles if f"table {bad} " in line]
        assert not town.outbox.keys(f"t{bad}:")
        # Its people open another, and no later start finds it again.
        town.world.crowd.say(town.people[1], town.group_id, "/newgame")
        await asyncio.sleep(6)
        assert len(town.house._tables) == 2
        said = len(town.troubles)
        await town.kill()
        await town.open()
        await asyncio.sleep(30)
        assert len(town.troubles) == said
        assert len(town.house._tables) == 2
        assert await town.store.audit() is None
        await town.close()

    run_virtual(story())


def test_a_table_whose_page_is_damaged_keeps_nobody_asleep(tmp_path: Path) -> None:
    async def story() -> None:
        town = Town(tmp_path / "x.sqlite3", 3)
        bad, good = await two_tables(town)
        await town.kill()
        damage(town, bad)
        await town.open()
        await asyncio.sleep(30)
        healthy = town.house.table(good)
        assert healthy is not None
        assert not healthy.asleep
        assert any("damaged" in line for line in town.troubles)
        # Whoever presses there is told so, and waits for nothing.
        message, button = town.find(town.people[0], r"\|table$") or pytest.fail("no button")
        toast = await town.press_data(town.people[0], town.people[0], message.id, button["callback_data"], force=True)
        assert toast
        await town.close()

    run_virtual(story())


def damage(town: Town, table_id: int) -> None:
    """Let the disk lose the page on which a hand's row goes on."""
    filler = "damaged " * 2_000
    change(town, "UPDATE hands SET options = json_set(options, '$.filler', ?) WHERE table_id = ?", filler, table_id)
    with sqlite3.connect(town.database) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = file.execute("PRAGMA page_size").fetchone()
    file.close()
    data = bytearray(town.database.read_bytes())
    # An overflow page begins with the number of the next one; the pages on which rows begin, with their kind.
    pages = [at for at in range(0, len(data), size) if data[at] == 0 and data.count(b"damaged", at, at + size) > 9]
    assert pages
    for at in pages:
        data[at : at + 4] = b"\xff\xff\xff\xff"
    town.database.write_bytes(data)


def test_what_was_chosen_and_cannot_be_read_counts_as_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        town = Town(tmp_path / "x.sqlite3", 3)
        bad, good = await two_tables(town)
        await town.kill()
        change(town, "UPDATE persons SET prefs = '{' WHERE id = 1")
        change(town, "UPDATE groups SET settings = '{'")
        await town.open()
        await asyncio.sleep(30)
        assert all(town.house.table(number) and not town.house._tables[number].asleep for number in (bad, good))
        for command in ("/table", "/settings"):
            town.world.crowd.say(town.people[0], town.group_id, command)
            await asyncio.sleep(10)
        await town.press(town.people[0], town.people[0], r"\|table$")
        await check(town)
        await town.close()

    run_virtual(story())


def test_what_was_sent_and_cannot_be_read_is_left_aside(tmp_path: Path) -> None:
    async def story() -> None:
        town = Town(tmp_path / "x.sqlite3", 3)
        bad, good = await two_tables(town)
        await start_with(town, "UPDATE sent SET sent_at = 'soon' WHERE key LIKE 't%' AND rowid % 2 = 0")
        assert all(town.house.table(number) and not town.house._tables[number].asleep for number in (bad, good))
        await town.press(town.people[0], town.people[0], r"\|table$")
        await town.close()

    run_virtual(story())


def test_a_table_between_hands_does_not_say_that_a_hand_does_not_count(tmp_path: Path) -> None:
    async def story() -> None:
        town = Town(tmp_path / "x.sqlite3", 3)
        await one_hand(town)
        (table,) = town.house._tables.values()
        assert table.state.phase == "between"
        won = [(await town.store.wallet(person)).balance for person in (1, 2, 3, 4)]
        await start_with(town, "UPDATE hands SET options = '{'")
        assert not town.house._tables
        assert newest(town, town.group_id, "接不上了。打完的局都算数") is not None
        assert [(await town.store.wallet(person)).balance for person in (1, 2, 3, 4)] == won
        await town.close()

    run_virtual(story())


def test_a_lobby_needs_no_hand_that_is_over(tmp_path: Path) -> None:
    async def story() -> None:
        town = Town(tmp_path / "x.sqlite3", 3)
        await one_hand(town)
        await town.press(town.people[3], town.group_id, r"\|leave$")
        await asyncio.sleep(10)
        (table,) = town.house._tables.values()
        assert table.state.phase == "lobby"
        assert table.state.hand_id is not None
        await start_with(town, "UPDATE hands SET options = '{'")
        assert sits(town, *town.people[:3])
        await town.press(town.people[3], town.group_id, r"\|sit$")
        await dealt(town)
        await town.close()

    run_virtual(story())


def test_a_running_hand_needs_no_hand_before_it(tmp_path: Path) -> None:
    async def story() -> None:
        town = Town(tmp_path / "x.sqlite3", 3)
        await one_hand(town)
        for person in town.people:
            await town.press(person, person, r"\|ready$")
        await dealt(town)
        (number,) = town.house._tables
        await start_with(town, "UPDATE hands SET options = '{' WHERE number = 1")
        table = town.house.table(number)
        assert table is not None
        assert not table.asleep
        assert table.hand is not None
        await town.close()

    run_virtual(story())


def test_of_a_practice_that_broke_no_coins_are_told(tmp_path: Path) -> None:
    async def story() -> None:
        town = Town(tmp_path / "x.sqlite3", 3)
        bad, practice = await two_tables(town)
        await start_with(town, f"UPDATE tables SET state = '{{' WHERE id = {practice}")
        assert set(town.house._tables) == {bad}
        (said,) = [
            found for person in town.people if (found := newest(town, person, "练习出了故障|practice table broke"))
        ]
        assert not re.search("币|coin", said.content.text)
        await town.close()

    run_virtual(story())


def test_a_table_taken_up_anew_whose_row_is_bad_is_closed(tmp_path: Path) -> None:
    async def story() -> None:
        town = Town(tmp_path / "x.sqlite3", 3)
        bad, good = await two_tables(town)
        # Somebody else has written to it: the next press finds that the store has gone on without it.
        change(town, "UPDATE tables SET seq = seq + 1, state = '{' WHERE id = ?", bad)
        for person in town.people[:4]:
            if town.find(person, r"^m\|"):
                await town.press(person, person, r"^m\|")
        await asyncio.sleep(30)
        assert set(town.house._tables) == {good}
        assert [(await town.store.wallet(person)).held for person in (1, 2, 3, 4)] == [0] * 4
        assert newest(town, town.group_id, "这一桌出了故障") is not None
        await town.close()

    run_virtual(story())
