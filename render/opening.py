"""The middle of the table before the first discard: the dice, the gold that was turned up, who deals."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw

from render import paint
from render.headline import embossed, headline_width
from render.paint import AMBER, CREAM, MUTED
from render.scenes import TableScene
from render.sprites import Sprite, cut
from render.text import BLACK
from render.tiles import height_of
from render.words import OpeningWords, TableWords

LEFT: Final = 96
RIGHT: Final = 864
HIGH: Final = 430
LOW: Final = 330
"""Under this height there is no title: the table's header names the gold, too."""
SIDE: Final = 236
"""Width of the columns beside the gold."""
DIE: Final = 82
_PIPS: Final[tuple[tuple[tuple[int, int], ...], ...]] = (
    ((0, 0),),
    ((-1, -1), (1, 1)),
    ((-1, -1), (0, 0), (1, 1)),
    ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
)


def draw_opening(
    image: Image.Image, room: tuple[int, int], scene: TableScene, words: TableWords, opening: OpeningWords,
    arrows: Mapping[int, bool],
) -> None:  # fmt: skip
    """Draw it between the heights ``room``; ``arrows``: by angle (0 up, clockwise) whether that seat has the turn."""
    top, bottom = room
    bottom = min(bottom, top + HIGH)
    middle, x = (top + bottom) // 2, (LEFT + RIGHT) // 2
    paint.panel(image, (LEFT, top, RIGHT, bottom), (7, 44, 33), AMBER, 30, 3)
    titled = bottom - top >= LOW
    if titled:
        most = RIGHT - LEFT - 80
        left = x - headline_width(opening.title, 64, most) // 2
        embossed(image, left, top + 50, opening.title, 64, (255, 240, 170), (255, 188, 46), most, BLACK, True)
    _gold(image, x, top + (100 if titled else 8), bottom - 14, scene, words.signs.gold, opening.gold_label)
    left, right = LEFT + 24 + SIDE // 2, RIGHT - 24 - SIDE // 2
    low = middle + (36 if titled else 0)
    if opening.dice:
        across = DIE + 18
        start = left - (across * len(opening.dice) - 18) // 2
        for at, value in enumerate(opening.dice):
            paint.put(image, die(paint.px(DIE), value), start + at * across, low - 66)
        paint.write(image, left, low + 62, opening.dice_label, 34, CREAM, anchor="m", most=SIDE, fit="shrink")
    paint.dealer_chip(image, right, low - 26, words.signs.dealer, words.streak, 52, SIDE)
    paint.write(image, right, low + 62, opening.dealer, 34, CREAM, anchor="m", most=SIDE, fit="name")
    tips = {0: (x, top - 24), 90: (RIGHT + 30, middle), 180: (x, bottom + 24), 270: (LEFT - 30, middle)}
    for degrees, lit in arrows.items():
        if lit:
            across, down = tips[degrees]
            paint.put(image, paint.arrow(paint.px(56), degrees, AMBER), across, down)


def _gold(image: Image.Image, x: int, top: int, bottom: int, scene: TableScene, sign: str, label: str) -> None:
    """The gold as large as there is room for, in a light of its own, over ``label``."""
    room = bottom - top - (44 if label else 0)
    count, gap = len(scene.gold), 26
    across = RIGHT - LEFT - 2 * SIDE - 48 - (0 if count == 1 else 10)
    # Above each tile stands its badge.
    wide = min(182, (across - gap * (count - 1)) // count, round((room - 44) * 512 / 700))
    left = x - (count * wide + (count - 1) * gap) // 2
    y = top + 34 + (room - 44 - height_of(wide)) // 2
    light = _light(paint.px(count * wide + 220), paint.px(height_of(wide) + 120))
    corner = (paint.px(x) - light.width // 2, paint.px(y + height_of(wide) // 2) - light.height // 2)
    image.paste((255, 214, 110), corner, light)
    for at, face in enumerate(scene.gold):
        paint.tile(image, left + at * (wide + gap), y, face, wide, scene.gold, sign)
    paint.write(image, x, bottom - 18, label, 32, MUTED, anchor="m", most=across + 40, fit="shrink")


@lru_cache(maxsize=4)
def _light(wide: int, high: int) -> Image.Image:
    """How bright the light behind the gold is."""
    return Image.radial_gradient("L").resize((wide, high)).point(lambda value: max(0, 150 - value) * 110 // 150)


@lru_cache(maxsize=16)
def die(size: int, value: int) -> Sprite:
    """A die of ``size`` pixels; 1 and 4 are red, as on Chinese dice. Raises ``ValueError`` for no face of a die."""
    if not 1 <= value <= 6:
        raise ValueError(f"no die shows {value}")
    over = 4
    n, high = size * over, round(size * 1.08) * over
    picture = Image.new("RGBA", (n, high), (0, 0, 0, 0))
    draw = ImageDraw.Draw(picture)
    draw.rounded_rectangle([0, high - n, n - 1, high - 1], n * 0.2, fill=(196, 186, 160, 255))
    draw.rounded_rectangle([0, 0, n - 1, n - 1], n * 0.2, fill=(255, 253, 244, 255))
    draw.rounded_rectangle(
        [n * 0.03, n * 0.03, n * 0.97, n * 0.97], n * 0.18, outline=(232, 224, 204, 255), width=n // 40
    )
    colour = (200, 30, 30, 255) if value in (1, 4) else (24, 32, 48, 255)
    radius = n * (0.17 if value == 1 else 0.1)
    for dx, dy in _PIPS[value - 1]:
        cx, cy = n / 2 + dx * n * 0.25, n / 2 + dy * n * 0.25
        draw.ellipse([cx - radius, cy - radius, cx + radius, cy + radius], fill=colour)
    picture = picture.resize((size, high // over), Image.Resampling.BOX)
    return cut(picture.convert("RGB"), picture.getchannel("A"), 0, 0)
