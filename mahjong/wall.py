"""The wall from a committed seed and the dice thrown in public (telegram.md, *Fair deals*).

Exactly, so that it can be redone in any language:

1. *Commitment*: SHA-256 of the 32 seed bytes, in lower-case hexadecimal.
2. *Stream*: block i (i = 0, 1, 2 …) is SHA-256 of seed ‖ dice ‖ i, where each die is one byte (none if no dice were
   thrown) and i is 8 bytes, big-endian. The blocks in a row are read as 32-bit big-endian numbers.
3. *A number below n*: the next number u of the stream with u < 2³² − (2³² mod n), modulo n; others are thrown away.
4. *Shuffle*: the tiles of the game in ascending order, the copies of a face together (m, p, s, z, f); for i from the
   last index down to 1, swap tile i with tile j, j = a number below i + 1.
5. *Break*: the list is the wall, two tiles to a stack, clockwise, from the right end of the dealer's side: then come
   the sides of the dealer's upper house, of the seat opposite and of the lower house. With the dice total t the side
   of seat dealer + (t − 1) mod 4 is broken and t stacks are left on it (rules-zhangzhou 2.1): the list is turned so
   that it begins at the next stack. Without dice it begins where it is.
6. *Gold*: throws of two dice, each die 1 + a number below 6, until one stands by the rules of the game.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from mahjong.hand import Hand, MissingThrow, Setup
from mahjong.moves import Seat
from mahjong.rulesets import Ruleset
from mahjong.tiles import Tile


@dataclass(frozen=True, slots=True)
class Deal:
    """A wall ready to be dealt: tiles, head first; gold throws."""

    wall: tuple[Tile, ...]
    gold_dice: tuple[int, ...]


def commitment(seed: bytes) -> str:
    """SHA-256 of the seed in lower-case hexadecimal, published before the dice are thrown.

    >>> commitment(bytes(32))[:16]
    '66687aadf862bd77'
    """
    return hashlib.sha256(seed).hexdigest()


def shuffle(seed: bytes, dice: tuple[int, ...], rules: Ruleset, dealer: Seat = 0) -> Deal:
    """The wall, and the throws for the gold, that a 32-byte seed and two dice (or none) make.

    ``dealer`` matters only where who holds what decides whether a throw stands (Putian dark, a pair turned up).
    Raises ``ValueError`` for a seed or dice of another size.
    """
    if len(seed) != 32:
        raise ValueError(f"a seed is 32 bytes, not {len(seed)}")
    if len(dice) not in (0, 2) or not all(1 <= die <= 6 for die in dice):
        raise ValueError(f"dice are none or two values from 1 to 6, not {dice}")
    numbers = _numbers(seed + bytes(dice))
    tiles = list(rules.tiles)
    for i in range(len(tiles) - 1, 0, -1):
        j = below(numbers, i + 1)
        tiles[i], tiles[j] = tiles[j], tiles[i]
    if dice:
        total = sum(dice)
        side = len(tiles) // 8
        start = 2 * (side * (-(total - 1) % 4) + total) % len(tiles)
        tiles = tiles[start:] + tiles[:start]
    wall = tuple(tiles)
    throws: list[int] = []
    while True:
        throws.append(2 + below(numbers, 6) + below(numbers, 6))
        try:
            Hand.before_opening(Setup(rules, dealer=dealer, wall=wall, gold_dice=tuple(throws)))
        except MissingThrow:
            continue
        return Deal(wall, tuple(throws))


def _numbers(key: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from struct.unpack(">8I", hashlib.sha256(key + block.to_bytes(8, "big")).digest())
        block += 1


def below(numbers: Iterator[int], n: int) -> int:
    """A number below n, each as likely, of a stream of 32-bit numbers; those that would favour some are thrown away."""
    limit = (1 << 32) - (1 << 32) % n
    number = next(numbers)
    while number >= limit:
        number = next(numbers)
    return number % n
