"""What is asked of several seats at once, and which answer stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from mahjong.moves import Ask, Option, Seat
from mahjong.tiles import Tile

Offers = tuple[tuple[int, Option], ...]
"""What one question offers besides a pass; the lower number beats the higher when the window closes."""


@dataclass(slots=True)
class Window:
    """By seat the questions to be put to it, one after another, and the step at which it is.

    ``tile``, ``source``: as in ``Question``. ``best``: the best answer so far.
    """

    ask: Ask
    tile: Tile | None
    source: Seat | None
    queues: dict[Seat, list[Offers]]
    steps: dict[Seat, int]
    best: tuple[int, Option] | None = None

    def copy(self) -> Window:
        """An independent copy."""
        return replace(self, steps=self.steps.copy())

    def offers(self, seat: Seat) -> Offers:
        """What the seat is offered now."""
        return self.queues[seat][self.steps[seat]]

    def answer(self, seat: Seat, option: Option) -> bool:
        """Take an answer. Returns whether the seat has another question to answer."""
        rank = next((rank for rank, offer in self.offers(seat) if offer is option), None)
        if rank is None:
            self.steps[seat] += 1
            return self.steps[seat] < len(self.queues[seat])
        if self.best is None or rank < self.best[0]:
            self.best = rank, option
        return False

    def settled(self, unanswered: Iterable[Seat]) -> bool:
        """Whether none of these seats could better the best answer."""
        if self.best is None:
            return not any(True for _ in unanswered)
        best, _ = self.best
        return all(rank > best for seat in unanswered for rank, _ in self.offers(seat))

    def let_go(self) -> list[tuple[Seat, Offers]]:
        """What was put, or would have been, to seats whose answer does not stand."""
        winner = self.best and self.best[1].move.seat
        return [(seat, offers) for seat, queue in self.queues.items() if seat != winner for offers in queue]

    def declined(self) -> list[Offers]:
        """What the seat whose answer stands had declined before."""
        if self.best is None:
            return []
        seat = self.best[1].move.seat
        return self.queues[seat][: self.steps[seat]]
