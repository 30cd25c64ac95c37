"""What an operator does by hand: the audit names what is wrong, a backup is whole, nothing is overwritten."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

import bot
from data.errors import StoreError
from data.store import Store
from tests.support.evening import run_virtual
from tests.support.patience import PATIENCE
from tests.support.stories import dealt, played_out
from tests.support.town import Town


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of a bot that was killed in the second hand of a table."""
    path = tmp_path_factory.mktemp("played") / "mahjong.sqlite3"

    async def evening() -> None:
        town = Town(path, 5)
        await town.open()
        await town.seat_all()
        await dealt(town)
        await played_out(town, at_random=True)
        for person in town.people:
            await town.press(person, person, r"\|ready$")
        await dealt(town)
        await town.kill()

    run_virtual(evening())
    return path


@pytest.fixture
def database(tmp_path: Path, played: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, which is the one that the settings name; no ``.env`` is near."""
    path = Path(shutil.copy(played, tmp_path / "mahjong.sqlite3"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_PATH", str(path))
    return path


def test_the_audit_of_a_sound_database_counts_what_it_looked_at(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bot.main(["audit"]) == 0
    assert re.fullmatch(r".*: 2 hands and \d+ transfers, all in order\n", capsys.readouterr().out)


def changed_record(change: Callable[[dict[str, object]], object]) -> Callable[[sqlite3.Connection], object]:
    """Change the record of the hand that has ended."""

    def spoil(connection: sqlite3.Connection) -> None:
        connection.execute("DROP TRIGGER IF EXISTS ended_hand_fixed")
        (text,) = connection.execute("SELECT record FROM hands WHERE ended_at IS NOT NULL").fetchone()
        record = json.loads(text)
        change(record)
        connection.execute("UPDATE hands SET record = ? WHERE ended_at IS NOT NULL", (json.dumps(record),))

    return spoil


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        (lambda record: record.update(base=record["base"] + 10), "begins otherwise"),
        (lambda record: record.update(coins=[1500, 1500, 1500, 9000]), "begins otherwise"),
        (lambda record: record.update(seed="00" * 32), "begins otherwise"),
        (lambda record: record.update(dice=[]), "begins otherwise"),
        (lambda record: record["actions"].pop(), "does not come to its result"),
        (lambda record: record["actions"].insert(0, "0 discard 9z"), "cannot be played"),
        (lambda record: record.pop("wall"), "cannot be played"),
    ],
)
def test_the_audit_names_a_record_that_was_changed(
    database: Path,
    capsys: pytest.CaptureFixture[str],
    change: Callable[[dict[str, object]], object],
    difference: str,
) -> None:
    with closing(sqlite3.connect(database)) as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        changed_record(change)(connection)
        connection.commit()
    assert bot.main(["audit"]) == 1
    said = capsys.readouterr()
    assert re.fullmatch(rf"hand 1: .*{difference}.*\n", said.err)
    assert not said.out


@pytest.mark.parametrize(
    ("spoil", "difference"),
    [
        (["UPDATE hands SET record = NULL WHERE id = 1"], "hand 1: it has no record"),
        (["UPDATE hands SET record = NULL, result = NULL WHERE id = 1"], "hand 1: it has no record"),
        (["UPDATE hands SET by = 'heavenly' WHERE id = 1"], "hand 1: it is kept as"),
        (["UPDATE hands SET source = 1 WHERE id = 1"], "hand 1: it is kept as|sums"),
        (["UPDATE hands SET options = json('{\"dead_wall_stacks\": 13}') WHERE id = 1"], "hand 1: .*options"),
        (["UPDATE hand_seats SET coins = coins + 1 WHERE hand_id = 1 AND seat = 0"], "hand 1: .*coins"),
        (["DELETE FROM holds", "UPDATE accounts SET held = 0"], "hand 2: person .* 0 are held"),
        (
            ["UPDATE holds SET amount = amount - 1", "UPDATE accounts SET held = held - 1 WHERE person_id IS NOT NULL"],
            "hand 2: person .* are held",
        ),
        (
            [
                "INSERT INTO feats (person_id, feat, hand_id, at, last_hand_id, count)"
                " SELECT 1, 'super_bomb', 1, at, 1, 1 FROM transfers LIMIT 1"
            ],
            "hand 1: person 1 did not do .*super_bomb",
        ),
        (
            [
                "INSERT INTO transfers (cause, kind, at) SELECT cause || 'b', kind, at FROM transfers"
                " WHERE kind = 'start' LIMIT 1",
                "INSERT INTO postings SELECT (SELECT max(id) FROM transfers), 0, payer, payee, amount, item"
                " FROM postings WHERE item = 'start' LIMIT 1",
                "UPDATE accounts SET balance = balance + 1500 WHERE person_id = 1",
                "UPDATE accounts SET balance = balance - 1500 WHERE house = 'start'",
            ],
            "transfer .*start.* has no right to be",
        ),
        (
            [
                "INSERT INTO transfers (cause, kind, at) SELECT 'gift:1', 'gift', at FROM transfers LIMIT 1",
                "INSERT INTO postings SELECT max(id), 0, (SELECT id FROM accounts WHERE person_id = 1),"
                " (SELECT id FROM accounts WHERE person_id = 2), 100, 'gift' FROM transfers",
                "DELETE FROM holds",
                "UPDATE accounts SET held = 0",
                "UPDATE accounts SET balance = balance - 100 WHERE person_id = 1",
                "UPDATE accounts SET balance = balance + 100 WHERE person_id = 2",
            ],
            "transfer .*gift.* has no right to be",
        ),
        (
            # All the sums are cooked with it: only what the hand itself comes to says otherwise.
            [
                "UPDATE hand_seats SET coins = coins - 7 WHERE hand_id = 2",
                "UPDATE holds SET amount = amount - 7",
                "UPDATE accounts SET held = held - 7 WHERE person_id IS NOT NULL",
                *(
                    f"UPDATE {table} SET {column} = {column} + CASE person_id WHEN 1 THEN -7 WHEN 2 THEN 7 ELSE 0 END"
                    f" WHERE {where}"
                    for table, column, where in (
                        ("hand_seats", "net", "hand_id = 1"),
                        ("daily", "net", "1"),
                        ("standings", "net", "1"),
                        ("careers", "net", "1"),
                        ("accounts", "balance", "person_id IS NOT NULL"),
                    )
                ),
                "INSERT INTO transfers (cause, kind, at, hand_id) SELECT 'hand:1', 'hand', ended_at, 1 FROM hands"
                " WHERE id = 1",
                "INSERT INTO postings SELECT id, 0, (SELECT id FROM accounts WHERE person_id = 1),"
                " (SELECT id FROM accounts WHERE person_id = 2), 7, 'win' FROM transfers WHERE hand_id = 1",
                *(
                    f"INSERT INTO flows (group_id, day, low, high, net) SELECT 1, {day}, payer, payee, -7"
                    " FROM postings, hands WHERE amount = 7 AND hands.id = 1"
                    for day in ("hands.day", "''")
                ),
            ],
            "hand 1: its seats are kept with",
        ),
    ],
)
def test_the_audit_names_what_no_sum_shows(
    database: Path, capsys: pytest.CaptureFixture[str], spoil: list[str], difference: str
) -> None:
    with closing(sqlite3.connect(database)) as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        for statement in spoil:
            connection.execute(statement)
        connection.commit()
    assert bot.main(["audit"]) == 1
    said = capsys.readouterr().err
    assert re.search(difference, said), said
    assert said.count("\n") == 1


def test_a_backup_made_while_coins_move_adds_up_and_can_be_put_back(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stop, begun, given = threading.Event(), threading.Event(), 0

    def give() -> None:
        nonlocal given
        with closing(sqlite3.connect(database, timeout=30)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            while not stop.is_set():
                with connection:
                    connection.execute("BEGIN IMMEDIATE")
                    connection.execute("INSERT OR IGNORE INTO accounts (house, balance, held) VALUES ('refund', 0, 0)")
                    source = "SELECT id FROM accounts WHERE house = 'refund'"
                    (house,) = connection.execute(source).fetchone()
                    (person,) = connection.execute("SELECT id FROM accounts WHERE person_id = 1").fetchone()
                    made = connection.execute(
                        "INSERT INTO transfers (cause, kind, at) VALUES (?, 'refund', '2026-05-01 00:00:00.000000')",
                        (f"more:{given}",),
                    )
                    connection.execute(
                        "INSERT INTO postings (transfer_id, line, payer, payee, amount, item)"
                        " VALUES (?, 0, ?, ?, 1, 'x')",
                        (made.lastrowid, house, person),
                    )
                    connection.execute("UPDATE accounts SET balance = balance - 1 WHERE id = ?", (house,))
                    connection.execute("UPDATE accounts SET balance = balance + 1 WHERE id = ?", (person,))
                given += 1
                begun.set()

    giver = threading.Thread(target=give)
    giver.start()
    try:
        assert begun.wait(PATIENCE)
        for number in range(5):
            assert bot.main(["backup", f"copy-{number}"]) == 0
    finally:
        stop.set()
        giver.join()
    assert given > 5
    sizes = capsys.readouterr().out
    assert len(re.findall(r"copy-\d: [\d,]+ bytes", sizes)) == 5
    for number in range(5):
        # Nobody but the bot's user reads what is in there.
        assert (tmp_path / f"copy-{number}").stat().st_mode & 0o077 == 0
        monkeypatch.setenv("DATABASE_PATH", str(tmp_path / "there" / f"{number}.sqlite3"))
        assert bot.main(["restore", f"copy-{number}"]) == 0
        assert bot.main(["audit"]) == 0
    assert sorted(path.name for path in tmp_path.iterdir() if "unfinished" in path.name) == []


def test_nothing_is_overwritten(database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bot.main(["backup", "copy"]) == 0
    before = (tmp_path / "copy").read_bytes(), database.read_bytes()
    assert bot.main(["backup", "copy"]) == 1
    assert bot.main(["restore", "copy"]) == 1
    assert capsys.readouterr().err.count("is there already and is not overwritten") == 2
    database.rename(tmp_path / "away")
    (tmp_path / "mahjong.sqlite3-wal").write_bytes(b"of the other one")
    assert bot.main(["restore", "copy"]) == 1
    assert "mahjong.sqlite3-wal is there already" in capsys.readouterr().err
    assert ((tmp_path / "copy").read_bytes(), (tmp_path / "away").read_bytes()) == before


def test_what_a_killed_copy_left_is_cleared_by_the_next_to_the_same_place(database: Path, tmp_path: Path) -> None:
    dead = subprocess.Popen(["true"])
    dead.wait()
    left = [tmp_path / f".copy.{number}.unfinished" for number in (dead.pid, os.getpid(), 10**30)]
    left.append(tmp_path / f".copy.{dead.pid}.unfinished-journal")
    kept = [tmp_path / f".copy.{os.getppid()}.unfinished", tmp_path / f".other.{dead.pid}.unfinished"]
    for path in (*left, *kept):
        path.write_bytes(b"half")
    assert bot.main(["backup", "copy"]) == 0
    assert not any(path.exists() for path in left)
    assert all(path.exists() for path in kept)


@pytest.mark.parametrize("command", ["audit", "backup", "restore"])
def test_what_is_no_database_of_ours_is_refused_in_one_line(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    newer, other, garbage, damaged = (tmp_path / name for name in ("newer", "other", "garbage", "damaged"))
    shutil.copy(database, newer)
    with closing(sqlite3.connect(newer)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    with closing(sqlite3.connect(other)) as connection, connection:
        connection.execute("CREATE TABLE recipes (id)")
    garbage.write_bytes(b"no database at all" * 500)
    whole = bytearray(database.read_bytes())
    whole[40_000:120_000] = b"\xff" * 80_000
    damaged.write_bytes(whole)
    told = {newer: "newer version", other: "another program", garbage: "no SQLite database", damaged: "damaged"}
    told[tmp_path / "nowhere"] = "no database"
    for path, reason in told.items():
        monkeypatch.setenv("DATABASE_PATH", str(tmp_path / "new" if command == "restore" else path))
        line = [command] if command == "audit" else [command, str(path if command == "restore" else tmp_path / "copy")]
        assert bot.main(line) == 1
        said = capsys.readouterr().err
        assert reason in said
        assert said.count("\n") == 1
        # A backup is named on the command line, not in the settings.
        assert command != "restore" or "DATABASE_PATH" not in said
    assert not (tmp_path / "copy").exists()
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith("new.") or path.name == "new"]


def test_what_is_no_database_of_ours_is_left_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "cookies.sqlite3"
    with closing(sqlite3.connect(other)) as connection, connection:
        connection.execute("CREATE TABLE cookies (id)")
    before = other.read_bytes()
    monkeypatch.setenv("DATABASE_PATH", str(other))
    monkeypatch.setenv("TELEGRAM_BOT_TOKEN", "123456:" + "A" * 35)
    for line in (["check"], ["audit"], ["backup", "copy"], ["restore", str(other)]):
        assert bot.main(line) == 1
    ended = subprocess.run([sys.executable, bot.__file__], cwd=tmp_path, capture_output=True, timeout=PATIENCE)
    assert ended.returncode == 1
    assert b"another program" in ended.stderr
    with pytest.raises(StoreError, match="another program"):
        asyncio.run(Store.open(other))
    assert other.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["cookies.sqlite3"]


def test_a_running_bot_keeps_a_backup_from_being_put_in_its_place(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bot.main(["backup", "copy"]) == 0
    database.unlink()
    with bot.sole_use(database):
        assert bot.main(["restore", "copy"]) == 1
    assert "Another bot runs" in capsys.readouterr().err
    assert not database.exists()


def test_a_wrong_command_line_is_a_usage_error(database: Path) -> None:
    for line in (["frobnicate"], ["backup"], ["restore"], ["audit", "more"]):
        with pytest.raises(SystemExit) as ended:
            bot.main(line)
        assert ended.value.code == 2
