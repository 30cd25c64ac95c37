"""The reader's own tiles as sets see them, and what the next tile may make of them: for computer players and hints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from typing import NamedTuple

from mahjong.rulesets import RULESETS
from mahjong.seen import seen
from mahjong.shapes import PARTS, WEIGHTS, Keys, improving_of, missing_of
from mahjong.state import SETS
from mahjong.tiles import ALL_FACES, FACES, Tile
from mahjong.views import View


class Reach(NamedTuple):
    """3k + 1 tiles on the way: ``missing`` tiles for a complete hand, and what lowers it: ``live`` copies that the
    reader does not see, of so many ``kinds``, wild ones among both; ``faces``: the natural ones, also those used up.
    """

    missing: int
    live: int
    kinds: int
    faces: tuple[Tile, ...]


class Rest(NamedTuple):
    """What is left of a hand after a move: keys, jokers and sets as ``mahjong.shapes`` takes them."""

    keys: Keys
    jokers: int
    sets: int


@cache
def _meaning(rules: str, gold: tuple[Tile, ...]) -> tuple[tuple[Tile | None, ...], tuple[tuple[Tile, Tile], ...]]:
    """What each tile stands for, and the natural tiles that stand in hands, each with its face."""
    game = RULESETS[rules]
    stands_for = game.stands_for(tuple(dict.fromkeys(gold)))
    flowers = game.flowers(gold)
    faces = ((tile, stands_for[tile]) for tile in range(FACES) if tile in game.tiles and tile not in flowers)
    return stands_for, tuple((tile, face) for tile, face in faces if face is not None)


class Own:
    """The reader's hand in a view.

    ``tiles``: copies held of each physical face. ``size``: their number. ``rest``: the whole hand.
    """

    def __init__(self, view: View) -> None:
        assert view.reader is not None
        self.view = view
        self.me = seat = view.seats[view.reader]
        self.stands_for, self._natural = _meaning(view.rules, view.gold)
        self.tiles = tiles = [0] * ALL_FACES
        keys = [0, 0, 0, 0]
        jokers = 0
        held = seat.concealed or ()
        for tile in held if seat.drawn is None else (*held, seat.drawn):
            tiles[tile] += 1
            face = self.stands_for[tile]
            if face is None:
                jokers += 1
            else:
                keys[PARTS[face]] += WEIGHTS[face]
        self.rest = Rest(keys, jokers, SETS - len(seat.melds))
        self.size = sum(tiles)

    @cached_property
    def unseen(self) -> Sequence[int]:
        """Copies of each physical face in no sight of the reader."""
        return seen(self.view).unseen

    @cached_property
    def live(self) -> list[int]:
        """The same by the face stood for."""
        live = [0] * FACES
        for tile, face in self._natural:
            live[face] += self.unseen[tile]
        return live

    @cached_property
    def live_jokers(self) -> int:
        """The same of wild tiles."""
        return sum(self.unseen[tile] for tile in dict.fromkeys(self.view.gold))

    @cached_property
    def hidden(self) -> int:
        """All of them."""
        return sum(self.live) + self.live_jokers

    def without(self, tiles: Iterable[Tile], sets: int = 0) -> Rest:
        """The hand when these tiles are gone, so many sets of them laid out."""
        keys, jokers, left = list(self.rest.keys), self.rest.jokers, self.rest.sets
        for tile in tiles:
            face = self.stands_for[tile]
            if face is None:
                jokers -= 1
            else:
                keys[PARTS[face]] -= WEIGHTS[face]
        return Rest(keys, jokers, left - sets)

    def without_kong(self, tile: Tile) -> Rest:
        """The hand when all its copies of a face are laid out as a kong or added to a pong, before the next draw."""
        held = self.tiles[tile]
        return self.without((tile,) * held, int(held > 1))

    def reach(self, rest: Rest) -> Reach:
        """What is missing of 3k + 1 tiles, and what lowers it."""
        missing, faces = improving_of(*rest)
        if not missing:
            return Reach(0, 0, 0, ())
        total = self.live_jokers
        kinds = 1 if total else 0
        live = self.live
        for face in faces:
            if copies := live[face]:
                total += copies
                kinds += 1
        return Reach(missing, total, kinds, faces)

    def tiles_for(self, found: Reach) -> tuple[tuple[Tile, int], ...]:
        """The tiles that lower the number missing, ascending, each with its copies unseen; natural ones also where none
        is, wild ones only where one may still come."""
        if not found.missing:
            return ()
        faces = set(found.faces)
        natural = ((tile, self.unseen[tile]) for tile, face in self._natural if face in faces)
        wild = ((tile, self.unseen[tile]) for tile in dict.fromkeys(self.view.gold) if self.unseen[tile])
        return tuple(sorted((*natural, *wild)))


def missing(rest: Rest) -> int:
    """Tiles missing for a complete hand."""
    return missing_of(*rest)
