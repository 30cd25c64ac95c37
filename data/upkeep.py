"""What an operator does with the database file itself: look it through, copy it, put a copy back.

All of it works beside a running bot, but for ``restore``, whose file may not be there yet.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import func, select

from data import audit
from data.copies import copy
from data.database import DATABASE_SUFFIXES, existing, plain_errors, schema_fault
from data.errors import StoreUnwritable
from data.schema import hands, transfers

A_BACKUP = "name a file that was made by backup"


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


def first_difference(path: Path) -> str | None:
    """The quick part of ``look_through``: the file itself, and whether all sums agree; records are not played again."""
    with plain_errors(path), existing(path) as connection:
        return audit.first_difference(connection)


def try_to_write(path: Path) -> None:
    """Raises ``StoreUnwritable`` if nothing can be written; nothing is."""
    with plain_errors(path), closing(sqlite3.connect(path)) as connection:
        connection.isolation_level = None
        # To begin is no proof: of a file that may only be read SQLite makes it a transaction that reads.
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(f"PRAGMA user_version = {connection.execute('PRAGMA user_version').fetchone()[0]}")
        connection.execute("ROLLBACK")


def back_up(path: Path, target: Path) -> int:
    """Copy the database as of one moment into a new file; what it is long, in bytes.

    The copy is whole or not there. Raises ``StoreUnwritable``, also where there is a ``target`` already.
    """
    with plain_errors(path), existing(path):
        pass
    with plain_errors(target):
        return copy(path, target)


def restorable(source: Path, path: Path) -> None:
    """Look whether a backup can be put there; nothing is made. Raises ``StoreUnwritable`` and ``StoreNewer``."""
    for there in (path, *(path.with_name(path.name + suffix) for suffix in DATABASE_SUFFIXES)):
        with plain_errors(there):
            if there.exists():
                raise StoreUnwritable(f"{there} is there already and is not overwritten; move it away first")
    with plain_errors(source, A_BACKUP):
        if (fault := schema_fault(source, A_BACKUP)) is not None:
            raise fault


def restore(source: Path, path: Path) -> None:
    """Put a backup where no database is yet. Raises ``StoreUnwritable`` and ``StoreNewer``.

    An older schema is brought up to date when the bot opens it.
    """
    restorable(source, path)
    with plain_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        copy(source, path)
