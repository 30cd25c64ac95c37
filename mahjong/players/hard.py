"""A strong player: *normal*'s candidates, weighed by what they are worth in coins (``mahjong.players.worth``)."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from mahjong.moves import Move, Option, Question
from mahjong.players.base import question_of
from mahjong.players.figures import FIGURES
from mahjong.players.normal import NormalPlayer
from mahjong.players.stakes import CONCEALED_KONG, stakes_of
from mahjong.players.worth import CLAIMED, NOTHING, Worth
from mahjong.reach import Own, Rest, missing
from mahjong.rulesets import of_game
from mahjong.tiles import FACES, Tile
from mahjong.views import View

HITS: Final = (0.05, 0.07, 0.1, 0.1, 0.1, 0.04)
"""How likely one who is ready wins on a tile: by its distance from the end of the suit; the last: honours."""
PASSED: Final = 0.15
"""What is left of that for a tile that another threw since one's own last turn."""
LATE_READY: Final = 0.7
"""How likely another is one short in the last four."""
HONOURS: Final = 27
WINNING: Final = 0.3
"""How likely one who lays out a kong wins the hand."""
CANDIDATES: Final = 5
"""Discards that are weighed closely; the others help with too few tiles."""

_NORMAL: Final = NormalPlayer()


@dataclass(frozen=True, slots=True)
class Cost:
    """What a legal move is worth in coins by *hard*'s count, and how much less than the best that is."""

    option: Option
    worth: float
    cost: float


class HardPlayer:
    """Weighs payment: which win to go for, gold and bombs, kongs and points, what others' wins cost."""

    def choose(self, view: View, rng: Random) -> Move:
        """The answer that is worth most; of equals any, and *normal*'s throw where next to nothing is between them."""
        question = question_of(view)
        if len(question.options) == 1:
            return question.options[0].move
        worths = Count(view, question).worths(pruned=True)
        best = max(worths.values())
        found = [move for move, worth in worths.items() if worth == best]
        margin = indifference(view)
        if margin and found[0].verb == "discard":
            usual = _NORMAL.choose(view, rng)
            if usual in worths and worths[usual] >= best - margin:
                return usual
        return found[0] if len(found) == 1 else rng.choice(found)


