"""How the bot's own process is doing."""

from __future__ import annotations

import os
import resource
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

MEGABYTE: Final = 1_000_000
SUFFIXES: Final = ("", "-wal")


@dataclass(frozen=True, slots=True)
class Vitals:
    """In megabytes: memory in use, the database with its log, and what is free where it lies."""

    memory: float
    database: float
    free: float


def vitals(database: Path) -> Vitals:
    """As of now."""
    files = [database.with_name(database.name + suffix) for suffix in SUFFIXES]
    kept = sum(file.stat().st_size for file in files if file.exists())
    free = shutil.disk_usage(database.parent).free
    return Vitals(memory() / MEGABYTE, kept / MEGABYTE, free / MEGABYTE)


def memory() -> int:
    """Bytes of memory in use; where the system does not tell, the most there ever were."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return pages * os.sysconf("SC_PAGE_SIZE")
