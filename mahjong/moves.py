"""What players may do, what they are asked, and what came of it."""

from __future__ import annotations

from typing import Literal

from mahjong.tiles import Tile
from mahjong.values import value

Verb = Literal["discard", "chow", "pong", "kong", "hu", "pass", "rob"]
Ask = Literal["turn", "opening", "claim", "rob", "lock"]
Phase = Literal["opening", "turn", "claim", "rob", "lock", "ended"]
MeldKind = Literal["chow", "pong", "kong", "added_kong", "concealed_kong"]
Seat = int


class IllegalMove(ValueError):
    """A move that the rules do not allow now; the message names what would have been legal."""


class IllegalRecord(ValueError):
    """A deal or a record that cannot be: wrong tiles, dice, options or fields."""


class MissingThrow(IllegalRecord):
    """The last throw for the gold does not stand: another must follow."""


def in_order(first: Seat) -> tuple[Seat, Seat, Seat, Seat]:
    """The four seats in playing order from ``first``.

    >>> in_order(2)
    (2, 3, 0, 1)
    """
    return first, (first + 1) % 4, (first + 2) % 4, (first + 3) % 4


@value(frozen=True, slots=True)
class Move:
    """One answer of one seat, as record.md writes it: ``0 discard 5m``, ``1 chow 46m``, ``2 pong``.

    ``tiles`` is empty for pong, exposed kong from a discard, hu, pass and rob.
    """

    seat: Seat
    verb: Verb
    tiles: tuple[Tile, ...] = ()


@value(frozen=True, slots=True)
class Option:
    """A move on offer and what it would come to.

    ``by``: for ``hu`` and ``rob``, and for a discard that leaves the shape of 游金, the kind of win as in record.md
    (``self_draw``, ``single_you`` …).
    ``level``: for a discard that leaves the shape of 游金, the level it gives (1 to 3; rules-zhangzhou 7.2), else 0.
    ``gain``, ``loss``: coins that seat would net if the win holds (for ``hu``, ``rob``, or a 游金 discard that comes
    off), and lose if a guess is wrong (``rob``); None where unknown.
    """

    move: Move
    by: str | None = None
    level: int = 0
    gain: int | None = None
    loss: int | None = None


@value(frozen=True, slots=True)
class Question:
    """What one seat is asked now.

    ``number`` rises when the engine asks anew, not when somebody answers (house.md): all questions open at
    one time share it. ``options`` holds every legal move; one is ``pass`` for all asks but ``turn``.
    ``tile``: the discard or the added kong's tile asked about; None for a turn, the opening, a concealed kong.
    ``source``: the seat that discarded or declared the kong.
    ``step``: how many questions of this window the seat has declined before: an opening may hold several for one
    seat (rules-zhangzhou 6), asked one after another under the same number.
    ``hopeless``: the seat's own view makes every answer but ``pass`` useless (a guess at a concealed kong whose face
    cannot be one it waits for): to be passed in silence (telegram.md).
    """

    number: int
    seat: Seat
    ask: Ask
    options: tuple[Option, ...]
    tile: Tile | None = None
    source: Seat | None = None
    step: int = 0
    hopeless: bool = False


EventKind = Literal[
    "dealt",  # seat, tiles: 16 or 17
    "flower",  # seat laid out tiles (flowers, or whites in Putian)
    "replaced",  # seat drew tiles from the tail for flowers or a kong
    "gold",  # tiles turned up
    "drew",  # seat drew tiles from the head
    "discarded",  # seat discarded tiles; level > 0 only where that may be known
    "chow",
    "pong",
    "kong",  # exposed, from a discard
    "added_kong",
    "concealed_kong",
    "locked",  # 双游: seat locked play (rules-zhangzhou 7.4)
    "last_four",  # rules-zhangzhou 8.2 has begun
    "robbed",  # seat took the kong of source
    "ended",
]


@value(frozen=True, slots=True)
class Event:
    """One thing that happened, complete; ``mahjong.views`` makes what a reader may know of it.

    ``tiles`` hidden from a reader come as None in a view's events.
    """

    kind: EventKind
    seat: Seat | None = None
    tiles: tuple[Tile | None, ...] = ()
    source: Seat | None = None
    level: int = 0
