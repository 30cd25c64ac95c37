"""The set of high contrast: the usual arrangement in plain strong forms, every stroke at 7:1 or more."""

from __future__ import annotations

from PIL import ImageFont

from render.art import flowers
from render.art.bold import BLUE, GREEN, INK, RED, bird, canes, frame, great_pip, pips, strong
from render.art.canvas import BLUE as PLAIN_BLUE
from render.art.canvas import GREEN as PLAIN_GREEN
from render.art.canvas import Canvas
from render.art.suits import BAMBOO, DOTS, NUMERALS

Font = ImageFont.FreeTypeFont

_BOLD = {PLAIN_BLUE: BLUE, PLAIN_GREEN: GREEN}


def _bolder(colour: str) -> str:
    return _BOLD.get(colour, RED)


NUMERAL_BOXES: tuple[tuple[float, float, float, float], ...] = (
    (84, 132, 428, 184), (84, 66, 428, 258), (84, 44, 428, 276), (96, 44, 416, 276), (84, 40, 428, 278),
    (84, 34, 428, 278), (84, 34, 428, 278), (72, 44, 440, 274), (76, 34, 440, 278),
)  # fmt: skip
HONOURS = (("東", INK), ("南", INK), ("西", INK), ("北", INK), ("", BLUE), ("發", GREEN), ("中", RED))


def face(tile: int, font: Font, sans: Font) -> Canvas:
    """The art of a face 0–41. ``font`` is the regular script of the plain set, ``sans`` a bold sans."""
    canvas = Canvas()
    if tile < 9:
        canvas.glyph(NUMERALS[tile], sans, NUMERAL_BOXES[tile], INK, 2)
        canvas.glyph("萬", sans, (84, 306, 428, 612), RED, 0)
    elif tile < 18:
        if tile == 9:
            great_pip(canvas, 256, 317, 236)
        pips(canvas, [(x, y, r, _bolder(colour)) for x, y, r, colour in DOTS[tile - 9]], 0.7, 0.42)
    elif tile < 27:
        if tile == 18:
            bird(canvas)
        # A little shorter than the plain ones: what has no waist needs a gap.
        canes(
            canvas,
            [(x, y, size * 0.96, wide * 0.92, _bolder(c), turn) for x, y, size, wide, c, turn in BAMBOO[tile - 18]],
        )
    elif tile < 34:
        char, colour = HONOURS[tile - 27]
        if char:
            canvas.glyph(char, sans, (62, 60, 450, 574), colour, 2)
        else:
            frame(canvas, (84, 84, 428, 550), 30, 44, BLUE)
    else:
        canvas = Canvas(strong)
        flowers.flower(canvas, tile - 33, font)
    return canvas
