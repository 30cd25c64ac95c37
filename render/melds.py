"""Melds laid out, and rows of small tiles."""

from __future__ import annotations

from PIL import Image

from mahjong.tiles import Tile
from mahjong.views import MeldView
from render import paint

KONGS = frozenset({"kong", "added_kong", "concealed_kong"})


def faces(meld: MeldView, whole: bool = False) -> tuple[Tile | None, ...]:
    """The tiles to draw: of a kong three, unless ``whole``; a concealed kong lies face down at both ends."""
    if whole or meld.kind not in KONGS:
        return meld.tiles
    if meld.kind == "concealed_kong":
        return (None, meld.tiles[0], None)
    return meld.tiles[:3]


def meld_width(meld: MeldView, wide: int, whole: bool = False) -> int:
    """Width of a meld in tiles of ``wide`` pixels."""
    return len(faces(meld, whole)) * (wide + 1)


def draw_meld(
    image: Image.Image, x: int, y: int, meld: MeldView, wide: int, kong: str, gold: tuple[Tile, ...] = (),
    whole: bool = False,
) -> int:  # fmt: skip
    """Draw a meld from x, y; ``kong``: the badge's sign. Returns its width."""
    for at, face in enumerate(faces(meld, whole)):
        paint.tile(image, x + at * (wide + 1), y, face, wide, gold)
    width = meld_width(meld, wide, whole)
    if meld.kind in KONGS and kong:
        radius = max(10, round(wide * 0.27))
        if len(kong) == 1:
            paint.badge(image, x + width - radius // 2, y + radius // 3, kong, radius, paint.BLUE)
        else:
            size = max(13, round(wide * 0.36))
            paint.pill(image, x + width, y + radius // 3, kong, size, paint.BLUE, paint.CREAM, paint.CREAM, width, "r")
    return width


def melds_width(melds: tuple[MeldView, ...], wide: int, gap: int, whole: bool = False) -> int:
    """Width of melds in a row with ``gap`` pixels between."""
    return sum(meld_width(meld, wide, whole) for meld in melds) + gap * max(0, len(melds) - 1)


def draw_row(
    image: Image.Image, x: int, y: int, tiles: tuple[Tile | None, ...], wide: int, gold: tuple[Tile, ...] = ()
) -> int:
    """Tiles side by side. Returns their width."""
    for at, face in enumerate(tiles):
        paint.tile(image, x + at * (wide + 1), y, face, wide, gold)
    return len(tiles) * (wide + 1)
