"""Hands arranged for learning: seeds whose hand goes well for whoever follows the advice of ``mahjong.advice``.

``python -m tests.lessons`` finds such seeds, and a test plays each of these. Who follows the advice holds gold from the
start, is offered a chow and a pong that are worth taking, is ready before long, and wins.
"""

from __future__ import annotations

import hashlib
from typing import Final

from mahjong.moves import Seat

GAME: Final = "zhangzhou"
COMPUTERS: Final = "easy"
"""The level of the three others; what they do is decided by the seed as well."""
LEARNER: Final[Seat] = 0
DEALER: Final[Seat] = 3
"""The learner's upper house: the learner draws next, and sees afterwards that a dealer pays more."""
NUMBERS: Final = (22543, 74845, 54621)
"""Of the hands, in the order in which they are played. The second is won by 单游; in the third a chow is left."""


def seed(number: int) -> bytes:
    """The seed of a number; most of them make a hand like any other."""
    return hashlib.sha256(f"a first hand of mahjong {number}".encode()).digest()


def seed_of(lesson: int) -> bytes:
    """The seed of a lesson, counted on from 0; after the last comes the first again."""
    return seed(NUMBERS[lesson % len(NUMBERS)])
