"""Shapes against exact counts and against the plain method."""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mahjong import shapes, shapes_plain, shapes_table
from mahjong.tiles import FACES, parse_tiles

RUNS = [tuple(range(base, base + 3)) for base in range(27) if base % 9 <= 6]
TRIPLETS = [(face,) * 3 for face in range(FACES)]
SETS = RUNS + TRIPLETS


def complete(counts: list[int], jokers: int, sets: int, pair: bool = True) -> bool:
    """The plain method: try every pair and every set, jokers for what is not there."""

    def take(group: tuple[int, ...], left: int) -> int:
        for face in group:
            counts[face] -= 1
            left -= counts[face] < 0
        return left

    def give(group: tuple[int, ...]) -> None:
        for face in group:
            counts[face] += 1

    def divide(first: int, left: int, sets: int) -> bool:
        if sets == 0:
            return not any(number > 0 for number in counts)
        for at in range(first, len(SETS)):
            group = SETS[at]
            rest = take(group, left)
            found = rest >= 0 and divide(at, rest, sets - 1)
            give(group)
            if found:
                return True
        return False

    for group in [(face, face) for face in range(FACES)] if pair else [()]:
        rest = take(group, jokers)
        found = rest >= 0 and divide(0, rest, sets)
        give(group)
        if found:
            return True
    return False


@st.composite
def near_complete(draw: st.DrawFn) -> tuple[list[int], int, int]:
    """Two sets and a pair, some tiles exchanged or turned into jokers."""
    sets = draw(st.integers(0, 2))
    face = draw(st.integers(0, FACES - 1))
    tiles = [face, face]
    for _ in range(sets):
        tiles += draw(st.sampled_from(SETS))
    for _ in range(draw(st.integers(0, 2))):
        tiles[draw(st.integers(0, len(tiles) - 1))] = draw(st.integers(0, FACES - 1))
    jokers = draw(st.integers(0, min(3, len(tiles))))
    tiles = draw(st.permutations(tiles))[jokers:]
    counts = [min(4, tiles.count(face)) for face in range(FACES)]
    jokers += len(tiles) - sum(counts)
    return counts, jokers, sets


