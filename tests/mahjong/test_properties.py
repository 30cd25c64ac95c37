"""What holds for every hand of every game, found by chance."""

from __future__ import annotations

from copy import deepcopy
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mahjong.hand import Hand, IllegalMove, Setup
from mahjong.moves import Move
from mahjong.notation import write_move
from mahjong.records import Record, play, record_of, replay, result_json
from mahjong.rulesets import RULESETS
from mahjong.tiles import Tile
from mahjong.views import View, sheet, view
from tests.mahjong.play import check, deal, steps

games = st.sampled_from(sorted(RULESETS))
seeds = st.integers(0, 2**32)


@settings(max_examples=60)
@given(games, seeds, st.sampled_from([0, 30, 2000]))
def test_tiles_money_and_records(rules: str, seed: int, coins: int) -> None:
    """Tiles are conserved, payments sum to zero, and the record of the hand gives the same events and result."""
    hand = deal(rules, seed, streak=seed % 3 + 1, coins=coins)
    for state in steps(hand, Random(seed)):
        check(state)
    record = record_of(hand, id=str(seed), note="found by chance")
    again = Record.from_json(record.to_json())
    assert again == record
    replayed = replay(again)
    assert replayed.events == hand.events
    assert replayed.result == hand.result
    assert play(record) == result_json(hand)
    page = sheet(hand)
    assert page.net == hand.result.net if hand.result else False
    if page.by in (
        "self_draw",
        "discard",
        "single_you",
        "double_you",
        "triple_you",
        "rob_kong",
        "rob_gold",
        "heavenly",
    ):
        assert [len(group) for group in page.sets][-1] == 2


@settings(max_examples=40)
@given(games, seeds)
def test_a_copy_lives_its_own_life(rules: str, seed: int) -> None:
    hand = deal(rules, seed)
    rng = Random(seed)
    stop = rng.randrange(60)
    for number, _ in enumerate(steps(hand, rng)):
        if number == stop:
            break
    before = inside(hand)
    for state in steps(hand.copy(), rng):
        check(state)
    assert inside(hand) == before
    if hand.in_window:
        hand.copy().close()
        assert inside(hand) == before


def inside(hand: Hand) -> dict[str, object]:
    """All that makes up a hand, as it is now; but for what is only remembered of it."""
    found = {
        name: deepcopy(value) for name, value in vars(hand).items() if name not in ("setup", "rules", "shown", "seats")
    }
    memories = ("_missing", "_waits")
    seats = [
        {name: deepcopy(getattr(seat, name)) for name in seat.__slots__ if name not in memories} for seat in hand.seats
    ]
    return {**found, "seats": seats}


@settings(max_examples=40)
@given(games, seeds)
def test_the_record_of_an_unfinished_hand_leads_to_the_same_place(rules: str, seed: int) -> None:
    hand = deal(rules, seed)
    rng = Random(seed)
    stop = rng.randrange(80)
    for number, state in enumerate(steps(hand, rng)):
        if number >= stop and state.phase == "turn":
            break
    assume(hand.phase == "turn")
    replayed = replay(record_of(hand))
    while replayed.in_window:  # Everybody passed, which is not written.
        replayed.close()
    assert replayed.events == hand.events
    assert {seat: replayed.legal(seat) for seat in range(4)} == {seat: hand.legal(seat) for seat in range(4)}


