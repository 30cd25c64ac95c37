"""Sprites of tiles at any size, from the atlases that ``render.art.bake`` draws.

All sizes are in pixels. A sprite is a tile with its soft shadow.
"""

from __future__ import annotations

import zlib
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, Literal, get_args

from PIL import Image, ImageChops, ImageFilter

from mahjong.tiles import Tile
from render.sprites import Sprite, cut

TileSet = Literal["plain", "contrast", "large"]
TILE_SETS: Final[tuple[TileSet, ...]] = get_args(TileSet)
COLUMNS: Final = 8
BODIES: Final = ("ivory", "gold", "back")
BODY_SIZE: Final = (160, 219)
ART_SIZE: Final = (160, 198)

Body = Literal["ivory", "gold", "back"]
_set: TileSet = "plain"


def faces_path(tile_set: TileSet) -> Path:
    """The file that holds the 42 faces of a set, each ``ART_SIZE``, in rows of ``COLUMNS``."""
    return Path(__file__).with_name("atlas") / f"{tile_set}.png"


def bodies_path(tile_set: TileSet) -> Path:
    """The file that holds the ``BODIES`` of a set side by side, each ``BODY_SIZE``."""
    return Path(__file__).with_name("atlas") / f"{tile_set}-bodies.png"


def use(tile_set: TileSet) -> None:
    """From now on draw the tiles of this set; a picture is drawn without a break between."""
    global _set
    _set = tile_set


def in_use() -> TileSet:
    """The set that is drawn: part of the key of whatever is cached with tiles in it."""
    return _set


@cache
def _packed(path: Path, size: tuple[int, int]) -> tuple[bytes, ...]:
    """The cells of an atlas, each compressed by itself: all together take a sixth of the memory."""
    with Image.open(path) as image:
        atlas = image.convert("RGBA")
    lefts, tops = range(0, atlas.width, size[0]), range(0, atlas.height, size[1])
    corners = [(x, y) for y in tops for x in lefts]
    return tuple(zlib.compress(atlas.crop((x, y, x + size[0], y + size[1])).tobytes(), 1) for x, y in corners)


def _cell(path: Path, size: tuple[int, int], index: int) -> Image.Image:
    return Image.frombytes("RGBA", size, zlib.decompress(_packed(path, size)[index]))


def height_of(width: int) -> int:
    """Height of a tile of that width, in pixels, its side and back included."""
    return round(width * 700 / 512)


def _scaled(cell: Image.Image, width: int, height: int) -> Image.Image:
    # Premultiplied (mode RGBa), or the transparent black would bleed into edges.
    cell = cell.convert("RGBa").resize((width, height), Image.Resampling.LANCZOS).convert("RGBA")
    if width < 80:
        colours = cell.convert("RGB").filter(ImageFilter.UnsharpMask(0.6, 60, 0))
        colours.putalpha(cell.getchannel("A"))
        cell = colours
    return cell


@lru_cache(maxsize=24)
def _body(tile_set: TileSet, body: Body, width: int) -> Image.Image:
    cell = _cell(bodies_path(tile_set), BODY_SIZE, BODIES.index(body))
    return _scaled(cell, width, height_of(width))


def face(tile: Tile | None, width: int, body: Body = "ivory") -> Image.Image:
    """A tile without shadow, RGBA, ``width`` × ``height_of(width)``; None is the back."""
    kind: Body = "back" if tile is None else body
    image = _body(_set, kind, width).copy()
    if tile is not None:
        inset = width * (0.06 if kind == "gold" else 0.0)
        art_width = round(width - 2 * inset)
        art = _scaled(_cell(faces_path(_set), ART_SIZE, tile), art_width, round(art_width * 634 / 512))
        image.alpha_composite(art, (round(inset), round(inset * 634 / 512)))
    return image


@lru_cache(maxsize=24)
def _shadow(tile_set: TileSet, width: int, body: Body) -> Image.Image:
    """What lies under a tile of that size and body: RGBA, larger than the tile by ``_pad`` on each side."""
    pad = _pad(width, body)
    shape = _body(tile_set, body, width).getchannel("A")
    alpha = Image.new("L", (shape.width + 2 * pad, shape.height + 2 * pad), 0)
    glow = body == "gold"
    alpha.paste(shape, (pad, pad + (0 if glow else max(1, round(width * 0.035)))))
    alpha = alpha.filter(ImageFilter.GaussianBlur(pad * 0.45))
    alpha = alpha.point(lambda value: min(255, value * 2) if glow else value * 150 // 255)
    under = Image.new("RGBA", alpha.size, (255, 205, 84, 0) if glow else (2, 20, 14, 0))
    under.putalpha(alpha)
    return under


def _pad(width: int, body: Body) -> int:
    return max(3, round(width * (0.16 if body == "gold" else 0.07)))


def bare(body: Body, width: int, shadow: bool) -> Sprite:
    """A tile with nothing on its face, or its shadow (a gold one's glow) alone."""
    return _bare(_set, body, width, shadow)


@lru_cache(maxsize=16)
def _bare(tile_set: TileSet, body: Body, width: int, shadow: bool) -> Sprite:
    shape = _shadow(tile_set, width, body) if shadow else _body(tile_set, body, width)
    pad = _pad(width, body) if shadow else 0
    return cut(shape.convert("RGB"), shape.getchannel("A"), -pad, -pad)


def inlay(tile: Tile, width: int, body: Body = "ivory") -> Sprite:
    """What is on the face of a tile, to be pasted over a ``bare`` one: mostly opaque, and pasted in no time."""
    return _inlay(_set, tile, width, body)


@lru_cache(maxsize=120)
def _inlay(tile_set: TileSet, tile: Tile, width: int, body: Body) -> Sprite:
    whole, under = face(tile, width, body), _body(tile_set, body, width)
    change = ImageChops.difference(whole.convert("RGB"), under.convert("RGB")).convert("L")
    # What nobody can see is left out, and so is the soft edge, which must not be blended twice.
    box = change.point(lambda value: 255 if value > 2 else 0).getbbox() or (0, 0, 1, 1)
    inside = under.getchannel("A").point(lambda value: 255 if value == 255 else 0).crop(box)
    corner = round(width * 0.125) + 1
    core = (0, corner, inside.width, inside.height - corner)
    return cut(whole.convert("RGB").crop(box), inside, box[0], box[1], core)


def sprite(tile: Tile | None, width: int, body: Body = "ivory") -> Sprite:
    """A tile with its shadow on the felt; gold glows instead. Pasted at the tile's own left upper corner."""
    return _sprite(_set, tile, width, "back" if tile is None else body)


@lru_cache(maxsize=300)
def _sprite(tile_set: TileSet, tile: Tile | None, width: int, kind: Body) -> Sprite:
    under = _shadow(tile_set, width, kind).copy()
    pad = _pad(width, kind)
    under.alpha_composite(face(tile, width, kind), (pad, pad))
    corner = round(width * 0.125) + 1
    # The outermost columns are blended, too.
    core = (pad + 2, pad + corner, pad + width - 2, pad + height_of(width) - corner - round(width * 0.06))
    return cut(under.convert("RGB"), under.getchannel("A"), -pad, -pad, core)
