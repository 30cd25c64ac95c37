"""The set for old eyes: one large character, or one group of large pips, to a face; no ornaments and no digits."""

from __future__ import annotations

from PIL import ImageFont

from render.art.bold import BLUE, GREEN, INK, RED, Cane, Pip, bird, canes, frame, great_pip, pips
from render.art.canvas import Canvas
from render.art.flowers import NAMES
from render.art.suits import NUMERALS

Font = ImageFont.FreeTypeFont

PIPS: tuple[tuple[Pip, ...], ...] = (
    (),
    ((256, 158, 142, GREEN), (256, 476, 142, BLUE)),
    ((122, 122, 112, BLUE), (256, 317, 112, RED), (390, 512, 112, GREEN)),
    ((132, 156, 114, BLUE), (380, 156, 114, GREEN), (132, 478, 114, GREEN), (380, 478, 114, BLUE)),
    (
        (116, 112, 104, BLUE), (396, 112, 104, GREEN), (256, 317, 104, RED),
        (116, 522, 104, GREEN), (396, 522, 104, BLUE),
    ),
    (
        (140, 108, 96, GREEN), (372, 108, 96, GREEN),
        (140, 330, 96, RED), (372, 330, 96, RED), (140, 530, 96, RED), (372, 530, 96, RED),
    ),
    (
        (94, 84, 76, GREEN), (256, 140, 76, GREEN), (418, 196, 76, GREEN),
        (146, 366, 84, RED), (366, 366, 84, RED), (146, 542, 84, RED), (366, 542, 84, RED),
    ),
    tuple((x, y, 75, BLUE) for y in (86, 240, 394, 548) for x in (146, 366)),
    tuple((x, y, 79, colour) for y, colour in ((100, BLUE), (317, RED), (534, GREEN)) for x in (90, 256, 422)),
)  # fmt: skip

_UP, _DOWN = 164, 470
_ROWS = (114, 317, 520)
CANES: tuple[tuple[Cane, ...], ...] = (
    (),
    ((256, _UP, 278, 130, GREEN, 0), (256, _DOWN, 278, 130, BLUE, 0)),
    ((256, _UP, 278, 124, BLUE, 0), (138, _DOWN, 278, 124, GREEN, 0), (374, _DOWN, 278, 124, GREEN, 0)),
    (
        (136, _UP, 278, 124, GREEN, 0), (376, _UP, 278, 124, BLUE, 0),
        (136, _DOWN, 278, 124, BLUE, 0), (376, _DOWN, 278, 124, GREEN, 0),
    ),
    (
        (92, _UP, 278, 112, GREEN, 0), (420, _UP, 278, 112, BLUE, 0), (256, 317, 278, 112, RED, 0),
        (92, _DOWN, 278, 112, BLUE, 0), (420, _DOWN, 278, 112, GREEN, 0),
    ),
    tuple((x, y, 278, 112, colour, 0) for y, colour in ((_UP, GREEN), (_DOWN, BLUE)) for x in (92, 256, 420)),
    (
        (256, _ROWS[0], 180, 112, RED, 0),
        *((x, y, 180, 112, BLUE if x == 256 else GREEN, 0) for y in _ROWS[1:] for x in (92, 256, 420)),
    ),
    (
        (62, _UP, 278, 80, GREEN, 0), (450, _UP, 278, 80, GREEN, 0),
        (186, 150, 232, 80, GREEN, 32), (326, 150, 232, 80, GREEN, -32),
        (62, _DOWN, 278, 80, BLUE, 0), (450, _DOWN, 278, 80, BLUE, 0),
        (186, 484, 232, 80, BLUE, -32), (326, 484, 232, 80, BLUE, 32),
    ),
    tuple((x, y, 180, 112, RED if x == 256 else GREEN if x < 256 else BLUE, 0) for y in _ROWS for x in (92, 256, 420)),
)  # fmt: skip
# 一 keeps something of its flatness: stretched to the box it would be a bar.
NUMERAL_BOXES: dict[str, tuple[float, float, float, float]] = {"一": (40, 160, 472, 248), "二": (44, 52, 468, 350)}
HONOURS = (("東", INK), ("南", INK), ("西", INK), ("北", INK), ("", BLUE), ("發", GREEN), ("中", RED))


def face(tile: int, sans: Font) -> Canvas:
    """The art of a face 0–41; ``sans`` is a bold sans."""
    canvas = Canvas()
    if tile < 9:
        numeral = NUMERALS[tile]
        canvas.glyph(numeral, sans, NUMERAL_BOXES.get(numeral, (44, 26, 468, 384)), INK, 4)
        canvas.glyph("万", sans, (136, 412, 376, 612), RED, 3)
    elif tile < 18:
        if tile == 9:
            great_pip(canvas, 256, 317, 240)
        pips(canvas, PIPS[tile - 9], 0.44, 0.0)
    elif tile < 27:
        if tile == 18:
            bird(canvas)
        canes(canvas, CANES[tile - 18])
    elif tile < 34:
        char, colour = HONOURS[tile - 27]
        if char:
            canvas.glyph(char, sans, (30, 28, 482, 606), colour, 3)
        else:
            frame(canvas, (76, 76, 436, 558), 30, 60, BLUE)
    else:
        _flower(canvas, tile - 34, sans)
    return canvas


def _flower(canvas: Canvas, number: int, sans: Font) -> None:
    """The character, and as many dots as its number: blue for plants, red for seasons."""
    colour = BLUE if number < 4 else RED
    canvas.glyph(NAMES[number], sans, (34, 26, 478, 470), colour, 2)
    count = number % 4 + 1
    for at in range(count):
        canvas.disc(256 + (at - (count - 1) / 2) * 116, 556, 46, colour)
