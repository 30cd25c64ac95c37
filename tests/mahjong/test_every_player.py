"""What holds of every computer player, whatever it is good for."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from mahjong.hand import Hand
from mahjong.players import PLAYERS
from mahjong.rulesets import RULESETS, of_game
from mahjong.views import view
from tests.mahjong.play import deal, steps

HANDS = int(os.environ.get("PLAYED_POSITIONS_HANDS", "25"))
"""Hands at random from which positions are taken, for each player and ruleset."""

OPTIONS: dict[str, tuple[dict[str, object], ...]] = {
    "zhangzhou": ({}, {"dead_wall_stacks": 13, "rob_added_kong": False, "draw_pays_points": True}),
    "putian-an": ({}, {"count_single_whites_between_losers": False}),
    "putian-ming": ({}, {"discard_win_multiplier": 1}),
}


def positions(rules: str, hands: int, seed: int = 0) -> Iterator[tuple[Hand, int]]:
    """Hands at random with a seat that is asked; both houses' options by turns, streaks 1 to 4, all dealers."""
    for number in range(seed, seed + hands):
        made = deal(rules, number, streak=number % 4 + 1).setup
        ways = of_game(OPTIONS, rules)
        options = ways[number % len(ways)]
        hand = Hand.deal(replace(made, options=options))
        for moment in steps(hand, Random(number)):
            for seat in moment.questions:
                yield moment, seat


@pytest.mark.parametrize("rules", RULESETS)
@pytest.mark.parametrize("name", PLAYERS)
def test_only_legal_moves_and_never_an_exception(name: str, rules: str) -> None:
    player = PLAYERS[name]
    seen = 0
    for hand, seat in positions(rules, HANDS):
        seen += 1
        assert player.choose(view(hand, seat), Random(seen)) in hand.legal(seat)
    assert seen > 20 * HANDS


@pytest.mark.parametrize("rules", RULESETS)
@pytest.mark.parametrize("name", PLAYERS)
def test_the_same_view_and_seed_give_the_same_answer(name: str, rules: str) -> None:
    player = PLAYERS[name]
    for number, (hand, seat) in enumerate(positions(rules, 4, 1000)):
        first = player.choose(view(hand, seat), Random(number))
        assert player.choose(view(hand.copy(), seat), Random(number)) == first


def shuffled(hand: Hand, reader: int, rng: Random) -> Hand:
    """The same hand with all that the reader does not see otherwise: the tiles in the wall, in others' hands and in
    rivers that lie face down, the faces of hidden kongs, what others drew, quiet 单游 and wins that were passed."""
    other = hand.copy()
    flowers = hand.flowers
    seats = [seat for seat in range(4) if seat != reader]
    held = [(seat, tile) for seat in seats for tile in other.seats[seat].held()]
    places = [at for at, tile in enumerate(other.wall) if tile not in flowers]
    dark = [(seat, at) for seat in seats for at, _ in enumerate(other.seats[seat].river) if hand.rules.hidden_discards]
    tiles = [tile for _, tile in held] + [other.wall[at] for at in places]
    tiles += [tile for seat, at in dark if (tile := other.seats[seat].river[at].tile) is not None]
    rng.shuffle(tiles)
    for seat, tile in held:
        other.seats[seat].remove((tile,))
    for seat, _ in held:
        other.seats[seat].add(tiles.pop())
    for at in places:
        other.wall[at] = tiles.pop()
    for seat, at in dark:
        river = other.seats[seat].river
        river[at] = replace(river[at], tile=tiles.pop())
        if other.last_discard is not None and other.last_discard[0] == seat:
            other.last_discard = seat, river[at].tile or 0
    for seat in seats:
        state = other.seats[seat]
        state.melds = [
            replace(meld, tiles=(rng.randrange(27),) * 4) if meld.kind == "concealed_kong" else meld
            for meld in state.melds
        ]
        state.passed_win = rng.random() < 0.5
        if state.level < 2:
            state.level = rng.randrange(2)
    unseen = {"drew", "replaced", "dealt", "concealed_kong"} | ({"discarded"} if hand.rules.hidden_discards else set())
    other.events = [
        replace(event, tiles=tuple(rng.randrange(27) for _ in event.tiles))
        if event.kind in unseen and event.seat in seats
        else event
        for event in other.events
    ]
    return other


@pytest.mark.parametrize("rules", RULESETS)
@pytest.mark.parametrize("name", PLAYERS)
def test_what_a_player_cannot_see_changes_nothing(name: str, rules: str) -> None:
    player = PLAYERS[name]
    rng = Random(5)
    moved = 0
    for number, (hand, seat) in enumerate(positions(rules, 4, 2000)):
        if number % 5:
            continue
        other = shuffled(hand, seat, rng)
        moved += [state.tiles for state in other.seats] != [state.tiles for state in hand.seats]
        assert view(other, seat) == view(hand, seat)
        assert player.choose(view(other, seat), Random(number)) == player.choose(view(hand, seat), Random(number))
    assert moved > 10
