"""Computer players against each other: many hands, how they ended, who won what."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from mahjong.hand import Hand, Setup
from mahjong.players import Player
from mahjong.records import Record, record_of, result_json
from mahjong.rulesets import Ruleset
from mahjong.views import view
from mahjong.wall import shuffle

COINS: Final = (2000, 2000, 2000, 2000)
"""Coins of each seat at the start of every hand, as at a friendly table, base 10."""
BASE: Final = 10


@dataclass(slots=True)
class Statistics:
    """Hands played, how often each outcome came (``by`` of a win, else the outcome), and nets by player in base units.

    ``nets``: for each player (by its place in the list) one mean net a hand for every wall.
    """

    hands: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    nets: list[list[float]] = field(default_factory=lambda: [[], [], [], []])

    def mean(self, player: int) -> tuple[float, float]:
        """Mean net a hand of a player and half its 95 % interval, with the wall as the unit."""
        nets = self.nets[player]
        mean = sum(nets) / len(nets)
        if len(nets) < 2:
            return mean, math.inf
        variance = sum((net - mean) ** 2 for net in nets) / (len(nets) - 1)
        return mean, 1.96 * math.sqrt(variance / len(nets))


def play_out(hand: Hand, players: Sequence[Player], rng: Random) -> None:
    """Play a hand to its end, each seat by its player."""
    while hand.result is None:
        window = hand.in_window
        for seat in list(hand.questions):
            # An opening may ask a seat several times.
            while seat in hand.questions and hand.in_window == window:
                hand.apply(players[seat].choose(view(hand, seat), rng))
        if window:
            hand.close()


def simulate(
    rules: Ruleset,
    hands: int,
    seed: int,
    players: Sequence[Player],
    names: Sequence[str],
    statistics: Statistics,
    *,
    duplicate: bool = False,
) -> Iterator[Record]:
    """Play hands and yield the record of each, adding to ``statistics``; the same arguments give the same hands.

    Dealer and streak go on from hand to hand. ``duplicate``: every wall is played four times with the players moved on
    by a seat, the dealer changing with the wall and the streak 1; ``hands`` counts walls × 4.
    Raises ``AssertionError`` if payments do not sum to zero.
    """
    dealer, streak = 0, 1
    turns = 4 if duplicate else 1
    for number in range(hands // turns):
        if duplicate:
            dealer, streak = number % 4, 1
        key = f"{seed}:{rules.name}:{number}"
        wall_seed = hashlib.sha256(key.encode()).digest()
        rng = Random(key)
        dice = (rng.randint(1, 6), rng.randint(1, 6))
        deal = shuffle(wall_seed, dice, rules, dealer)
        nets = [0.0] * 4
        for turn in range(turns):
            # Player p sits at seat p + turn.
            seats = [(seat - turn) % 4 for seat in range(4)]
            hand = Hand.deal(Setup(rules, {}, dealer, streak, BASE, COINS, deal.wall, deal.gold_dice))
            play_out(hand, [players[player] for player in seats], rng)
            result = hand.result
            assert result is not None
            assert sum(result.net) == 0
            statistics.hands += 1
            statistics.outcomes[result.by or result.outcome] += 1
            for seat, player in enumerate(seats):
                nets[player] += result.net[seat] / BASE / turns
            yield record_of(
                hand,
                id=f"{key}:{turn}" if duplicate else key,
                seed=wall_seed.hex(),
                dice=list(dice),
                players=[names[player] for player in seats],
                result=result_json(hand),
            )
            if not duplicate:
                dealer, streak = result.next_dealer, result.next_streak
        for player, net in enumerate(nets):
            statistics.nets[player].append(net)