def some_tiles(least: int, most: int) -> st.SearchStrategy[list[int]]:
    """Tiles of a wall of 136."""
    return st.lists(st.integers(0, 135), min_size=least, max_size=most, unique=True).map(
        lambda places: [place // 4 for place in places]
    )


@settings(max_examples=150)
@given(near_complete())
def test_complete_as_the_plain_method_says(hand: tuple[list[int], int, int]) -> None:
    counts, jokers, sets = hand
    whole = complete(counts, jokers, sets)
    assert shapes.is_complete(counts, jokers, sets) == whole
    assert (shapes.shanten(counts, jokers, sets) == -1) == whole
    groups = shapes.decompose(counts, jokers, sets)
    assert (groups is not None) == whole
    if groups is not None:
        need = Counter(face for group in groups for face in group)
        assert sorted(len(group) for group in groups) == [2, *(3,) * sets]
        assert all(need[face] >= number for face, number in enumerate(counts))


@settings(max_examples=150)
@given(near_complete())
def test_you_as_the_plain_method_says(hand: tuple[list[int], int, int]) -> None:
    """The shape of 游金, of a tile less: but for one joker all are sets."""
    counts, jokers, sets = hand
    for face in range(FACES):
        if counts[face]:
            counts[face] -= 1
            you = jokers > 0 and complete(counts, jokers - 1, sets, pair=False)
            assert shapes.is_you(counts, jokers, sets) == you
            counts[face] += 1


@settings(max_examples=300)
@given(some_tiles(17, 17), st.integers(0, 6), st.integers(0, 16))
def test_a_joker_never_makes_it_worse(tiles: list[int], jokers: int, at: int) -> None:
    """Nor does it make it better by more than one."""
    tiles = tiles[jokers:]
    counts = shapes.count(tiles)
    before = shapes.shanten(counts, jokers, 5)
    counts[tiles[at % len(tiles)]] -= 1
    assert before - 1 <= shapes.shanten(counts, jokers + 1, 5) <= before


@settings(max_examples=200)
@given(some_tiles(16, 17), st.integers(0, 6), st.permutations([0, 1, 2]), st.booleans())
def test_suits_are_alike_and_ranks_mirror(tiles: list[int], jokers: int, suits: list[int], mirrored: bool) -> None:
    """Renaming suits and counting ranks from the other end changes nothing, nor do honours' names."""

    def renamed(face: int) -> int:
        if face >= 27:
            return 60 - face
        return 9 * suits[face // 9] + (8 - face % 9 if mirrored else face % 9)

    counts = shapes.count(tiles[jokers:])
    others = shapes.count([*map(renamed, tiles[jokers:])])
    assert shapes.shanten(counts, jokers, 5) == shapes.shanten(others, jokers, 5)
    assert shapes.is_you(counts, jokers, 5) == shapes.is_you(others, jokers, 5)
    one, other = shapes.improving(counts, jokers, 5), shapes.improving(others, jokers, 5)
    assert (one.missing, sorted(map(renamed, one.faces))) == (other.missing, list(other.faces))
    assert {renamed(face) for face in shapes.waits(counts, jokers, 5)} == shapes.waits(others, jokers, 5)


@settings(max_examples=100)
@given(some_tiles(15, 16))
def test_waits_are_what_completes(tiles: list[int]) -> None:
    jokers = 16 - len(tiles)
    counts = shapes.count(tiles)
    waits = shapes.waits(counts, jokers, 5)
    for face in range(FACES):
        if counts[face] == 4:
            assert face not in waits
            continue
        counts[face] += 1
        assert shapes.is_complete(counts, jokers, 5) == (face in waits)
        counts[face] -= 1
    # The shape of 游金 is completed by anything.
    if shapes.is_you(counts, jokers, 5):
        assert waits == {face for face in range(FACES) if counts[face] < 4}


@settings(max_examples=60)
@given(some_tiles(11, 17))
def test_what_improves_is_what_lowers_the_tiles_missing(tiles: list[int]) -> None:
    jokers = 17 - len(tiles)
    counts = shapes.count(tiles)
    for thrown in (*(face for face in range(FACES) if counts[face]), *[None] * (jokers > 0)):
        left, wild = counts.copy(), jokers - (thrown is None)
        if thrown is not None:
            left[thrown] -= 1
        acceptance = shapes.improving(left, wild, 5)
        assert acceptance.missing == shapes.missing(left, wild, 5)
        better = []
        for face in range(FACES):
            if left[face] < 4:
                left[face] += 1
                if shapes.missing(left, wild, 5) < acceptance.missing:
                    better.append(face)
                left[face] -= 1
        assert acceptance.faces == tuple(better)
        if acceptance.missing:
            assert shapes.missing(left, wild + 1, 5) == acceptance.missing - 1


@pytest.mark.parametrize(
    ("text", "jokers", "sets"),
    [("8s9s22z", 1, 1), ("1111m", 1, 1), ("1z1z1z1z", 4, 2), ("89m89m11z", 2, 2), ("", 17, 5), ("19m", 3, 1)],
)
def test_jokers_anywhere(text: str, jokers: int, sets: int) -> None:
    """Also as the lowest tile of a run, and as a fifth or sixth copy."""
    assert shapes.is_complete(shapes.count(parse_tiles(text)), jokers, sets)


def test_the_table_is_what_the_plain_method_makes() -> None:
    assert Path(shapes_table.__file__).read_text(encoding="ascii") == shapes_plain.source()


# Exact counts (engine.md), through the tables: how many multisets with at most four copies of a face have a row

Sizes = dict[tuple[int, int], int]
"""(number of a row or a place, tiles) → number of multisets."""


def _multisets(table: bytes) -> Sizes:
    """Of the rows of a table by key."""
    found: Counter[tuple[int, int]] = Counter()
    ranks = 9 if len(table) == 5**9 else 7
    # The tiles of the last ranks of a key are counted once for all that comes before them.
    tails = [sum(tail) for tail in product(range(5), repeat=ranks // 2)]
    heads = [sum(head) for head in product(range(5), repeat=ranks - ranks // 2)]
    for at, size in enumerate(heads):
        rows = table[at * len(tails) : (at + 1) * len(tails)]
        found.update((row, size + more) for row, more in zip(rows, tails, strict=True) if size + more <= 17)
    return found


def _sum(one: Sizes, other: Sizes, table: list[list[int]]) -> Sizes:
    found: Counter[tuple[int, int]] = Counter()
    for (a, size), number in one.items():
        for (b, more), times in other.items():
            if size + more <= 17:
                found[table[a][b], size + more] += number * times
    return found


@pytest.fixture(scope="module")
def suit() -> Sizes:
    """All suits of up to 17 tiles."""
    return _multisets(shapes._ROW)


def test_exact_counts_of_a_suit(suit: Sizes) -> None:
    found = dict.fromkeys((2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17), 0)
    empty, none = shapes._ROW[0], shapes._REST[shapes._ROW[0]][shapes._HONOUR_ROW[0]]
    for (row, size), number in suit.items():
        if size in found:
            index = 2 * (size // 3) + (size % 3 == 2)
            found[size] += number * (shapes._MISSING[index][shapes._PAIR[row][empty] + none] == 0)
    assert found == {
        2: 9,
        3: 16,
        5: 135,
        6: 127,
        8: 996,
        9: 627,
        11: 4475,
        12: 2098,
        14: 13259,
        15: 4898,
        17: 26414,
    }


def test_exact_counts_of_all_faces(suit: Sizes) -> None:
    pairs = _sum(suit, suit, shapes._PAIR)
    rests = _sum(suit, _multisets(shapes._HONOUR_ROW), shapes._REST)
    by_size: dict[int, list[tuple[int, int]]] = {}
    for (place, size), number in rests.items():
        by_size.setdefault(size, []).append((place, number))
    found: Counter[tuple[int, int]] = Counter()
    for (place, size), number in pairs.items():
        for naturals, sets, jokers in ((14, 4, 0), (17, 5, 0), (14, 5, 3)):
            table = shapes._MISSING[2 * sets + 1]
            for other, times in by_size.get(naturals - size, ()):
                if table[place + other] <= jokers:
                    found[naturals, jokers] += number * times
    assert found == {(14, 0): 11_498_658, (17, 0): 118_856_487, (14, 3): 2_682_863_385}


@settings(max_examples=300)
@given(some_tiles(0, 17))
def test_keys_are_the_counts_and_change_by_weights(tiles: list[int]) -> None:
    keys = [0, 0, 0, 0]
    for face in tiles:
        keys[shapes.PARTS[face]] += shapes.WEIGHTS[face]
    assert keys == shapes.keys_of(shapes.count(tiles))


def suit_row(counts: list[int]) -> shapes_plain.Row:
    """The row of nine counts of a suit, rank after rank."""
    state = shapes_plain.START
    for rank, copies in enumerate(counts):
        state = shapes_plain.step(state, copies, rank < 7)
    return shapes_plain.finish(state)


@settings(max_examples=300)
@given(some_tiles(1, 17), st.integers(0, 6), st.integers(0, 5), st.booleans())
def test_the_tables_add_up_to_the_plain_rows(tiles: list[int], jokers: int, sets: int, pair: bool) -> None:
    counts = shapes.count(tiles)
    row = shapes_plain.honour_row(counts[27:])
    for start in (0, 9, 18):
        row = shapes_plain.add(row, suit_row(counts[start : start + 9]))
    assert shapes.missing(counts, jokers, sets, pair) == max(0, row[2 * sets + pair] - jokers)


@pytest.mark.parametrize("copies", [-1, 5, 300])
def test_counts_that_cannot_be_are_refused(copies: int) -> None:
    with pytest.raises(ValueError, match=r"must be in range|invalid literal"):
        shapes.keys_of([0] * 33 + [copies])
