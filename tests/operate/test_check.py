"""``bot.py check``: a line for everything, what to do about what is wrong, and an exit status for scripts."""

from __future__ import annotations

import asyncio
import os
import re
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import bot
from data.settings import load_settings
from data.store import Store
from operate import check as checks
from playground.server import Playground
from playground.world import World
from tests.data.samples import make_older
from tests.operate.test_web import free_port
from tests.support.patience import PATIENCE
from tests.support.process import ROOT, running


@pytest.fixture
async def playground() -> AsyncIterator[Playground]:
    there = Playground(World)
    there.listen(0, "127.0.0.1")
    yield there
    await there.close()


async def run(folder: Path, command: str, **settings: str) -> tuple[int, str]:
    """The command in a process of its own: exit status, and all that it says."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "RENDER_PROCESSES": "0", **settings}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(ROOT / "bot.py"),
        command,
        cwd=folder,
        env=environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await asyncio.wait_for(process.communicate(), PATIENCE)
    assert process.returncode is not None
    return process.returncode, said.decode()


def settings_for(playground: Playground, **more: str) -> dict[str, str]:
    world = playground.world
    return {"TELEGRAM_BOT_TOKEN": world.token, "TELEGRAM_API_URL": f"http://127.0.0.1:{playground.port}", **more}


def wrong(said: str) -> list[str]:
    """The lines that say something is wrong."""
    return [line for line in said.splitlines() if line.startswith("wrong")]


async def test_where_all_is_well_every_line_says_so(tmp_path: Path, playground: Playground) -> None:
    person = next(iter(playground.world.people))
    playground.world.crowd.start(person)
    store = await Store.open(tmp_path / "x.sqlite3")
    await store.close()
    (tmp_path / "x.sqlite3").chmod(0o600)
    before = (tmp_path / "x.sqlite3").read_bytes()
    status, said = await run(
        tmp_path, "check", **settings_for(playground, DATABASE_PATH="x.sqlite3", ADMIN_IDS=str(person))
    )
    assert (status, wrong(said)) == (0, []), said
    whats = [line.split()[1] for line in said.splitlines()]
    assert whats == [
        *("settings", "disk", "database", "memory", "drawing", "token", "clock", "updates", "operators"),
    ]
    assert all(re.match(r"ok    \S+ +\S", line) for line in said.splitlines())
    assert (tmp_path / "x.sqlite3").read_bytes() == before


async def test_what_is_wrong_is_named_with_what_to_do(tmp_path: Path, playground: Playground) -> None:
    token = "123456:" + "B" * 35
    env = tmp_path / ".env"
    env.write_text("ADMIN_IDS=1\nADMINS_ID=2\nLOGLEVEL=INFO\nTZ=Asia/Shanghai\n")
    env.chmod(0o644)
    database = tmp_path / "x.sqlite3"
    await (await Store.open(database)).close()
    database.chmod(0o644)
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    settings = settings_for(playground, DATABASE_PATH=str(database))
    status, said = await run(tmp_path, "check", **settings)
    assert status == 1
    assert [line.split()[1] for line in wrong(said)] == [
        "rights",
        "settings",
        "settings",
        "rights",
        "database",
        "operators",
    ], said
    for words in (
        "chmod 600 .env",
        "ADMINS_ID, which nothing reads: write ADMIN_IDS",
        f"chmod 600 {database}*",
        "install that version",
        "must press START",
    ):
        assert words in said
    status, said = await run(tmp_path, "check", **{**settings, "TELEGRAM_BOT_TOKEN": token})
    assert f"{settings['TELEGRAM_API_URL']} refuses it" in said
    assert token not in said
    status, said = await run(tmp_path, "check", **{**settings, "TELEGRAM_API_URL": "http://127.0.0.1:9"})
    assert "cannot be reached" in said
    assert settings["TELEGRAM_BOT_TOKEN"] not in said
    status, said = await run(tmp_path, "check", LOG_LEVEL="LOUD")
    assert (status, said.count("\n")) == (1, 1)
    assert said.startswith("wrong settings  LOG_LEVEL: expected")


async def test_a_server_that_is_no_bot_api_is_told_without_a_traceback(tmp_path: Path) -> None:
    async def page(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 6\r\nConnection: close\r\n\r\n<html>")
        writer.close()

    async with await asyncio.start_server(page, "127.0.0.1", 0) as server:
        address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        settings = {"TELEGRAM_BOT_TOKEN": "123456:" + "B" * 35, "TELEGRAM_API_URL": address}
        status, said = await run(tmp_path, "check", **settings)
        assert (status, said.splitlines()[-1]) == (
            1,
            f"wrong token     TELEGRAM_API_URL={address} refuses it: copy TELEGRAM_BOT_TOKEN again from @BotFather",
        )
        assert "Traceback" not in said


def damaged(path: Path) -> None:
    whole = bytearray(path.read_bytes())
    whole[40_000:120_000] = b"\xff" * 80_000
    path.write_bytes(whole)


def altered(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (damaged, "damaged"),
        (lambda path: os.truncate(path, 100_000), "damaged"),
        (lambda path: path.write_bytes(path.read_bytes().replace(b"CREATE TABLE", b"CREATE T\xe1BLE")), "damaged"),
        (lambda path: path.write_bytes(b"no database at all" * 500), "no SQLite database"),
        (lambda path: altered(path, "DROP TABLE bans"), "it lacks bans."),
        (
            lambda path: altered(path, "ALTER TABLE persons RENAME COLUMN language TO tongue"),
            "it lacks persons.language",
        ),
        (lambda path: (path.unlink(), path.mkdir()), "is a folder; set DATABASE_PATH"),
    ],
)
def test_what_is_wrong_with_a_database_is_one_line(tmp_path: Path, spoil: Callable[[Path], object], says: str) -> None:
    path = tmp_path / "x.sqlite3"
    asyncio.run(_made(path))
    spoil(path)
    path.chmod(0o755)
    found = [finding for finding in checks._database(path) if not finding.fine]
    assert [finding.what for finding in found] == ["database"], "nobody is told to change a file that is not the bot's"
    assert says in found[0].says
    assert "\n" not in found[0].says


def test_a_path_that_cannot_be_is_told(tmp_path: Path) -> None:
    found = [*checks._database(tmp_path / ("a" * 300))]
    assert (found[-1].fine, found[-1].what) == (False, "database")
    assert "name too long" in found[-1].says


NOBODY = 65534


def as_nobody(folder: Path, line: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """The command as a user who owns nothing but the folder."""
    # The parents of a test's folder are for its owner alone; a user's environment cannot be read by another.
    environment = {"PATH": os.environ["PATH"], "RENDER_PROCESSES": "0", **settings}
    code = f"import os, sys; sys.path.insert(0, {str(ROOT)!r}); import bot, asyncio; from data.store import Store; "
    drop = f"os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY}); "
    return subprocess.run(
        [sys.executable, "-c", code + drop + line],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder of nobody's, under parents that everybody may pass."""
    if os.geteuid() != 0:
        pytest.skip("only root can be somebody else")
    if not ROOT.joinpath("bot.py").stat().st_mode & 0o004:
        pytest.skip("nobody else may read this checkout")
    with tempfile.TemporaryDirectory() as name:
        os.chown(name, NOBODY, NOBODY)
        yield Path(name)


