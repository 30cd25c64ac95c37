"""Bake the atlas: draw all tiles once, at build time, into ``render/atlas.png``.

    python -m render.art.bake [--font PATH]

The characters are taken from a regular-script font (Debian's ``fonts-arphic-ukai``, Arphic Public License, which lets
the outlines be used in pictures freely); it is needed here only.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from PIL import Image, ImageFont

from render.art import bodies, flowers, suits
from render.art.canvas import Canvas
from render.tiles import ART_SIZE, ATLAS, BODIES, BODY_SIZE, COLUMNS

FONT = Path("/usr/share/fonts/truetype/arphic/ukai.ttc")


def art(tile: int, font: ImageFont.FreeTypeFont) -> Image.Image:
    """The art of a face, at twice its units in pixels (see ``render.art.canvas``)."""
    canvas = Canvas()
    if tile < 9:
        suits.characters(canvas, tile + 1, font)
    elif tile < 18:
        suits.dots(canvas, tile - 8)
    elif tile < 27:
        suits.bamboo(canvas, tile - 17)
    elif tile < 34:
        suits.honours(canvas, tile - 26, font)
    else:
        flowers.flower(canvas, tile - 33, font)
    return bodies.engraved(canvas.image)


def bake(font: ImageFont.FreeTypeFont) -> Image.Image:
    """The atlas: 42 faces in rows of ``COLUMNS``, then the bodies of ``BODIES``."""
    cells = [art(tile, font).resize(ART_SIZE, Image.Resampling.LANCZOS) for tile in range(42)]
    cells += [getattr(bodies, name)().resize(BODY_SIZE, Image.Resampling.LANCZOS) for name in BODIES]
    rows = -(-len(cells) // COLUMNS)
    atlas = Image.new("RGBA", (COLUMNS * BODY_SIZE[0], rows * BODY_SIZE[1]), (0, 0, 0, 0))
    for index, cell in enumerate(cells):
        atlas.paste(cell, (index % COLUMNS * BODY_SIZE[0], index // COLUMNS * BODY_SIZE[1]))
    return atlas


def main() -> None:
    """Write the atlas."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--font", type=Path, default=FONT, help="a regular-script font (default: %(default)s)")
    arguments = parser.parse_args()
    bake(ImageFont.truetype(str(arguments.font), 900)).save(ATLAS, optimize=True)


if __name__ == "__main__":
    main()
