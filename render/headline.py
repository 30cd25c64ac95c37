"""Headlines: large letters with an edge, on rays."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw

from render import paint
from render.grounds import Colour, gradient
from render.script import script_mask
from render.text import BLACK, Text, text_mask

HEADERS: Final[dict[str, tuple[Colour, Colour, Colour]]] = {
    "win": ((178, 30, 32), (112, 14, 20), (198, 56, 50)),
    "false_win": ((104, 40, 112), (60, 18, 70), (124, 60, 132)),
    "draw": ((48, 84, 110), (22, 46, 66), (66, 104, 130)),
}


@lru_cache(maxsize=3)
def rays(tone: str, wide: int, high: int) -> Image.Image:
    """A headline's ground of so many pixels: rays from its middle, an amber line below. ``tone``: of ``HEADERS``."""
    top, bottom, ray = HEADERS[tone]
    image = gradient(wide * 2, high * 2, top, bottom)
    mask = Image.new("L", image.size, 0)
    draw = ImageDraw.Draw(mask)
    far = 2 * wide
    for at in range(24):
        points: list[tuple[float, float]] = [(wide, high)]
        for edge in (math.tau * at / 24, math.tau * (at + 0.5) / 24):
            points.append((wide + far * math.cos(edge), high + far * math.sin(edge)))
        draw.polygon(points, fill=110)
    image.paste(ray, (0, 0), mask)
    image = image.resize((wide, high), Image.Resampling.BOX)
    image.paste((240, 168, 34), (0, high - paint.px(6), wide, high))
    return image


def embossed(
    image: Image.Image, x: int, y: int, text: str, size: int, top: Colour, bottom: Colour, most: int, weight: int = 700,
    shrink: bool = False,
) -> None:  # fmt: skip
    """A headline: its colour runs from ``top`` to ``bottom``, with a dark edge round it.

    With ``weight`` BLACK in brush script, where its characters are there.
    """
    if not text:
        return
    sprite = _headline(text, paint.px(size), top, bottom, paint.px(most), weight, shrink)
    image.paste(sprite, (paint.px(x) - 8, paint.px(y) - sprite.height // 2), sprite)


def headline_width(text: str, size: int, most: int, weight: int = BLACK) -> int:
    """How wide ``embossed`` would draw it, shrunk where it must be."""
    return math.ceil(_letters(text, paint.px(size), weight, paint.px(most), True).advance / paint.SCALE)


def _letters(text: str, size: int, weight: int, most: int, shrink: bool) -> Text:
    # Script looks smaller than a sans of its size.
    brushed = script_mask(text, round(size * 1.14), most) if weight == BLACK else None
    return brushed or text_mask(text, size, weight, most, "shrink" if shrink else "cut")


@lru_cache(maxsize=8)
def _headline(text: str, size: int, top: Colour, bottom: Colour, most: int, weight: int, shrink: bool) -> Image.Image:
    """The headline in pixels, with eight more around it."""
    drawn = _letters(text, size, weight, most, shrink)
    edge = 4
    box = (drawn.mask.width + 16, 2 * (max(drawn.baseline, drawn.mask.height - drawn.baseline) + 8))
    # The middle of the letters comes to the middle of the sprite.
    mask = Image.new("L", box, 0)
    mask.paste(drawn.mask, (8, round(box[1] / 2 + drawn.size * 0.37) - drawn.baseline))
    dark = Image.new("L", box, 0)
    for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1.3), (-0.7, -0.7), (0.7, -0.7), (-0.7, 0.8), (0.7, 0.8)):
        dark.paste(255, (round(dx * edge), round(dy * edge)), mask)
    out = Image.new("RGBA", box, (0, 0, 0, 0))
    out.paste((74, 8, 10, 255), (0, 0), dark)
    half = round(drawn.size * 0.5)
    column = Image.new("L", (1, box[1]), 0)
    for y in range(box[1]):
        column.putpixel((0, y), max(0, min(255, round((y - box[1] / 2 + half) / (2 * half) * 255))))
    blend = column.resize(box)
    colours = Image.composite(Image.new("RGB", box, bottom), Image.new("RGB", box, top), blend)
    out.paste(colours, (0, 0), mask)
    return out
