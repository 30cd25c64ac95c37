"""Walls made to order: who is dealt what, what is drawn next, what lies at the tail, what is gold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from mahjong.hand import Hand, Setup
from mahjong.moves import in_order
from mahjong.records import Record, play
from mahjong.rulesets import RULESETS
from mahjong.tiles import FLOWERS, WHITE, Tile, parse_tiles

JUNK = 20


def setup(
    rules: str = "zhangzhou",
    hands: Mapping[int, str] | None = None,
    *,
    draws: str = "",
    tail: str = "",
    gold: str = "5m",
    throws: tuple[int, ...] = (7,),
    before_gold: int = 0,
    at: Mapping[int, str] | None = None,
    dealer: int = 0,
    streak: int = 1,
    base: int = 10,
    coins: tuple[int, int, int, int] = (1000, 1000, 1000, 1000),
    options: Mapping[str, Any] | None = None,
    junk: int = 0,
) -> Setup:
    """A set-up in which seats are dealt ``hands`` (filled up with junk where short), ``draws`` come from the head after
    the deal, ``tail`` from the tail (in the order in which they are drawn), and the last throw turns up ``gold``.

    ``before_gold``: tiles that leave the tail before the gold is turned up. ``at``: other tiles by their place from the
    end (1 is the last). What is left over lies in the middle, flowers and Putian's whites where nobody draws them
    but from the tail. ``junk`` seeds the filling.
    """
    game = RULESETS[rules]
    rest = list(game.tiles)

    def take(text: str) -> list[Tile]:
        tiles = parse_tiles(text)
        for tile in tiles:
            rest.remove(tile)
        return tiles

    size = len(game.tiles)
    wall: list[Tile | None] = [None] * size
    places = [place + before_gold for place in game.gold_places(throws[-1])]
    for place, tile in zip(places, take(gold), strict=True):
        wall[-place] = tile
    for place, text in (at or {}).items():
        (wall[-place],) = take(text)
    at_tail = size - 1
    for tile in take(tail):
        while wall[at_tail] is not None:
            at_tail -= 1
        wall[at_tail] = tile
    dealt = {seat: take((hands or {}).get(seat, "")) for seat in range(4)}
    drawn = take(draws)
    flowers = [tile for tile in rest if tile in FLOWERS or (rules != "zhangzhou" and tile == WHITE)]
    plain = [tile for tile in rest if tile not in flowers]
    Random(junk + JUNK).shuffle(plain)
    # Gold is not handed out by chance.
    wild = set(parse_tiles(gold))
    plain.sort(key=lambda tile: tile not in wild)
    order = in_order(dealer)
    for seat in range(4):
        while len(dealt[seat]) < 16 + (seat == dealer):
            dealt[seat].append(plain.pop())
    head = 0
    for turn in range(4):
        for seat in order:
            wall[head : head + 4] = dealt[seat][4 * turn : 4 * turn + 4]
            head += 4
    wall[head] = dealt[dealer][16]
    wall[head + 1 : head + 1 + len(drawn)] = drawn
    for place in range(size - 1, -1, -1):
        if wall[place] is None:
            wall[place] = flowers.pop() if flowers else plain.pop(0)
    assert not rest or sorted(tile for tile in wall if tile is not None) == list(game.tiles)
    tiles = tuple(tile for tile in wall if tile is not None)
    return Setup(game, dict(options or {}), dealer, streak, base, coins, tiles, throws)


def advance(hand: Hand, until: Callable[[Hand], bool]) -> None:
    """Let everybody pass and throw what is drawn until something holds or the hand is over."""
    while hand.result is None and not until(hand):
        if hand.in_window:
            hand.close()
        else:
            assert hand.turn is not None
            hand.apply(hand.default_move(hand.turn))


def outcome(made: Setup, *actions: str) -> dict[str, Any]:
    """The result of a record with these actions."""
    return play(Record(made, tuple(actions)))


def legal(made: Setup, *actions: str) -> set[str]:
    """What is on offer after these actions."""
    result = outcome(made, *actions)
    assert result["outcome"] == "unfinished", result
    return {action for moves in result["legal"].values() for action in moves}
