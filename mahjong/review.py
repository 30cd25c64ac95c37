"""What a seat's own discards were worth against the best that could have been done, once a hand is over.

Each is judged by what that seat could see at that moment, never by what the others held.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from mahjong.moves import Move, Seat
from mahjong.players import Weighed, cost, indifference, weigh
from mahjong.records import Record
from mahjong.steps import moments_of, taken_at
from mahjong.views import View, view

MOST: Final = 3
"""Slips that are told."""
LEAST: Final = 0.05
"""What costs no more than this part of the base is not worth a word."""


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
    """A discard that was not the best by *hard*'s count: what it led to, what the best move would have, and by how many
    coins it was worth less."""

    turn: Turn
    thrown: Weighed
    better: Weighed
    cost: float


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
    """What was wrong with a discard; None if nothing was. Takes as long as a decision of *hard*."""
    costs = cost(turn.view)
    (lost,) = (counted.cost for counted in costs if counted.option.move == turn.thrown)
    if lost <= max(LEAST * turn.view.base, indifference(turn.view)):
        return None
    weighed = {one.move: one for one in weigh(turn.view)}
    return Slip(turn, weighed[turn.thrown], weighed[costs[0].option.move], lost)


def worst(slips: list[Slip]) -> tuple[Slip, ...]:
    """Those that cost most, in the order in which they were made."""
    dearest = sorted(slips, key=lambda slip: (-slip.cost, slip.turn.step))[:MOST]
    return tuple(sorted(dearest, key=lambda slip: slip.turn.step))
