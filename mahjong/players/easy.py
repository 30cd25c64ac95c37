"""A beginner: takes every win, else goes for the fewest tiles missing."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Final

from mahjong.moves import Move, Option
from mahjong.players.base import question_of
from mahjong.reach import Own, missing
from mahjong.tiles import Tile
from mahjong.views import View

SLIP: Final = 0.1
"""How often the second best discard is thrown."""


class EasyPlayer:
    """Lowest shanten, ties at random, now and then the second best; takes every win but a guess at a hidden kong."""

    def choose(self, view: View, rng: Random) -> Move:
        """The answer of a beginner."""
        question = question_of(view)
        options = question.options
        for option in options:
            if option.move.verb == "hu" or (option.move.verb == "rob" and option.loss is None):
                return option.move
        own = Own(view)
        if question.ask != "turn":
            return _claim(own, options, question.tile, rng)
        # Numbers of tiles missing after each move; a kong is declared where it costs nothing.
        kongs = [option.move for option in options if option.move.verb == "kong"]
        discards = [option.move for option in options if option.move.verb == "discard"]
        scores = {move: missing(own.without(move.tiles)) for move in discards}
        best = min(scores.values())
        for move in kongs:
            if missing(own.without_kong(move.tiles[0])) <= best:
                return move
        wanted = [move for move in discards if scores[move] == best]
        if rng.random() < SLIP and len(wanted) < len(discards):
            second = min(score for score in scores.values() if score > best)
            wanted = [move for move in discards if scores[move] == second]
        plain = [move for move in wanted if move.tiles[0] not in view.gold]
        return rng.choice(plain or wanted)


def _claim(own: Own, options: Iterable[Option], tile: Tile | None, rng: Random) -> Move:
    """A claim that brings the hand nearer, else the pass."""
    moves = [option.move for option in options]
    passing = next(move for move in moves if move.verb == "pass")
    best, found = missing(own.rest), [passing]
    for move in moves:
        if tile is None or move.verb not in ("chow", "pong", "kong"):
            continue
        used = move.tiles or (tile,) * (2 if move.verb == "pong" else 3)
        after = missing(own.without(used, 1))
        if after < best:
            best, found = after, [move]
        elif after == best and found != [passing]:
            found.append(move)
    return rng.choice(found)
