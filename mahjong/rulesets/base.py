"""What a game of the family is made of: the hooks that the engine asks, with what most games do.

The engine (``mahjong.hand``) knows tiles, turns, windows, melds and the wall. Whatever differs between the games is
asked of a ``Ruleset``. Rulesets hold no state of a hand; they read the hand that they are given.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from mahjong.moves import IllegalRecord, MeldKind, Move, Seat
from mahjong.settlement import Due, Ending, Tally
from mahjong.tiles import ALL_FACES, FACES, FLOWERS, NAMES, Tile, is_suited

if TYPE_CHECKING:
    from mahjong.hand import Hand

NO_TILE: Final = frozenset({"heavenly", "three_gold", "two_gold", "small_bomb", "big_bomb", "super_bomb"})
"""Wins that no single tile makes (record.md, ``tile``)."""


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """A table option: its name in records, the values it may take, the first of them the default."""

    name: str
    values: tuple[int | bool, ...]

    @property
    def default(self) -> int | bool:
        """The value where a table or record says nothing."""
        return self.values[0]


class Ruleset:
    """One game: ``name`` as in records, ``tiles`` of its wall in ascending order, ``options`` that a table may set."""

    name: str
    tiles: tuple[Tile, ...]
    options: tuple[OptionSpec, ...] = ()
    outcomes: tuple[str, ...]
    """What a hand may come to: the kinds of win (``by`` in record.md), ``false_win`` if there is one, ``draw``."""
    values: Mapping[str, int] = {}
    """By what each kind of win multiplies the stake, in a game that pays by that."""
    flat: Mapping[str, int] = {}
    """Kinds of win that cost each loser so many points, nothing added or doubled."""
    hidden_discards: bool = False
    """Discards lie face down: nobody but their owner ever sees them."""
    keeps_gold: bool = False
    """Gold may not be thrown."""
    claims: frozenset[str] = frozenset()
    """What may follow a discard: any of ``chow``, ``pong``, ``kong``, ``hu``; without any there is no claim window."""

    @property
    def kin(self) -> tuple[str, ...]:
        """The names of the game and of those whose class it is made from, itself first, then the nearest.

        What it has no words, examples or figures of its own for, it takes from the next in this line.
        """
        return tuple(dict.fromkeys(vars(kind)["name"] for kind in type(self).__mro__ if "name" in vars(kind)))

    @property
    def table_options(self) -> tuple[OptionSpec, ...]:
        """The options that make a difference in this game, to be offered at a table; records may name all."""
        return self.options

    def complete_options(self, options: Mapping[str, object]) -> dict[str, int | bool]:
        """All options with their values, defaults filled in. Raises ``IllegalRecord`` for unknown names or values."""
        complete = {spec.name: spec.default for spec in self.options}
        for name, value in options.items():
            spec = next((spec for spec in self.options if spec.name == name), None)
            if spec is None:
                known = ", ".join(complete) or "none"
                raise IllegalRecord(f"options: unknown option {ascii(name)[:60]}; {self.name} has: {known}")
            for allowed in spec.values:
                if type(value) is type(allowed) and value == allowed:
                    complete[name] = allowed
                    break
            else:
                values = ", ".join(str(allowed).lower() for allowed in spec.values)
                raise IllegalRecord(f"options: {name} is one of {values}, not {ascii(value)[:60]}")
        return complete

    def check_base(self, base: int) -> None:
        """Raises ``IllegalRecord`` for a stake that this game cannot be played at."""

    # The deal

    def prepare(self, hand: Hand) -> None:
        """After the tiles are dealt: replace flowers, turn up the gold, in this game's order."""
        raise NotImplementedError

    def gold_places(self, throw: int) -> tuple[int, ...]:
        """Which tiles a throw turns up, counted from the end of the wall (1 is the last)."""
        raise NotImplementedError

    def gold_stands(self, hand: Hand, turned: Sequence[Tile]) -> bool:
        """Whether the turned-up tiles stay, else they go back and the dice are thrown again."""
        raise NotImplementedError

    def flowers(self, gold: tuple[Tile, ...]) -> Container[Tile]:
        """The tiles that are laid out and replaced when drawn, given the faces that are gold."""
        return FLOWERS

    def stands_for(self, gold: tuple[Tile, ...]) -> tuple[Tile | None, ...]:
        """What each tile stands for in a set: a face, or None for a wild one. Flowers do not matter."""
        return _natural(gold)

    # Wall

    def drawable(self, hand: Hand) -> int:
        """Tiles that turns may still draw; may be negative where replacements ate into a reserve."""
        return len(hand.wall)

    def before_draw(self, hand: Hand) -> None:
        """A tile is about to be drawn after the deal."""

    # Moves

    def level_after(self, hand: Hand, seat: Seat, tile: Tile) -> int:
        """The level of 游金 that a seat with a full hand would have after throwing the tile."""
        return 0

    def win_at_level(self, level: int) -> str:
        """The kind of win, as ``by`` in record.md, of a completing draw at a level of 游金."""
        return "self_draw"

    def may_win_discard(self, hand: Hand, seat: Seat, tile: Tile) -> bool:
        """Whether the seat may win on this discard. The engine sees to passed wins."""
        return hand.stands_for[tile] in hand.seats[seat].waits

    def draws_alone_win(self, jokers: int) -> bool:
        """Whether so much gold in hand rules out a win on a discard where others may have one."""
        return False

    def rob_follows(self, hand: Hand, kind: MeldKind) -> bool:
        """Whether a kong of this kind declared at one's own turn may be robbed by anyone, by the rules of the game."""
        return False

    def may_rob(self, hand: Hand, seat: Seat, kind: MeldKind, tile: Tile) -> bool:
        """Whether this seat is asked to rob the kong."""
        return False

    def claims_for(self, hand: Hand, seat: Seat, source: Seat, tile: Tile) -> list[Move]:
        """The claims, but hu, that a seat may make on a discard."""
        if tile in hand.gold:
            return []
        claims = self.claims
        tiles = hand.seats[seat].tiles
        follows = seat == (source + 1) % 4
        if tiles[tile] < 2 and not follows:
            return []
        moves = []
        if "kong" in claims and tiles[tile] >= 3 and hand.drawable > 0:
            moves.append(Move(seat, "kong"))
        if "pong" in claims and tiles[tile] >= 2:
            moves.append(Move(seat, "pong"))
        face = hand.stands_for[tile]
        if follows and "chow" in claims and face is not None and is_suited(face):
            for one, other in _BESIDE[face]:
                first, second = hand.lies_for(one), hand.lies_for(other)
                if first is not None and second is not None and tiles[first] and tiles[second]:
                    moves.append(Move(seat, "chow", (first, second) if first < second else (second, first)))
        return moves

    # Wins

    def opening(self, hand: Hand) -> list[tuple[str, Seat]]:
        """Wins on offer before the first discard, (kind of win, seat) in the order in which they are asked."""
        raise NotImplementedError

    def turn_win(self, hand: Hand, seat: Seat) -> str | None:
        """The best win that the seat may declare at its own turn, as ``by`` in record.md."""
        raise NotImplementedError

    def forced_win(self, hand: Hand, seat: Seat) -> str | None:
        """A win that the tile just drawn makes of itself."""
        return None

    def robbed_gold(self, hand: Hand) -> Tile:
        """The turned-up tile that 抢金 takes."""
        return hand.turned[0]

    # Settlement

    def tally(self, hand: Hand, seat: Seat, ending: Ending) -> tuple[Tally, ...]:
        """What the seat has points for."""
        raise NotImplementedError

    def points(self, hand: Hand, seat: Seat, ending: Ending) -> int:
        """The seat's points as the result shows them (record.md, ``points``)."""
        raise NotImplementedError

    def fenbing(self, hand: Hand) -> int:
        """What the dealer owes each other player for 分饼, in base units."""
        return 0

    def dues(self, hand: Hand, ending: Ending) -> list[Due]:
        """Who owes whom what, in the order of payment."""
        raise NotImplementedError


