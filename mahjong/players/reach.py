"""The reader's own tiles as sets see them, and what the next tile may make of them, for computer players."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
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

    ``tiles``: copies held of each physical face. ``rest``: the whole hand. ``unseen``: copies of each physical face in
    no sight of the reader. ``live``: the same by the face stood for; ``live_jokers``: wild ones; ``hidden``: all.
    """

    def __init__(self, view: View) -> None:
        assert view.reader is not None
        self.view = view
        self.me = seat = view.seats[view.reader]
        self.stands_for, natural = _meaning(view.rules, view.gold)
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
        self.unseen = unseen = seen(view).unseen
        self.live = live = [0] * FACES
        for tile, face in natural:
            live[face] += unseen[tile]
        self.live_jokers = sum(unseen[tile] for tile in dict.fromkeys(view.gold))
        self.hidden = sum(live) + self.live_jokers

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
        """The tiles that lower the number missing, wild ones included, each with its copies unseen, ascending."""
        faces = set(found.faces)
        return tuple(
            (tile, copies)
            for tile, copies in enumerate(self.unseen)
            if copies and (self.stands_for[tile] in faces or (found.missing and tile in self.view.gold))
        )


def missing(rest: Rest) -> int:
    """Tiles missing for a complete hand."""
    return missing_of(*rest)
