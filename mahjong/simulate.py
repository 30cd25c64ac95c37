"""Computer players against each other: many hands, how they ended, who won what."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from mahjong.hand import Hand, Setup
from mahjong.players import PLAYERS, Player
from mahjong.records import Record, record_of, result_json
from mahjong.rulesets import RULESETS
from mahjong.views import glimpse
from mahjong.wall import shuffle

COINS: Final = (2000, 2000, 2000, 2000)
"""Coins of each seat at the start of every hand, as at a friendly table, base 10."""
BASE: Final = 10
SITTING: Final = 16
"""Hands that a table plays with dealer and streak going on; then another begins."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played; the same plan gives the same hands, and a longer one begins with those of a shorter.

    ``players``: four names of ``mahjong.players``. Dealer and streak go on from hand to hand, and every ``SITTING``
    hands a new table begins. ``duplicate``: every wall is played four times with the players moved on by a seat, the
    dealer changing with the wall and the streak 1; ``hands`` counts walls × 4.
    """

    rules: str
    seed: int
    hands: int
    players: tuple[str, ...]
    duplicate: bool = False

    @property
    def blocks(self) -> int:
        """The parts that can be played apart from each other: walls of four hands, or sittings."""
        return self.hands // 4 if self.duplicate else -(-self.hands // SITTING)

    def hands_of(self, block: int) -> int:
        """The number of hands of a block."""
        return 4 if self.duplicate else min(SITTING, self.hands - block * SITTING)

    @property
    def turns(self) -> int:
        """Hands on one wall."""
        return 4 if self.duplicate else 1

    def key(self, block: int, number: int) -> str:
        """What decides the wall of a hand of a block, and what chance does to its players; part of its ``id``."""
        return f"{self.seed}:{self.rules}:{block if self.duplicate else block * SITTING + number}"

    def seated(self, turn: int) -> list[str]:
        """The players by seat: player p sits at seat p + turn."""
        return [self.players[(seat - turn) % 4] for seat in range(4)]


@dataclass(slots=True)
class Statistics:
    """Hands played, how often each outcome came (``by`` of a win, else the outcome), and nets by player in base units.

    ``nets``: for each player (by its place in the list) one mean net a hand for every wall.
    """

    hands: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    nets: list[list[float]] = field(default_factory=lambda: [[], [], [], []])

    def add(self, wall: Sequence[Mapping[str, Any]]) -> None:
        """Count the records of all hands on one wall (one, or four with the players moved on by a seat each)."""
        nets = [0.0] * 4
        for turn, record in enumerate(wall):
            result = record["result"]
            self.hands += 1
            self.outcomes[result["by"] or result["outcome"]] += 1
            for player in range(4):
                nets[player] += result["net"][(player + turn) % 4] / record["base"] / len(wall)
        for player, net in enumerate(nets):
            self.nets[player].append(net)

    def mean(self, player: int) -> tuple[float, float]:
        """Mean net a hand of a player and half its 95 % interval, with the wall as the unit."""
        nets = self.nets[player]
        mean = sum(nets) / len(nets)
        if len(nets) < 2:
            return mean, math.inf
        variance = sum((net - mean) ** 2 for net in nets) / (len(nets) - 1)
        return mean, 1.96 * math.sqrt(variance / len(nets))


def play_out(hand: Hand, players: Sequence[Player], rng: Random) -> None:
    """Play a hand to its end, each seat by its player and with a chance of its own, so that what one does with it
    changes nothing for the others."""
    chance = [Random(rng.random()) for _ in players]
    while hand.result is None:
        if not hand.in_window:
            (seat,) = hand.questions
            hand.apply(players[seat].choose(glimpse(hand, seat), chance[seat]))
            continue
        for seat in list(hand.questions):
            # An opening may ask a seat several times.
            while seat in hand.questions:
                hand.apply(players[seat].choose(glimpse(hand, seat), chance[seat]))
        hand.close()


def play_block(plan: Plan, block: int) -> Iterator[list[Record]]:
    """Play a block of a plan and yield, wall by wall, the records of the hands on it, their results included.

    Raises ``AssertionError`` if payments do not sum to zero.
    """
    rules = RULESETS[plan.rules]
    dealer, streak = block % 4 if plan.duplicate else 0, 1
    for number in range(0, plan.hands_of(block), plan.turns):
        key = plan.key(block, number)
        wall_seed = hashlib.sha256(key.encode()).digest()
        rng = Random(key)
        dice = (rng.randint(1, 6), rng.randint(1, 6))
        deal = shuffle(wall_seed, dice, rules, dealer)
        records = []
        for turn in range(plan.turns):
            players = plan.seated(turn)
            hand = Hand.deal(Setup(rules, {}, dealer, streak, BASE, COINS, deal.wall, deal.gold_dice))
            play_out(hand, [PLAYERS[player] for player in players], Random(f"{key}:chance"))
            result = hand.result
            assert result is not None
            assert sum(result.net) == 0
            records.append(
                record_of(
                    hand,
                    id=f"{key}:{turn}" if plan.duplicate else key,
                    seed=wall_seed.hex(),
                    dice=list(dice),
                    players=players,
                    result=result_json(hand),
                )
            )
            following = result.next_dealer, result.next_streak
        yield records
        dealer, streak = following


def simulate(plan: Plan, statistics: Statistics) -> Iterator[Record]:
    """Play a plan and yield the record of each hand, adding to ``statistics`` wall by wall."""
    for block in range(plan.blocks):
        for records in play_block(plan, block):
            statistics.add([record.to_json() for record in records])
            yield from records
