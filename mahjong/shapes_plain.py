"""The rows of suits and honours by the plain method, and the tables that ``mahjong.shapes`` reads instead.

``python -m mahjong.shapes_plain`` writes ``mahjong/shapes_table.py``; a test compares the two.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from typing import Final

Row = tuple[int, ...]
"""Tiles missing for k sets and p pairs at index 2k + p, k from 0 to 5."""
Partial = tuple[tuple[int, int, int, int], ...]
"""What can be open after some ranks: (runs that need two more ranks, one more, index in the row, tiles missing)."""

MAX_SETS: Final = 5
ROW: Final = 2 * (MAX_SETS + 1)
NEVER: Final = 99
START: Final[Partial] = ((0, 0, 0, 0),)
LARGEST: Final = 17
"""Tiles in a hand: suits with more need no row."""


@cache
def step(state: Partial, copies: int, runs: bool) -> Partial:
    """Add one rank with so many copies; ``runs``: whether a run may begin at it.

    More than two equal runs or triplets are never needed: three runs are three triplets, and a third triplet of a face
    costs what one of jokers does.
    """
    best: dict[tuple[int, int, int], int] = {}
    for two, one, at, cost in state:
        for new in range(3 if runs else 1):
            for triplets in range(3):
                for pair in range(2 - (at & 1)):
                    index = at + 2 * (new + triplets) + pair
                    if index >= ROW:
                        continue
                    key = (new, two, index)
                    total = cost + max(0, two + one + new + 3 * triplets + 2 * pair - copies)
                    if total < best.get(key, NEVER):
                        best[key] = total
    # Runs to go on with can only cost more later: what is no cheaper than something with less to go on is of no use.
    return tuple(
        sorted(
            (two, one, at, cost)
            for (two, one, at), cost in best.items()
            if not any(
                best.get((fewer, less, at), NEVER) <= cost
                for fewer in range(two + 1)
                for less in range(one + 1)
                if (fewer, less) != (two, one)
            )
        )
    )


def finish(state: Partial) -> Row:
    """The row when no rank is left."""
    row = [NEVER] * ROW
    for two, one, at, cost in state:
        if two == one == 0:
            row[at] = min(row[at], cost)
    return tuple(row)


def honour_row(counts: Sequence[int]) -> Row:
    """The row of the counts of honours."""
    state = START
    for copies in sorted(counts):
        state = step(state, copies, False)
    return finish(state)


def automaton() -> tuple[list[Row], list[list[int]]]:
    """All rows of suits of up to 17 tiles, and for each rank the steps: from state s with c copies to number 5s + c.

    States are numbered by rank, 0 at the start; those after the last rank are the numbers of rows. States from which
    the same follows are one.
    """
    layers: list[dict[Partial, int]] = [{START: 0}]
    for rank in range(9):
        after: dict[Partial, int] = {}
        for state, fewest in layers[rank].items():
            for copies in range(min(4, LARGEST - fewest) + 1):
                reached = step(state, copies, rank < 7)
                after[reached] = min(after.get(reached, LARGEST), fewest + copies)
        layers.append(after)
    rows = sorted({finish(state) for state in layers[9]})
    numbers = {state: rows.index(finish(state)) for state in layers[9]}
    steps: list[list[int]] = []
    for rank in range(8, -1, -1):
        alike: dict[tuple[int, ...], int] = {}
        before: dict[Partial, int] = {}
        for state in sorted(layers[rank]):
            follows = tuple(numbers.get(step(state, copies, rank < 7), 0) for copies in range(5))
            before[state] = alike.setdefault(follows, len(alike))
        steps.insert(0, [number for follows in alike for number in follows])
        numbers = before
    return rows, steps


def honours() -> tuple[list[Row], bytes]:
    """All rows of honours of up to 17 tiles, and for each seven counts (digits of base 5) the number of the row."""
    by_counts = {
        counts: honour_row(counts) if sum(counts) <= LARGEST else None
        for counts in (tuple(sorted(counts)) for counts in product(range(5), repeat=7))
    }
    rows = sorted({row for row in by_counts.values() if row is not None})
    numbers = {counts: 0 if row is None else rows.index(row) for counts, row in by_counts.items()}
    return rows, bytes(numbers[tuple(sorted(counts))] for counts in product(range(5), repeat=7))


@cache
def add(one: Row, other: Row) -> Row:
    """The row of two parts of a hand taken together."""
    return tuple(
        min(one[at] + other[index - at] for at in range(index + 1) if at & (index - at) & 1 == 0)
        for index in range(ROW)
    )


def merge(ones: Sequence[Row], others: Sequence[Row]) -> tuple[list[Row], list[int]]:
    """All rows of one part and another, and their numbers for each pair: at i × len(others) + j."""
    sums = [add(one, other) if one <= other else add(other, one) for one in ones for other in others]
    rows = sorted(set(sums))
    numbers = {row: number for number, row in enumerate(rows)}
    return rows, [numbers[row] for row in sums]


def source() -> str:
    """The text of ``mahjong/shapes_table.py``."""
    suits, steps = automaton()
    honour_rows, honour_numbers = honours()
    pairs, pair_numbers = merge(suits, suits)
    rests, rest_numbers = merge(suits, honour_rows)
    missing = bytearray()
    for index in range(ROW):
        splits = [at for at in range(index + 1) if at & (index - at) & 1 == 0]
        for one in pairs:
            missing += bytes(min([one[at] + other[index - at] for at in splits]) for other in rests)
    lines = ['"""Written by mahjong/shapes_plain.py: what mahjong/shapes.py reads."""', ""]
    lines.append(f"SIZES = ({len(suits)}, {len(honour_rows)}, {len(pairs)}, {len(rests)})")
    lines.append("")
    for name, data in (
        ("STEPS", b"".join(len(part).to_bytes(4, "big") + _words(part) for part in steps)),
        ("HONOURS", honour_numbers),
        ("PAIRS", _words(pair_numbers)),
        ("RESTS", _words(rest_numbers)),
        ("MISSING", bytes(missing)),
    ):
        text = base64.b85encode(zlib.compress(data, 9)).decode()
        lines.append(f"{name} = (")
        lines += [f'    "{text[at : at + 110]}"' for at in range(0, len(text), 110)]
        lines += [")", ""]
    return "\n".join(lines)


def _words(numbers: Iterable[int]) -> bytes:
    return b"".join(number.to_bytes(2, "big") for number in numbers)


if __name__ == "__main__":
    from pathlib import Path

    Path(__file__).with_name("shapes_table.py").write_text(source(), encoding="ascii")
