"""A discard looked at again: the hand before it, the tile thrown and the better one marked, and what each led to."""

from __future__ import annotations

from typing import Final

from PIL import Image

from mahjong.tiles import Tile
from render import paint
from render.grounds import Colour
from render.hand import EDGE, HEADER, WIDTH, titled_header
from render.melds import draw_meld, hanging, melds_width
from render.paint import BLUE, CREAM, LOSS, RED, WIN
from render.scenes import ReviewScene
from render.tiles import height_of
from render.words import ReviewSide, ReviewWords

GOOD: Final[Colour] = (20, 128, 72)
IN_A_ROW: Final = 9
TILE: Final = 94
PITCH: Final = 101
LEFT: Final = (WIDTH - 8 * PITCH - TILE) // 2
MARK: Final = 34
"""Height of what stands below a marked tile."""
ROW: Final = 129 + MARK + 14
GAP: Final = 26
MELD: Final = 54
SIDE: Final = 200
BIG: Final = 108
SMALL: Final = 50
SMALL_PITCH: Final = 104
DRAWS: Final = 7
"""Tiles that help that are drawn in a row."""
MOST_DRAWS: Final = 14


def draw_review(scene: ReviewScene, words: ReviewWords) -> Image.Image:
    """The picture: nine tiles in a row, the drawn one last and apart; below two panels, the better move second."""
    tiles = (*scene.concealed, *((scene.drawn,) if scene.drawn is not None else ()))
    rows = -(-len(tiles) // IN_A_ROW)
    melds_top = HEADER + GAP + rows * ROW
    melds_high = height_of(MELD) + hanging(scene.melds, MELD) + 24 if scene.melds else 0
    top = melds_top + melds_high
    sides = ((words.thrown, RED, LOSS), (words.better, GOOD, WIN))
    highs = [SIDE + (height_of(SMALL) + 14 if len(side.draws) > DRAWS else 0) for side, *_ in sides]
    image = paint.blank(WIDTH, top + sum(highs) + 2 * 18)
    titled_header(image, words.title, scene.left, scene.gold, words.signs)
    _hand(image, scene, words, tiles)
    if scene.melds:
        x = (WIDTH - melds_width(scene.melds, MELD, 18)) // 2
        for meld in scene.melds:
            x += draw_meld(image, x, melds_top, meld, MELD, words.signs.kong, scene.gold) + 18
    for (side, colour, line), high in zip(sides, highs, strict=True):
        _side(image, top, high, side, (colour, line), scene.gold)
        top += high + 16
    return image


def _hand(image: Image.Image, scene: ReviewScene, words: ReviewWords, tiles: tuple[Tile, ...]) -> None:
    """The tiles, and which was thrown and which had better been: of several alike the last and the first."""
    last = len(tiles) - 1
    # The drawn tile is the one that leaves the hand as it was.
    thrown = max((at for at, tile in enumerate(tiles) if tile == words.thrown.tile), default=None)
    better = min((at for at, tile in enumerate(tiles) if tile == words.better.tile), default=None)
    marks = {thrown: (words.thrown.label, RED, LOSS), better: (words.better.label, GOOD, WIN)}
    for at, tile in enumerate(tiles):
        row, column = divmod(at, IN_A_ROW)
        x, y = LEFT + column * PITCH, HEADER + GAP + row * ROW
        if at == last and scene.drawn is not None and column < IN_A_ROW - 1:
            x += 22
        paint.tile(image, x, y, tile, TILE, scene.gold, words.signs.gold)
        if at in marks:
            label, colour, line = marks[at]
            high = height_of(TILE)
            paint.frame(image, (x - 4, y - 4, x + TILE + 4, y + high + 4), line, 7, 14)
            paint.pill(image, x + TILE // 2, y + high + MARK // 2 + 2, label, 28, colour, CREAM, line, TILE - 8)
        elif at == last and scene.drawn is not None:
            middle = y + height_of(TILE) + MARK // 2 + 2
            paint.pill(image, x + TILE // 2, middle, words.signs.drawn, 26, BLUE, CREAM, CREAM, TILE)


def _side(
    image: Image.Image, top: int, high: int, side: ReviewSide, colours: tuple[Colour, Colour], gold: tuple[Tile, ...]
) -> None:  # fmt: skip
    """A move: its tile large, what it led to, and the tiles that helped then with their copies."""
    on, (colour, line) = (9, 50, 38), colours
    paint.panel(image, (EDGE, top, WIDTH - EDGE, top + high), on, line, 18, 4)
    x, middle = EDGE + 22, top + 34 + (height_of(BIG) + 20) // 2
    paint.pill(image, x + BIG // 2, top + 28, side.label, 30, colour, CREAM, line, BIG - 4)
    if side.tile is not None:
        paint.tile(image, x, top + 50, side.tile, BIG - 12, gold)
    else:
        paint.write(image, x + BIG // 2, middle, side.what, 60, CREAM, anchor="m", most=BIG + 20, fit="shrink", on=on)
    left = x + BIG + 34
    paint.write(image, left, top + 40, side.note, 40, CREAM, most=WIDTH - EDGE - 20 - left, fit="shrink", on=on)
    # Are there more, the last place says so.
    shown = side.draws if len(side.draws) <= MOST_DRAWS else side.draws[: MOST_DRAWS - 1]
    places = [
        (left + column * SMALL_PITCH, top + 84 + row * (height_of(SMALL) + 14))
        for row, column in (divmod(at, DRAWS) for at in range(MOST_DRAWS))
    ]
    if len(shown) < len(side.draws):
        tx, ty = places[-1]
        paint.write(image, tx + SMALL // 2, ty + height_of(SMALL) // 2, "…", 44, CREAM, anchor="m")
    for (tx, ty), (tile, copies) in zip(places, shown, strict=False):
        paint.tile(image, tx, ty, tile, SMALL, gold)
        number = f"×{copies}"
        paint.write(image, tx + SMALL + 4, ty + height_of(SMALL) // 2, number, 30, CREAM, most=38, fit="shrink")
