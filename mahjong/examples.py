"""Hands worked out for the rules that people read: one for each thing that a rule says, settled by the engine.

Seat 0 is the reader, *you*; the others follow in playing order. Nothing here says what a hand is worth: ``worked``
plays it under a table's options and stake.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Final

from mahjong.hand import Hand, Setup
from mahjong.moves import Seat, in_order
from mahjong.records import Record, record_of, replay
from mahjong.rulesets import RULESETS, of_game
from mahjong.tiles import Tile, parse_tiles
from mahjong.views import SheetView, sheet

YOU: Final[Seat] = 0
LOWER: Final[Seat] = 1
ACROSS: Final[Seat] = 2
UPPER: Final[Seat] = 3
WEALTH: Final = 100
"""Stakes that everybody has: nobody runs short, and the next hand is played at the same one."""
THROW: Final = 7
"""The dice for the gold, whatever they show."""


@dataclass(frozen=True, slots=True)
class Example:
    """A hand to show: what is dealt by seat, filled up with what is of no use; what is drawn from the head after the
    deal and from the tail, in that order; what is turned up as gold; what is done, as in record.md.

    ``flowers``: how many tiles leave the tail before the gold is turned up. ``late``: a seat: before ``actions``
    everybody throws what is drawn until that seat has a turn in the last four (rules-zhangzhou 8.2).
    """

    rules: str
    hands: Mapping[Seat, str]
    actions: tuple[str, ...]
    gold: str
    draws: str = ""
    tail: str = ""
    dealer: Seat = UPPER
    streak: int = 1
    flowers: int = 0
    late: Seat | None = None


def worked(rules: str, name: str, options: Mapping[str, int | bool], base: int, streak: int = 1) -> SheetView:
    """The score sheet of an example of ``EXAMPLES`` at a table with these options and this stake.

    Raises ``KeyError`` for an example that the game does not have.
    """
    return _worked(rules, name, tuple(sorted(options.items())), base, streak)


@lru_cache(maxsize=256)
def _worked(rules: str, name: str, options: tuple[tuple[str, int | bool], ...], base: int, streak: int) -> SheetView:
    example = of_game(EXAMPLES, rules)[name]
    return sheet(replay(record(replace(example, rules=rules), dict(options), base, streak)))


def record(example: Example, options: Mapping[str, int | bool], base: int, streak: int = 1) -> Record:
    """An example as a record of a whole hand."""
    setup = _setup(example, options, base, streak)
    before: tuple[str, ...] = ()
    if example.late is not None:
        hand = Hand.deal(setup)
        while not (hand.last_four and hand.turn == example.late):
            if hand.in_window:
                hand.close()
            else:
                assert hand.turn is not None
                hand.apply(hand.default_move(hand.turn))
        before = record_of(hand).actions
    return Record(setup, (*before, *example.actions))


def _setup(example: Example, options: Mapping[str, int | bool], base: int, streak: int) -> Setup:
    """A wall in which everything lies where the example wants it; what is left over lies where it does no harm."""
    game = RULESETS[example.rules]
    rest = list(game.tiles)

    def take(text: str) -> list[Tile]:
        tiles = parse_tiles(text)
        for tile in tiles:
            rest.remove(tile)
        return tiles

    wall: list[Tile | None] = [None] * len(rest)
    turned = take(example.gold)
    for place, tile in zip(game.gold_places(THROW), turned, strict=True):
        wall[-place - example.flowers] = tile
    for tile in take(example.tail):
        wall[_last_free(wall)] = tile
    dealt = [take(example.hands.get(seat, "")) for seat in range(4)]
    drawn = take(example.draws)
    laid = [tile for tile in rest if tile in game.flowers(())]
    wild = [tile for tile in rest if tile in turned]
    plain = [tile for tile in rest if tile not in laid and tile not in wild]
    Random(THROW).shuffle(plain)
    order = in_order(example.dealer)
    for seat in range(4):
        while len(dealt[seat]) < 16 + (seat == example.dealer):
            dealt[seat].append(plain.pop())
    head = [tile for turn in range(4) for seat in order for tile in dealt[seat][4 * turn : 4 * turn + 4]]
    head += [dealt[example.dealer][16], *drawn]
    wall[: len(head)] = head
    # At the end lies what nobody is to draw: flowers, gold.
    for tile in (*laid, *wild, *plain):
        wall[_last_free(wall)] = tile
    return Setup(
        rules=game,
        options={**options},
        dealer=example.dealer,
        streak=streak,
        base=base,
        coins=(WEALTH * base,) * 4,
        wall=tuple(tile for tile in wall if tile is not None),
        gold_dice=(THROW,),
    )


def _last_free(wall: list[Tile | None]) -> int:
    return max(place for place, tile in enumerate(wall) if tile is None)


_READY: Final = "123m456p789p234s67s22z"
"""Ready for 5s and 8s, without gold."""
_PUTIAN: Final = "123m456p789p234s67s22m"

_ZHANGZHOU: Final = {
    "discard": Example("zhangzhou", {YOU: _READY, UPPER: "8s"}, ("3 discard 8s", "0 hu"), "5m"),
    "self_draw": Example(
        "zhangzhou", {YOU: _READY, UPPER: "9s"}, ("3 discard 9s", "0 hu"), "5m", "8s"
    ),
    "rob_gold": Example("zhangzhou", {YOU: "123m456p789p234s46m22z"}, ("0 hu",), "5m"),
    "three_gold": Example("zhangzhou", {YOU: "555m14m29p158s134z267p"}, ("0 hu",), "5m"),
    "rob_kong": Example("zhangzhou", {YOU: _READY, UPPER: "8888s"}, ("3 kong 8s", "0 rob"), "5m"),
    "false_win": Example("zhangzhou", {YOU: _READY, UPPER: "9999m"}, ("3 kong 9m", "0 rob"), "5m"),
    "single_you": Example(
        "zhangzhou", {YOU: "5m123m456p789p234s67s1z", UPPER: "9s"},
        ("3 discard 9s", "0 discard 1z", "1 discard 3z", "2 discard 4z", "3 discard 6z", "0 hu"), "5m", "8s3z4z6z1p",
    ),
    "double_you": Example(
        "zhangzhou", {YOU: "55m123m456p789p234s67s", UPPER: "9s"}, ("3 discard 9s", "0 discard 5m", "0 hu"), "5m",
        "8s3z4z6z1p",
    ),
    "triple_you": Example(
        "zhangzhou", {YOU: "55m123m456p789p234s67s", UPPER: "9s"}, ("3 discard 9s", "0 discard 5m"), "5m",
        "8s3z4z6z5m",
    ),
    "heavenly": Example("zhangzhou", {YOU: "123m456p789p234s678s22z"}, ("0 hu",), "5m", dealer=YOU),
    "pay": Example(
        "zhangzhou", {YOU: "12357f123m456p789p22z", UPPER: "9s"}, ("3 discard 9s", "0 hu"), "5m", "8s", "234s67s",
        flowers=5,
    ),
    "points": Example(
        "zhangzhou", {YOU: _READY, LOWER: "1234f", UPPER: "4444z8s"}, ("3 kong 4z", "3 discard 8s", "0 hu"), "5m",
        tail="9m1p9p1m6z", flowers=4,
    ),
    "liability": Example(
        "zhangzhou", {YOU: "123m456p789p234s678s2z", LOWER: "2z", ACROSS: "2z", UPPER: "2z"},
        ("1 discard 2z", "0 hu"), "5m", late=LOWER,
    ),
    "fenbing": Example(
        "zhangzhou", {YOU: "123m456p789p234s67s2z1z", LOWER: "1z", ACROSS: "1z", UPPER: "1z8s"},
        ("3 discard 1z", "0 discard 1z", "1 discard 1z", "2 discard 1z", "3 discard 8s", "0 hu"), "5m", "2z3z4z6z",
    ),
}  # fmt: skip

_DARK: Final = {
    "self_draw": Example(
        "putian-an", {YOU: _PUTIAN, UPPER: "9s"}, ("3 discard 9s", "0 hu"), "3p7m", "8s"
    ),
    "heavenly": Example("putian-an", {YOU: "123m456p789p234s678s22m"}, ("0 hu",), "3p7m", dealer=YOU),
    "rob_gold": Example("putian-an", {YOU: _PUTIAN}, ("0 hu",), "3p7m"),
    "two_gold": Example("putian-an", {YOU: "33p14m29m158s247s267p9p"}, ("0 hu",), "33p"),
    "small_bomb": Example("putian-an", {YOU: "333p14m29m158s24s267p9p"}, ("0 hu",), "3p7m"),
    "big_bomb": Example("putian-an", {YOU: "333p77m14m29m158s24s26p"}, ("0 hu",), "3p7m"),
    "super_bomb": Example("putian-an", {YOU: "333p777m14m29m158s24s2p"}, ("0 hu",), "3p7m"),
    "pay": Example(
        "putian-an", {YOU: "3p5z123m456p789p23s67s2m", UPPER: "9s"}, ("3 discard 9s", "0 hu"), "3p7m", "8s", "2m"
    ),
    "suanhua": Example(
        "putian-an", {YOU: "3p123m456p789p23s67s22m", LOWER: "55z", ACROSS: "7m5z", UPPER: "7m9999m9s"},
        ("3 kong 9m", "3 discard 9s", "0 hu"), "3p7m", "8s", "1m1p9s9p",
    ),
}  # fmt: skip

_OPEN: Final = {
    "discard": Example("putian-ming", {YOU: _PUTIAN, UPPER: "8s"}, ("3 discard 8s", "0 hu"), "3p"),
    "self_draw": Example(
        "putian-ming", {YOU: _PUTIAN, UPPER: "9s"}, ("3 discard 9s", "0 hu"), "3p", "8s"
    ),
    "heavenly": Example("putian-ming", {YOU: "123m456p789p234s678s22m"}, ("0 hu",), "3p", dealer=YOU),
    "rob_gold": Example("putian-ming", {YOU: _PUTIAN}, ("0 hu",), "3p"),
    "three_gold": Example("putian-ming", {YOU: "333p14m29m158s24s267p9p"}, ("0 hu",), "3p"),
    "pay": Example(
        "putian-ming", {YOU: "3p5z123m456p23s67s999s2m", UPPER: "9s"}, ("3 discard 9s", "0 kong", "0 hu"), "3p",
        tail="2m8s",
    ),
    "pay_discard": Example(
        "putian-ming", {YOU: "3p5z123m456p789p23s67s2m", UPPER: "8s"}, ("3 discard 8s", "0 hu"), "3p", tail="2m"
    ),
    "suanhua": Example(
        "putian-ming", {YOU: "123m456p789p234s67s22m", LOWER: "55z", ACROSS: "3p5z", UPPER: "3p9999m9s"},
        ("3 kong 9m", "3 discard 9s", "0 hu"), "3p", "8s", "1m1p9s9p",
    ),
}  # fmt: skip

EXAMPLES: Final[Mapping[str, Mapping[str, Example]]] = {
    "zhangzhou": _ZHANGZHOU, "putian-an": _DARK, "putian-ming": _OPEN,
}  # fmt: skip
"""By game and name. Named after a kind of win: that win, by an idle player where it can be, with nothing to add where
that can be; the others as the pages need them."""