def indifference(view: View) -> float:
    """Coins under which *hard* does not care which of two throws is made."""
    return of_game(FIGURES, view.rules).margin * max(1, view.base // 10)


def cost(view: View) -> tuple[Cost, ...]:
    """All legal moves by what they are worth, best first. Raises ``ValueError`` if nothing is asked.

    What *hard* does not look at closely counts for no more than the best of what it does.
    """
    question = question_of(view)
    worths = Count(view, question).worths(pruned=False)
    best = max(worths.values())
    options = sorted(question.options, key=lambda option: -worths[option.move])
    return tuple(Cost(option, worths[option.move], best - worths[option.move]) for option in options)


class Count:
    """One question and what its answers are worth."""

    def __init__(self, view: View, question: Question) -> None:
        self.view = view
        self.question = question
        self.own = Own(view)
        self.stakes = stakes_of(self.own)
        self.worth = Worth(self.own, self.stakes)
        self.draws = self.worth.draws

    def worths(self, *, pruned: bool) -> dict[Move, float]:
        """Coins that each answer is worth; ``pruned``: those that cannot be the best may be left out."""
        match self.question.ask:
            case "turn":
                return self._turn(pruned=pruned)
            case "claim":
                return self._claims()
            case "rob":
                return self._rob()
            case "lock":
                return {option.move: float(option.gain or 0) for option in self.question.options}
            case _:
                return self._opening()

    # Hands after a move

    def after_discard(self, rest: Rest, tiles: list[int]) -> float:
        """What 3k + 1 tiles are worth after a discard now; ``tiles``: the same by physical face."""
        return self.worth.series(rest)[self.draws] + self._kongs_to_come(tiles)

    def _before_draw(self, rest: Rest, tiles: list[int]) -> float:
        """The same, one's own draw being next: nobody else acts before it."""
        worth, left = self.worth, self.draws + 1
        value = worth.series(rest)[left]
        hazard = worth.hazard[left]
        return (value + hazard * self.stakes.lost) / max(0.05, 1 - hazard) + self._kongs_to_come(tiles)

    def _kongs_to_come(self, tiles: list[int]) -> float:
        """What the fourth tiles of triplets and pongs may bring."""
        own, stakes = self.own, self.stakes
        if self.view.drawable <= 0:
            return 0.0
        rounds = self.worth.rounds()
        total = 0.0
        each = rounds / self.worth.hidden
        dark = stakes.rules == "putian-an"
        for tile, copies in enumerate(tiles):
            if copies == 3 and tile < FACES and own.stands_for[tile] is not None and own.unseen[tile]:
                total += each * stakes.kong(CONCEALED_KONG, WINNING)
                if not dark:
                    total += min(1.0, 3 * CLAIMED * each) * stakes.kong(1, WINNING)
        if self.worth.zhangzhou:
            for meld in own.me.melds:
                face = meld.tiles[0]
                if meld.kind == "pong" and face is not None and own.unseen[face]:
                    total += each * stakes.kong(1, WINNING)
        return total

    def _tiles_without(self, gone: tuple[Tile, ...]) -> list[int]:
        tiles = self.own.tiles.copy()
        for tile in gone:
            tiles[tile] -= 1
        return tiles

    # Questions

    def _turn(self, *, pruned: bool) -> dict[Move, float]:
        own = self.own
        worths: dict[Move, float] = {}
        discards: list[tuple[Move, Rest, int]] = []
        for option in self.question.options:
            move = option.move
            match move.verb:
                case "hu":
                    worths[move] = float(option.gain or 0)
                case "kong":
                    worths[move] = self._kong(move.tiles[0])
                case _ if option.level:
                    worths[move] = self.worth.you(option.level, self.draws)
                case _:
                    rest = own.without(move.tiles)
                    discards.append((move, rest, missing(rest)))
        if not discards:
            return worths
        plain = [number for move, _, number in discards if own.stands_for[move.tiles[0]] is not None]
        fewest = min(plain) if plain else 0
        close, others = [], []
        for move, rest, number in discards:
            gold = own.stands_for[move.tiles[0]] is None
            if (gold and plain) or number > fewest:
                others.append((move, rest, number))
                continue
            found = own.reach(rest)
            close.append((self.worth.weighted(rest, found), found.live, move, rest))
        close.sort(key=lambda entry: (-entry[0], -entry[1]))
        candidates = CANDIDATES if fewest > 1 else len(close)
        for _, _, move, rest in close[:candidates]:
            worths[move] = self.after_discard(rest, self._tiles_without(move.tiles)) - self._risk(move.tiles[0])
        if not pruned:
            best = max(worths.values())
            for _, _, move, rest in close[candidates:]:
                counted = self.after_discard(rest, self._tiles_without(move.tiles)) - self._risk(move.tiles[0])
                worths[move] = min(best, counted)
            for move, rest, number in others:
                counted = (self.worth.far if number > 1 else self.worth.ready)(rest)[self.draws]
                worths[move] = min(best, counted)
        return worths

    def _kong(self, tile: Tile) -> float:
        """A kong at one's own turn: its points, and a draw."""
        held = self.own.tiles[tile]
        rest = self.own.without_kong(tile)
        tiles = self._tiles_without((tile,) * held)
        points = CONCEALED_KONG if held == 4 else 1
        return self._before_draw(rest, tiles) + self.stakes.kong(points, WINNING)

    def _claims(self) -> dict[Move, float]:
        own, tile = self.own, self.question.tile
        assert tile is not None
        worths: dict[Move, float] = {}
        for option in self.question.options:
            move = option.move
            match move.verb:
                case "hu":
                    worths[move] = float(option.gain or 0)
                case "pass":
                    worths[move] = self._passing()
                case "kong":
                    rest = own.without((tile,) * 3, 1)
                    worths[move] = self._before_draw(rest, self._tiles_without((tile,) * 3)) + self.stakes.kong(
                        1, WINNING
                    )
                case _:
                    used = move.tiles or (tile, tile)
                    worths[move] = self._after_claim(used, tile if move.verb == "pong" else None)
        return worths

    def _passing(self) -> float:
        """The hand as it is; the fewer turns of others before one's own draw, the better."""
        own = self.own
        if own.me.level:
            return self.worth.you(own.me.level, max(1, self.draws))
        value = self.after_discard(own.rest, own.tiles)
        source = self.question.source
        assert source is not None
        between = (own.me.seat - source - 1) % 4
        soon = self._before_draw(own.rest, own.tiles)
        return soon + (value - soon) * between / 3

    def _after_claim(self, used: tuple[Tile, ...], ponged: Tile | None) -> float:
        own = self.own
        best = NOTHING
        rests = []
        for other, copies in enumerate(own.tiles):
            if copies > used.count(other) and own.stands_for[other] is not None:
                rest = own.without((*used, other), 1)
                rests.append((missing(rest), other, rest))
        fewest = min((number for number, _, _ in rests), default=99)
        for number, other, rest in rests:
            if number != fewest:
                continue
            value = self.after_discard(rest, self._tiles_without((*used, other)))
            if number == 1 and self.worth.zhangzhou and rest.jokers and self.worth.is_you(rest):
                value = max(value, self.worth.you(1, self.draws))
            best = max(best, value)
        if ponged is not None and self.worth.zhangzhou and own.unseen[ponged]:
            best += self.worth.rounds() / self.worth.hidden * self.stakes.kong(1, WINNING)
        return best

    def _rob(self) -> dict[Move, float]:
        """An added kong is open; a hidden one is guessed at by the faces that it can be."""
        own = self.own
        worths: dict[Move, float] = {}
        for option in self.question.options:
            move = option.move
            if move.verb == "pass":
                worths[move] = self.after_discard(own.rest, own.tiles)
            elif option.loss is None:
                worths[move] = float(option.gain or 0)
            else:
                faces = set(own.reach(own.rest).faces)
                could = [tile for tile, copies in enumerate(own.unseen) if copies == 4 and tile not in self.view.gold]
                hits = sum(own.stands_for[tile] in faces for tile in could)
                chance = hits / len(could) if could else 0.0
                worths[move] = chance * (option.gain or 0) - (1 - chance) * option.loss
        return worths

    def _opening(self) -> dict[Move, float]:
        """A win before the first discard, against playing on."""
        own = self.own
        worths: dict[Move, float] = {}
        for option in self.question.options:
            move = option.move
            if move.verb != "pass":
                worths[move] = float(option.gain or 0)
            elif own.me.concealed_count % 3 == 1:
                worths[move] = self.after_discard(own.rest, own.tiles)
            else:
                held = [tile for tile, copies in enumerate(own.tiles) if copies]
                worths[move] = max(self._first_discard(tile) for tile in held)
        return worths

    def _first_discard(self, tile: Tile) -> float:
        """What a dealer's hand is worth after a first discard, 游金 by it counted too (rules-zhangzhou 7.2)."""
        own, worth = self.own, self.worth
        gold = own.stands_for[tile] is None
        if gold and not worth.zhangzhou:
            return NOTHING
        rest = own.without((tile,))
        value = self.after_discard(rest, self._tiles_without((tile,)))
        if worth.zhangzhou and worth.is_you(rest):
            value = max(value, worth.you(2 if gold else 1, self.draws))
        return value

    def _risk(self, tile: Tile) -> float:
        """What a throw may cost in the last four, where who throws pays for all (承包, rules-zhangzhou 8.3).

        Gold can be claimed by nobody; what others have just thrown and nobody won on is safer than the rest. Earlier
        in a hand, and in Putian, to mind this costs more than it saves (docs/players.md).
        """
        view, own = self.view, self.own
        face = own.stands_for[tile]
        if not view.last_four or face is None:
            return 0.0
        rank = face % 9
        hit = HITS[-1] if face >= HONOURS else HITS[min(rank, 8 - rank)]
        for event in reversed(view.events):
            if event.kind == "discarded":
                if event.seat == own.me.seat:
                    break
                if event.tiles[0] == tile:
                    hit *= PASSED
                    break
        return 3 * LATE_READY * hit * self.stakes.by_discard(0)
