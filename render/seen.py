"""How many copies of each face are in sight: the four suits in rows, below each tile what may still come."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PIL import Image

from mahjong.tiles import Tile, rank, suit
from render import paint
from render.grounds import Colour
from render.hand import EDGE, HEADER, HEADER_BOTTOM, HEADER_TOP, WIDTH, titled_header
from render.paint import AMBER, CREAM, MUTED, WHITE
from render.scenes import SeenScene
from render.text import BLACK, REGULAR
from render.tiles import height_of
from render.words import SeenWords

TILE: Final = 92
PITCH: Final = 102
LEFT: Final = (WIDTH - 8 * PITCH - TILE) // 2
GAP: Final = 24
PLATE: Final = 62
ROW: Final = 129 + 8 + PLATE + 16
LEGEND: Final = 88
NOTE: Final = 58
DOT: Final = 20
OUT: Final[Colour] = (92, 140, 120)
HOLLOW: Final[Colour] = (7, 40, 30)


def draw_seen(scene: SeenScene, words: SeenWords) -> Image.Image:
    """The picture: 万, 筒, 索 and honours in their order, so that a tile's place is where one looks for it."""
    copies = [sum(counts) for counts in zip(scene.seen.out, scene.seen.own, scene.seen.unseen, strict=True)]
    faces = [face for face, total in enumerate(copies) if total]
    rows = sorted({suit(face) for face in faces}, key="mpsz".index)
    foot_top = HEADER + GAP + len(rows) * ROW
    note = words.note if scene.hidden else ""
    image = paint.blank(WIDTH, foot_top + LEGEND + (NOTE if note else 0))
    titled_header(image, words.title, scene.left, scene.gold, words.signs)
    for face in faces:
        x = LEFT + (rank(face) - 1) * PITCH
        y = HEADER + GAP + rows.index(suit(face)) * ROW
        _face(image, x, y, face, scene, words.signs.gold)
    _legend(image, foot_top, words, note)
    return image


def _face(image: Image.Image, x: int, y: int, face: Tile, scene: SeenScene, sign: str) -> None:
    """A tile, and below it the number of copies that may still come beside a dot for each copy there is."""
    unseen, own, out = scene.seen.unseen[face], scene.seen.own[face], scene.seen.out[face]
    high = height_of(TILE)
    paint.tile(image, x, y, face, TILE, scene.gold, sign)
    if not unseen:
        image.paste((6, 44, 33), (paint.px(x), paint.px(y)), _veil(paint.px(TILE), paint.px(high)))
    top = y + high + 8
    ground, line = ((9, 50, 38), paint.LINE) if unseen else ((8, 38, 29), (24, 70, 54))
    paint.panel(image, (x, top, x + TILE, top + PLATE), ground, line, 14)
    middle = top + PLATE // 2
    colour = CREAM if unseen else MUTED
    paint.write(image, x + 27, middle, str(unseen), 50, colour, BLACK, "m", most=44, fit="shrink", on=ground)
    marks = ["own"] * own + ["out"] * out + ["unseen"] * unseen
    for at, mark in enumerate(marks[:4]):
        _dot(image, x + 62 + at % 2 * 24 - 8, middle - 12 + at // 2 * 24, mark)


def _dot(image: Image.Image, x: int, y: int, mark: str) -> None:
    """A copy: a full amber one in hand, a dull one on the table, a ring where nobody knows."""
    fill, line = {"own": (AMBER, AMBER), "out": (OUT, OUT), "unseen": (HOLLOW, WHITE)}[mark]
    half = DOT // 2
    paint.panel(image, (x - half, y - half, x + half, y + half), fill, line, half, 4)


@lru_cache(maxsize=4)
def _veil(wide: int, high: int) -> Image.Image:
    """What lies over a tile of which no copy is left."""
    shape = Image.new("RGB", (wide, high), (0, 0, 0))
    paint.rounded(wide, high, round(wide * 0.125), WHITE).paste(shape, 0, 0)
    return shape.getchannel("R").point(lambda value: value * 150 // 255)


def _legend(image: Image.Image, top: int, words: SeenWords, note: str) -> None:
    on = paint.band(image, (0, top, WIDTH, top + LEGEND + (NOTE if note else 0)), HEADER_BOTTOM, HEADER_TOP)
    middle = top + LEGEND // 2
    items = [(mark, text) for mark, text in (("unseen", words.unseen), ("own", words.own), ("out", words.out)) if text]
    most = (WIDTH - 2 * EDGE) // 3 - 60
    wants = [DOT + 14 + paint.width(text, 38, most, "shrink") for _, text in items]
    gap = (WIDTH - 2 * EDGE - sum(wants)) // max(1, len(items) + 1)
    x = EDGE + gap
    for (mark, text), want in zip(items, wants, strict=True):
        _dot(image, x + DOT // 2, middle, mark)
        paint.write(image, x + DOT + 14, middle, text, 38, CREAM, most=most, fit="shrink", on=on)
        x += want + gap
    if note:
        y = top + LEGEND + NOTE // 2 - 12
        paint.write(image, WIDTH // 2, y, note, 32, MUTED, REGULAR, "m", WIDTH - 2 * EDGE, "shrink")
