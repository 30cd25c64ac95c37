"""What a hand is dealt from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from mahjong.hand import Setup
from mahjong.rulesets import RULESETS
from mahjong.wall import shuffle


class Dealing(Protocol):
    """Makes what a hand is dealt from; tests of the whole bot choose walls by another one."""

    def __call__(
        self,
        rules: str,
        options: Mapping[str, Any],
        dealer: int,
        streak: int,
        base: int,
        coins: tuple[int, ...],
        seed: bytes,
        dice: tuple[int, ...],
    ) -> Setup: ...


def setup_of(
    rules: str,
    options: Mapping[str, Any],
    dealer: int,
    streak: int,
    base: int,
    coins: tuple[int, ...],
    seed: bytes,
    dice: tuple[int, ...],
) -> Setup:
    """What a hand is dealt from: everything kept of it, and the wall that seed and dice make."""
    ruleset = RULESETS[rules]
    deal = shuffle(seed, dice, ruleset, dealer)
    return Setup(
        rules=ruleset,
        options=dict(options),
        dealer=dealer,
        streak=streak,
        base=base,
        coins=(coins[0], coins[1], coins[2], coins[3]),
        wall=deal.wall,
        gold_dice=deal.gold_dice,
    )
