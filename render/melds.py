"""Melds laid out, and rows of small tiles."""

from __future__ import annotations

from typing import Final

from PIL import Image

from mahjong.tiles import Tile
from mahjong.views import MeldView
from render import paint
from render.grounds import Colour
from render.tiles import height_of

KONGS = frozenset({"kong", "added_kong", "concealed_kong"})
TRAY_MARGIN: Final = 5
"""How far a tray reaches beyond the tiles on it."""
KONG_DROP: Final = 0.06
"""How far below its tiles the middle of a kong's badge is, in widths of one: on their sides, not their faces."""


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
    whole: bool = False, on: Colour | None = None,
) -> int:  # fmt: skip
    """Draw a meld from x, y, with ``on`` on a tray of that colour; ``kong``: its badge's sign. Returns its width."""
    shown, width = faces(meld, whole), meld_width(meld, wide, whole)
    golden = any(face in gold for face in shown)
    if on is not None and not golden:
        paint.tray(image, x, y, shown, wide, on, TRAY_MARGIN)
    else:
        if on is not None:
            box = (x - TRAY_MARGIN, y - TRAY_MARGIN, x + width - 1 + TRAY_MARGIN, y + height_of(wide) + TRAY_MARGIN)
            paint.panel(image, box, on, None, 12)
        draw_row(image, x, y, shown, wide, gold)
    kong_badge(image, x, y, meld, wide, kong, whole)
    return width


def kong_badge(
    image: Image.Image, x: int, y: int, meld: MeldView, wide: int, sign: str, whole: bool = False
) -> None:  # fmt: skip
    """The badge of a kong that lies at x, y; nothing for another meld, or without ``sign``."""
    if meld.kind in KONGS and sign:
        width = meld_width(meld, wide, whole)
        middle = y + height_of(wide) + round(wide * KONG_DROP)
        paint.pill(
            image, x + width // 2, middle, sign, kong_size(wide), paint.BLUE, paint.CREAM, paint.CREAM, width
        )  # fmt: skip


def kong_size(wide: int) -> int:
    """The size of the letters on a kong's badge."""
    return max(15, round(wide * 0.36))


def hanging(melds: tuple[MeldView, ...], wide: int) -> int:
    """How far the badges of the kongs among ``melds`` hang below their tiles."""
    if not any(meld.kind in KONGS for meld in melds):
        return 0
    return round(wide * KONG_DROP) + round(kong_size(wide) * 0.68)


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
