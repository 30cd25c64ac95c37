"""A series of hands: stakes from coins (rules-zhangzhou 11). Dealer and streak of the next hand are in the result."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

SEAT_MINIMUM: Final = 160
"""Coins below which nobody may sit down."""
LOWEST_BASE: Final = 10
"""The base that they are enough for."""


def base_for(coins: Iterable[int]) -> int | None:
    """The base 底分 for the poorest of the seats, None where that one has too little to sit.

    >>> base_for([160, 5000, 5000, 5000]), base_for([16000] * 4), base_for([159, 999, 999, 999])
    (10, 1000, None)
    """
    poorest = min(coins)
    if poorest < SEAT_MINIMUM:
        return None
    base = LOWEST_BASE
    while poorest >= base * 160:
        base *= 10
    return base


def tier_of(base: int) -> tuple[int, int]:
    """The coins of the poorest of the seats, from and to, with which this base is played.

    >>> tier_of(10), tier_of(1000)
    ((160, 1599), (16000, 159999))
    """
    return base * 16, base * 160 - 1
