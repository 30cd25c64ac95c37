"""Bake the atlases: draw all tiles of every set, and headlines' characters, once, into ``render/atlas``.

    python -m render.art.bake [--font PATH]

The characters of the plain set and of headlines are taken from a regular-script font (Debian's ``fonts-arphic-ukai``,
Arphic Public License, which lets the outlines be used in pictures freely); it is needed here only.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from PIL import Image, ImageFont

from render.art import bodies, contrast, flowers, large, script, suits
from render.art.canvas import Canvas
from render.fonts import main_font
from render.script import PATH as script_path
from render.tiles import ART_SIZE, BODIES, BODY_SIZE, COLUMNS, TILE_SETS, TileSet, bodies_path, faces_path

FONT = Path("/usr/share/fonts/truetype/arphic/ukai.ttc")
GLYPH = 900
"""Pixels of height at which the fonts are opened, and the weight of the sans."""

Font = ImageFont.FreeTypeFont


def plain(tile: int, font: Font) -> Image.Image:
    """The art of a face of the plain set, at twice its units in pixels (see ``render.art.canvas``)."""
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


def art(tile: int, tile_set: TileSet, font: Font, sans: Font) -> Image.Image:
    """The art of a face 0–41 in a set, at twice its units in pixels."""
    if tile_set == "plain":
        return plain(tile, font)
    canvas = contrast.face(tile, font, sans) if tile_set == "contrast" else large.face(tile, sans)
    return canvas.image


def bodies_of(tile_set: TileSet) -> tuple[Image.Image, Image.Image, Image.Image]:
    """The tile without its art, the gold one, and the back."""
    if tile_set == "contrast":
        return bodies.stark_ivory(), bodies.stark_gold(), bodies.stark_back()
    gold = bodies.gold(bodies.STARK_GOLD) if tile_set == "large" else bodies.gold()
    return bodies.ivory(), gold, bodies.back()


def bake_faces(tile_set: TileSet, font: Font, sans: Font) -> Image.Image:
    """The 42 faces in rows of ``COLUMNS``; of the sets with few colours in a palette."""
    rows = -(-42 // COLUMNS)
    atlas = Image.new("RGBA", (COLUMNS * ART_SIZE[0], rows * ART_SIZE[1]), (0, 0, 0, 0))
    for tile in range(42):
        cell = art(tile, tile_set, font, sans).resize(ART_SIZE, Image.Resampling.LANCZOS)
        atlas.paste(cell, (tile % COLUMNS * ART_SIZE[0], tile // COLUMNS * ART_SIZE[1]))
    if tile_set == "plain":
        return atlas
    return atlas.quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)


def bake_bodies(tile_set: TileSet) -> Image.Image:
    """The three bodies side by side."""
    atlas = Image.new("RGBA", (len(BODIES) * BODY_SIZE[0], BODY_SIZE[1]), (0, 0, 0, 0))
    for at, body in enumerate(bodies_of(tile_set)):
        atlas.paste(body.resize(BODY_SIZE, Image.Resampling.LANCZOS), (at * BODY_SIZE[0], 0))
    return atlas


def main() -> None:
    """Write the atlases."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--font", type=Path, default=FONT, help="a regular-script font (default: %(default)s)")
    font = ImageFont.truetype(str(parser.parse_args().font), GLYPH)
    sans = main_font("hant")
    if sans is None:
        parser.error("no font with Chinese characters is installed (pip package manimgx-fonts-cjk)")
    script.script(font).save(script_path, optimize=True)
    for tile_set in TILE_SETS:
        bake_faces(tile_set, font, sans.at(GLYPH, 900)).save(faces_path(tile_set), optimize=True)
        bake_bodies(tile_set).save(bodies_path(tile_set), optimize=True)


if __name__ == "__main__":
    main()
