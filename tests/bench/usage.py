"""What processes use of processor and memory, read from /proc (Linux)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Usage:
    """``seconds``: of processor time since the process began; ``megabytes``: of memory, shared pages by their share."""

    seconds: float
    megabytes: float


def family(pid: int) -> list[int]:
    """The processes that a process has started, and theirs, without itself."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(stat.parent.name))
    found: list[int] = []
    waiting = [pid]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def usage(*pids: int) -> Usage:
    """Of several processes together; one that has ended counts as nothing."""
    seconds = megabytes = 0.0
    for pid in pids:
        try:
            stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            shares = Path(f"/proc/{pid}/smaps_rollup").read_text()
        except OSError:
            continue
        seconds += (int(stat[11]) + int(stat[12])) / TICK
        megabytes += next(int(line.split()[1]) for line in shares.splitlines() if line.startswith("Pss:")) / 1024
    return Usage(seconds, megabytes)
