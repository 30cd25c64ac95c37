"""Playing hands out for tests, with what must hold at every step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from mahjong.hand import Hand, Setup
from mahjong.moves import Move
from mahjong.rulesets import RULESETS
from mahjong.shapes import PARTS, WEIGHTS, missing
from mahjong.tiles import Tile
from mahjong.wall import shuffle


def deal(rules: str, seed: int, *, streak: int = 1, coins: int = 2000) -> Hand:
    """A hand from a seed."""
    rng = Random(seed)
    dealer = rng.randrange(4)
    game = RULESETS[rules]
    made = shuffle(rng.randbytes(32), (rng.randint(1, 6), rng.randint(1, 6)), game, dealer)
    return Hand.deal(Setup(game, {}, dealer, streak, 10, (coins,) * 4, made.wall, made.gold_dice))


def steps(hand: Hand, rng: Random, *, eager: float = 0.5, good: float = 0.8) -> Iterator[Hand]:
    """Play a hand at random, yielding it after every answer and every closing of a window.

    ``eager``: how often a seat that may do something else than throw or pass does it. ``good``: how often a tile is
    thrown that leaves the fewest missing, so that hands come to something.
    """
    yield hand
    while hand.result is None:
        window = hand.in_window
        order = list(hand.questions)
        if len(order) > 1:
            rng.shuffle(order)
        for seat in order:
            while seat in hand.questions and hand.in_window == window and hand.result is None:
                if window and rng.random() < 0.1:
                    break  # Time runs out for this one.
                hand.apply(choose(hand, seat, rng, eager, good))
                yield hand
        if window:
            hand.close()
            yield hand


def choose(hand: Hand, seat: int, rng: Random, eager: float, good: float) -> Move:
    """A legal move: kongs, wins, claims and discards that make 游金 more often than evenly."""
    options = hand.questions[seat].options
    rare = [option.move for option in options if option.level or option.move.verb not in ("discard", "pass")]
    plain = [option.move for option in options if option.move not in rare]
    if rare and (not plain or rng.random() < eager):
        return rng.choice(rare)
    state = hand.seats[seat]
    if plain[0].verb == "discard" and rng.random() < good:
        counts = [state.keys[part] // weight % 5 for part, weight in zip(PARTS, WEIGHTS, strict=True)]
        natural = []
        for move in plain:
            face = hand.stands_for[move.tiles[0]]
            if face is not None:
                counts[face] -= 1
                natural.append((missing(counts, state.jokers, state.sets), move))
                counts[face] += 1
        if natural:
            least = min(number for number, _ in natural)
            plain = [move for number, move in natural if number == least]
    return rng.choice(plain)


def tiles_of(hand: Hand) -> Counter[Tile]:
    """Every tile of a hand, wherever it is."""
    found = Counter(hand.wall) + Counter(hand.turned)
    result = hand.result
    if result is not None and result.by in ("discard", "rob_kong") and result.tile is not None:
        found[result.tile] += 1
    for state in hand.seats:
        found += Counter(state.held()) + Counter(state.flowers)
        for meld in state.melds:
            found += Counter(meld.tiles)
        found += Counter(discard.tile for discard in state.river if discard.claimed_by is None)
    return found


def check(hand: Hand) -> None:
    """What holds at every step of every hand."""
    assert tiles_of(hand) == Counter(hand.rules.tiles)
    if hand.result is not None:
        assert sum(hand.result.net) == 0
        assert (hand.result.by or hand.result.outcome) in hand.rules.outcomes
        assert min(hand.result.coins) >= 0
        assert not hand.questions
        return
    for seat, question in hand.questions.items():
        moves = [option.move for option in question.options]
        assert moves
        assert len(set(moves)) == len(moves)
        assert all(move.seat == seat for move in moves)
        assert (Move(seat, "pass") in moves) == hand.in_window
    for seat, state in enumerate(hand.seats):
        size = 16 - 3 * len(state.melds)
        locked = hand.lock is not None and seat != hand.lock
        assert state.size == size or state.size == size + 1
        if state.size == size + 1 and not locked and hand.phase == "turn":
            assert hand.turn == seat
