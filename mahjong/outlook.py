"""How far a reader's own tiles are, and what brings them nearer: seen from a view, so that nothing hidden counts."""

from __future__ import annotations

from dataclasses import dataclass

from mahjong.moves import Move
from mahjong.reach import Own, Rest
from mahjong.rulesets import RULESETS
from mahjong.shapes import is_you_of
from mahjong.tiles import Tile
from mahjong.views import View


@dataclass(frozen=True, slots=True)
class Outlook:
    """What 3k + 1 tiles look forward to.

    ``missing``: tiles missing for a complete hand; 1: they wait 听. ``draws``: the tiles that lower it 进张, in
    ascending order, with the copies that the reader has not seen, 0 where all are in sight. ``you``: the shape of 游金,
    which every tile completes. ``discard``: what is thrown first, where a tile too many is held. ``draw_alone``: it has
    so much gold that no discard completes it, only the reader's own draw.
    """

    missing: int
    draws: tuple[tuple[Tile, int], ...]
    you: bool = False
    discard: Tile | None = None
    draw_alone: bool = False

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
    own = Own(view)
    if move is not None and move.verb == "discard":
        return _look(own, own.without(move.tiles), move.tiles[0])
    gone, sets = _laid_out(own, move, view.question.tile if view.question is not None else None)
    if (own.size - len(gone)) % 3 == 1:
        return _look(own, own.without(gone, sets))
    held = [tile for tile, copies in enumerate(own.tiles) if copies > gone.count(tile)]
    return min((_look(own, own.without((*gone, tile), sets), tile) for tile in held), key=nearness, default=None)


def after_discards(view: View) -> dict[Tile, Outlook]:
    """The outlook after each tile that the reader's question lets be thrown, by tile; empty if none does."""
    question = view.question
    if question is None or question.ask != "turn":
        return {}
    own = Own(view)
    thrown = dict.fromkeys(option.move.tiles[0] for option in question.options if option.move.verb == "discard")
    return {tile: _look(own, own.without((tile,)), tile) for tile in thrown}


def nearness(look: Outlook) -> tuple[int, int, int]:
    """Sorts the better outlook first: fewest tiles missing, most copies that help, most kinds."""
    return look.missing, -look.live, -look.kinds


def _look(own: Own, rest: Rest, discard: Tile | None = None) -> Outlook:
    found = own.reach(rest)
    draw_alone = RULESETS[own.view.rules].draws_alone_win(rest.jokers)
    return Outlook(found.missing, own.tiles_for(found), is_you_of(*rest), discard, draw_alone)


def _laid_out(own: Own, move: Move | None, asked: Tile | None) -> tuple[tuple[Tile, ...], int]:
    """What a claim or kong takes from the hand, and how many sets it lays out; the tile claimed was never in it."""
    if move is None or move.verb == "pass":
        return (), 0
    if move.verb == "kong" and move.tiles:
        copies = own.tiles[move.tiles[0]]
        # Fewer than four are added to a pong that lies on the table.
        return (move.tiles[0],) * copies, int(copies == 4)
    if move.tiles:
        return move.tiles, 1
    assert asked is not None
    return (asked,) * (2 if move.verb == "pong" else 3), 1
