"""A sound player, the yardstick for others: fewest tiles missing, then most live tiles, then most kinds of them.

Frozen: whatever changes an answer is a new version (a test holds its answers by a digest), so that strengths measured
against it at different times compare.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final, Literal

from mahjong.moves import Move, Option, Question
from mahjong.players.base import question_of
from mahjong.reach import Own, Reach, Rest, missing
from mahjong.tiles import Tile
from mahjong.views import View

VERSION: Final = 1
"""Rises with any change of an answer."""
SINGLE: Final = 0.7
"""How often 单游 is taken to come off, against a win that is there now."""
HIGHER: Final = 0.75
"""The same for 双游 and 三游, while which nobody can claim."""
ROUND: Final = 8
"""Tiles that must be left to draw for 游金 to be tried: two rounds."""

Reason = Literal[
    "win",  # a win that is there
    "you",  # leaves the shape of 游金, worth more than any win now
    "certain",  # robs a hidden kong whose face can only be one that completes the hand
    "kong",  # declares a kong that costs nothing
    "nearer",  # a claim after which fewer tiles are missing
    "wider",  # a claim after which as many are missing, but more live tiles help
    "keeps",  # no further from complete than before
    "further",  # more tiles missing than need be
    "gold",  # throws gold away
    "declines",  # lets a win go
    "guess",  # robs a hidden kong on a guess
]


@dataclass(frozen=True, slots=True)
class Weighed:
    """What one legal move leads to.

    ``missing``: tiles missing for a complete hand after it (shanten + 1; 0 for a win), for a claim after the best
    discard that follows it. ``live``: copies, unseen by the reader, of the tiles that lower it, wild ones included;
    ``kinds``: how many different ones; ``improving``: the tiles themselves, ascending, each with its copies unseen.
    ``keeps_gold``: no gold leaves the hand. ``then``: the discard counted for a claim, else None.
    ``reason``: why, in a word.
    """

    option: Option
    missing: int
    live: int
    kinds: int
    improving: tuple[tuple[Tile, int], ...]
    keeps_gold: bool
    reason: Reason
    then: Tile | None = None

    @property
    def move(self) -> Move:
        """The move that is weighed."""
        return self.option.move


Key = tuple[int, int, int, int]
"""Rank, tiles missing, live tiles and kinds as negative numbers: the least is the best."""
_WIN, _PLAIN, _BAD = 0, 1, 2


class NormalPlayer:
    """(tiles missing, live tiles, kinds) for discards and claims; keeps gold; 游金 where it pays; never guesses."""

    def choose(self, view: View, rng: Random) -> Move:
        """The answer of a sound player; ties at random."""
        question = question_of(view)
        keys = Weighing(view, question).keys(pruned=True)
        best = min(keys.values())
        found = [move for move, key in keys.items() if key == best]
        return found[0] if len(found) == 1 else rng.choice(found)


def weigh(view: View) -> tuple[Weighed, ...]:
    """All legal moves as *normal* weighs them, best first. Raises ``ValueError`` if nothing is asked.

    Of several that it holds equal it plays any; they are in the order of the question.
    """
    question = question_of(view)
    weighing = Weighing(view, question)
    keys = weighing.keys(pruned=False)
    options = sorted(question.options, key=lambda option: keys[option.move])
    return tuple(weighing.weighed(option, keys[option.move]) for option in options)


class Weighing:
    """One question and what its answers lead to."""

    def __init__(self, view: View, question: Question) -> None:
        self.view = view
        self.question = question
        self.own = Own(view)

    def keys(self, *, pruned: bool) -> dict[Move, Key]:
        """How each answer ranks; ``pruned``: those that cannot be the best may be left out."""
        options = self.question.options
        keys: dict[Move, Key] = {}
        for option in options:
            if option.move.verb in ("hu", "rob"):
                sure = option.loss is None or self.certain()
                keys[option.move] = (_WIN if sure else _BAD, 0, 0, 0)
        if (you := self._you()) is not None:
            keys[you.move] = (_WIN, -1, 0, 0)
        if pruned and any(key[0] == _WIN for key in keys.values()):
            return keys
        discards = [option.move for option in options if option.move.verb == "discard" and option.move not in keys]
        keys |= self._discards([move.tiles[0] for move in discards], discards, pruned=pruned)
        fewest = min((key[1] for key in keys.values() if key[0] == _PLAIN), default=0)
        for option in options:
            move = option.move
            match move.verb:
                case "pass":
                    keys[move] = self._key(self.own.rest)
                case "chow" | "pong":
                    keys[move] = self._claim(move)[0]
                case "kong":
                    keys[move] = self._kong(move, fewest)
        return keys

    def _key(self, rest: Rest) -> Key:
        found = self.own.reach(rest)
        return (_PLAIN, found.missing, -found.live, -found.kinds)

    def _discards(self, tiles: list[Tile], moves: list[Move], *, pruned: bool) -> dict[Move, Key]:
        """Only those after which the fewest tiles are missing need more than that number."""
        own = self.own
        after = {tile: own.without((tile,)) for tile in tiles}
        number = {tile: missing(rest) for tile, rest in after.items()}
        plain = [tile for tile in tiles if own.stands_for[tile] is not None]
        fewest = min(number[tile] for tile in plain or tiles) if tiles else 0
        keys = {}
        for tile, move in zip(tiles, moves, strict=True):
            if own.stands_for[tile] is None and plain:
                if not pruned:
                    keys[move] = (_BAD, *self._key(after[tile])[1:])
            elif not pruned or number[tile] == fewest:
                keys[move] = self._key(after[tile])
        return keys

    def _you(self) -> Option | None:
        """The discard to go for 游金 with, if it pays more than a win that is there."""
        if self.view.last_four or self.view.drawable < ROUND:
            return None
        worth, found = 0.0, None
        for option in self.question.options:
            gain = option.gain or 0
            expected = gain if not option.level else gain * (SINGLE if option.level == 1 else HIGHER)
            if expected > worth:
                worth, found = expected, option
        return found if found is not None and found.level else None

    def _kong(self, move: Move, fewest: int) -> Key:
        """A kong is declared where nothing more is missing after it: it brings points and one more draw."""
        own = self.own
        if self.question.ask != "turn":
            fewest = missing(own.rest)
        after = missing(self.after_kong(move))
        free = after <= fewest and not own.me.level
        return (_PLAIN if free else _BAD, after, -own.hidden - 1, 0)

    def after_kong(self, move: Move) -> Rest:
        """The hand when the kong lies there and its replacement is not drawn."""
        tile = self.question.tile if self.question.ask != "turn" else move.tiles[0]
        assert tile is not None
        return self.own.without_kong(tile)

    def _claim(self, move: Move) -> tuple[Key, Tile | None]:
        """After a chow or pong and the best discard that follows it, which is told too; gold stays."""
        own, tile = self.own, self.question.tile
        assert tile is not None
        used = move.tiles or (tile, tile)
        rests = [
            (other, own.without((*used, other), 1))
            for other, copies in enumerate(own.tiles)
            if copies > used.count(other) and own.stands_for[other] is not None
        ]
        numbers = [missing(rest) for _, rest in rests]
        fewest = min(numbers, default=99)
        best: Key = (_BAD, 99, 0, 0)
        then = None
        for number, (other, rest) in zip(numbers, rests, strict=True):
            if number == fewest and (key := self._key(rest)) < best:
                best, then = key, other
        # Who is in 游金 wins with the next draw.
        return ((_BAD, *best[1:]) if own.me.level else best), then

    def certain(self) -> bool:
        """Whether a hidden kong can only be of a face that completes the hand."""
        own = self.own
        faces = set(own.reach(own.rest).faces)
        could = [tile for tile, copies in enumerate(own.unseen) if copies == 4 and tile not in self.view.gold]
        return bool(could) and all(own.stands_for[tile] in faces for tile in could)

    def weighed(self, option: Option, key: Key) -> Weighed:
        """The answer with what it leads to and why."""
        own, move = self.own, option.move
        now = missing(own.rest)
        then = None
        match move.verb:
            case "hu" | "rob":
                won: Reason = "win" if option.loss is None else "certain" if key[0] == _WIN else "guess"
                return Weighed(option, 0, 0, 0, (), True, won)
            case "chow" | "pong":
                then = self._claim(move)[1]
                used = move.tiles or (self.question.tile or 0,) * 2
                rest = own.without(used if then is None else (*used, then), 1)
            case "kong":
                rest = self.after_kong(move)
            case _:
                rest = own.without(move.tiles)
        found = own.reach(rest)
        keeps = rest.jokers == own.rest.jokers
        reason = self._reason(move, key, now, found, keeps)
        improving = tuple(entry for entry in own.tiles_for(found) if entry[1])
        return Weighed(option, found.missing, found.live, found.kinds, improving, keeps, reason, then)

    def _reason(self, move: Move, key: Key, now: int, found: Reach, keeps: bool) -> Reason:
        if key[0] == _WIN:
            return "you"
        match move.verb:
            case "kong":
                return "kong" if key[0] == _PLAIN else "further"
            case "pass":
                return "declines" if any(option.move.verb == "hu" for option in self.question.options) else "keeps"
            case "discard":
                return "gold" if not keeps else "keeps" if found.missing <= max(1, now) else "further"
            case _:
                if found.missing != now:
                    return "nearer" if found.missing < now else "further"
                before = self.own.reach(self.own.rest)
                return "wider" if found.live > before.live else "keeps"
