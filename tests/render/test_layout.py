"""Layout: nothing overlaps and nothing leaves the picture, whatever names, sums and numbers of tiles come."""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import lru_cache

import pytest

from render import paint, review
from render.scenes import Kind
from tests.render import card_samples as cards
from tests.render import samples as s
from tests.render.gallery import SAMPLES, Sample
from tests.render.layout import Item, Layout, layout
from tests.render.replays import FULL as REPLAY
from tests.render.reviews import REVIEWS

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


LETTERS_16 = ("Maximilian Weber", "Xiaohong Chen", "Alexandrinaworth", "Christopher Wood")
"""Names of up to 16 letters, as long as they come uncut from the screens."""
WIN_LINES = s.SHEET.lines[:3]
PAID = {
    "one": WIN_LINES,
    "two": s.SHEET.lines,
    "three": (*s.SHEET.lines, s.ScoreLine(0, 1, "points", 1, 1, 2, 20, 20)),
    "all": (*s.MIXED_SHEET.lines, *(s.ScoreLine(0, to, "points", 1, 1, 2, 20, 20) for to in (1, 3))),
}
"""Lines of a sheet by how many are paid."""


def whole(found: Layout) -> None:
    """No text ends in an ellipsis."""
    check(found)
    assert not [item for item in found.items if item.cut or "…" in item.what]


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("paid", PAID)
@pytest.mark.parametrize("language", ["zh_Hans", "zh_Hant", "en"])
def test_names_of_16_letters_are_whole_on_the_sheet(language: str, paid: str, turn: int) -> None:
    a, b, c, d = names = (*LETTERS_16[turn:], *LETTERS_16[:turn])
    if language == "en":
        words = replace(
            s.MIXED_WORDS, kind="Win on a discard", streak="streak 12",
            subtitle=f"An idle player wins · {a} deals · streak 12 · base 1,000",
            won=f"from {a}", next_dealer=f"{b} deals", next_streak="streak 13",
            sums=(
                s.SumWords(f"{a}, {b}, {d}", "idle ×12", "10×4×3 + 10", "= 130"),
                s.SumWords(f"{b} for {d}", "dealer ×16", "10×4×4 + 10", "= 170"),
                s.SumWords(d, "points", f"to {b}  1×10", "= 10"),
            ),
        )  # fmt: skip
    else:
        words = replace(
            s.SHEET_WORDS, kind="点炮胡", signs=replace(s.SIGNS, script="hant" if language == "zh_Hant" else "hans"),
            subtitle=f"闲家胡 · {a} 坐庄 连12 · 底 1,000", streak="连12", won=f"{a} 点炮", next_dealer=f"{b} 坐庄",
            sums=(
                s.SumWords(f"{a}、{b}、{d}", "庄 12番", "10 × 4 × 3 + 10", "= 130"),
                s.SumWords(d, "花杠", f"给 {b}  2×10", "= 20"),
            ),
        )  # fmt: skip
    words = replace(words, names=names, winner=c)
    sheet = replace(s.MIXED_SHEET, lines=PAID[paid])
    whole(layout(Sample("sheet", sheet, words)))
    if language == "en":
        drawn = replace(s.DRAWN_SHEET, lines=PAID[paid][3:])
        whole(layout(Sample("sheet", drawn, replace(words, kind="Drawn hand", winner="", items=()))))
        false = replace(s.FALSE_SHEET, lines=PAID[paid])
        whole(layout(Sample("sheet", false, replace(words, kind="False win", winner=d, items=()))))


def test_a_column_s_head_is_broken_at_a_space() -> None:
    words = replace(s.MIXED_WORDS, names=("Xiaohong Chen", "CPU A", "CPU B", "CPU C"))
    said = {item.what for item in layout(Sample("sheet", replace(s.MIXED_SHEET, lines=PAID["all"]), words)).items}
    assert {"Xiaohong", "Chen", "CPU A", "CPU B", "CPU C"} <= said


@pytest.mark.parametrize("kind", ["table", "replay"])
@pytest.mark.parametrize("dealer", range(4))
def test_in_english_the_dealer_s_badge_is_whole_beside_a_whole_name(kind: Kind, dealer: int) -> None:
    words = replace(s.ENGLISH_TABLE, names=LETTERS_16, in_short=("A", "B", "C", "D"), streak="streak 12")
    view = s.FULL if kind == "table" else REPLAY
    found = layout(Sample(kind, replace(view, dealer=dealer), words))
    check(found)
    assert {"D", "streak 12", *LETTERS_16} <= {item.what for item in found.items if not item.cut}


@pytest.mark.parametrize("name", REVIEWS)
def test_a_review_keeps_its_distance_from_its_frames(name: str) -> None:
    texts = [item for item in laid_out(f"review {name}").of("text") if item.top > paint.px(review.HEADER)]
    assert max(item.right for item in texts) <= paint.px(review.WIDTH - review.EDGE - 18)


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
