"""A measured figure, how it is printed, and where it is kept."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

OUT = Path("var/bench.json")


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure; ``target`` in words, ``holds`` None where there is none.

    ``value``: None if nothing was there to measure.
    """

    name: str
    value: float | None
    unit: str
    target: str = ""
    holds: bool | None = None

    @property
    def line(self) -> str:
        """Name, value, unit, target and whether it is met."""
        mark = {True: "ok", False: "MISSED", None: ""}[self.holds]
        value = "–" if self.value is None else f"{self.value:,.2f}"
        return f"{self.name:<52} {value:>10} {self.unit:<8} {self.target:<8} {mark}".rstrip()


def at_most(name: str, value: float | None, unit: str, limit: float | None = None) -> Figure:
    """A figure that should not be above a limit, if there is one."""
    if limit is None or value is None:
        return Figure(name, value, unit)
    return Figure(name, value, unit, f"≤ {limit:g}", value <= limit)


def median(values: Sequence[float]) -> float | None:
    """The middle one; None of none."""
    return statistics.median(values) if values else None


def p99(values: Sequence[float]) -> float | None:
    """What one in a hundred exceeds (the largest, of fewer); None of none."""
    return sorted(values)[min(len(values) - 1, len(values) * 99 // 100)] if values else None


def keep(found: Iterable[Figure]) -> None:
    """Write figures to ``OUT``; those of other names that were measured before stay."""
    OUT.parent.mkdir(exist_ok=True)
    known = json.loads(OUT.read_text("utf-8")) if OUT.exists() else {}
    for figure in found:
        known[figure.name] = {name: value for name, value in asdict(figure).items() if name != "name"}
    OUT.write_text(json.dumps(known, ensure_ascii=False, indent=1) + "\n", "utf-8")
