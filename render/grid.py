"""Where the tiles of a hand stand: the picture and the keyboard below it use the same cells."""

from __future__ import annotations

from typing import Final

COLUMNS: Final = 6
"""Tiles, and buttons, in a row."""


def cells(concealed: int, drawn: bool) -> tuple[tuple[int | None, ...], ...]:
    """Rows of ``COLUMNS`` cells for a hand: indices into the sorted concealed tiles, None for an empty cell.

    The drawn tile has the index ``concealed`` and stands at the right end of the last row, apart from the others.

    >>> cells(4, True)
    ((0, 1, 2, 3, None, 4),)
    >>> cells(6, True)
    ((0, 1, 2, 3, 4, 5), (None, None, None, None, None, 6))
    """
    rows: list[list[int | None]] = []
    for start in range(0, concealed, COLUMNS):
        row: list[int | None] = list(range(start, min(start + COLUMNS, concealed)))
        rows.append(row + [None] * (COLUMNS - len(row)))
    if drawn:
        if not rows or rows[-1][-1] is not None:
            rows.append([None] * COLUMNS)
        rows[-1][-1] = concealed
    return tuple(tuple(row) for row in rows)
