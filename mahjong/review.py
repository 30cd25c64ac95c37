"""What a seat's own discards were worth against the best that could have been done, once a hand is over.

Each is judged by what that seat could see at that moment, never by what the others held.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from mahjong.moves import Move, Seat
from mahjong.players import Weighed, weigh
from mahjong.records import Record
from mahjong.steps import moments_of, taken_at
from mahjong.views import View, view

MOST: Final = 3
"""Slips that are told."""
LEAST: Final = 3
"""Live tiles fewer than the best are not worth a word."""
_FAR: Final = 1_000
"""What a tile more to go counts in copies of live tiles: more than there are."""
_GOLD: Final = 400
"""What throwing gold away counts."""
_MISSED: Final = 100_000
"""What letting a win go, or 游金 that was better, counts."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn in which the seat threw a tile: ``step``: its place among ``mahjong.steps``, from 0; ``number``: of the
    turn, counted from 1 through all four; ``view``: what the seat saw, with its question."""

    step: int
    number: int
    view: View
    thrown: Move


@dataclass(frozen=True, slots=True)
class Slip:
    """A discard that was not the best: what it led to, what the best move would have, and by how much it was worse."""

    turn: Turn
    thrown: Weighed
    better: Weighed
    cost: int


def turns_of(record: Record, seat: Seat) -> tuple[Turn, ...]:
    """A seat's own discards in their order. Raises ``IllegalRecord`` if the record is wrong or the hand is not over."""
    moments, _ = moments_of(record)
    found = []
    number = 0
    for step, (moment, after) in enumerate(pairwise(moments)):
        number += moment.phase in ("turn", "lock")
        if moment.phase != "turn" or seat not in moment.questions:
            continue
        taken = taken_at(moment, after)
        if taken is not None and taken.seat == seat and taken.verb == "discard":
            found.append(Turn(step, number, view(moment, seat), taken))
    return tuple(found)


def judge(turn: Turn) -> Slip | None:
    """What was wrong with a discard; None if nothing was."""
    weighed = weigh(turn.view)
    thrown = next(one for one in weighed if one.move == turn.thrown)
    better = min(weighed, key=_price)
    cost = _price(thrown) - _price(better)
    return Slip(turn, thrown, better, cost) if cost >= LEAST else None


def worst(slips: list[Slip]) -> tuple[Slip, ...]:
    """Those that cost most, in the order in which they were made."""
    dearest = sorted(slips, key=lambda slip: (-slip.cost, slip.turn.step))[:MOST]
    return tuple(sorted(dearest, key=lambda slip: slip.turn.step))


def _price(weighed: Weighed) -> int:
    """The less the better."""
    if weighed.reason in ("win", "certain", "you"):
        return -_MISSED
    if weighed.move.verb != "discard":
        return _MISSED
    return _FAR * weighed.missing - weighed.live + (0 if weighed.keeps_gold else _GOLD)
