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


def complete(counts: list[int], jokers: int, sets: int) -> bool:
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

    for face in range(FACES):
        rest = take((face, face), jokers)
        found = rest >= 0 and divide(0, rest, sets)
        give((face, face))
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


@settings(max_examples=150, deadline=None)
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


@settings(max_examples=300, deadline=None)
@given(some_tiles(17, 17), st.integers(0, 16))
def test_a_joker_never_makes_it_worse(tiles: list[int], at: int) -> None:
    counts = shapes.count(tiles)
    before = shapes.shanten(counts, 0, 5)
    counts[tiles[at]] -= 1
    assert before - 1 <= shapes.shanten(counts, 1, 5) <= before


@settings(max_examples=200, deadline=None)
@given(some_tiles(17, 17), st.permutations([0, 1, 2]))
def test_suits_and_ranks_mirror(tiles: list[int], suits: list[int]) -> None:
    def mirror(face: int) -> int:
        return 9 * suits[face // 9] + 8 - face % 9 if face < 27 else face

    assert shapes.shanten(shapes.count(tiles), 0, 5) == shapes.shanten(shapes.count([*map(mirror, tiles)]), 0, 5)


@settings(max_examples=100, deadline=None)
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
    gone = shapes.missing_without(counts, jokers, 5)
    assert set(gone) == {face for face in range(FACES) if counts[face]}
    for face, number in gone.items():
        counts[face] -= 1
        assert shapes.missing(counts, jokers, 5) == number
        counts[face] += 1
    # The shape of 游金 is completed by anything.
    if shapes.is_you(counts, jokers, 5):
        assert waits == {face for face in range(FACES) if counts[face] < 4}


@settings(max_examples=60, deadline=None)
@given(some_tiles(11, 17))
def test_what_improves_is_what_lowers_the_tiles_missing(tiles: list[int]) -> None:
    jokers = 17 - len(tiles)
    counts = shapes.count(tiles)
    after = shapes.improving_after(counts, jokers, 5)
    assert list(after) == [face for face in range(FACES) if counts[face]] + [None] * (jokers > 0)
    for thrown, acceptance in after.items():
        left, wild = counts.copy(), jokers - (thrown is None)
        if thrown is not None:
            left[thrown] -= 1
        assert acceptance == shapes.improving(left, wild, 5)
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


# Exact counts (engine.md), through rows: how many multisets with at most four copies of a face have a row

Rows = dict[tuple[shapes_plain.Row, int], int]
"""(row, size) → number of multisets."""


def _suits(largest: int) -> Rows:
    states: Counter[tuple[int, int]] = Counter({(0, 0): 1})
    for steps in shapes._steps:
        after: Counter[tuple[int, int]] = Counter()
        for (state, size), number in states.items():
            for copies in range(min(4, largest - size) + 1):
                after[steps[5 * state + copies], size + copies] += number
        states = after
    return Counter({(shapes._rows[state], size): number for (state, size), number in states.items()})


def _honours(largest: int) -> Rows:
    rows: Counter[tuple[shapes_plain.Row, int]] = Counter()
    for key in product(range(5), repeat=7):
        if sum(key) <= largest:
            rows[shapes._rows[shapes._honour_ids.get(key) or shapes._honours(key)], sum(key)] += 1
    return rows


def _sum(one: Rows, other: Rows, largest: int) -> Rows:
    sums: Counter[tuple[shapes_plain.Row, int]] = Counter()
    for (a, size), number in one.items():
        for (b, more), times in other.items():
            if size + more <= largest:
                pair = shapes._row_ids[a], shapes._row_ids[b]
                at = shapes._sums.get(pair) or shapes._add(pair)
                sums[shapes._rows[at], size + more] += number * times
    return sums


def test_exact_counts_of_a_suit() -> None:
    found = dict.fromkeys((2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17), 0)
    for (row, size), number in _suits(17).items():
        if size in found and row[2 * (size // 3) + (size % 3 == 2)] == 0:
            found[size] += number
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


def test_exact_counts_of_all_faces() -> None:
    suit = _suits(17)
    honours = _honours(17)
    suits, rest = _sum(suit, suit, 17), _sum(suit, honours, 17)
    found: Counter[tuple[int, int]] = Counter()
    by_size: dict[int, list[tuple[shapes_plain.Row, int]]] = {}
    for (row, size), number in rest.items():
        by_size.setdefault(size, []).append((row, number))
    for (row, size), number in suits.items():
        for naturals, sets, jokers in ((14, 4, 0), (17, 5, 0), (14, 5, 3)):
            for other, times in by_size.get(naturals - size, ()):
                if _within(row, other, 2 * sets + 1, jokers):
                    found[naturals, jokers] += number * times
    assert found == {(14, 0): 11_498_658, (17, 0): 118_856_487, (14, 3): 2_682_863_385}


def _within(one: shapes_plain.Row, other: shapes_plain.Row, index: int, jokers: int) -> bool:
    return any(one[i] + other[index - i] <= jokers for i in range(index + 1))
