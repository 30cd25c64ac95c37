"""Opening a database: new, old, newer, another program's, broken, out of reach."""

from __future__ import annotations

import errno
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine

from data.schema import TRIGGERS, metadata
from data.store import Store, StoreNewer, StoreUnwritable
from tests.data.samples import NOW, current, four, group_table, make_older, opening, play, won


async def test_a_new_database_is_made_with_its_folder(tmp_path: Path, inline: bool) -> None:
    path = tmp_path / "a b%20" / "var" / "mahjong.sqlite3"
    for _ in range(2):
        store = await Store.open(str(path), inline=inline)
        assert len({person.id for person in await four(store)}) == 4
        assert await store.audit() is None
        await store.close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM persons").fetchone() == (4,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_the_migrations_make_the_schema(path: Path) -> None:
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    engine.dispose()
    # Checks, triggers and partial indexes, which Alembic does not compare.
    plain = create_engine("sqlite://")
    metadata.create_all(plain)
    with plain.connect() as connection:
        for trigger in TRIGGERS:
            connection.exec_driver_sql(trigger)
        wanted = _sql(connection.exec_driver_sql(_SCHEMA))
    plain.dispose()
    with closing(sqlite3.connect(path)) as migrated:
        assert _sql(migrated.execute(_SCHEMA)) == wanted


_SCHEMA = "SELECT name, sql FROM sqlite_master WHERE sql NOT NULL AND name <> 'alembic_version'"


def _sql(rows: object) -> dict[str, list[str]]:
    # A column that was added stands after the rest, and its bracket with it.
    return {name: sorted(re.findall(r"[^\s,()]+", sql)) for name, sql in rows}  # type: ignore[attr-defined]


async def test_every_connection_is_careful(path: Path, inline: bool) -> None:
    def pragmas(connection: object) -> list[int]:
        names = ("foreign_keys", "synchronous", "busy_timeout")
        return [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names]  # type: ignore[attr-defined]

    store = await Store.open(path, inline=inline, busy_timeout=0.25)
    for run in (store._database.read, store._database.write):
        assert await run(pragmas) == [1, 2, 250]
    await store.close()


async def test_a_newer_database_is_refused_untouched(path: Path, inline: bool) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    before = path.read_bytes()
    with pytest.raises(StoreNewer, match=r"newer version of this program.*9999.*install that version"):
        await Store.open(path, inline=inline)
    assert path.read_bytes() == before


async def test_another_programs_database_is_refused_untouched(tmp_path: Path, inline: bool) -> None:
    path = tmp_path / "other.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE persons (id INTEGER)")
    with pytest.raises(StoreUnwritable, match="another program; set DATABASE_PATH"):
        await Store.open(path, inline=inline)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("persons",)]


async def test_paths_where_no_database_can_be(tmp_path: Path, inline: bool) -> None:
    (tmp_path / "file").write_text("hello " * 1_000)
    unusable = {
        tmp_path / "file" / "x.sqlite3": "folder",
        tmp_path: "is a folder; set DATABASE_PATH",
        tmp_path / "file": "no SQLite database; set DATABASE_PATH",
        Path("/proc/mahjong/x.sqlite3"): "folder",
        tmp_path / ("x" * 300): "name too long",
    }
    for path, what_to_do in unusable.items():
        with pytest.raises(StoreUnwritable, match=what_to_do) as caught:
            await Store.open(path, inline=inline)
        assert str(path) in str(caught.value)
        assert "\n" not in str(caught.value)


async def test_a_database_that_is_cut_short(path: Path, inline: bool) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(StoreUnwritable, match="damaged; restore a backup"):
        await Store.open(path, inline=inline)


@pytest.mark.parametrize("revision", ["0001", "0002", "0003", "0004"])
async def test_an_older_database_is_copied_and_then_brought_up_to_date(
    path: Path, tmp_path: Path, inline: bool, revision: str
) -> None:
    store = await Store.open(path, inline=inline)
    seats = [person.id for person in await four(store)]
    table = await group_table(store)
    hand = opening(store, seats)
    await play(store, table, hand, won(hand))
    balances = [(await store.wallet(person)).balance for person in seats]
    career = await store.careers(seats[0])
    await store.close()
    with closing(sqlite3.connect(path)) as connection:
        make_older(connection, revision)
    store = await Store.open(path, inline=inline)
    assert await store.audit() is None
    assert [(await store.wallet(person)).balance for person in seats] == balances == [1560, 1480, 1480, 1480]
    assert await store.careers(seats[0]) == career
    assert await store.banned() == {}
    await store.close()
    kept = tmp_path / f"mahjong.sqlite3.{revision}.backup"
    assert kept.stat().st_mode & 0o077 == 0
    with closing(sqlite3.connect(kept)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == (revision,)
        assert connection.execute("SELECT count(*) FROM hands WHERE ended_at IS NOT NULL").fetchone() == (1,)
    # Nothing to migrate, nothing to copy; and whoever goes back to the copy and on again keeps both.
    await (await Store.open(path, inline=inline)).close()
    assert [file.name for file in tmp_path.glob("*.backup")] == [kept.name]
    await (await Store.open(shutil.copy(kept, path), inline=inline)).close()
    assert len(list(tmp_path.glob("*.backup"))) == 2


async def test_tables_that_an_older_version_closed_name_nobody(path: Path, inline: bool) -> None:
    store = await Store.open(path, inline=inline)
    seat = {"person": 1, "name": "阿明"}
    state = {"phase": "x", "seats": [None, seat], "players": [seat], "note_of": [seat], "note_names": ["阿明"]}
    tables = [await store.create_table(None, state, NOW) for _ in range(3)]
    await store.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE tables SET closed_at = created_at WHERE id < ?", (tables[2].id,))
        connection.execute("UPDATE tables SET state = '{' WHERE id = ?", (tables[1].id,))
        make_older(connection, "0004")
    store = await Store.open(path, inline=inline)
    nobody = {"person": 1, "name": ""}
    assert [(await current(store, table)).state for table in tables] == [
        {"phase": "x", "seats": [None, nobody], "players": [nobody], "note_of": [nobody]},
        {},
        state,
    ]
    await store.close()


async def test_without_room_for_the_copy_nothing_is_changed(
    path: Path, inline: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sqlite3.connect(path)) as connection:
        make_older(connection, "0003")
    before = path.read_bytes()

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("data.database.copy", full)
    with pytest.raises(StoreUnwritable, match="No space left on device"):
        await Store.open(path, inline=inline)
    assert path.read_bytes() == before
