"""Opening the database file, its migrations, and the two ways of running transactions on it.

All queries are plain functions on a SQLAlchemy ``Connection``. ``FileDatabase`` runs them over aiosqlite, off the event
loop; ``InlineDatabase`` in the loop's own thread, so that a simulation in virtual time depends on nothing real.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os.path import isfile
from pathlib import Path
from shutil import disk_usage
from typing import Any, Concatenate, Final, ParamSpec, Protocol, TypeVar, cast

import aiosqlite
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, Engine, NullPool, StaticPool, create_engine, event, inspect
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from data.copies import copy
from data.errors import Conflict, NotEnough, StoreNewer, StoreUnwritable
from data.schema import metadata

log = logging.getLogger(__name__)

MIGRATIONS: Final = Path(__file__).parent / "migrations"
DATABASE_SUFFIXES: Final = ("-wal", "-shm", "-journal")
"""Of the files that SQLite keeps beside a database."""
FEW: Final = 65_536
"""Free bytes under which a disk is full: SQLite's smallest steps are of 32 KiB."""

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
    sqlite3.SQLITE_NOTADB: "it is no SQLite database; {instead}",
}
ELSEWHERE: Final = "set DATABASE_PATH to another file"


class Database(Protocol):
    """Runs work on the database, each call one transaction."""

    async def read(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What ``work`` returns, all of it seen as of one moment."""

    async def write(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What ``work`` returns, once all it wrote will outlast a power cut; if it raises, nothing is written."""

    async def erase(self) -> None:
        """See to it that what was deleted stands nowhere any more, in the file or in the log beside it."""

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
        return await FileDatabase.open(path, busy_timeout)


class FileDatabase:
    """Over aiosqlite: one connection that writes, and one that reads beside it (WAL)."""

    def __init__(self, path: Path, reader: Worker, writer: Worker) -> None:
        self._path = path
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, path: Path, busy_timeout: float) -> FileDatabase:
        """Connect to a file whose schema is up to date."""
        reader, writer = Worker(path, busy_timeout, writes=False), Worker(path, busy_timeout, writes=True)
        await reader
        await writer
        return cls(path, reader, writer)

    async def read(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """As ``Database.read``, in a reader's thread."""
        with plain_errors(self._path):
            return await self._reader.run(work, *args, **kwargs)

    async def write(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """As ``Database.write``, in the writer's thread."""
        with plain_errors(self._path):
            return await self._writer.run(work, *args, **kwargs)

    async def erase(self) -> None:
        """As ``Database.erase``."""
        with plain_errors(self._path):
            await self._writer.empty_log()

    async def close(self) -> None:
        """As ``Database.close``."""
        await self._writer.close()
        await self._reader.close()


class Worker(aiosqlite.Connection):
    """An aiosqlite connection whose thread runs whole transactions of SQLAlchemy's, one after the other.

    SQLAlchemy's own dialect for aiosqlite goes to the thread and back for every statement, at several times the cost
    for the event loop. A transaction that was begun ends, also when its caller is cancelled.
    """

    def __init__(self, path: Path, busy_timeout: float, *, writes: bool) -> None:
        engine = create_engine(_url(path), poolclass=StaticPool, **_OPTIONS)
        _prepare(engine, busy_timeout)
        self._engine = engine.execution_options(writes=writes)
        super().__init__(self._first, iter_chunk_size=1)
        # A process that ends without closing must not wait for it for ever.
        self._thread.daemon = True

    def _first(self) -> sqlite3.Connection:
        """The engine's only connection, made in the thread that uses it."""
        with self._engine.connect() as connection:
            return cast(sqlite3.Connection, connection.connection.driver_connection)

    def _transaction(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        with self._engine.begin() as connection:
            return work(connection, *args, **kwargs)

    async def run(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What ``work`` returns or raises, called in the thread within a transaction."""
        result = await self._execute(self._transaction, work, *args, **kwargs)  # type: ignore[no-untyped-call]
        return cast(T, result)

    async def empty_log(self) -> None:
        """``_empty_log``, in the thread."""
        await self._execute(_empty_log, self._engine)  # type: ignore[no-untyped-call]


class InlineDatabase:
    """In the loop's thread. One ``await`` before each transaction and one after let a simulation stop the bot there."""

    def __init__(self, path: Path, busy_timeout: float) -> None:
        self._path = path
        self._reader = create_engine(_url(path), **_OPTIONS)
        _prepare(self._reader, busy_timeout)
        self._writer = self._reader.execution_options(writes=True)

    async def read(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """As ``Database.read``, at once."""
        return await self._run(self._reader, work, *args, **kwargs)

    async def write(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """As ``Database.write``, at once."""
        return await self._run(self._writer, work, *args, **kwargs)

    async def _run(self, engine: Engine, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        await asyncio.sleep(0)
        with plain_errors(self._path), engine.begin() as connection:
            result = work(connection, *args, **kwargs)
        await asyncio.sleep(0)
        return result

    async def erase(self) -> None:
        """As ``Database.erase``."""
        await asyncio.sleep(0)
        with plain_errors(self._path):
            _empty_log(self._writer)
        await asyncio.sleep(0)

    async def close(self) -> None:
        """As ``Database.close``."""
        await asyncio.sleep(0)
        self._reader.dispose()


def touch(connection: Connection) -> None:
    """Write a page of the file as it is, so that a transaction commits something."""
    version = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
    connection.exec_driver_sql(f"PRAGMA user_version = {version}")


def _empty_log(engine: Engine) -> None:
    """Bring all of the write-ahead log into the file, and cut it to nothing; once those who read are done."""
    connection = engine.raw_connection()
    try:
        cursor = connection.cursor()
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        cursor.close()
    finally:
        connection.close()


def _url(path: Path) -> URL:
    return URL.create("sqlite", database=str(path))


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
        # What is deleted is overwritten: names of those who want to be forgotten, secrets of hands.
        cursor.execute("PRAGMA secure_delete = ON")
        cursor.execute(f"PRAGMA foreign_keys = {'ON' if foreign_keys else 'OFF'}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begun(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _migrations() -> tuple[Config, ScriptDirectory]:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config, ScriptDirectory.from_config(config)


def _foreign(
    path: Path, connection: Connection, script: ScriptDirectory, instead: str = ELSEWHERE
) -> StoreUnwritable | StoreNewer | None:
    """Why a database that is not empty cannot be ours, or None."""
    with _readable(path):
        revision = MigrationContext.configure(connection).get_current_revision()
    if revision is None and inspect(connection).get_table_names():
        return StoreUnwritable(f"{path} belongs to another program; {instead}")
    if revision is not None and revision not in {known.revision for known in script.walk_revisions()}:
        return StoreNewer(
            f"{path} was written by a newer version of this program (its schema is {revision}, this version knows"
            f" up to {script.get_current_head()}); install that version, or restore a backup made before it"
        )
    return None


def _missing(path: Path, connection: Connection, script: ScriptDirectory) -> StoreUnwritable | None:
    """Which column a database that is up to date has lost, or None."""
    if MigrationContext.configure(connection).get_current_revision() != script.get_current_head():
        return None
    there = "SELECT t.name, c.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table'"
    found = {(table, column) for table, column in connection.exec_driver_sql(there)}
    for table in metadata.sorted_tables:
        for column in table.columns:
            if (table.name, column.name) not in found:
                return _unusable_for(path, f"it lacks {table.name}.{column.name}; restore a backup")
    return None


def _fault(path: Path, instead: str = ELSEWHERE) -> StoreUnwritable | StoreNewer | None:
    """Why a file with something in it is no database that this version can open, or None; nothing is changed."""
    _, script = _migrations()
    with _looking_at(path) as connection:
        return _foreign(path, connection, script, instead) or _missing(path, connection, script)


def schema_fault(path: Path, instead: str = ELSEWHERE) -> StoreUnwritable | StoreNewer | None:
    """Why a file is no database of ours that this version can open, or None; nothing is changed.

    ``instead``: what to do if it is something else.
    """
    if path.is_dir():
        return StoreUnwritable(f"{path} is a folder; {instead}")
    if not path.is_file():
        return StoreUnwritable(f"there is no database {path}")
    if (fault := _fault(path, instead)) is not None:
        return fault
    with _looking_at(path) as connection:
        return None if inspect(connection).get_table_names() else StoreUnwritable(f"{path} is empty; {instead}")


def refuse_foreign(path: Path) -> None:
    """Look at what is in the place of a database before anything is made there or changed.

    Raises ``StoreUnwritable`` and ``StoreNewer`` unless there is nothing yet, or a database that this version can open.
    """
    with plain_errors(path):
        if path.is_dir():
            raise StoreUnwritable(f"{path} is a folder; {ELSEWHERE}")
        if isfile(path) and path.stat().st_size and (fault := _fault(path)) is not None:
            raise fault


@contextmanager
def existing(path: Path) -> Iterator[Connection]:
    """A database that is there, with the schema that this version writes, as of one moment, to be read.

    Raises ``StoreUnwritable`` and ``StoreNewer``.
    """
    if (fault := schema_fault(path)) is not None:
        raise fault
    _, script = _migrations()
    with _looking_at(path) as connection:
        if MigrationContext.configure(connection).get_current_revision() != script.get_current_head():
            raise StoreUnwritable(f"{path} is of an older version; start the bot once, which brings it up to date")
        yield connection


@contextmanager
def _looking_at(path: Path) -> Iterator[Connection]:
    engine = create_engine(_url(path), poolclass=NullPool, **_OPTIONS)

    @event.listens_for(engine, "connect")
    def _connected(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        connection.execute("PRAGMA query_only = ON")

    @event.listens_for(engine, "begin")
    def _begun(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN")

    with engine.connect() as connection, _readable(path):
        yield connection


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """What is read of a file is as this program writes it; if SQLite cannot make sense of it the file is damaged."""
    try:
        yield
    except OperationalError as error:
        if getattr(error.orig, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR:
            raise _unusable_for(path, _REASONS[sqlite3.SQLITE_CORRUPT]) from None
        raise


def revision_of(path: Path) -> str | None:
    """Which migration an existing database has come to; None: it is new, or none of ours."""
    with _looking_at(path) as connection:
        return MigrationContext.configure(connection).get_current_revision()


def is_older(path: Path) -> bool:
    """Whether an existing database of ours wants migrations."""
    _, script = _migrations()
    revision = revision_of(path)
    known = {known.revision for known in script.walk_revisions()}
    return revision in known and revision != script.get_current_head()


def backup_before(path: Path, revision: str) -> Path:
    """Where the copy goes that is made before migrations from this revision on: a file that is not there yet."""
    number = 1
    while (target := path.with_name(f"{path.name}.{revision}{f'-{number}' if number > 1 else ''}.backup")).exists():
        number += 1
    return target


def _upgrade(path: Path, busy_timeout: float) -> None:
    """Run the migrations that are missing, all in one transaction; what there was before is kept as a copy."""
    config, script = _migrations()
    # Whoever writes to it turns its journal into a log; so somebody else's is left alone before.
    refuse_foreign(path)
    if isfile(path) and path.stat().st_size and is_older(path):
        target = backup_before(path, revision_of(path) or "")
        size = copy(path, target)
        log.info("before the database is brought up to date, it is copied to %s (%d bytes)", target, size)
    engine = create_engine(_url(path), poolclass=NullPool, **_OPTIONS)
    # A migration may have to make a table anew, which foreign keys would forbid; they are checked at the end.
    _prepare(engine, busy_timeout, foreign_keys=False)
    with engine.execution_options(writes=True).begin() as connection:
        revision = MigrationContext.configure(connection).get_current_revision()
        if revision == script.get_current_head():
            # Of a file that may only be read SQLite lets a writer begin, and refuses the first thing written.
            with connection.begin_nested() as tried:
                touch(connection)
                tried.rollback()
            return
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        if broken := connection.exec_driver_sql("PRAGMA foreign_key_check").first():
            raise StoreUnwritable(f"{path} could not be brought up to date: a row of {broken[0]} points nowhere")


@contextmanager
def plain_errors(path: Path, instead: str = ELSEWHERE) -> Iterator[None]:
    """Turn what SQLite and the file system raise into the store's own errors, without statement or parameters.

    ``instead``: what to do if the file is something else.
    """
    try:
        yield
    except IntegrityError as error:
        raise _unfit(error.orig) from None
    except DBAPIError as error:
        raise _unusable(path, error.orig, instead) or error from None
    except sqlite3.IntegrityError as error:
        raise _unfit(error) from None
    except sqlite3.Error as error:
        raise _unusable(path, error, instead) or error from None
    except UnicodeDecodeError:
        # So sqlite3 fails at an error of SQLite's that quotes what is damaged.
        raise _unusable_for(path, _REASONS[sqlite3.SQLITE_CORRUPT]) from None
    except OSError as error:
        raise StoreUnwritable(
            f"the database {path} cannot be used: {error.strerror or error}; is its folder one where the bot's user may"
            " write?"
        ) from None


def _full(path: Path) -> bool:
    """Whether there is no room for a page more on the disk."""
    try:
        return disk_usage(path.absolute().parent).free < FEW
    except OSError:
        return False


def _unfit(error: BaseException | None) -> Conflict | NotEnough:
    if "wallet_covers_holds" in str(error):
        return NotEnough("a wallet would fall below what it holds")
    return Conflict(f"the change does not fit what is kept: {error}")


def _unusable(path: Path, error: BaseException | None, instead: str) -> StoreUnwritable | None:
    """What an operator can do about an error of SQLite's; None if it is none of those."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None:
        # The low byte of an extended code is its class.
        code &= 0xFF
    if code == sqlite3.SQLITE_IOERR and _full(path):
        # So it says where the log's index finds no room.
        code = sqlite3.SQLITE_FULL
    reason = None if code is None else _REASONS.get(code)
    return None if reason is None else _unusable_for(path, reason.format(instead=instead))


def _unusable_for(path: Path, reason: str) -> StoreUnwritable:
    return StoreUnwritable(f"the database {path} cannot be used: {reason}")
