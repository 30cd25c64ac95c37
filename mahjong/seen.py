"""How many copies of each face a reader has in sight, and how many may still come."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from mahjong.rulesets import RULESETS
from mahjong.tiles import FACES, Tile
from mahjong.values import value
from mahjong.views import View

Counts = tuple[int, ...]


@value(frozen=True, slots=True)
class Seen:
    """Copies of the 34 faces, each a tuple by face.

    ``out``: in sight of the reader on the table: rivers, melds, flowers 花 laid out, the gold turned up. ``own``: in
    the reader's hand. ``unseen``: all others: in the wall, in other hands, face down.
    """

    out: Counts
    own: Counts
    unseen: Counts


def seen(view: View) -> Seen:
    """Count what the view shows and nothing else; the group's view has no own hand.

    A tile that was claimed lies in its meld and counts once. Of a kong that hides its faces none is counted, nor of
    discards that lie face down (rules-putian, 暗胡).
    """
    out = [0] * FACES
    own = [0] * FACES
    _add(out, view.gold)
    for seat in view.seats:
        _add(out, seat.flowers)
        for discard in seat.river:
            tile = discard.tile
            if tile is not None and discard.claimed_by is None:
                out[tile] += 1
        for meld in seat.melds:
            _add(out, meld.tiles)
        if seat.seat == view.reader:
            _add(own, seat.concealed or ())
            _add(own, (seat.drawn,))
    unseen = [copies - open_ - held for copies, open_, held in zip(_all(view.rules), out, own, strict=True)]
    return Seen(tuple(out), tuple(own), tuple(unseen))


@cache
def _all(rules: str) -> Counts:
    """Copies of each face in the wall of a game."""
    counts = [0] * FACES
    _add(counts, RULESETS[rules].tiles)
    return tuple(counts)


def _add(counts: list[int], tiles: Iterable[Tile | None]) -> None:
    for tile in tiles:
        if tile is not None and tile < FACES:
            counts[tile] += 1
