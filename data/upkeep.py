"""What an operator does with the database file itself: look it through, copy it, put a copy back.

All of it works beside a running bot, but for ``restore``, whose file may not be there yet.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import func, select

from data import audit
from data.database import DATABASE_SUFFIXES, existing, plain_errors, schema_fault
from data.errors import StoreUnwritable
from data.schema import hands, transfers


@dataclass(frozen=True, slots=True)
class Audited:
    """What was looked through, and the first thing that is wrong, in one line, or None."""

    hands: int
    transfers: int
    difference: str | None


def look_through(path: Path, progress: Callable[[int], object] | None = None) -> Audited:
    """Check the whole ledger and every record, as of one moment. ``progress``: told how many records are done.

    Raises ``StoreUnwritable`` (there is no such file, or it is none of ours) and ``StoreNewer``.
    """
    with plain_errors(path), existing(path) as connection:
        counts = [
            connection.execute(select(func.count()).select_from(table)).scalar_one() for table in (hands, transfers)
        ]
        difference = audit.first_difference(connection) or audit.first_wrong_record(connection, progress)
        return Audited(counts[0], counts[1], difference)


def back_up(path: Path, target: Path) -> int:
    """Copy the database as of one moment into a new file; what it is long, in bytes.

    The copy is whole or not there. Raises ``StoreUnwritable``, also where there is a ``target`` already.
    """
    with plain_errors(path), existing(path):
        pass
    with plain_errors(target):
        return _copy(path, target)


def restore(source: Path, path: Path) -> None:
    """Put a backup where no database is yet. Raises ``StoreUnwritable`` and ``StoreNewer``.

    An older schema is brought up to date when the bot opens it.
    """
    for there in (path, *(path.with_name(path.name + suffix) for suffix in DATABASE_SUFFIXES)):
        if there.exists():
            raise StoreUnwritable(f"{there} is there already and is not overwritten; move it away first")
    with plain_errors(source):
        if (fault := schema_fault(source)) is not None:
            raise fault
    with plain_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        _copy(source, path)


def _copy(source: Path, target: Path) -> int:
    """Copy a database page by page, look whether the copy is sound, and only then give it its name."""
    if target.exists():
        raise StoreUnwritable(f"{target} is there already and is not overwritten; name another file")
    with _unfinished(target) as copy:
        with closing(sqlite3.connect(source)) as original, closing(sqlite3.connect(copy)) as made:
            original.backup(made)
            # One file, without a log beside it.
            made.execute("PRAGMA journal_mode = DELETE")
            found = made.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise StoreUnwritable(f"{source} is damaged ({found}); nothing was copied")
        _keep(copy, target)
    return target.stat().st_size


@contextlib.contextmanager
def _unfinished(target: Path) -> Iterator[Path]:
    """A file beside ``target`` that only its owner may read, gone afterwards."""
    copy = target.with_name(f".{target.name}.{os.getpid()}.unfinished")
    os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        yield copy
    finally:
        copy.unlink(missing_ok=True)


def _keep(copy: Path, target: Path) -> None:
    """Give a finished copy its name, unless another file has got it meanwhile; it will outlast a power cut."""
    with copy.open("rb+") as file:
        os.fsync(file.fileno())
    try:
        os.link(copy, target)
    except FileExistsError:
        raise StoreUnwritable(f"{target} is there already and is not overwritten; name another file") from None
    except OSError:
        # A file system without links.
        copy.rename(target)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
