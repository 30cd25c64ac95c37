"""Hands that are over after a few rounds, for stories in which a hand is no more than what goes before."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from handlers.dealing import setup_of
from mahjong.hand import Setup
from mahjong.tiles import NAMES, is_suited, parse_tiles
from tests.mahjong.walls import setup

NEAR = (
    ("123456789m12345p17z", "6p", "7z"),
    ("123456789s56789p12z", "4p", "2z"),
    ("123456789m12345s13z", "6s", "3z"),
    ("123456789s56789m14z", "4m", "4z"),
)
"""Hands and the two tiles that each lacks: not one, for who waits for one tile wins as soon as the gold is known."""
SHORTEST, LONGEST = 4, 12
GOLD = "6z"


def over_soon(
    rules: str,
    options: Mapping[str, Any],
    dealer: int,
    streak: int,
    base: int,
    coins: tuple[int, ...],
    seed: bytes,
    dice: tuple[int, ...],
) -> Setup:
    """A ``Dealing``: all lack two tiles, which come after some draws, whoever may have claimed before.

    Who wins and when follows from the seed. Putian's hands are dealt as always.
    """
    fair = setup_of(rules, options, dealer, streak, base, coins, seed, dice)
    if rules != "zhangzhou":
        return fair
    chance = Random(seed)
    near = chance.sample(NEAR, 4)
    junk = [tile for tile in range(27) for _ in range(4)]
    for tile in parse_tiles("".join(hand + first for hand, first, _ in NEAR)):
        if is_suited(tile):
            junk.remove(tile)
    draws = [NAMES[tile] for tile in chance.sample(junk, chance.randint(SHORTEST, LONGEST))]
    drawing = [(dealer + 1 + len(draws) + seat) % 4 for seat in range(4)]
    draws += [near[seat][1] for seat in drawing]
    # A claim turns who draws: in three rounds everybody's last tile comes to each of three seats.
    draws += [near[(seat + shift) % 4][2] for shift in range(3) for seat in drawing]
    return setup(
        rules,
        {seat: hand + "5z" * (seat == dealer) for seat, (hand, _, _) in enumerate(near)},
        draws="".join(draws),
        gold=GOLD,
        throws=fair.gold_dice[-1:],
        dealer=dealer,
        streak=streak,
        base=base,
        coins=fair.coins,
        options=options,
        junk=chance.randrange(1 << 30),
    )
