"""The machine that the bot runs on: one bot for a database, how many processes draw, ports."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

from data.copies import make_private
from data.settings import Settings

SMALL: Final = 1_500_000_000
"""Bytes of memory under which nothing is drawn in processes of their own."""
MOST: Final = 4
"""Drawing processes, however many cores there are."""
CGROUP: Final = Path("/sys/fs/cgroup/memory.max")
"""The memory that a container may use (cgroup v2)."""


class Refused(Exception):
    """The bot cannot run; ``str()`` is one line that says what to do.

    ``status``: what the bot exits with: 1, or 2 if a setting is wrong, which no other start puts right.
    """

    def __init__(self, says: str, status: int = 1) -> None:
        super().__init__(says)
        self.status = status


@contextlib.contextmanager
def sole_use(database: Path) -> Iterator[None]:
    """Keep other bots off the database; the lock goes with the process, however it ends. Raises ``Refused``."""
    try:
        database.parent.mkdir(parents=True, exist_ok=True)
        lock = _lock(lock_of(database))
    except OSError as error:
        if os.path.exists(lock_of(database)):
            raise Refused(f"{lock_of(database)} cannot be read ({error.strerror}): give it to the bot's user") from None
        # The store says better what is wrong with the place.
        yield
        return
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Refused(f"Another bot runs on {database}: stop it, or set DATABASE_PATH to another file") from None
        except OSError as error:
            # As on some network shares.
            said = f"{lock_of(database)} cannot be locked ({error.strerror}): DATABASE_PATH must be on a local disk"
            raise Refused(said) from None
        yield


def _lock(path: Path) -> IO[bytes]:
    """The lock's file, made if it is not there. A lock wants no right to write: the file may be another user's."""
    with contextlib.suppress(FileExistsError):
        os.close(make_private(path))
    return path.open("rb")


def lock_of(database: Path) -> Path:
    """The file whose lock a running bot holds."""
    return database.with_name(database.name + ".lock")


def runs(database: Path) -> bool:
    """Whether a bot runs on a database just now. Nothing is made."""
    try:
        with lock_of(database).open("r") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        # It is not there, or not to be looked at; then the database is not either.
        return False
    return False


@contextlib.contextmanager
def listening(setting: str, port: int) -> Iterator[None]:
    """Raise ``Refused`` if a port cannot be had."""
    try:
        yield
    except OSError as error:
        raise Refused(f"Port {port} cannot be listened on ({error.strerror}): set {setting} to a free one") from None


def memory() -> int:
    """Bytes of memory that there are for the bot: the machine's, or what its container may use."""
    there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        return min(there, int(CGROUP.read_text()))
    except (OSError, ValueError):
        # There is no such limit (or it says "max").
        return there


def cores() -> int:
    """Processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def drawing_processes(settings: Settings) -> int:
    """How many processes draw: as set, else one a core up to four, and none where memory is short."""
    if settings.render_processes is not None:
        return settings.render_processes
    return 0 if memory() < SMALL else min(MOST, cores())
