"""A moment of a finished hand: all four hands open around the table, each seat where the table's picture has it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PIL import Image

from mahjong.tiles import Tile
from mahjong.views import SeatView
from render import paint
from render.melds import draw_meld, draw_row, hanging, kong_badge, meld_width, melds_width
from render.paint import AMBER
from render.scenes import ReplayScene
from render.table import (
    EDGE,
    HEIGHT,
    PLATE,
    TRAY,
    WIDTH,
    Place,
    draw_centre,
    draw_flowers_beside,
    draw_header,
    draw_plate,
    draw_river,
    lying,
)
from render.tiles import height_of
from render.words import TableWords

ROW: Final = 54
"""Widest tile of a hand above or below, which stands in one row with its melds."""
COLUMN: Final = 60
"""Widest tile of a hand at a side, three in a row, a meld in a row of its own."""
RIVER: Final = 46
SIDE_RIVER: Final = 40
GAP: Final = 12
"""Between a hand and its melds, and before the drawn tile."""


def draw_replay(scene: ReplayScene, words: TableWords) -> Image.Image:
    """The picture, as large as the table's."""
    table = scene.table
    below, right, above, left = ((table.bottom + step) % 4 for step in range(4))
    image = paint.wood(WIDTH, HEIGHT)
    draw_header(image, table, words)
    row = height_of(ROW)
    top_hand = 106 + PLATE[1] + 12
    top_river = top_hand + row + 14
    sides = top_river + height_of(RIVER) + 14
    low_plate = HEIGHT - 14 - PLATE[1]
    low_hand = low_plate - 14 - row
    low_river = low_hand - 14 - height_of(RIVER)
    places = {
        below: Place(180, EDGE, low_plate),
        right: Place(90, WIDTH - EDGE - PLATE[0], sides),
        above: Place(0, EDGE, 106),
        left: Place(270, EDGE, sides),
    }
    for seat, place in places.items():
        draw_plate(image, table, words, seat, place)
    for seat, y, river_y in ((above, top_hand, top_river), (below, low_hand, low_river)):
        draw_flowers_beside(image, table.seats[seat], words, places[seat])
        _hand_in_row(image, table.seats[seat], y, words, table.gold)
        river, more = lying(table.seats[seat])
        count, sign = max(1, len(river)), 80 if more else 0
        wide = min(RIVER, (WIDTH - 2 * EDGE - sign) // count - 2)
        x = (WIDTH + sign - count * (wide + 2)) // 2
        draw_river(image, table, "", seat, x, river_y, wide, count, 0, beside=True)
    top = sides + PLATE[1] + 14
    for seat in (left, right):
        _hand_in_column(image, table.seats[seat], places[seat], top, low_river - 10 - top, words, table.gold)
        _river_and_flowers(image, scene, words, seat, places[seat], top)
    # Who has drawn in a lock can be seen from the hands.
    draw_centre(image, replace(table, lock=None), words, places, (top, low_river - 10))
    return image


def _hand_in_row(image: Image.Image, seat: SeatView, y: int, words: TableWords, gold: tuple[Tile, ...]) -> None:
    held = seat.concealed or ()
    wide = ROW
    while wide > 40 and _row_width(seat, wide) > WIDTH - 2 * EDGE:
        wide -= 1
    y += (height_of(ROW) - height_of(wide)) // 2
    x = EDGE
    for meld in seat.melds:
        draw_meld(image, x, y, meld, wide, words.signs.kong, gold, on=TRAY)
        x += meld_width(meld, wide) + GAP
    x += draw_row(image, x, y, held, wide, gold)
    if seat.drawn is not None:
        _drawn(image, x + GAP, y, seat.drawn, wide, gold)


def _row_width(seat: SeatView, wide: int) -> int:
    held = len(seat.concealed or ()) * (wide + 1) + (wide + 1 + GAP if seat.drawn is not None else 0)
    return melds_width(seat.melds, wide, GAP) + (GAP if seat.melds else 0) + held


def _drawn(image: Image.Image, x: int, y: int, tile: Tile, wide: int, gold: tuple[Tile, ...]) -> None:
    """The tile drawn for this turn, framed."""
    paint.frame(image, (x - 3, y - 3, x + wide + 3, y + height_of(wide) + 3), AMBER, 4, 12, 8)
    paint.tile(image, x, y, tile, wide, gold)


def _hand_in_column(
    image: Image.Image, seat: SeatView, place: Place, top: int, room: int, words: TableWords, gold: tuple[Tile, ...]
) -> None:
    """Three tiles in a row, melds first, the drawn tile last."""
    held = (*(seat.concealed or ()), *((seat.drawn,) if seat.drawn is not None else ()))
    rows = len(seat.melds) + -(-len(held) // 3)
    wide = COLUMN
    while wide > 40 and _column_height(seat, rows, wide) > room:
        wide -= 1
    x = EDGE + 5 if place.degrees == 270 else WIDTH - EDGE - 5 - 3 * (wide + 1)
    pitch = height_of(wide) + max(12, hanging(seat.melds, wide))
    y = top + 4
    for meld in seat.melds:
        draw_meld(image, x, y, meld, wide, "", gold, on=TRAY)
        y += pitch
    for at, meld in enumerate(seat.melds):
        # Badges hang over the tray below.
        kong_badge(image, x, top + 4 + at * pitch, meld, wide, words.signs.kong)
    for at, tile in enumerate(held):
        tx, ty = x + at % 3 * (wide + 1), y + at // 3 * (height_of(wide) + 4)
        if seat.drawn is not None and at == len(held) - 1:
            _drawn(image, tx, ty, tile, wide, gold)
        else:
            paint.tile(image, tx, ty, tile, wide, gold)


def _column_height(seat: SeatView, rows: int, wide: int) -> int:
    melds = len(seat.melds)
    pitch = height_of(wide) + max(12, hanging(seat.melds, wide))
    return 4 + melds * pitch + (rows - melds) * (height_of(wide) + 4)


def _river_and_flowers(
    image: Image.Image, scene: ReplayScene, words: TableWords, seat: int, place: Place, top: int
) -> None:
    """Beside the hand of a side: its river in rows of four, its flowers below."""
    here = scene.table.seats[seat]
    tiles, more = lying(here)
    on_left = place.degrees == 270
    span = 4 * (SIDE_RIVER + 2)
    x = EDGE + PLATE[0] - span if on_left else WIDTH - EDGE - PLATE[0]
    y = top + (30 if more else 0)
    pitch = height_of(SIDE_RIVER) + 5
    draw_river(image, scene.table, "", seat, x, y, SIDE_RIVER, 4, pitch)
    y += -(-len(tiles) // 4) * pitch + 14
    if here.flowers:
        paint.write(image, x + 2, y + 14, words.signs.flowers, 28, paint.MUTED, most=span, fit="shrink")
        for start in range(0, len(here.flowers), 4):
            draw_row(image, x, y + 36, here.flowers[start : start + 4], SIDE_RIVER)
            y += pitch
