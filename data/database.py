"""Opening the database file, its migrations, and the two ways of running transactions on it.

All queries are plain functions on a SQLAlchemy ``Connection``. ``FileDatabase`` runs them over aiosqlite, off the event
loop; ``InlineDatabase`` in the loop's own thread, so that a simulation in virtual time depends on nothing real.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Concatenate, Final, ParamSpec, Protocol, TypeVar

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, event, inspect
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from data.errors import Conflict, NotEnough, StoreNewer, StoreUnwritable

MIGRATIONS: Final = Path(__file__).parent / "migrations"

# At DEBUG it writes out every parameter, seeds and hands among them.
logging.getLogger("aiosqlite").setLevel(logging.INFO)

P = ParamSpec("P")
T = TypeVar("T")
Work = Callable[Concatenate[Connection, P], T]

_REASONS: Final = {
    sqlite3.SQLITE_FULL: "the disk is full; make room",
    sqlite3.SQLITE_BUSY: "another program keeps it locked; is the bot running twice?",
    sqlite3.SQLITE_LOCKED: "another program keeps it locked; is the bot running twice?",
    sqlite3.SQLITE_READONLY: "it may only be read; give the bot's user the right to write to it and to its folder",
    sqlite3.SQLITE_PERM: "access is refused; give the bot's user the right to write to it and to its folder",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; is it a file in a folder where the bot's user may write?",
    sqlite3.SQLITE_IOERR: "the disk reports an error",
    sqlite3.SQLITE_CORRUPT: "it is damaged; restore a backup",
    sqlite3.SQLITE_NOTADB: "it is no SQLite database; set DATABASE_PATH to another file",
}


class Database(Protocol):
    """Runs work on the database, each call one transaction."""

    async def read(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What ``work`` returns, all of it seen as of one moment."""

    async def write(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What ``work`` returns, once all it wrote will outlast a power cut; if it raises, nothing is written."""

    async def close(self) -> None:
        """Let go of the file, after running transactions."""


async def open_database(path: Path, *, inline: bool, busy_timeout: float) -> Database:
    """Make what is missing, bring the schema up to date, open. Raises ``StoreUnwritable`` and ``StoreNewer``."""
    with plain_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        if inline:
            _upgrade(path, busy_timeout)
            return InlineDatabase(path, busy_timeout)
        await asyncio.to_thread(_upgrade, path, busy_timeout)
        return FileDatabase(path, busy_timeout)


class FileDatabase:
    """Over aiosqlite: readers run beside the one writer (WAL)."""

    def __init__(self, path: Path, busy_timeout: float) -> None:
        self._path = path
        self._reader = create_async_engine(_url(path, "sqlite+aiosqlite"), pool_size=4, **_OPTIONS)
        _prepare(self._reader.sync_engine, busy_timeout)
        self._writer: AsyncEngine = self._reader.execution_options(writes=True)
        # Writers queue here, fairly, rather than in SQLite's busy handler.
        self._turn = asyncio.Lock()
        self._running: set[asyncio.Task[Any]] = set()

    async def read(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        async def transaction() -> T:
            async with self._reader.connect() as connection:
                return await connection.run_sync(work, *args, **kwargs)

        return await self._whole(transaction())

    async def write(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        async def transaction() -> T:
            async with self._turn, self._writer.begin() as connection:
                return await connection.run_sync(work, *args, **kwargs)

        return await self._whole(transaction())

    async def _whole(self, transaction: Coroutine[Any, Any, T]) -> T:
        """Run it to its end even if the caller is cancelled: a connection left in the middle would keep its lock."""
        task = asyncio.create_task(transaction)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        with plain_errors(self._path):
            return await asyncio.shield(task)

    async def close(self) -> None:
        await asyncio.gather(*self._running, return_exceptions=True)
        await self._reader.dispose()


class InlineDatabase:
    """In the loop's thread. One ``await`` before each transaction and one after let a simulation stop the bot there."""

    def __init__(self, path: Path, busy_timeout: float) -> None:
        self._path = path
        self._reader = create_engine(_url(path), **_OPTIONS)
        _prepare(self._reader, busy_timeout)
        self._writer = self._reader.execution_options(writes=True)

    async def read(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._run(self._reader, work, *args, **kwargs)

    async def write(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._run(self._writer, work, *args, **kwargs)

    async def _run(self, engine: Engine, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        await asyncio.sleep(0)
        with plain_errors(self._path), engine.begin() as connection:
            result = work(connection, *args, **kwargs)
        await asyncio.sleep(0)
        return result

    async def close(self) -> None:
        await asyncio.sleep(0)
        self._reader.dispose()


def _url(path: Path, driver: str = "sqlite") -> URL:
    return URL.create(driver, database=str(path))


def _compact(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


_OPTIONS: Final[dict[str, Any]] = {
    "json_serializer": _compact,
    # Parameters hold seeds and hands: they must not reach a log by way of an error message.
    "hide_parameters": True,
}


def _prepare(engine: Engine, busy_timeout: float, *, foreign_keys: bool = True) -> None:
    """Set up each new connection, and let SQLAlchemy alone begin transactions: the driver's own habit is to begin late,
    after the reads on which a write depends."""

    @event.listens_for(engine, "connect")
    def _connected(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {round(busy_timeout * 1000)}")
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.execute(f"PRAGMA foreign_keys = {'ON' if foreign_keys else 'OFF'}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begun(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _upgrade(path: Path, busy_timeout: float) -> None:
    """Run the migrations that are missing, all in one transaction."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    script = ScriptDirectory.from_config(config)
    engine = create_engine(_url(path), poolclass=NullPool, **_OPTIONS)
    # A migration may have to make a table anew, which foreign keys would forbid; they are checked at the end.
    _prepare(engine, busy_timeout, foreign_keys=False)
    with engine.execution_options(writes=True).begin() as connection:
        revision = MigrationContext.configure(connection).get_current_revision()
        if revision == script.get_current_head():
            return
        if revision is None and inspect(connection).get_table_names():
            raise StoreUnwritable(f"{path} belongs to another program; set DATABASE_PATH to another file")
        if revision is not None and revision not in {known.revision for known in script.walk_revisions()}:
            raise StoreNewer(
                f"{path} was written by a newer version of this program (its schema is {revision}, this version knows"
                f" up to {script.get_current_head()}); install that version, or restore a backup made before it"
            )
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        if broken := connection.exec_driver_sql("PRAGMA foreign_key_check").first():
            raise StoreUnwritable(f"{path} could not be brought up to date: a row of {broken[0]} points nowhere")


@contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """Turn what SQLite and the file system raise into the store's own errors, without statement or parameters."""
    try:
        yield
    except IntegrityError as error:
        if "wallet_covers_holds" in str(error.orig):
            raise NotEnough("a wallet would fall below what it holds") from None
        raise Conflict(f"the change does not fit what is kept: {error.orig}") from None
    except DBAPIError as error:
        code = getattr(error.orig, "sqlite_errorcode", None)
        # The low byte of an extended code is its class.
        reason = None if code is None else _REASONS.get(code & 0xFF)
        if reason is None:
            raise
        raise StoreUnwritable(f"the database {path} cannot be used: {reason}") from None
    except OSError as error:
        raise StoreUnwritable(
            f"the database {path} cannot be used: {error.strerror or error}; is its folder one where the bot's user may"
            " write?"
        ) from None
