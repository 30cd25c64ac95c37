"""Tiles and their notation (rules-zhangzhou 1).

A tile is an ``int``: its face. The copies of one face are alike, so nothing tells them apart.

====== ======= ==========================================
faces  MPSZ    meaning
====== ======= ==========================================
0–8    1m–9m   characters 万
9–17   1p–9p   dots 筒
18–26  1s–9s   bamboo 索
27–33  1z–7z   東 南 西 北 白 發 中
34–41  1f–8f   flowers 梅 蘭 竹 菊 春 夏 秋 冬
====== ======= ==========================================

>>> format_tiles(parse_tiles("132m55z7f"))
'132m55z7f'
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

Tile = int

SUITS: Final = "mpszf"
_OFFSETS: Final = {"m": 0, "p": 9, "s": 18, "z": 27, "f": 34}
_SIZES: Final = {"m": 9, "p": 9, "s": 9, "z": 7, "f": 8}

FACES: Final = 34
"""Number of faces that can stand in a hand; flowers follow."""
ALL_FACES: Final = 42
WHITE: Final = 31
FLOWERS: Final = range(34, 42)
"""The eight flowers 花牌."""

NAMES: Final[tuple[str, ...]] = tuple(f"{n}{s}" for s in SUITS for n in range(1, _SIZES[s] + 1))
_BY_NAME: Final = {name: tile for tile, name in enumerate(NAMES)}


def is_suited(tile: Tile) -> bool:
    """Whether the tile belongs to 万, 筒 or 索 and so can stand in a chow."""
    return tile < 27


def rank(tile: Tile) -> int:
    """The digit of the tile's name, from 1."""
    return int(NAMES[tile][0])


def in_run(tiles: Iterable[Tile], stands_for: Sequence[Tile | None]) -> tuple[Tile, ...]:
    """Tiles of a set in the order in which they are laid out: each where the face lies that it stands for."""
    return tuple(sorted(tiles, key=lambda tile: (stands_for[tile] or 0, tile)))


def suit(tile: Tile) -> str:
    """The letter of the tile's name: one of ``mpszf``."""
    return NAMES[tile][1]


def parse_tile(text: str) -> Tile:
    """Read one tile such as ``5m``. Raises ``ValueError`` with the offending text."""
    try:
        return _BY_NAME[text]
    except KeyError:
        raise ValueError(f"not a tile: {text!r}") from None


def parse_tiles(text: str) -> list[Tile]:
    """Read tiles in MPSZ with ``f``; digits may be grouped (``123m5z``). Order is kept.

    Raises ``ValueError`` that names the character and its position (from 1).
    """
    tiles: list[Tile] = []
    digits: list[tuple[int, str]] = []
    for position, char in enumerate(text, start=1):
        if char in "123456789":
            digits.append((position, char))
        elif char in _OFFSETS and digits:
            for where, digit in digits:
                if int(digit) > _SIZES[char]:
                    raise ValueError(f"no tile {digit}{char} (character {where})")
                tiles.append(_OFFSETS[char] + int(digit) - 1)
            digits.clear()
        else:
            raise ValueError(f"unexpected {char!r} (character {position})")
    if digits:
        raise ValueError(f"digits without a suit at the end (character {digits[0][0]})")
    return tiles


def format_tiles(tiles: Iterable[Tile]) -> str:
    """Write tiles in MPSZ, neighbours of one suit grouped, order kept."""
    parts: list[str] = []
    last = ""
    for tile in tiles:
        name = NAMES[tile]
        if last and name[1] != last:
            parts.append(last)
        parts.append(name[0])
        last = name[1]
    return "".join(parts) + last
