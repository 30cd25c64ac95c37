"""Shapes: how far tiles are from sets 顺子 刻子 and a pair 将, with jokers.

Below this line nobody knows of gold: callers give the counts of the 34 faces and the number of jokers. A joker stands
for any face, also for a fifth or sixth copy of one.

Every suit is boiled down to a *row*: the fewest tiles missing for k sets (0 to 5) without and with a pair. Few rows
differ, so they are numbered, and so are the sums of two suits and of a suit and honours: a question is seven reads.
``mahjong.shapes_plain`` makes the tables.

A hand that changes tile by tile keeps its *keys*: a number for each suit and one for the honours, whose digits of base
5 are the copies, those of the first rank leading. To add a face is to add its ``WEIGHTS`` to the key of its ``PARTS``.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from mahjong import shapes_table
from mahjong.tiles import FACES, Tile

Counts = Sequence[int]
"""Copies of each of the 34 faces, 0 to 4, 17 in all at most."""
Keys = Sequence[int]
"""The same as four keys: characters, dots, bamboo, honours."""

PARTS: Final = tuple(face // 9 for face in range(FACES))
"""By face the place of its key."""
WEIGHTS: Final = tuple(5 ** (8 - face % 9 if face < 27 else FACES - 1 - face) for face in range(FACES))
"""By face what one copy adds to that key."""
_SUIT_KEYS: Final = 5**9
_HONOUR_KEYS: Final = 5**7
_DIGITS: Final = bytes.maketrans(bytes(range(5)), b"01234")


def _unpack(text: str) -> bytes:
    return zlib.decompress(base64.b85decode(text))


def _words(data: bytes) -> list[int]:
    """Numbers of 16 bits, the higher byte first."""
    return [256 * high + low for high, low in zip(data[::2], data[1::2], strict=True)]


def _suit_rows(data: bytes, rows: int) -> bytes:
    """By the key of a suit the number of its row: the steps from rank to rank, walked by all keys at once."""
    layers: list[list[int]] = []
    at = 0
    while at < len(data):
        end = at + 4 + 2 * int.from_bytes(data[at : at + 4], "big")
        layers.append(_words(data[at + 4 : end]))
        at = end
    found = [bytes((row,)) for row in range(rows)]
    for layer in reversed(layers):
        found = [b"".join([found[state] for state in layer[at : at + 5]]) for at in range(0, len(layer), 5)]
    return found[0]


def _table(data: bytes, columns: int, factor: int = 1) -> list[list[int]]:
    """Numbers, each times a factor, as a list of lines."""
    numbers = [factor * number for number in _words(data)]
    return [numbers[at : at + columns] for at in range(0, len(numbers), columns)]


_suits, _honours, _pairs, _rests = shapes_table.SIZES
_ROW: Final = _suit_rows(_unpack(shapes_table.STEPS), _suits)
"""By the key of a suit the number of its row."""
_HONOUR_ROW: Final = _unpack(shapes_table.HONOURS)
_PAIR: Final = _table(_unpack(shapes_table.PAIRS), _suits, _rests)
"""By the rows of two suits the place where what they miss begins."""
_REST: Final = _table(_unpack(shapes_table.RESTS), _honours)
"""By the rows of a suit and the honours the place of what all miss, after that beginning."""
_REST_TURNED: Final = [list(column) for column in zip(*_REST, strict=True)]
_missing = _unpack(shapes_table.MISSING)
_MISSING: Final = [_missing[at : at + _pairs * _rests] for at in range(0, len(_missing), _pairs * _rests)]
"""At 2 × sets, and one more with a pair, by place: the fewest tiles missing without jokers."""
_SETS, _SETS_AND_PAIR = _MISSING[::2], _MISSING[1::2]
del _missing


def keys_of(counts: Counts) -> list[int]:
    """The keys of counts. Raises ``ValueError`` for a count that is not 0 to 4.

    >>> keys_of([0] * 7 + [1, 2] + [0] * 25)
    [7, 0, 0, 0]
    """
    rest, honours = divmod(int(bytes(counts).translate(_DIGITS), 5), _HONOUR_KEYS)
    rest, bamboo = divmod(rest, _SUIT_KEYS)
    characters, dots = divmod(rest, _SUIT_KEYS)
    return [characters, dots, bamboo, honours]


def missing_of(keys: Keys, jokers: int, sets: int, pair: bool = True) -> int:
    """``missing`` of a hand that keeps its keys."""
    m, p, s, z = keys
    table = _SETS_AND_PAIR[sets] if pair else _SETS[sets]
    number = table[_PAIR[_ROW[m]][_ROW[p]] + _REST[_ROW[s]][_HONOUR_ROW[z]]] - jokers
    return number if number > 0 else 0


def missing(counts: Counts, jokers: int, sets: int, pair: bool = True) -> int:
    """The fewest tiles that must be added for ``sets`` sets and a pair, surplus tiles being thrown away.

    >>> from mahjong.tiles import parse_tiles
    >>> missing(count(parse_tiles("123m45p77z")), 0, 2), missing(count(parse_tiles("123m45p77z")), 1, 2)
    (1, 0)
    """
    return missing_of(keys_of(counts), jokers, sets, pair)


def shanten(counts: Counts, jokers: int, sets: int) -> int:
    """Tiles to be exchanged until one short of complete: 0 is one short 听, −1 complete (record.md, analyse)."""
    return missing_of(keys_of(counts), jokers, sets) - 1


def is_complete(counts: Counts, jokers: int, sets: int) -> bool:
    """Whether 3 × sets + 2 tiles are sets and a pair 和.

    >>> from mahjong.tiles import parse_tiles
    >>> is_complete(count(parse_tiles("89m22z")), 1, 1)
    True
    """
    return missing_of(keys_of(counts), jokers, sets) == 0


def is_you(counts: Counts, jokers: int, sets: int) -> bool:
    """Whether 3 × sets + 1 tiles are sets and a lone joker: the shape of 游金 (rules-zhangzhou 7.1)."""
    return is_you_of(keys_of(counts), jokers, sets)


def is_you_of(keys: Keys, jokers: int, sets: int) -> bool:
    """``is_you`` of a hand that keeps its keys."""
    return jokers > 0 and missing_of(keys, jokers - 1, sets, False) == 0


def waits(counts: Counts, jokers: int, sets: int) -> frozenset[Tile]:
    """Faces a tile of which completes 3 × sets + 1 tiles; never one of which four copies are held, not even where a
    joker as its fifth would do."""
    return waits_of(keys_of(counts), jokers, sets)


def waits_of(keys: Keys, jokers: int, sets: int) -> frozenset[Tile]:
    """``waits`` of a hand that keeps its keys."""
    if missing_of(keys, jokers, sets) > 1:
        return frozenset()
    return frozenset(_lowering(keys, jokers + 1, sets))


class Acceptance(NamedTuple):
    """3 × sets + 1 tiles on the way: ``missing`` tiles (as of ``missing``), and the ``faces`` that lower it.

    The faces ascend; never one of which four copies are held. A joker drawn lowers it always and is not among them.
    Whether copies of a face are still to come is the reader's business (``mahjong.seen``).
    """

    missing: int
    faces: tuple[Tile, ...]


def improving(counts: Counts, jokers: int, sets: int) -> Acceptance:
    """What 3 × sets + 1 tiles miss for ``sets`` sets and a pair, and the faces that bring them nearer 进张.

    >>> from mahjong.tiles import parse_tiles
    >>> improving(count(parse_tiles("123m45p77z")), 0, 2)
    Acceptance(missing=1, faces=(11, 14))
    """
    return improving_of(keys_of(counts), jokers, sets)


def improving_of(keys: Keys, jokers: int, sets: int) -> Acceptance:
    """``improving`` of a hand that keeps its keys."""
    now = missing_of(keys, jokers, sets)
    return Acceptance(now, tuple(_lowering(keys, now + jokers, sets)) if now else ())


def _lowering(keys: Keys, limit: int, sets: int) -> list[Tile]:
    """Faces one more copy of which, the fifth not, leaves fewer than ``limit`` tiles missing, jokers aside."""
    table = _SETS_AND_PAIR[sets]
    m, p, s, z = keys
    c, d = _ROW[s], _HONOUR_ROW[z]
    found: list[Tile] = []
    # The place of the whole is that of two suits and of the rest: one of them stays, the other is read off a line.
    place, line = _REST[c][d], _PAIR[_ROW[p]]
    for row, faces, _, _ in _more(m):
        if table[place + line[row]] < limit:
            found += faces
    line = _PAIR[_ROW[m]]
    for row, _, faces, _ in _more(p):
        if table[place + line[row]] < limit:
            found += faces
    place, line = line[_ROW[p]], _REST_TURNED[d]
    for row, _, _, faces in _more(s):
        if table[place + line[row]] < limit:
            found += faces
    line = _REST[c]
    for row, faces in _more_honours(z):
        if table[place + line[row]] < limit:
            found += faces
    found.sort()
    return found


@lru_cache(1 << 14)
def _more(key: int) -> tuple[tuple[int, tuple[Tile, ...], tuple[Tile, ...], tuple[Tile, ...]], ...]:
    """The rows that come of one more tile in a suit, each with the faces that make it in each of the three suits."""
    return tuple(
        (row, faces, tuple(face + 9 for face in faces), tuple(face + 18 for face in faces))
        for row, faces in _grouped(_ROW, key, range(9))
    )


@lru_cache(1 << 12)
def _more_honours(key: int) -> tuple[tuple[int, tuple[Tile, ...]], ...]:
    """The same for honours."""
    return tuple(_grouped(_HONOUR_ROW, key, range(27, FACES)))


def _grouped(table: bytes, key: int, faces: range) -> list[tuple[int, tuple[Tile, ...]]]:
    found: dict[int, list[Tile]] = {}
    for face in faces:
        weight = WEIGHTS[face]
        if key // weight % 5 < 4:
            found.setdefault(table[key + weight], []).append(face)
    return [(row, tuple(faces)) for row, faces in found.items()]


def count(tiles: Sequence[Tile]) -> list[int]:
    """Counts of the 34 faces among tiles without flowers."""
    counts = [0] * FACES
    for tile in tiles:
        counts[tile] += 1
    return counts


def decompose(counts: Counts, jokers: int, sets: int) -> tuple[tuple[Tile, ...], ...] | None:
    """One way to see complete tiles as sets and, last, the pair; None if there is none.

    Each is a tuple of faces; where it names more copies than there are, jokers stand for them.
    """
    found = _divide(list(counts), jokers, sets, True)
    return None if found is None else tuple(sorted(found, key=len, reverse=True))


def _divide(tiles: list[int], jokers: int, sets: int, pair: bool) -> list[tuple[Tile, ...]] | None:
    first = next((face for face in range(FACES) if tiles[face]), None)
    if first is None:
        # Only jokers are left: let them be what cannot be confused with a run.
        whole = jokers == 3 * sets + 2 * pair
        return [(FACES - 1,) * 2] * pair + [(FACES - 1,) * 3] * sets if whole else None
    for group in _groups(first, sets, pair):
        held = [face for i, face in enumerate(group) if tiles[face] > group[:i].count(face)]
        if (used := len(group) - len(held)) > jokers:
            continue
        for face in held:
            tiles[face] -= 1
        rest = _divide(tiles, jokers - used, sets - (len(group) == 3), pair and len(group) == 3)
        if rest is not None:
            return [group, *rest]
        for face in held:
            tiles[face] += 1
    return None


def _groups(face: Tile, sets: int, pair: bool) -> Iterator[tuple[Tile, ...]]:
    """Sets and pair that hold the lowest natural face; jokers may lie below it in a run."""
    if sets:
        yield (face,) * 3
        if face < 27:
            rank = face % 9
            for low in range(max(0, rank - 2), min(6, rank) + 1):
                base = face - rank + low
                yield (base, base + 1, base + 2)
    if pair:
        yield (face,) * 2
