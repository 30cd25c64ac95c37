"""Copies of a database file that are whole or not there."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from glob import escape
from pathlib import Path

from data.errors import StoreUnwritable


def copy(source: Path, target: Path) -> int:
    """Copy a database page by page, look whether the copy is sound, and only then give it its name; its bytes.

    The copy is as of one moment, also while somebody writes. Raises ``StoreUnwritable``, also where there is a
    ``target`` already, and what SQLite and the file system raise.
    """
    if target.exists():
        raise StoreUnwritable(f"{target} is there already and is not overwritten; name another file")
    with _unfinished(target) as unfinished:
        with closing(sqlite3.connect(source)) as original, closing(sqlite3.connect(unfinished)) as made:
            original.backup(made)
            # One file, without a log beside it.
            made.execute("PRAGMA journal_mode = DELETE")
            found = made.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise StoreUnwritable(f"{source} is damaged ({' '.join(found.split())}); nothing was copied")
        _keep(unfinished, target)
    return target.stat().st_size


def make_private(path: Path) -> int:
    """Make a file that only its owner may read; a descriptor of it. Raises ``OSError``, also if it is there.

    What root makes belongs to whoever its folder belongs to: commands of root's are for a bot that runs as another.
    """
    made = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
    if os.geteuid() == 0:
        folder = path.absolute().parent.stat()
        os.fchown(made, folder.st_uid, folder.st_gid)
    return made


@contextlib.contextmanager
def _unfinished(target: Path) -> Iterator[Path]:
    """A file beside ``target`` that only its owner may read, gone afterwards."""
    copy = target.with_name(f".{target.name}.{os.getpid()}.unfinished")
    _clear(target)
    os.close(make_private(copy))
    try:
        yield copy
    finally:
        copy.unlink(missing_ok=True)


def _clear(target: Path) -> None:
    """Take away what copies left that were killed; in a container every start has the same process id."""
    for left in target.parent.glob(f".{escape(target.name)}.*.unfinished*"):
        number = left.name.removeprefix(f".{target.name}.").partition(".")[0]
        if number.isdigit() and (int(number) == os.getpid() or not _alive(int(number))):
            left.unlink(missing_ok=True)


def _alive(number: int) -> bool:
    """Whether there is such a process."""
    try:
        os.kill(number, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        # Somebody else's.
        return True
    return True


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
