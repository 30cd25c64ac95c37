"""Shapes: how far tiles are from sets 顺子 刻子 and a pair 将, with jokers.

Below this line nobody knows of gold: callers give the counts of the 34 faces and the number of jokers. A joker stands
for any face, also for a fifth or sixth copy of one.

Every suit is boiled down to a *row*: the fewest tiles missing for k sets (0 to 5) without and with a pair. Rows are
few (some hundreds), so they are numbered, and so are sums of rows: a question is a handful of look-ups. The row of a
suit comes from a table that is walked rank by rank (``mahjong.shapes_plain`` makes it).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mahjong.shapes_plain import NEVER, ROW, Row, honour_row, read
from mahjong.shapes_table import ROWS, STEPS
from mahjong.tiles import FACES, Tile

Counts = Sequence[int]
"""Copies of each of the 34 faces, 0 to 4, 17 in all at most."""
_rows, _steps = read(ROWS, STEPS)
_row_ids: dict[Row, int] = {row: number for number, row in enumerate(_rows)}
_suit_ids: dict[tuple[int, ...], int] = {}
_honour_ids: dict[tuple[int, ...], int] = {}
_sums: dict[tuple[int, int], int] = {}


def missing(counts: Counts, jokers: int, sets: int, pair: bool = True) -> int:
    """The fewest tiles that must be added for ``sets`` sets and a pair, surplus tiles being thrown away.

    >>> from mahjong.tiles import parse_tiles
    >>> missing(count(parse_tiles("123m45p77z")), 0, 2), missing(count(parse_tiles("123m45p77z")), 1, 2)
    (1, 0)
    """
    return max(0, _rows[_row_of(counts)][2 * sets + pair] - jokers)


def shanten(counts: Counts, jokers: int, sets: int) -> int:
    """Tiles to be exchanged until one short of complete: 0 is one short 听, −1 complete (record.md, analyse)."""
    return missing(counts, jokers, sets) - 1


def is_complete(counts: Counts, jokers: int, sets: int) -> bool:
    """Whether 3 × sets + 2 tiles are sets and a pair 和.

    >>> from mahjong.tiles import parse_tiles
    >>> is_complete(count(parse_tiles("89m22z")), 1, 1)
    True
    """
    return _rows[_row_of(counts)][2 * sets + 1] <= jokers


def is_you(counts: Counts, jokers: int, sets: int) -> bool:
    """Whether 3 × sets + 1 tiles are sets and a lone joker: the shape of 游金 (rules-zhangzhou 7.1)."""
    return jokers > 0 and _rows[_row_of(counts)][2 * sets] <= jokers - 1


def waits(counts: Counts, jokers: int, sets: int) -> frozenset[Tile]:
    """Faces a tile of which completes 3 × sets + 1 tiles; never one of which four copies are held, not even where a
    joker as its fifth would do."""
    if missing(counts, jokers, sets) > 1:
        return frozenset()
    index = 2 * sets + 1
    return frozenset(face for face, row in _changed(counts, 1) if row[index] <= jokers)


def missing_without(counts: Counts, jokers: int, sets: int) -> dict[Tile, int]:
    """For each face held, ``missing`` when one copy of it is gone."""
    index = 2 * sets + 1
    return {face: max(0, row[index] - jokers) for face, row in _changed(counts, -1)}


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
    index = 2 * sets + 1
    now = _rows[_row_of(counts)][index] - jokers
    if now <= 0:
        return Acceptance(0, ())
    return Acceptance(now, tuple([face for face, row in _changed(counts, 1) if row[index] - jokers < now]))


def improving_after(counts: Counts, jokers: int, sets: int) -> dict[Tile | None, Acceptance]:
    """``improving`` of 3 × sets + 2 tiles after each discard: by face held in ascending order, last None, a joker
    thrown, if there is one.

    Discards by (shanten, live tiles): the key of the least ``(acceptance.missing, -live)``, ``live`` being the sum of
    copies still to come over ``acceptance.faces``.

    >>> from mahjong.tiles import parse_tiles
    >>> improving_after(count(parse_tiles("123m45p9s77z")), 0, 2)[26]
    Acceptance(missing=1, faces=(11, 14))
    """
    left = list(counts)
    found: dict[Tile | None, Acceptance] = {}
    for face, copies in enumerate(counts):
        if copies:
            left[face] -= 1
            found[face] = improving(left, jokers, sets)
            left[face] += 1
    if jokers:
        found[None] = improving(left, jokers - 1, sets)
    return found


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


# Rows


def _row_of(counts: Counts) -> int:
    m, p, s, z = _parts(counts)
    return _total(m, p, s, z)


def _parts(counts: Counts) -> tuple[int, int, int, int]:
    """Numbers of the rows of the three suits and the honours."""
    m = _suit_ids.get(key := tuple(counts[0:9]))
    if m is None:
        m = _suit(key)
    p = _suit_ids.get(key := tuple(counts[9:18]))
    if p is None:
        p = _suit(key)
    s = _suit_ids.get(key := tuple(counts[18:27]))
    if s is None:
        s = _suit(key)
    z = _honour_ids.get(key := tuple(counts[27:34]))
    if z is None:
        z = _honours(key)
    return m, p, s, z


def _total(m: int, p: int, s: int, z: int) -> int:
    return _pair(_pair(m, p), _pair(s, z))


def _pair(one: int, other: int) -> int:
    number = _sums.get(pair := (one, other))
    return _add(pair) if number is None else number


def _changed(counts: Counts, by: int) -> Iterator[tuple[Tile, Row]]:
    """Each face, if it can change so, with the row of the whole when its number changes by 1 or −1."""
    m, p, s, z = _parts(counts)
    mp, sz = _pair(m, p), _pair(s, z)
    for start, end, beside, rest in ((0, 9, p, sz), (9, 18, m, sz), (18, 27, z, mp), (27, 34, s, mp)):
        known, make = (_honour_ids, _honours) if start == 27 else (_suit_ids, _suit)
        tiles = list(counts[start:end])
        for at, copies in enumerate(tiles):
            if not 0 <= copies + by <= 4:
                continue
            tiles[at] = copies + by
            row = known.get(key := tuple(tiles))
            if row is None:
                row = make(key)
            tiles[at] = copies
            # Sums are the same either way round.
            yield start + at, _rows[_pair(rest, _pair(row, beside))]


def _intern(row: Row) -> int:
    number = _row_ids.get(row)
    if number is None:
        number = _row_ids[row] = len(_rows)
        _rows.append(row)
    return number


def _add(pair: tuple[int, int]) -> int:
    a, b = _rows[pair[0]], _rows[pair[1]]
    out = [NEVER] * ROW
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            if i & j & 1 == 0 and i + j < ROW:
                out[i + j] = min(out[i + j], x + y)
    number = _sums[pair] = _sums[pair[1], pair[0]] = _intern(tuple(out))
    return number


def _suit(key: tuple[int, ...]) -> int:
    state = 0
    for steps, copies in zip(_steps, key, strict=True):
        state = steps[5 * state + copies]
    _suit_ids[key] = state
    return state


def _honours(key: tuple[int, ...]) -> int:
    number = _honour_ids[key] = _intern(honour_row(key))
    return number
