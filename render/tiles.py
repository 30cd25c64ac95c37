"""Sprites of tiles at any size, from the atlas that ``render.art.bake`` draws.

A sprite is a tile with its soft shadow. It is kept as colours and mask apart, which pastes three times as fast as RGBA.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal

from PIL import Image, ImageFilter

from mahjong.tiles import Tile

ATLAS: Final = Path(__file__).with_name("atlas.png")
COLUMNS: Final = 8
BODIES: Final = ("ivory", "gold", "back")
BODY_SIZE: Final = (192, 263)
ART_SIZE: Final = (192, 238)

Body = Literal["ivory", "gold", "back"]


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A picture to paste: ``left``, ``top`` are where its colours begin, relative to the point it is pasted at."""

    colours: Image.Image
    mask: Image.Image
    left: int
    top: int

    def paste(self, onto: Image.Image, x: int, y: int) -> None:
        """Paste so that the tile's own corner (not its shadow's) is at x, y."""
        onto.paste(self.colours, (x + self.left, y + self.top), self.mask)


@cache
def _atlas() -> Image.Image:
    with Image.open(ATLAS) as image:
        return image.convert("RGBA")


def _cell(index: int, size: tuple[int, int]) -> Image.Image:
    x, y = index % COLUMNS * BODY_SIZE[0], index // COLUMNS * BODY_SIZE[1]
    return _atlas().crop((x, y, x + size[0], y + size[1]))


def height_of(width: int) -> int:
    """Height of a tile of that width, in pixels, its side and back included."""
    return round(width * 700 / 512)


@cache
def _scaled(index: int, natural: tuple[int, int], width: int, height: int) -> Image.Image:
    # Premultiplied while scaling (mode RGBa), or the transparent black would bleed into the edges.
    cell = _cell(index, natural).convert("RGBa").resize((width, height), Image.Resampling.LANCZOS).convert("RGBA")
    if width < 80:
        colours = cell.convert("RGB").filter(ImageFilter.UnsharpMask(0.6, 60, 0))
        colours.putalpha(cell.getchannel("A"))
        cell = colours
    return cell


@cache
def face(tile: Tile | None, width: int, body: Body = "ivory") -> Image.Image:
    """A tile without shadow, RGBA, ``width`` × ``height_of(width)``; None is the back."""
    kind: Body = "back" if tile is None else body
    image = _scaled(42 + BODIES.index(kind), BODY_SIZE, width, height_of(width)).copy()
    if tile is not None:
        inset = width * (0.06 if kind == "gold" else 0.0)
        art_width = round(width - 2 * inset)
        art = _scaled(tile, ART_SIZE, art_width, round(art_width * 634 / 512))
        image.alpha_composite(art, (round(inset), round(inset * 634 / 512)))
    return image


@cache
def sprite(tile: Tile | None, width: int, body: Body = "ivory") -> Sprite:
    """A tile with its shadow on the felt; gold glows instead."""
    tile_image = face(tile, width, body)
    glow = body == "gold" and tile is not None
    pad = max(3, round(width * (0.16 if glow else 0.07)))
    height = height_of(width)
    size = (width + 2 * pad, height + 2 * pad)
    alpha = Image.new("L", size, 0)
    drop = 0 if glow else max(1, round(width * 0.035))
    alpha.paste(tile_image.getchannel("A"), (pad, pad + drop))
    if glow:
        alpha = alpha.filter(ImageFilter.GaussianBlur(pad * 0.45)).point(lambda value: min(255, value * 2))
    else:
        alpha = alpha.filter(ImageFilter.GaussianBlur(pad * 0.45)).point(lambda value: value * 150 // 255)
    under = Image.new("RGBA", size, (255, 205, 84, 0) if glow else (2, 20, 14, 0))
    under.putalpha(alpha)
    under.alpha_composite(tile_image, (pad, pad))
    return Sprite(under.convert("RGB"), under.getchannel("A"), -pad, -pad)