def test_a_file_that_may_only_be_read_is_told_and_not_run_on(open_folder: Path) -> None:
    path = open_folder / "x.sqlite3"
    asyncio.run(_made(path))
    path.chmod(0o400)
    for file in (path, *open_folder.glob("x.sqlite3-*")):
        os.chown(file, NOBODY, NOBODY)
    opened = as_nobody(open_folder, "asyncio.run(Store.open(__import__('pathlib').Path('x.sqlite3')))")
    assert "StoreUnwritable" in opened.stderr.splitlines()[-1]
    assert "may only be read" in opened.stderr.splitlines()[-1]
    tried = as_nobody(
        open_folder, "from data.upkeep import try_to_write as t; t(__import__('pathlib').Path('x.sqlite3'))"
    )
    assert "may only be read" in tried.stderr.splitlines()[-1]


def test_what_root_restores_is_the_bots(open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = open_folder / "copy"
    asyncio.run(_made(copy))
    monkeypatch.setenv("DATABASE_PATH", str(open_folder / "x.sqlite3"))
    monkeypatch.chdir(open_folder)
    assert bot.main(["restore", str(copy)]) == 0
    for made in ("x.sqlite3", "x.sqlite3.lock"):
        there = (open_folder / made).stat()
        assert (there.st_uid, there.st_gid, stat.S_IMODE(there.st_mode)) == (NOBODY, NOBODY, 0o600)
    # A lock that is another's holds all the same, also where it may only be read; without it nothing runs.
    enter = "bot.sole_use(__import__('pathlib').Path('x.sqlite3')).__enter__()"
    os.chown(open_folder / "x.sqlite3.lock", 0, 0)
    assert "cannot be read" in as_nobody(open_folder, enter).stderr
    (open_folder / "x.sqlite3.lock").chmod(0o644)
    assert as_nobody(open_folder, enter).returncode == 0
    with bot.sole_use(open_folder / "x.sqlite3"):
        assert "Another bot runs" in as_nobody(open_folder, enter).stderr


async def test_the_webhook_is_knocked_at_as_by_a_stranger(tmp_path: Path) -> None:
    port, figures = free_port(), free_port()
    hook = {
        "WEBHOOK_URL": f"http://127.0.0.1:{port}/hook",
        "WEBHOOK_SECRET": "a-Secret_1",
        "PORT": str(port),
        "METRICS_PORT": str(figures),
    }
    async with running(tmp_path / "x.sqlite3", **hook) as (playground, bot):
        settings = settings_for(playground, DATABASE_PATH=str(tmp_path / "x.sqlite3"), **hook)
        status, said = await run(tmp_path, "check", **settings)
        assert (status, wrong(said)) == (0, []), said
        assert f"http://127.0.0.1:{port}/hook leads to the bot" in said
        assert "a bot runs on this database" in said
        # A bot's files are for nobody else.
        assert stat.S_IMODE((tmp_path / "x.sqlite3").stat().st_mode) == 0o600
        assert await run(tmp_path, "health", **settings) == (0, "ok\n")
        elsewhere = {**settings, "WEBHOOK_URL": f"http://127.0.0.1:{figures}/hook"}
        status, said = await run(tmp_path, "check", **elsewhere)
        assert status == 1
        assert [line.split()[1] for line in wrong(said)] == ["webhook", "webhook"]
        assert "leads elsewhere (404)" in said
        assert await bot.stop() == 0
        status, said = await run(tmp_path, "check", **settings)
        assert "cannot be reached from here" in said
        status, said = await run(tmp_path, "health", **settings)
        assert status == 1
        assert said.startswith(f"no bot answers at 127.0.0.1:{figures}")


async def test_health_wants_a_port_to_ask(tmp_path: Path) -> None:
    status, said = await run(tmp_path, "health")
    assert (status, said) == (1, "the bot tells its health where METRICS_PORT is set, or WEBHOOK_URL\n")


def test_an_older_database_and_one_to_be_are_fine(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "x.sqlite3"
    assert [finding.fine for finding in checks._database(path)] == [True, True]
    assert not path.parent.exists()
    asyncio.run(_made(path))
    path.chmod(0o600)
    with closing(sqlite3.connect(path)) as connection:
        make_older(connection, "0002")
    assert "after a copy" in str([*checks._database(path)][-1])


async def _made(path: Path) -> None:
    await (await Store.open(path)).close()


def test_little_room_and_little_memory_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "ROOM", 10**18)
    found = [*checks._database(tmp_path / "x.sqlite3")]
    assert not found[0].fine
    assert "make room" in found[0].says
    monkeypatch.setattr(checks, "memory", lambda: 300_000_000)
    monkeypatch.setenv("RENDER_PROCESSES", "2")
    assert "RENDER_PROCESSES=0" in checks._memory(load_settings(None)).says
    monkeypatch.setenv("RENDER_PROCESSES", "0")
    assert checks._memory(load_settings(None)).fine


async def test_a_clock_that_is_wrong_is_told(playground: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    class Late(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
            return datetime.now(UTC) + timedelta(seconds=90)

    address = f"http://127.0.0.1:{playground.port}"
    assert (await checks._clock(address)).fine
    monkeypatch.setattr(checks, "datetime", Late)
    found = await checks._clock(address)
    assert not found.fine
    assert re.match(r"\+(89|90|91) s from Telegram's: .*NTP", found.says)
