"""How strong the first of four players was, from records of duplicate walls: a line of the table in docs/players.md.

python -m mahjong simulate --duplicate … --records FILE
python -m tests.bench.strength FILE …
"""

from __future__ import annotations

import json
import math
import statistics
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

TURNS = ("0", "1", "2", "3")
YOU = ("single_you", "double_you", "triple_you")


@dataclass(frozen=True, slots=True)
class Strength:
    """Of one seat against three: ``net`` in bases a hand and ``half`` its 95 % interval, with the wall as the unit;
    ``wins``, ``deals_in``, ``you`` as parts of all hands; ``turn``: the own turn of a win on the average, from 1."""

    walls: int
    net: float
    half: float
    wins: float
    deals_in: float
    turn: float
    you: float

    def line(self, name: str) -> str:
        """As a line of Markdown."""
        cells = (
            name,
            f"{self.walls:,}",
            f"{self.net:+.4f} ± {self.half:.4f}",
            f"{self.wins:.1%}",
            f"{self.deals_in:.1%}",
            f"{self.turn:.1f}",
            f"{self.you:.1%}",
        )
        return f"| {' | '.join(cells)} |"


def strength(records: Iterable[Mapping[str, Any]]) -> Strength:
    """Of walls played four times (``id`` ends in ``:turn``, at which player 0 sits in that seat); others are left out.

    Raises ``ValueError`` with fewer than two walls, and for what is no record of a simulation.
    """
    walls: dict[str, dict[int, Mapping[str, Any]]] = {}
    for record in records:
        if not isinstance(record, Mapping) or not isinstance(record.get("id"), str) or "result" not in record:
            raise ValueError("no record of a simulation")
        # Of hands one after the other the last number is the hand's.
        wall, _, turn = record["id"].rpartition(":")
        if turn not in TURNS:
            continue
        walls.setdefault(wall, {})[int(turn)] = record
    whole = [wall for wall in walls.values() if len(wall) == 4]
    if len(whole) < 2:
        raise ValueError("two walls at least, each played four times")
    nets, turns, seen = [], [], Counter[str]()
    for wall in whole:
        nets.append(sum(record["result"]["net"][seat] / record["base"] for seat, record in wall.items()) / 4)
        for seat, record in wall.items():
            result = record["result"]
            if result["winner"] == seat:
                seen["won"] += 1
                seen["you"] += result["by"] in YOU
                turns.append(1 + sum(action.startswith(f"{seat} discard") for action in record["actions"]))
            seen["dealt in"] += result["by"] == "discard" and result["from"] == seat
    hands = 4 * len(whole)
    return Strength(
        len(whole),
        statistics.fmean(nets),
        1.96 * statistics.stdev(nets) / math.sqrt(len(nets)),
        seen["won"] / hands,
        seen["dealt in"] / hands,
        statistics.fmean(turns) if turns else 0.0,
        seen["you"] / hands,
    )


def read(name: str) -> Iterator[Mapping[str, Any]]:
    """The records of a file; what a run that still goes on, or was killed, has of its last line is left out.

    Raises ``OSError``, ``ValueError``.
    """
    with open(name, encoding="utf-8") as file:
        for line in file:
            if line.endswith("\n"):
                yield json.loads(line)


def main(names: Sequence[str]) -> int:
    """Print a line for each file. Returns the exit status: 2, and one line on stderr, where one will not do."""
    if not names:
        print("usage: python -m tests.bench.strength FILE …", file=sys.stderr)
        return 2
    lines = []
    for name in names:
        try:
            lines.append(strength(read(name)).line(name))
        except OSError as error:
            print(f"{name}: {error.strerror}", file=sys.stderr)
            return 2
        except ValueError as error:
            print(f"{name}: {error}", file=sys.stderr)
            return 2
    print("| records | walls | net a hand | wins | deals in | turn of winning | 游金 |")
    print("|---|---|---|---|---|---|---|")
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
