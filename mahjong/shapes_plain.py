"""The rows of suits and honours by the plain method, and the table that ``mahjong.shapes`` walks instead.

``python -m mahjong.shapes_plain`` writes ``mahjong/shapes_table.py``; a test compares the two.
"""

from __future__ import annotations

import base64
import sys
import zlib
from array import array
from collections.abc import Sequence
from functools import cache
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


def suit_row(counts: Sequence[int]) -> Row:
    """The row of nine counts of a suit."""
    state = START
    for rank, copies in enumerate(counts):
        state = step(state, copies, rank < 7)
    return finish(state)


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


def source() -> str:
    """The text of ``mahjong/shapes_table.py``."""
    rows, steps = automaton()
    lines = ['"""Written by mahjong/shapes_plain.py: rows of suits, and the steps that lead to them by rank."""', ""]
    for name, data in (
        ("ROWS", bytes(number for row in rows for number in row)),
        ("STEPS", b"".join(len(part).to_bytes(4, "big") + _words(part) for part in steps)),
    ):
        text = base64.b85encode(zlib.compress(data, 9)).decode()
        lines.append(f"{name} = (")
        lines += [f'    "{text[at : at + 110]}"' for at in range(0, len(text), 110)]
        lines += [")", ""]
    return "\n".join(lines)


def _words(numbers: list[int]) -> bytes:
    return b"".join(number.to_bytes(2, "big") for number in numbers)


def read(rows: str, steps: str) -> tuple[list[Row], list[array[int]]]:
    """The rows and steps that ``source`` wrote."""
    numbers = zlib.decompress(base64.b85decode(rows))
    data = zlib.decompress(base64.b85decode(steps))
    parts: list[array[int]] = []
    at = 0
    while at < len(data):
        size = 2 * int.from_bytes(data[at : at + 4], "big")
        part = array("H", data[at + 4 : at + 4 + size])
        if sys.byteorder == "little":
            part.byteswap()
        parts.append(part)
        at += 4 + size
    return [tuple(numbers[i : i + ROW]) for i in range(0, len(numbers), ROW)], parts


if __name__ == "__main__":
    from pathlib import Path

    Path(__file__).with_name("shapes_table.py").write_text(source(), encoding="ascii")
