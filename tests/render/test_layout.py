"""Layout: nothing overlaps and nothing leaves the picture, whatever names, sums and numbers of tiles come."""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import lru_cache

import pytest

from tests.render import card_samples as cards
from tests.render import samples as s
from tests.render.gallery import SAMPLES, Sample
from tests.render.layout import Item, Layout, layout

FAN = 54
"""Hidden discards lie in fans of tiles of this width, on purpose; beside other things they must not be put."""


@lru_cache(maxsize=4)
def laid_out(name: str) -> Layout:
    return layout(SAMPLES[name])


def overlapping(first: list[Item], second: list[Item] | None = None, slack: int = 1) -> list[tuple[Item, Item]]:
    """Pairs that cover each other, of one list or of two."""
    pairs = itertools.combinations(first, 2) if second is None else itertools.product(first, second)
    return [(one, other) for one, other in pairs if one.over(other, slack)]


def check(found: Layout) -> None:
    """Inside the picture; texts clear of texts, of tiles all but signs; tiles clear of tiles."""
    assert found.items
    for item in found.items:
        assert item.left >= 0, item
        assert item.top >= 0, item
        assert item.right <= found.width, item
        assert item.bottom <= found.height, item
    assert not overlapping(found.of("text", "sign"))
    assert not overlapping(found.of("text"), found.of("tile"))
    assert not [
        (one, other)
        for one, other in overlapping(found.of("tile"), slack=0)
        if (one.what, one.wide) != ("None", FAN) or (other.what, other.wide) != ("None", FAN)
    ]


@pytest.mark.parametrize("name", SAMPLES)
def test_nothing_overlaps(name: str) -> None:
    check(laid_out(name))


def test_a_picture_holds_what_its_view_does() -> None:
    """What is watched is what is drawn: the tiles of the worst table, one by one."""
    found = laid_out("table extreme")
    faces = [item for item in found.of("tile") if item.what != "None"]
    # Per seat: 20 of 40 discards, 8 flowers, three tiles of each open kong; then gold above and the last discard.
    assert len(faces) == 4 * (20 + 8 + 3 * 3 + 1) + 2 + 1


@pytest.mark.parametrize("at", range(0, len(s.SCRIPTS), 3))
def test_any_names_fit(at: int) -> None:
    names = tuple((s.SCRIPTS * 2)[at : at + 4])
    for sample in (
        Sample("hand", s.TURN, replace(s.HAND, names=names)),  # type: ignore[arg-type]
        Sample("hand", s.CLAIM, replace(s.CLAIM_WORDS, names=names)),  # type: ignore[arg-type]
        Sample("table", s.FULL, replace(s.FULL_WORDS, names=names, title=f"轮到 {names[3]}")),  # type: ignore[arg-type]
        Sample("table", s.LOCK, replace(s.LOCK_WORDS, names=names)),  # type: ignore[arg-type]
        Sample("sheet", s.SHEET, replace(s.SHEET_WORDS, names=names, winner=names[2], next_dealer=names[1])),  # type: ignore[arg-type]
        Sample("profile", None, replace(cards.PROFILE, name=names[0])),
    ):
        check(layout(sample))


@pytest.mark.parametrize("dealer", [1, 2, 3])
@pytest.mark.parametrize("busy", [None, 1, 2, 3])
def test_in_english_who_deals_where_and_what_they_did_stand_side_by_side(dealer: int, busy: int | None) -> None:
    places, names = ("", "right", "opposite", "left"), ("Xiaohong Chen", "CPU A", "CPU B", "CPU C")
    words = replace(s.HAND, signs=s.ENGLISH, title="Your turn: throw a tile", names=names, places=places)
    events = [s.Event("discarded", 0, s.tiles("9m"))]
    for seat in (1, 2, 3):
        if busy in (None, seat):
            events.append(s.Event("pong", seat, s.tiles("222z"), 0))
        events += [s.Event("discarded", seat, s.tiles("4z"))] * (2 if busy == seat else 1)
    found = layout(Sample("hand", replace(s.TURN, dealer=dealer, events=tuple(events)), words))
    check(found)
    assert {*places[1:], *names[1:]} <= {item.what for item in found.of("text")}


@pytest.mark.parametrize("count", [0, 1, 5, 12, 13, 20, 21, 40])
@pytest.mark.parametrize(("melds", "flowers"), [(0, 0), (2, 3), (5, 8)])
def test_rivers_of_any_length_fit_beside_melds(count: int, melds: int, flowers: int) -> None:
    thrown = s.tiles(s.RIVER_40)[:count]
    seats = tuple(
        replace(
            s.seat(number, melds=s.FIVE_KONGS[:melds], flowers="12345678f"[:flowers] + "f" if flowers else ""),
            river=tuple(s.DiscardView(tile) for tile in thrown),
        )
        for number in range(4)
    )
    table = replace(s.EXTREME_TABLE, seats=seats, last_discard=(1, thrown[-1]) if thrown else None)
    check(layout(Sample("table", table, s.EXTREME_TABLE_WORDS)))
    hidden = tuple(replace(seat, river=(s.DiscardView(None),) * count) for seat in seats)
    dark = replace(table, seats=hidden, hidden=True, last_discard=(1, None) if thrown else None)
    check(layout(Sample("table", dark, s.EXTREME_TABLE_WORDS)))
