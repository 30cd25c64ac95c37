"""The wall from seed and dice (telegram.md, *Fair deals*; rules-zhangzhou 2.1), stakes, notation."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mahjong.match import base_for
from mahjong.moves import Move
from mahjong.notation import read_move, write_move
from mahjong.rulesets import RULESETS
from mahjong.tiles import format_tiles, parse_tiles
from mahjong.wall import below, commitment, shuffle

SEED = bytes(range(32))
ZHANGZHOU = RULESETS["zhangzhou"]


def plain_shuffle(seed: bytes, dice: tuple[int, ...], tiles: list[int]) -> tuple[list[int], list[int]]:
    """The description of ``mahjong.wall`` once more, with all numbers made first. Returns the tiles, unturned, and the
    numbers that follow."""
    stream = b"".join(hashlib.sha256(seed + bytes(dice) + i.to_bytes(8, "big")).digest() for i in range(60))
    numbers = [int.from_bytes(stream[at : at + 4], "big") for at in range(0, len(stream), 4)]
    for i in reversed(range(1, len(tiles))):
        while (u := numbers.pop(0)) >= 2**32 - 2**32 % (i + 1):
            pass
        j = u % (i + 1)
        tiles[i], tiles[j] = tiles[j], tiles[i]
    return tiles, numbers


@pytest.mark.parametrize("rules", RULESETS)
@pytest.mark.parametrize("dice", [(), (1, 1), (3, 4), (6, 6)])
def test_the_shuffle_is_what_is_described(rules: str, dice: tuple[int, ...]) -> None:
    game = RULESETS[rules]
    made = shuffle(SEED, dice, game)
    tiles, numbers = plain_shuffle(SEED, dice, list(game.tiles))
    if dice:
        total = sum(dice)
        side = len(tiles) // 4
        # The dealer's side comes first, then clockwise: the seats before it.
        broken = (total - 1) % 4
        start = side * {0: 0, 3: 1, 2: 2, 1: 3}[broken] + 2 * total
        tiles = tiles[start:] + tiles[:start]
    assert made.wall == tuple(tiles)
    limit = 2**32 - 2**32 % 6
    throws = [u % 6 + 1 for u in numbers if u < limit]
    assert list(made.gold_dice) == [throws[2 * i] + throws[2 * i + 1] for i in range(len(made.gold_dice))]


def test_golden_wall() -> None:
    """What other implementations must come to: seed 00 01 … 1f, dice 3 and 4, dealer 0."""
    made = shuffle(SEED, (3, 4), ZHANGZHOU)
    assert commitment(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert format_tiles(made.wall[:20]) == GOLDEN
    assert made.gold_dice == GOLDEN_DICE
    page = (Path(__file__).parents[2] / "docs" / "fair-deal.md").read_text(encoding="utf-8")
    assert GOLDEN in page
    assert commitment(SEED) in page


GOLDEN = "6s3p8s5p6m2p45z88p6z8f1m2s3z6s63z5s8m"
GOLDEN_DICE = (10,)


@given(st.binary(min_size=32, max_size=32), st.tuples(st.integers(1, 6), st.integers(1, 6)))
def test_every_wall_has_the_tiles_of_the_game(seed: bytes, dice: tuple[int, int]) -> None:
    made = shuffle(seed, dice, ZHANGZHOU)
    assert Counter(made.wall) == Counter(ZHANGZHOU.tiles)
    assert made != shuffle(seed, (dice[0] % 6 + 1, dice[1]), ZHANGZHOU)


def test_tiles_fall_everywhere_alike() -> None:
    """Where the first tile of the list ends up, in 2,880 walls: chi-squared over 16 parts, far from its 0.1 % tail."""
    parts = Counter(
        shuffle(hashlib.sha256(b"%d" % i).digest(), (), RULESETS["putian-ming"]).wall.index(0) // 7 for i in range(1600)
    )
    # The first of four copies lies early; compare with the exact chances.
    places = 112
    chance = [0.0] * 16
    for place in range(places):
        left = 1.0
        for k in range(3):
            left *= (places - 1 - place - k) / (places - 1 - k)
        chance[place // 7] += 4 / places * left
    squares = sum(
        (parts[part] - 1600 * chance[part]) ** 2 / (1600 * chance[part]) for part in range(16) if chance[part] > 0.003
    )
    assert squares < 37.7


@pytest.mark.parametrize("rules", RULESETS)
def test_every_face_falls_on_every_place_alike(rules: str) -> None:
    """Each face against each place in 600 walls of fixed seeds: chi-squared within five standard deviations."""
    walls = 600
    game = RULESETS[rules]
    places, copies = len(game.tiles), Counter(game.tiles)
    seen = Counter(
        (place, face)
        for number in range(walls)
        for place, face in enumerate(shuffle(hashlib.sha256(b"wall %d" % number).digest(), (), game).wall)
    )
    squares = 0.0
    expected = 0.0
    for face, number in copies.items():
        mean = walls * number / places
        squares += sum((seen[place, face] - mean) ** 2 / mean for place in range(places))
        # In one place the face lies or does not: a share 1 − p of the mean is what that varies by.
        expected += places * (1 - number / places)
    assert abs(squares - expected) < 5 * (2 * expected) ** 0.5


@pytest.mark.parametrize("n", [3, 5, 6, 7, 112, 144])
def test_numbers_at_the_edge_are_thrown_away(n: int) -> None:
    """The last multiple of n below 2³² is the first number that would make small remainders likelier."""
    edge = 2**32 - 2**32 % n
    assert edge < 2**32
    assert below(iter([edge, 2**32 - 1, edge - 1]), n) == n - 1
    assert below(iter([edge, edge + 1 if edge + 1 < 2**32 else edge, 0]), n) == 0
    assert below(iter([edge - n]), n) == 0


@pytest.mark.parametrize("n", [1, 2, 4, 16, 128])
def test_no_number_is_thrown_away_where_all_remainders_are_alike(n: int) -> None:
    assert below(iter([2**32 - 1]), n) == n - 1


@pytest.mark.parametrize(("seed", "dice"), [(b"", ()), (SEED, (1,)), (SEED, (0, 3)), (SEED, (7, 3)), (SEED, (1, 2, 3))])
def test_wrong_seed_or_dice(seed: bytes, dice: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"seed|dice"):
        shuffle(seed, dice, ZHANGZHOU)


@pytest.mark.parametrize(
    ("coins", "base"),
    [(159, None), (160, 10), (1599, 10), (1600, 100), (15999, 100), (16000, 1000), (1_600_000, 100_000)],
)
def test_stakes(coins: int, base: int | None) -> None:
    """rules-zhangzhou 11: the poorest of the four decides."""
    assert base_for([10**9, coins, 10**9, 10**9]) == base


@given(st.integers(0, 3), st.lists(st.integers(0, 41), min_size=2, max_size=2))
def test_notation_reads_what_it_writes(seat: int, tiles: list[int]) -> None:
    for move in (Move(seat, "hu"), Move(seat, "chow", tuple(sorted(tiles))), Move(seat, "discard", (tiles[0],))):
        assert read_move(write_move(move)) == move
    assert parse_tiles(format_tiles(tiles)) == tiles
