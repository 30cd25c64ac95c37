"""What lies before one seat."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mahjong import shapes
from mahjong.moves import MeldKind, Seat
from mahjong.tiles import ALL_FACES, FACES, Tile

SETS = 5
"""Sets that a complete hand has, melds included."""


@dataclass(frozen=True, slots=True)
class Meld:
    """A meld 副露 with all its tiles; ``claimed``: index of the tile taken from ``source``."""

    kind: MeldKind
    tiles: tuple[Tile, ...]
    claimed: int | None = None
    source: Seat | None = None


@dataclass(frozen=True, slots=True)
class Discard:
    """A tile thrown; ``claimed_by``: the seat that took it into a meld or won on it."""

    tile: Tile
    claimed_by: Seat | None = None


@dataclass(frozen=True, slots=True)
class Shape:
    """Concealed tiles as sets see them: counts of the 34 faces, gold as jokers, sets still to be made of them."""

    counts: tuple[int, ...]
    jokers: int
    sets: int


class SeatState:
    """One seat: ``tiles`` are copies held of each face, gold and white as what they are; ``size`` their number.

    ``drawn``: the tile drawn for this turn, None in a turn that came by the deal or a claim.
    ``level``: of 游金 (rules-zhangzhou 7.2). ``passed_win``: may win on no discard until its next turn (5.5).
    """

    __slots__ = (
        "_missing",
        "_shape",
        "_waits",
        "drawn",
        "flowers",
        "level",
        "melds",
        "passed_win",
        "river",
        "size",
        "stands_for",
        "tiles",
    )

    def __init__(self) -> None:
        self.tiles = [0] * ALL_FACES
        self.size = 0
        self.melds: list[Meld] = []
        self.flowers: list[Tile] = []
        self.river: list[Discard] = []
        self.drawn: Tile | None = None
        self.level = 0
        self.passed_win = False
        self.stands_for: tuple[Tile | None, ...] = ()
        self._forget()

    def copy(self) -> SeatState:
        """An independent copy."""
        other = SeatState.__new__(SeatState)
        other.tiles = self.tiles.copy()
        other.size = self.size
        other.melds = self.melds.copy()
        other.flowers = self.flowers.copy()
        other.river = self.river.copy()
        other.drawn = self.drawn
        other.level = self.level
        other.passed_win = self.passed_win
        other.stands_for = self.stands_for
        other._shape = self._shape
        other._missing = self._missing
        other._waits = self._waits
        return other

    def _forget(self) -> None:
        self._shape: Shape | None = None
        self._missing: int | None = None
        self._waits: frozenset[Tile] | None = None

    def set_gold(self, stands_for: tuple[Tile | None, ...]) -> None:
        """Say what each tile stands for in a set, None for a wild one (by tile)."""
        self.stands_for = stands_for
        self._forget()

    def add(self, tile: Tile) -> None:
        """Take a tile into the hand."""
        self.tiles[tile] += 1
        self.size += 1
        self._forget()

    def remove(self, tiles: Iterable[Tile]) -> None:
        """Take tiles out of the hand; they must be there."""
        for tile in tiles:
            if not self.tiles[tile]:
                raise ValueError(f"tile {tile} is not in hand")
            self.tiles[tile] -= 1
            self.size -= 1
        self._forget()

    def held(self) -> list[Tile]:
        """All concealed tiles in ascending order."""
        return [tile for tile, copies in enumerate(self.tiles) if copies for _ in range(copies)]

    @property
    def shape(self) -> Shape:
        """The concealed tiles as sets see them."""
        if self._shape is None:
            if self.stands_for:
                counts = [0] * FACES
                jokers = 0
                for tile, copies in enumerate(self.tiles[:FACES]):
                    if copies:
                        face = self.stands_for[tile]
                        if face is None:
                            jokers += copies
                        else:
                            counts[face] += copies
            else:
                counts, jokers = self.tiles[:FACES], 0
            self._shape = Shape(tuple(counts), jokers, SETS - len(self.melds))
        return self._shape

    @property
    def missing(self) -> int:
        """Tiles missing for a complete hand, whatever must be thrown away for it: 0 complete, 1 one short."""
        if self._missing is None:
            shape = self.shape
            self._missing = shapes.missing(shape.counts, shape.jokers, shape.sets)
        return self._missing

    @property
    def complete(self) -> bool:
        """Whether the tiles (3k + 2 of them) are sets and a pair."""
        return self.size % 3 == 2 and self.missing == 0

    @property
    def waits(self) -> frozenset[Tile]:
        """Natural faces that complete the hand (3k + 1 tiles)."""
        if self._waits is None:
            shape = self.shape
            none = self.missing != 1
            self._waits = frozenset() if none else shapes.waits(shape.counts, shape.jokers, shape.sets)
        return self._waits

    @property
    def you(self) -> bool:
        """Whether the tiles (3k + 1) are sets and a lone gold (rules-zhangzhou 7.1)."""
        shape = self.shape
        return shape.jokers > 0 and shapes.is_you(shape.counts, shape.jokers, shape.sets)
