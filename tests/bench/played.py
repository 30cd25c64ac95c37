"""Hands to measure with, played by computers."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from mahjong.hand import Hand, Setup
from mahjong.players import PLAYERS
from mahjong.rulesets import RULESETS
from mahjong.views import view
from mahjong.wall import shuffle


def dealt(seed: int) -> Hand:
    """A Zhangzhou hand at its opening."""
    rules = RULESETS["zhangzhou"]
    deal = shuffle(Random(seed).randbytes(32), (3, 4), rules)
    return Hand.deal(Setup(rules, wall=deal.wall, gold_dice=deal.gold_dice))


def played(level: str, seed: int, until: Callable[[Hand], bool] | None = None) -> Hand:
    """A hand played by four computers of a level, to its end or until a condition holds."""
    hand, chance = dealt(seed), Random(seed)
    while hand.result is None and not (until is not None and until(hand)):
        for seat in list(hand.questions):
            if seat in hand.questions:
                hand.apply(PLAYERS[level].choose(view(hand, seat), chance))
                break
        else:
            hand.close()
    return hand
