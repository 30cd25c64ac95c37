"""A beginner: takes every win, else goes for the fewest tiles missing."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Final

from mahjong import shapes
from mahjong.moves import Move, Option
from mahjong.players.base import question_of
from mahjong.rulesets import RULESETS
from mahjong.state import SETS
from mahjong.tiles import ALL_FACES, FACES, Tile
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
        hand = _Tiles(view)
        if question.ask != "turn":
            return hand.claim(options, question.tile, rng)
        # Numbers of tiles missing after each move; a kong is declared where it costs nothing.
        kongs = [option.move for option in options if option.move.verb == "kong"]
        discards = [option.move for option in options if option.move.verb == "discard"]
        scores = hand.after_each(discards)
        best = min(scores.values())
        for move in kongs:
            if hand.after_kong(move.tiles[0]) <= best:
                return move
        wanted = [move for move in discards if scores[move] == best]
        if rng.random() < SLIP and len(wanted) < len(discards):
            second = min(score for score in scores.values() if score > best)
            wanted = [move for move in discards if scores[move] == second]
        plain = [move for move in wanted if move.tiles[0] not in view.gold]
        return rng.choice(plain or wanted)


class _Tiles:
    """One's own tiles as sets see them."""

    def __init__(self, view: View) -> None:
        assert view.reader is not None
        seat = view.seats[view.reader]
        self.stands_for = RULESETS[view.rules].stands_for(tuple(dict.fromkeys(view.gold)))
        self.sets = SETS - len(seat.melds)
        self.tiles = [0] * ALL_FACES
        self.counts = [0] * FACES
        self.jokers = 0
        for tile in (*(seat.concealed or ()), *(() if seat.drawn is None else (seat.drawn,))):
            self._add(tile, 1)

    def _add(self, tile: Tile, copies: int) -> None:
        self.tiles[tile] += copies
        face = self.stands_for[tile]
        if face is None:
            self.jokers += copies
        else:
            self.counts[face] += copies

    def after(self, tiles: Iterable[Tile], sets: int = 0) -> int:
        """Tiles missing when these are gone and so many sets lie on the table more."""
        gone = list(tiles)
        for tile in gone:
            self._add(tile, -1)
        missing = shapes.missing(self.counts, self.jokers, self.sets - sets)
        for tile in gone:
            self._add(tile, 1)
        return missing

    def after_each(self, discards: Iterable[Move]) -> dict[Move, int]:
        """Tiles missing after each of these discards."""
        natural = shapes.missing_without(self.counts, self.jokers, self.sets)
        wild = shapes.missing(self.counts, self.jokers - 1, self.sets) if self.jokers else 0
        faces = ((move, self.stands_for[move.tiles[0]]) for move in discards)
        return {move: wild if face is None else natural[face] for move, face in faces}

    def after_kong(self, tile: Tile) -> int:
        """Tiles missing when all copies held of the face are laid out as a kong, or one is added to a pong."""
        copies = self.tiles[tile]
        return self.after((tile,) * copies, 1 if copies == 4 else 0)

    def claim(self, options: Iterable[Option], tile: Tile | None, rng: Random) -> Move:
        """A claim that brings the hand nearer, else the pass."""
        moves = [option.move for option in options]
        passing = next(move for move in moves if move.verb == "pass")
        best, found = self.after(()), [passing]
        for move in moves:
            if tile is None or move.verb not in ("chow", "pong", "kong"):
                continue
            used = move.tiles or (tile,) * (2 if move.verb == "pong" else 3)
            missing = self.after(used, 1)
            if missing < best:
                best, found = missing, [move]
            elif missing == best and found != [passing]:
                found.append(move)
        return rng.choice(found)
