"""What one reader may see of a hand: a seat, or the group. Everything that leaves the process is made from these."""

from __future__ import annotations

from dataclasses import dataclass

from mahjong.hand import Hand
from mahjong.moves import Event, MeldKind, Phase, Question, Seat
from mahjong.settlement import Outcome, ScoreLine, Tally
from mahjong.tiles import Tile

__all__ = [
    "DiscardView",
    "MeldKind",
    "MeldView",
    "Phase",
    "ScoreLine",
    "SeatView",
    "SheetView",
    "Tally",
    "View",
    "sheet",
    "view",
]


@dataclass(frozen=True, slots=True)
class MeldView:
    """A meld 副露. ``tiles`` has 3 or 4 entries, None where the reader may not know the face.

    ``claimed``: index in ``tiles`` of the tile taken from ``source``; None for a concealed kong.
    """

    kind: MeldKind
    tiles: tuple[Tile | None, ...]
    claimed: int | None = None
    source: Seat | None = None


@dataclass(frozen=True, slots=True)
class DiscardView:
    """A tile in the river. ``tile`` None where discards are hidden from the reader (Putian dark).

    ``claimed_by``: the seat that took it into a meld; it then lies there, not in the river.
    """

    tile: Tile | None
    claimed_by: Seat | None = None


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat as the reader may see it.

    ``concealed``: the tiles in hand sorted (golds first, then 萬筒索字), without ``drawn``; None for other seats.
    ``concealed_count``: their number, ``drawn`` included.
    ``drawn``: the tile drawn for this turn, if the reader may know it.
    ``level``: 游金 level the reader may know (one's own always; others' from 2).
    """

    seat: Seat
    concealed_count: int
    concealed: tuple[Tile, ...] | None
    drawn: Tile | None
    melds: tuple[MeldView, ...]
    flowers: tuple[Tile, ...]
    river: tuple[DiscardView, ...]
    level: int = 0


@dataclass(frozen=True, slots=True)
class View:
    """A hand as one reader may see it; ``reader`` None is the group.

    ``gold``: faces that are wild, as turned up (one, or two in Putian dark); empty before it is turned.
    ``drawable``: tiles that turns may still draw (剩), never under 0.
    ``turn``: whose turn it is, None in a window and when ended.
    ``last_discard``: (seat, tile) that lies open and is nobody's yet or was thrown last; tile None if hidden.
    ``question``: what the reader is asked now and has not answered; never another's.
    ``answered``: the reader was asked under ``number`` and has answered.
    ``lock``: the seat that locked play by 双游 (level 2 or 3), else None.
    ``last_four``: rules-zhangzhou 8.2 is on.
    ``fenbing``: rounds of four alike so far (0, 1, 2 …).
    ``events``: all that happened so far, in order, hidden tiles as None, hidden events left out.
    """

    rules: str
    reader: Seat | None
    phase: Phase
    number: int
    dealer: Seat
    streak: int
    base: int
    gold: tuple[Tile, ...]
    drawable: int
    turn: Seat | None
    seats: tuple[SeatView, ...]
    last_discard: tuple[Seat, Tile | None] | None
    question: Question | None
    answered: bool
    lock: Seat | None
    last_four: bool
    fenbing: int
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class SheetView:
    """The end of a hand, open to all: result, hands, dues (rules-zhangzhou 12).

    ``view``: the ended hand with every seat's tiles open (all ``concealed`` set, kongs shown).
    ``sets``: the winning hand set apart: tuples of (tile, stands_for) where a gold or a white stands for another
    face, else stands_for == tile; the pair last; melds not included. Empty if nobody won by a complete hand.
    ``coins``: after payment, by seat. ``net``: by seat, sums to zero. ``points``: by seat.
    ``tally``: by seat, what the points are made of.
    """

    view: View
    outcome: Outcome
    winner: Seat | None
    by: str | None
    source: Seat | None
    tile: Tile | None
    sets: tuple[tuple[tuple[Tile, Tile], ...], ...]
    points: tuple[int, int, int, int]
    fenbing: int
    lines: tuple[ScoreLine, ...]
    net: tuple[int, int, int, int]
    coins: tuple[int, int, int, int]
    next_dealer: Seat
    next_streak: int
    tally: tuple[tuple[Tally, ...], ...] = ()


def view(hand: Hand, reader: Seat | None) -> View:
    """What the reader (a seat, or None for the group) may see of the hand now."""
    raise NotImplementedError


def sheet(hand: Hand) -> SheetView:
    """The score sheet of an ended hand. Raises ``ValueError`` while it is not over."""
    raise NotImplementedError