@settings(max_examples=40)
@given(games, seeds, st.permutations([0, 1, 2]))
def test_suits_are_alike(rules: str, seed: int, suits: list[int]) -> None:
    """With the suits renamed in wall and actions, a hand comes to the same. (Dealing sorts nothing.)"""

    def rename(tile: Tile) -> Tile:
        return 9 * suits[tile // 9] + tile % 9 if tile < 27 else tile

    hand = deal(rules, seed)
    for _ in steps(hand, Random(seed)):
        pass
    made = hand.setup
    wall = tuple(rename(tile) for tile in made.wall)
    other = Hand.deal(Setup(made.rules, made.options, made.dealer, 1, 10, made.coins, wall, made.gold_dice))
    moves = [Move(move.seat, move.verb, tuple(sorted(map(rename, move.tiles)))) for move in hand.actions]
    replayed = replay(Record(other.setup, tuple(map(write_move, moves))))
    assert hand.result is not None
    assert replayed.result is not None
    assert replayed.result.lines == hand.result.lines
    assert (replayed.result.by, replayed.result.points) == (hand.result.by, hand.result.points)


@settings(max_examples=40)
@given(games, seeds)
def test_only_what_is_legal_is_taken(rules: str, seed: int) -> None:
    hand = deal(rules, seed)
    rng = Random(seed)
    for state in steps(hand, rng):
        seat = rng.randrange(4)
        verb = rng.choice(("discard", "chow", "pong", "kong", "hu", "pass", "rob"))
        count = {"discard": 1, "chow": 2}.get(verb, rng.randrange(2) if verb == "kong" else 0)
        move = Move(seat, verb, tuple(sorted(rng.randrange(42) for _ in range(count))))
        if move not in state.legal(seat):
            before = (len(state.events), state.questions.copy(), state.phase)
            with pytest.raises(IllegalMove):
                state.apply(move)
            assert before == (len(state.events), state.questions, state.phase)


# What readers may see


@settings(max_examples=60)
@given(games, seeds)
def test_views_hold_no_hidden_tile(rules: str, seed: int) -> None:
    hand = deal(rules, seed)
    for state in steps(hand, Random(seed)):
        for reader in (None, 0, 1, 2, 3):
            _no_hidden_tile(state, view(state, reader))


def _no_hidden_tile(hand: Hand, seen: View) -> None:
    ended = hand.result is not None
    dark = hand.rules.hidden_discards
    for seat in seen.seats:
        if seat.seat == seen.reader:
            assert seat.concealed is not None
            continue
        assert seat.concealed is None
        assert seat.drawn is None
        assert seat.level in (0, 2, 3) or ended
        for meld in seat.melds:
            assert (set(meld.tiles) == {None}) == (meld.kind == "concealed_kong" and not ended)
        if dark:
            assert all(discard.tile is None for discard in seat.river)
    if seen.question is not None:
        assert seen.question.seat == seen.reader
    for event in seen.events:
        if event.seat == seen.reader:
            continue
        hidden = event.kind in ("dealt", "drew", "replaced")
        hidden |= event.kind == "discarded" and dark
        hidden |= event.kind == "concealed_kong" and not ended
        if hidden:
            assert set(event.tiles) <= {None}
        assert event.level != 1 or ended
    if dark and seen.last_discard is not None and seen.last_discard[0] != seen.reader:
        assert seen.last_discard[1] is None


@settings(max_examples=60)
@given(games, seeds)
def test_views_tell_nothing_of_others_hands(rules: str, seed: int) -> None:
    """Two tiles change places between two hands that the reader does not see. As long as everybody throws what is drawn
    and passes, the reader's view is the same to the last field: whatever the others are asked in the two."""
    rng = Random(seed)
    one = deal(rules, seed)
    made = one.setup
    reader, a, b, _ = rng.sample(range(4), 4)
    place_a, place_b = (_dealt_places(made.dealer, seat) for seat in (a, b))
    at_a, at_b = rng.choice(place_a), rng.choice(place_b)
    wall = list(made.wall)
    flowers = one.flowers
    assume(not any(wall[at] in flowers or wall[at] in one.gold for at in (at_a, at_b)))
    wall[at_a], wall[at_b] = wall[at_b], wall[at_a]
    two = Hand.deal(
        Setup(made.rules, made.options, made.dealer, made.streak, 10, made.coins, tuple(wall), made.gold_dice)
    )
    first = True
    while one.result is None and not one.last_four and not two.last_four:
        for who in (reader, None):
            assert view(one, who) == view(two, who)
        if one.in_window:
            one.close()
            two.close()
            continue
        assert one.turn is not None
        move = one.default_move(one.turn)
        if first:
            shared = sorted(set(one.legal(one.turn)) & set(two.legal(two.turn or 0)), key=str)
            move = next(move for move in shared if move.verb == "discard")
            first = False
        assume(move in two.legal(move.seat))
        one.apply(move)
        two.apply(move)


def _dealt_places(dealer: int, seat: int) -> list[int]:
    offset = (seat - dealer) % 4
    return [16 * turn + 4 * offset + i for turn in range(4) for i in range(4)]
