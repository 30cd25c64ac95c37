"""What the database refuses by itself, and what the audit finds in one that was spoilt behind our back."""

from __future__ import annotations

import asyncio
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from data.store import Store
from tests.data.samples import four, group_table, opening, play, won


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a hand that was settled and one that runs, of persons 1 to 4 at table 1."""
    path = tmp_path_factory.mktemp("played") / "mahjong.sqlite3"

    async def make() -> None:
        store = await Store.open(path, inline=True)
        seats = [person.id for person in await four(store)]
        table = await group_table(store)
        first, second = opening(store, seats, 1), opening(store, seats, 2, held=200)
        await play(store, table, first, won(first))
        await play(store, table, second, None)
        assert await store.audit() is None
        await store.close()

    asyncio.run(make())
    return path


@pytest.fixture
def copy(tmp_path: Path, played: Path) -> Path:
    return Path(shutil.copy(played, tmp_path / "mahjong.sqlite3"))


@pytest.mark.parametrize(
    "spoil",
    [
        "UPDATE postings SET amount = amount + 1",
        "DELETE FROM postings",
        "UPDATE transfers SET cause = cause || 'x'",
        "DELETE FROM transfers",
        "UPDATE holds SET amount = 1",
        "UPDATE accounts SET balance = -1 WHERE person_id IS NOT NULL",
        "UPDATE accounts SET held = -1",
        "UPDATE accounts SET balance = held - 1 WHERE held > 0",
        "UPDATE hands SET result = '{}' WHERE ended_at IS NOT NULL",
        "INSERT INTO postings VALUES (1, 9, 1, 1, 5, 'x')",
        "INSERT INTO postings VALUES (1, 9, 1, 2, 0, 'x')",
        "INSERT INTO holds VALUES (2, 1, 5000)",
    ],
)
def test_the_database_itself_refuses(copy: Path, spoil: str) -> None:
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        with pytest.raises(sqlite3.IntegrityError):
            connection.execute(spoil)


@pytest.mark.parametrize(
    ("spoil", "difference"),
    [
        ("UPDATE accounts SET balance = balance + 1 WHERE person_id = 2", "person 2.*balance is 1481.*sum to 1480"),
        ("UPDATE accounts SET held = held + 1 WHERE person_id = 2", "person 2.*201 are held.*sum to 200"),
        ("UPDATE hand_seats SET net = net + 1 WHERE hand_id = 1 AND seat = 0", "hand 1: person 1 should have got 61"),
        ("DELETE FROM hand_seats WHERE hand_id = 1 AND seat = 0", "hand 1: coins of person 1 were moved"),
        ("UPDATE hands SET seed = x'00' WHERE id = 2", "hand 2: the seed"),
        ("UPDATE tables SET seq = 5", "table 1: the journal has 3 entries"),
        ("DELETE FROM journal WHERE seq = 1", "table 1: the journal has 2 entries"),
        ("UPDATE daily SET wins = 2 WHERE person_id = 1", "sums of group, day, person"),
        ("INSERT INTO daily VALUES (1, '2026-05-03', 1, 1, 1, 1, 0)", "have no hands"),
        ("UPDATE standings SET wins = 2 WHERE person_id = 1", "sums of group, person .1, 1. are not those"),
        ("DELETE FROM standings WHERE person_id = 1", "sums of group, person .1, 1. are not kept"),
        (
            "UPDATE flows SET net = net + 1 WHERE day <> ''",
            "flow of group, day, accounts .* is not that of the postings",
        ),
        ("UPDATE flows SET net = net + 1 WHERE day = ''", "flow of group, accounts .* over all days is not 20"),
        ("DELETE FROM flows WHERE day = ''", "flow of group, accounts .* over all days is not 20"),
        ("INSERT INTO flows VALUES (1, '2026-05-03', 3, 4, 5)", "flow of group, day, accounts .* has no postings"),
        (
            "UPDATE feats SET count = 2 WHERE feat = 'win'",
            "person 1: the count of feat win is not that of the hands: 1",
        ),
        ("DELETE FROM feats WHERE feat = 'hand'", "person 1: the count of feat hand is not"),
        ("DELETE FROM persons WHERE id = 4", "points to a row of persons"),
        ("UPDATE holds SET hand_id = 1", "hand 1 has ended and still holds"),
        ("UPDATE holds SET amount = 150 WHERE hand_id = 2", "account . .person 1.: 200 are held.*sum to 150"),
        ("DELETE FROM holds", "account . .person 1.: 200 are held, the holds sum to 0"),
        (
            "INSERT INTO accounts VALUES (99, NULL, 'x', 1, 0)",
            "account 99 .x.: the balance is 1, the postings sum to 0",
        ),
        ("UPDATE transfers SET kind = 'gift'", "transfer 1 .gift, start:1. "),
        ("UPDATE transfers SET kind = 'gift' WHERE id = 1", "transfer 1 .gift, start:1. of 1500 coins has no right"),
        ("UPDATE transfers SET cause = 'start:2x' WHERE id = 2", "transfer 2 .start, start:2x. .* has no right"),
        ("UPDATE transfers SET kind = 'daily' WHERE id = 1", "transfer 1 .daily, start:1. .* has no right"),
        ("UPDATE transfers SET cause = 'hand:9' WHERE kind = 'hand'", "hand, hand:9. of 20 coins has no right"),
    ],
)
async def test_the_audit_names_the_first_difference(copy: Path, spoil: str, difference: str) -> None:
    with closing(sqlite3.connect(copy)) as connection:
        # Whoever can write to the file can do this too.
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(spoil)
        connection.commit()
    store = await Store.open(copy, inline=True)
    found = await store.audit()
    await store.close()
    assert found is not None
    assert re.search(difference, found)
    assert "\n" not in found


async def test_an_account_that_never_had_a_coin_is_in_order(copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("INSERT INTO accounts VALUES (99, NULL, 'x', 0, 0)")
        connection.commit()
    store = await Store.open(copy, inline=True)
    assert await store.audit() is None
    await store.close()
