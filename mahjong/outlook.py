"""How far a reader's own tiles are, and what brings them nearer: seen from a view, so that nothing hidden counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from mahjong import shapes
from mahjong.moves import Move
from mahjong.rulesets import RULESETS
from mahjong.seen import seen
from mahjong.state import SETS
from mahjong.tiles import ALL_FACES, FACES, Tile
from mahjong.views import View


@dataclass(frozen=True, slots=True)
class Outlook:
    """What 3k + 1 tiles look forward to.

    ``missing``: tiles missing for a complete hand; 1: they wait 听. ``draws``: the tiles that lower it 进张, in
    ascending order, with the copies that the reader has not seen, 0 where all are in sight. ``you``: the shape of 游金,
    which every tile completes. ``discard``: what is thrown first, where a tile too many is held.
    """

    missing: int
    draws: tuple[tuple[Tile, int], ...]
    you: bool = False
    discard: Tile | None = None

    @property
    def kinds(self) -> int:
        """How many tiles help of which a copy may still come."""
        return sum(copies > 0 for _, copies in self.draws)

    @property
    def live(self) -> int:
        """How many copies of them."""
        return sum(copies for _, copies in self.draws)


def outlook(view: View, move: Move | None = None) -> Outlook | None:
    """The reader's tiles after a move (None: as they are), thrown after it what is best to throw where one must.

    None after a win, and where the reader has no tiles.
    """
    if view.reader is None or view.seats[view.reader].concealed is None:
        return None
    if move is not None and move.verb in ("hu", "rob"):
        return None
    hand = _Hand(view)
    if move is not None and move.verb != "pass":
        hand.do(move, view.question.tile if view.question is not None else None)
    if hand.size % 3 == 1:
        thrown = move.tiles[0] if move is not None and move.verb == "discard" else None
        return replace(hand.looks(), discard=thrown)
    return min(hand.after_each(), key=nearness, default=None)


def after_discards(view: View) -> dict[Tile, Outlook]:
    """The outlook after each tile that the reader's question lets be thrown, by tile; empty if none does."""
    question = view.question
    if question is None or question.ask != "turn":
        return {}
    hand = _Hand(view)
    thrown = dict.fromkeys(option.move.tiles[0] for option in question.options if option.move.verb == "discard")
    return {found.discard: found for found in hand.after_each(thrown) if found.discard is not None}


def nearness(look: Outlook) -> tuple[int, int, int]:
    """Sorts the better outlook first: fewest tiles missing, most copies that help, most kinds."""
    return look.missing, -look.live, -look.kinds


class _Hand:
    """The reader's tiles as sets see them, and the copies not seen."""

    def __init__(self, view: View) -> None:
        assert view.reader is not None
        me = view.seats[view.reader]
        rules = RULESETS[view.rules]
        gold = tuple(dict.fromkeys(view.gold))
        flowers = rules.flowers(gold)
        self.stands_for: Sequence[Tile | None] = rules.stands_for(gold)
        self.faces = [tile for tile in range(FACES) if tile in rules.tiles and tile not in flowers]
        self.unseen = seen(view).unseen
        self.sets = SETS - len(me.melds)
        self.tiles = [0] * ALL_FACES
        self.counts = [0] * FACES
        self.jokers = self.size = 0
        for tile in (*(me.concealed or ()), *(() if me.drawn is None else (me.drawn,))):
            self.add(tile, 1)

    def add(self, tile: Tile, copies: int) -> None:
        self.tiles[tile] += copies
        self.size += copies
        face = self.stands_for[tile]
        if face is None:
            self.jokers += copies
        else:
            self.counts[face] += copies

    def do(self, move: Move, asked: Tile | None) -> None:
        """Lay out or throw what a move takes from the hand; the tile that it claims was never in it."""
        if move.verb == "kong" and move.tiles:
            copies = self.tiles[move.tiles[0]]
            self.add(move.tiles[0], -copies)
            # Fewer than four are added to a pong that lies on the table.
            self.sets -= copies == 4
            return
        taken: Iterable[Tile] = move.tiles
        if move.verb in ("pong", "kong"):
            assert asked is not None
            taken = (asked,) * (2 if move.verb == "pong" else 3)
        for tile in taken:
            self.add(tile, -1)
        self.sets -= move.verb != "discard"

    def looks(self, discard: Tile | None = None, acceptance: shapes.Acceptance | None = None) -> Outlook:
        jokers = self.jokers - (discard is not None and self.stands_for[discard] is None)
        found = acceptance or shapes.improving(self.counts, jokers, self.sets)
        helps = set(found.faces)
        draws = []
        for tile in self.faces if found.missing else ():
            face, copies = self.stands_for[tile], self.unseen[tile]
            # All copies of a gold may be in the reader's own hand.
            if copies if face is None else face in helps:
                draws.append((tile, copies))
        return Outlook(found.missing, tuple(draws), self._you(discard), discard)

    def _you(self, discard: Tile | None) -> bool:
        if discard is None:
            return self.size % 3 == 1 and shapes.is_you(self.counts, self.jokers, self.sets)
        self.add(discard, -1)
        you = shapes.is_you(self.counts, self.jokers, self.sets)
        self.add(discard, 1)
        return you

    def after_each(self, discards: Iterable[Tile] | None = None) -> list[Outlook]:
        """The outlook after each of these discards; None: of all tiles held."""
        acceptances = shapes.improving_after(self.counts, self.jokers, self.sets)
        held = [tile for tile in self.faces if self.tiles[tile]] if discards is None else discards
        return [self.looks(tile, acceptances[self.stands_for[tile]]) for tile in held]
