"""What lies before one seat."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Sequence

from mahjong.moves import MeldKind, Seat
from mahjong.shapes import PARTS, WEIGHTS, is_you_of, missing_of, waits_of
from mahjong.tiles import ALL_FACES, FACES, Tile
from mahjong.values import value

SETS = 5
"""Sets that a complete hand has, melds included."""


@value(frozen=True, slots=True)
class Meld:
    """A meld 副露 with all its tiles; ``claimed``: index of the tile taken from ``source``."""

    kind: MeldKind
    tiles: tuple[Tile, ...]
    claimed: int | None = None
    source: Seat | None = None


@value(frozen=True, slots=True)
class Discard:
    """A tile in the river, None where it is hidden from whom it is shown to (Putian dark).

    ``claimed_by``: the seat that took it into a meld or won on it; it then lies there, not in the river.
    """

    tile: Tile | None
    claimed_by: Seat | None = None


class SeatState:
    """One seat: ``tiles`` are copies held of each face, gold and white as what they are; ``size`` their number.

    ``keys`` and ``jokers``: the same as sets see them, the faces stood for (``mahjong.shapes``) and the wild tiles.
    ``drawn``: the tile drawn for this turn, None in a turn that came by the deal or a claim.
    ``level``: of 游金 (rules-zhangzhou 7.2). ``passed_win``: may win on no discard until its next turn (5.5).
    """

    __slots__ = (
        "_held",
        "_missing",
        "_waits",
        "drawn",
        "flowers",
        "jokers",
        "keys",
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
        self._held: list[Tile] = []
        self.stands_for: Sequence[Tile | None] = (*range(FACES), *(None,) * (ALL_FACES - FACES))
        self.keys = [0, 0, 0, 0]
        self.jokers = 0
        self.melds: list[Meld] = []
        self.flowers: list[Tile] = []
        self.river: list[Discard] = []
        self.drawn: Tile | None = None
        self.level = 0
        self.passed_win = False
        self._missing: int | None = None
        self._waits: frozenset[Tile] | None = None

    def copy(self) -> SeatState:
        """An independent copy."""
        other = SeatState.__new__(SeatState)
        other.tiles = self.tiles.copy()
        other.size = self.size
        other._held = self._held.copy()
        other.stands_for = self.stands_for
        other.keys = self.keys.copy()
        other.jokers = self.jokers
        other.melds = self.melds.copy()
        other.flowers = self.flowers.copy()
        other.river = self.river.copy()
        other.drawn = self.drawn
        other.level = self.level
        other.passed_win = self.passed_win
        other._missing = self._missing
        other._waits = self._waits
        return other

    def set_gold(self, stands_for: Sequence[Tile | None]) -> None:
        """Say what each tile stands for in a set, None for a wild one (by tile)."""
        self.stands_for = stands_for
        keys = [0, 0, 0, 0]
        jokers = 0
        for tile in self._held:
            face = stands_for[tile]
            if face is None:
                jokers += 1
            else:
                keys[PARTS[face]] += WEIGHTS[face]
        self.keys = keys
        self.jokers = jokers
        self._missing = self._waits = None

    def add(self, tile: Tile) -> None:
        """Take a tile into the hand."""
        self.tiles[tile] += 1
        self.size += 1
        insort(self._held, tile)
        face = self.stands_for[tile]
        if face is None:
            self.jokers += 1
        else:
            self.keys[PARTS[face]] += WEIGHTS[face]
        self._missing = self._waits = None

    def remove(self, tiles: Iterable[Tile]) -> None:
        """Take tiles out of the hand. Raises ``ValueError`` if one is not there."""
        for tile in tiles:
            if not self.tiles[tile]:
                raise ValueError(f"tile {tile} is not in hand")
            self.tiles[tile] -= 1
            self.size -= 1
            self._held.remove(tile)
            face = self.stands_for[tile]
            if face is None:
                self.jokers -= 1
            else:
                self.keys[PARTS[face]] -= WEIGHTS[face]
        self._missing = self._waits = None

    def held(self) -> list[Tile]:
        """All concealed tiles in ascending order."""
        return self._held.copy()

    @property
    def sets(self) -> int:
        """Sets still to be made of the concealed tiles."""
        return SETS - len(self.melds)

    @property
    def missing(self) -> int:
        """Tiles missing for a complete hand, whatever must be thrown away for it: 0 complete, 1 one short."""
        missing = self._missing
        if missing is None:
            missing = self._missing = missing_of(self.keys, self.jokers, SETS - len(self.melds))
        return missing

    @property
    def complete(self) -> bool:
        """Whether the tiles (3k + 2 of them) are sets and a pair."""
        if self.size % 3 != 2:
            return False
        missing = self._missing
        # As ``missing``, without the detour: asked after every draw.
        if missing is None:
            missing = self._missing = missing_of(self.keys, self.jokers, SETS - len(self.melds))
        return missing == 0

    @property
    def waits(self) -> frozenset[Tile]:
        """Natural faces that complete the hand (3k + 1 tiles)."""
        if self._waits is None:
            none = self.missing != 1
            self._waits = frozenset() if none else waits_of(self.keys, self.jokers, self.sets)
        return self._waits

    @property
    def you(self) -> bool:
        """Whether the tiles (3k + 1) are sets and a lone gold (rules-zhangzhou 7.1)."""
        return is_you_of(self.keys, self.jokers, self.sets)
