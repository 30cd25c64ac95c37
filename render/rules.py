"""What pays what: each way to win with its value, and what those pay who lose."""

from __future__ import annotations

from typing import Final

from PIL import Image

from render import paint
from render.grounds import Colour
from render.headline import embossed, headline_width, rays
from render.paint import AMBER, CREAM, MUTED, UMBER
from render.text import BLACK, REGULAR
from render.tiles import height_of
from render.words import PayRow, PayTableWords

WIDTH: Final = 960
EDGE: Final = 34
HEADER: Final = 142
HEADS: Final = 60
ROW: Final = 108
LEFT: Final = 24
"""Where the rows begin, and how far from the right edge they end."""
NAME: Final = LEFT + 26
VALUE: Final = 566
"""The middle of the column of values."""
RIGHT: Final = WIDTH - LEFT - 24
CELL: Final = 150
"""Width of a column of amounts."""
TILE: Final = 42
NOTE: Final = 48
MOST_ROWS: Final = 10
PLAIN: Final[tuple[Colour, Colour]] = ((10, 46, 35), paint.LINE)
HOT: Final[tuple[Colour, Colour]] = (paint.BROWN, AMBER)


def draw_pays(words: PayTableWords) -> Image.Image:
    """The picture: title, heads of the columns, a row for each way to win, a note below."""
    rows = words.rows[:MOST_ROWS]
    note = paint.lines(words.note, 36, WIDTH - 2 * EDGE, REGULAR)
    high = HEADER + HEADS + len(rows) * ROW + (NOTE * len(note) + 24 if note else 12)
    image = paint.blank(WIDTH, high)
    image.paste(rays("win", paint.px(WIDTH), paint.px(HEADER)), (0, 0))
    _title(image, words)
    _heads(image, HEADER + HEADS // 2 + 4, words.heads)
    for at, row in enumerate(rows):
        _row(image, HEADER + HEADS + at * ROW, row, words)
    for at, line in enumerate(note):
        y = HEADER + HEADS + len(rows) * ROW + 32 + NOTE * at
        paint.write(image, WIDTH // 2, y, line, 36, CREAM, REGULAR, "m", WIDTH - 2 * EDGE, "shrink")
    return image


def _title(image: Image.Image, words: PayTableWords) -> None:
    """The title, and facts at its right, one above the other."""
    most = WIDTH - 2 * EDGE
    wide = min(headline_width(words.title, 84, most), round(most * 0.62))
    room = most - wide - 30
    step = 50
    for at, line in enumerate(words.side):
        y = HEADER // 2 - 4 + round((at - (len(words.side) - 1) / 2) * step)
        paint.write(image, WIDTH - EDGE, y, line, 38, (255, 232, 214), anchor="r", most=room, fit="shrink")
    embossed(image, EDGE, HEADER // 2 - 4, words.title, 84, (255, 240, 170), (255, 188, 46), wide, BLACK, True)


def _columns(count: int) -> tuple[int, ...]:
    """The right ends of so many columns of amounts."""
    return tuple(RIGHT - CELL * (count - 1 - at) for at in range(count))


def _heads(image: Image.Image, y: int, heads: tuple[str, ...]) -> None:
    name, value, *cells = heads
    paint.write(image, NAME, y, name, 34, MUTED, REGULAR, most=360, fit="shrink")
    paint.write(image, VALUE, y, value, 34, MUTED, REGULAR, "m", 110, "shrink")
    for right, head in zip(_columns(len(cells)), cells, strict=True):
        paint.write(image, right, y, head, 34, MUTED, REGULAR, "r", CELL - 14, "shrink")


def _row(image: Image.Image, top: int, row: PayRow, words: PayTableWords) -> None:
    ground, line = HOT if row.hot else PLAIN
    paint.panel(image, (LEFT, top, WIDTH - LEFT, top + ROW - 8), ground, line, 18, 3 if row.hot else 2)
    middle = top + (ROW - 8) // 2
    upper, lower = (top + 30, top + 76) if row.note else (middle, middle)
    # Where nothing stands in the column of values, names have its room.
    end = VALUE - 72 if words.heads[1] else _columns(len(row.cells))[0] - CELL + 14
    if row.tiles:
        # Close together, as they are held.
        pitch = TILE + 1
        left = end - len(row.tiles) * pitch
        for at, face in enumerate(row.tiles):
            paint.tile(image, left + at * pitch, middle - height_of(TILE) // 2 + 2, face, TILE, words.gold)
        end = left - 14
    name_most = end - NAME
    paint.write(image, NAME, upper, row.name, 44, CREAM, most=name_most, fit="shrink", on=ground)
    paint.write(image, NAME, lower, row.note, 33, MUTED, REGULAR, most=name_most, fit="shrink", on=ground)
    if row.value:
        paint.pill(image, VALUE, middle, row.value, 42, AMBER, UMBER, most=78)
    for right, cell in zip(_columns(len(row.cells)), row.cells, strict=True):
        paint.write(image, right, middle, cell, 48, AMBER, anchor="r", most=CELL - 14, fit="number", on=ground)