_BESIDE: Final = tuple(
    tuple(
        (face + one, face + other)
        for one, other in ((-2, -1), (-1, 1), (1, 2))
        if face % 9 + one >= 0 and face % 9 + other < 9
    )
    for face in range(27)
)
"""By suited face the two others of each run that it stands in."""


@cache
def _natural(gold: tuple[Tile, ...]) -> tuple[Tile | None, ...]:
    return tuple(None if tile in gold or tile >= FACES else tile for tile in range(ALL_FACES))


def tile_set(faces: Sequence[Tile], singles: Sequence[Tile] = ()) -> tuple[Tile, ...]:
    """Four copies of each face and one of each single, ascending."""
    return tuple(sorted([face for face in faces for _ in range(4)] + list(singles)))


def check_wall(rules: Ruleset, wall: Sequence[Tile]) -> None:
    """Raises ``IllegalRecord`` unless the wall has exactly the tiles of the game."""
    if tuple(sorted(wall)) == rules.tiles:
        return
    if len(wall) != len(rules.tiles):
        raise IllegalRecord(f"wall: {rules.name} has {len(rules.tiles)} tiles, not {len(wall)}")
    for face in range(ALL_FACES):
        have, want = wall.count(face), rules.tiles.count(face)
        if have != want:
            raise IllegalRecord(f"wall: {NAMES[face]} is there {have} times, {rules.name} has it {want} times")
