"""One hand 一局: state + move → events, deterministic; everything that can be done is listed by the state itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mahjong.moves import Event, IllegalMove, IllegalRecord, Move, Phase, Question, Seat
from mahjong.rulesets.base import Ruleset
from mahjong.settlement import Result
from mahjong.tiles import Tile

__all__ = ["Hand", "IllegalMove", "IllegalRecord", "MissingThrow", "Setup"]


class MissingThrow(IllegalRecord):
    """The last throw for the gold does not stand: another must follow."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything that decides a hand but the moves. ``options`` may name only what differs from the defaults.

    ``wall``: all tiles, head first. ``gold_dice``: totals thrown for the gold; all but the last were put back.
    """

    rules: Ruleset
    options: Mapping[str, object] = field(default_factory=dict)
    dealer: Seat = 0
    streak: int = 1
    base: int = 10
    coins: tuple[int, int, int, int] = (2000, 2000, 2000, 2000)
    wall: tuple[Tile, ...] = ()
    gold_dice: tuple[int, ...] = ()


class Hand:
    """A hand in play.

    ``phase`` is ``turn`` (one seat is asked, its answer acts at once), ``ended`` (``result`` is there), or a *window*:
    ``opening``, ``claim`` (after a discard), ``rob`` (after a kong), ``lock`` (after each draw of the others while 双游
    has locked play). In a window ``questions`` may be empty; answers stay secret until ``close``.
    """

    setup: Setup
    phase: Phase
    number: int
    """Question number: rises with each new turn and window, not when somebody answers."""
    questions: dict[Seat, Question]
    """Open questions, unanswered, by seat. In an opening a seat that declines may find its next question here."""
    events: list[Event]
    result: Result | None

    @classmethod
    def deal(cls, setup: Setup) -> Hand:
        """Deal, replace flowers, turn up the gold, and stop at the opening window.

        Raises ``IllegalRecord`` for a wrong wall, dice or options; ``MissingThrow`` where another throw must follow.
        """
        raise NotImplementedError

    def legal(self, seat: Seat) -> tuple[Move, ...]:
        """The moves open to a seat now; empty if it is not asked or has answered."""
        raise NotImplementedError

    def apply(self, move: Move) -> list[Event]:
        """Take an answer. Returns the events that followed (none in a window, where it waits for ``close``).

        Raises ``IllegalMove`` naming what would have been legal; the hand is then unchanged.
        """
        raise NotImplementedError

    @property
    def can_close(self) -> bool:
        """Whether a window is open and nobody still unanswered could better the best answer."""
        raise NotImplementedError

    def close(self) -> list[Event]:
        """End the window: the unanswered have passed, the best answer stands. Returns the events that followed.

        Raises ``IllegalMove`` when no window is open.
        """
        raise NotImplementedError

    def default_move(self, seat: Seat) -> Move:
        """What a time-out does: pass in a window; in a turn throw the drawn tile, but no gold if there is another."""
        raise NotImplementedError

    def copy(self) -> Hand:
        """An independent hand in the same state."""
        raise NotImplementedError
