"""The pictures: never crash, stay within their sizes, are the same for the same input, and hide what must not show."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image, ImageChops

from mahjong.moves import Event
from mahjong.tiles import parse_tile
from mahjong.views import DiscardView, SheetView, View
from render import paint
from render.opening import die
from render.paint import amount
from render.pictures import (
    diagram_picture,
    draw,
    hand_picture,
    lobby_picture,
    pays_picture,
    profile_picture,
    ranking_picture,
    seen_picture,
    sheet_picture,
    table_picture,
)
from render.scenes import Kind, hand_scene, scene_of, seen_scene, table_scene
from render.sheet import draw_sheet
from render.table import draw_table
from render.words import (
    Words,
)
from tests.render import samples as s
from tests.render.gallery import DIAGRAMS, HANDS, LOBBIES, PROFILES, RANKINGS, SAMPLES, SEEN, SHEETS, TABLES
from tests.render.payments import PAYS


def size_of(picture: bytes) -> tuple[int, int]:
    image = Image.open(io.BytesIO(picture))
    assert image.format == "JPEG"
    return image.size


@pytest.mark.parametrize("name", HANDS)
def test_hand_fits_its_bytes(name: str) -> None:
    view, words = HANDS[name]
    picture = hand_picture(view, words)
    wide, high = size_of(picture)
    assert wide == 800
    assert 700 < high < 1250
    assert len(picture) <= 150_000


@pytest.mark.parametrize("name", TABLES)
def test_table_fits_its_bytes(name: str) -> None:
    view, words = TABLES[name]
    picture = table_picture(view, words)
    assert size_of(picture) == (800, 833 if "dark" in name else 1067)
    assert len(picture) <= 200_000


@pytest.mark.parametrize("name", SEEN)
def test_copies_in_sight_fit_their_bytes(name: str) -> None:
    view, words = SEEN[name]
    picture = seen_picture(view, words)
    assert size_of(picture) == (800, 948 if name == "dark" else 900)
    assert len(picture) <= 150_000


def test_copies_in_sight_change_with_what_is_seen_and_with_nothing_else() -> None:
    hidden = replace(s.SEEN_DARK.seats[1], river=(*s.SEEN_DARK.seats[1].river, DiscardView(None)), concealed_count=9)
    more = replace(s.SEEN_DARK, seats=(s.SEEN_DARK.seats[0], hidden, *s.SEEN_DARK.seats[2:]))
    assert seen_scene(more) == seen_scene(s.SEEN_DARK)
    thrown = replace(s.SEEN_FULL.seats[1], river=(*s.SEEN_FULL.seats[1].river, DiscardView(parse_tile("1m"))))
    seats = (s.SEEN_FULL.seats[0], thrown, *s.SEEN_FULL.seats[2:])
    assert seen_scene(replace(s.SEEN_FULL, seats=seats)) != seen_scene(s.SEEN_FULL)


@pytest.mark.parametrize("name", SHEETS)
def test_sheet_fits_its_bytes(name: str) -> None:
    sheet, words = SHEETS[name]
    picture = sheet_picture(sheet, words)
    wide, high = size_of(picture)
    assert wide == 800
    assert 500 < high < 1700
    assert len(picture) <= 250_000


@pytest.mark.parametrize("name", LOBBIES)
def test_lobby(name: str) -> None:
    picture = lobby_picture(LOBBIES[name])
    assert size_of(picture)[0] == 800
    assert len(picture) <= 150_000


@pytest.mark.parametrize("name", RANKINGS)
def test_ranking(name: str) -> None:
    picture = ranking_picture(RANKINGS[name])
    wide, high = size_of(picture)
    assert wide == 800
    assert high <= 1070
    assert len(picture) <= 200_000


@pytest.mark.parametrize("name", PROFILES)
def test_profile(name: str) -> None:
    best, words = PROFILES[name]
    picture = profile_picture(best, words)
    wide, high = size_of(picture)
    assert wide == 800
    assert 600 < high < 1090
    assert len(picture) <= 200_000


@pytest.mark.parametrize("name", DIAGRAMS)
def test_diagram(name: str) -> None:
    picture = diagram_picture(DIAGRAMS[name])
    wide, high = size_of(picture)
    assert wide == 800
    assert 300 < high < (3_400 if name == "extreme" else 1_300)
    assert len(picture) <= (400_000 if name == "extreme" else 200_000)


@pytest.mark.parametrize("name", PAYS)
def test_what_pays_what(name: str) -> None:
    picture = pays_picture(PAYS[name])
    wide, high = size_of(picture)
    assert wide == 800
    assert 400 < high < 1_250
    assert len(picture) <= (250_000 if name == "extreme" else 160_000)


@pytest.mark.parametrize(
    ("kind", "view", "words"),
    [("hand", s.TURN, s.HAND), ("table", s.TABLE, s.TABLE_WORDS), ("sheet", s.SHEET, s.SHEET_WORDS)],
)
def test_same_input_same_bytes(kind: Kind, view: View | SheetView, words: Words) -> None:
    assert draw(kind, scene_of(kind, view), words) == draw(kind, scene_of(kind, view), words)


def test_kind_view_and_words_must_go_together() -> None:
    with pytest.raises(ValueError, match="reader"):
        hand_picture(s.TABLE, s.HAND)
    with pytest.raises(ValueError, match="table picture"):
        draw("table", hand_scene(s.TURN), s.HAND)
    with pytest.raises(ValueError, match="lobby picture has no view"):
        scene_of("lobby", s.TABLE)
    with pytest.raises(ValueError, match="needs a view"):
        scene_of("table", None)
    with pytest.raises(ValueError, match="sheet"):
        scene_of("sheet", s.TABLE)


def test_waiting_hand_does_not_change_with_the_others_moves() -> None:
    later = replace(
        s.WAITING,
        turn=2,
        number=9,
        drawable=30,
        events=(Event("discarded", 1, (3,)),),
        last_discard=(1, 3),
        seats=(s.WAITING.seats[0], s.seat(1, river="4m"), *s.WAITING.seats[2:]),
    )
    assert hand_scene(later) == hand_scene(s.WAITING)


def test_strip_begins_at_the_readers_last_discard() -> None:
    scene = hand_scene(s.TURN)
    assert [seat for seat, _ in scene.others] == [1, 2, 3]
    assert [[deed.kind for deed in deeds] for _, deeds in scene.others] == [
        ["discarded"],
        ["pong", "discarded"],
        ["discarded"],
    ]
    assert scene.last_seat == 3


def test_strip_shows_the_tile_that_was_chowed() -> None:
    events = (*s.TURN.events, Event("chow", 0, (1, 2, 3), 3), Event("discarded", 0, (9,)))
    events += (Event("discarded", 1, (5,)), Event("chow", 2, (4, 5, 6), 1))
    scene = hand_scene(replace(s.TURN, events=events))
    assert [(deed.kind, deed.tile) for deed in scene.others[1][1]] == [("chow", 5)]


def test_the_opening_is_shown_until_somebody_does_something() -> None:
    assert table_scene(s.DEALT).opening
    assert table_scene(s.DARK_DEALT).opening
    assert not table_scene(replace(s.DEALT, gold=())).opening, "nothing is turned up yet"
    thrown = (replace(s.DEALT.seats[0], river=(DiscardView(parse_tile("9m")),)), *s.DEALT.seats[1:])
    assert not table_scene(replace(s.DEALT, phase="claim", seats=thrown, last_discard=(0, parse_tile("9m")))).opening
    melded = (replace(s.DEALT.seats[0], melds=(s.hidden_kong(),)), *s.DEALT.seats[1:])
    assert not table_scene(replace(s.DEALT, phase="turn", turn=0, seats=melded)).opening
    assert [die(40, value).pieces != () for value in range(1, 7)] == [True] * 6
    with pytest.raises(ValueError, match="no die"):
        die(40, 7)


def test_group_picture_shows_no_hand_and_no_single_you() -> None:
    """A view that knew too much would still not show it."""
    knowing = replace(
        s.TABLE,
        seats=tuple(replace(seat, concealed=(1, 2, 3), drawn=parse_tile("5m"), level=1) for seat in s.TABLE.seats),
    )
    assert table_scene(knowing) == table_scene(s.TABLE)
    asked = replace(s.TABLE, question=s.CLAIM.question, answered=True, number=99)
    assert table_scene(asked) == table_scene(s.TABLE)


def test_bare_tiles_with_inlays_are_the_tiles() -> None:
    """Laying faces on tiles that are there already shows what drawing whole tiles shows."""
    for gold in ((), (0,)):
        rows = tuple(tuple("gold" if face in gold else "ivory" for face in range(r * 6, r * 6 + 6)) for r in range(7))
        one, other = paint.blank(960, 1700), paint.blank(960, 1700)
        paint.bare_rows(one, 26, 50, rows, 143, 153, 226, (0, 1700))  # type: ignore[arg-type]
        for face in range(42):
            x, y = 26 + face % 6 * 153, 50 + face // 6 * 226
            paint.face_on_bare(one, x, y, face, 143, "gold" if face in gold else "ivory")
            paint.tile(other, x, y, face, 143, gold)
        # But for a pixel or two of a face that reaches into the tile's soft edge.
        seen = ImageChops.difference(one, other).convert("L").point(lambda value: 255 if value > 8 else 0)
        assert seen.histogram()[255] < 10


def tray_of_tiles(
    tile: Any, image: Image.Image, x: int, y: int, faces: tuple[int | None, ...], wide: int, *rest: Any
) -> None:
    """``paint.tray``, each tile by itself."""
    for at, face in enumerate(faces):
        tile(image, x + at * (wide + 1), y, face, wide)


def test_a_tray_shows_tiles_on_a_bar() -> None:
    one, other = paint.blank(400, 200), paint.blank(400, 200)
    paint.tray(one, 30, 30, (3, None, 41), 60, (9, 56, 42), 6)
    paint.panel(other, (24, 24, 30 + 3 * 61 + 5, 30 + 82 + 6), (9, 56, 42), None, 12)
    tray_of_tiles(paint.tile, other, 30, 30, (3, None, 41), 60)
    # But for the rests of shadows beside the bar.
    seen = ImageChops.difference(one, other).convert("L").point(lambda value: 255 if value > 12 else 0)
    assert seen.histogram()[255] == 0


def test_texts_kept_on_their_ground_are_what_they_would_be(monkeypatch: pytest.MonkeyPatch) -> None:
    write = paint.write

    def write_on_anything(*rest: Any, **named: Any) -> int:
        return write(*rest[:10], **{name: value for name, value in named.items() if name != "on"})

    for sample in SAMPLES.values():
        kept = sample.image()
        with monkeypatch.context() as patch:
            patch.setattr(paint, "write", write_on_anything)
            assert ImageChops.difference(kept, sample.image()).getbbox() is None


def test_no_badge_covers_a_face(monkeypatch: pytest.MonkeyPatch) -> None:
    """Badges and pills lie beside what identifies a tile: at most on its rim above, on its side below."""
    badges: list[tuple[int, int, int, int]] = []
    faces: list[tuple[int, int, int, int]] = []
    plaque, tile = paint.plaque, paint.tile

    def watch_plaque(image: Image.Image, box: tuple[int, int, int, int], *rest: Any) -> None:
        badges.append(box)
        plaque(image, box, *rest)

    def watch_tile(image: Image.Image, x: int, y: int, face: int | None, wide: int, *rest: Any) -> None:
        if wide >= 50 and face is not None:
            faces.append((x + wide // 8, y + wide // 8, x + wide * 7 // 8, y + wide * 9 // 8))
        tile(image, x, y, face, wide, *rest)

    monkeypatch.setattr(paint, "plaque", watch_plaque)
    monkeypatch.setattr(paint, "tile", watch_tile)
    monkeypatch.setattr(paint, "tray", lambda *rest: tray_of_tiles(watch_tile, *rest))
    for view, words in (TABLES["English"], TABLES["full"], TABLES["group"], TABLES["private"]):
        badges.clear()
        faces.clear()
        draw_table(table_scene(view), words)
        assert badges
        for badge in badges:
            for face in faces:
                apart = badge[2] <= face[0] or face[2] <= badge[0] or badge[3] <= face[1] or face[3] <= badge[1]
                assert apart, (badge, face)


@pytest.mark.parametrize("won", ["电脑乙 点炮", "Xiaohong Chen threw it", "摸到"])
def test_pills_under_the_winning_hand_stay_inside(monkeypatch: pytest.MonkeyPatch, won: str) -> None:
    boxes: list[tuple[int, int]] = []
    real = paint.pill

    def watch(image: Image.Image, x: int, *rest: Any, **named: Any) -> int:
        wide = real(image, x, *rest, **named)
        if named.get("anchor") == "l" and x < 900:
            boxes.append((x, x + wide))
        return wide

    monkeypatch.setattr(paint, "pill", watch)
    for tile in ("2m", "8m"):
        sheet = replace(s.SHEET, tile=parse_tile(tile))
        draw_sheet(scene_of("sheet", sheet), replace(s.SHEET_WORDS, won=won))  # type: ignore[arg-type]
    assert boxes
    assert all(left >= 34 and right <= 960 - 34 for left, right in boxes)


def test_drawn_hand_shows_the_gold_and_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[int | None, int]] = []
    texts: list[str] = []
    tile, write = paint.tile, paint.write

    def watch_tile(image: Image.Image, x: int, y: int, face: int | None, wide: int, *rest: Any) -> None:
        shown.append((face, wide))
        tile(image, x, y, face, wide, *rest)

    def watch_write(image: Image.Image, x: int, y: int, text: str, *rest: Any, **named: Any) -> int:
        texts.append(text)
        return write(image, x, y, text, *rest, **named)

    monkeypatch.setattr(paint, "tile", watch_tile)
    monkeypatch.setattr(paint, "write", watch_write)
    draw_sheet(scene_of("sheet", s.DRAWN_SHEET), s.DRAWN_SHEET_WORDS)  # type: ignore[arg-type]
    assert (parse_tile("6s"), 50) in shown
    assert "剩" in texts
    assert "38" in texts


def test_tiles_that_may_not_be_thrown_are_barred() -> None:
    """Gold in Putian; where nothing may be thrown, as in a lock, nothing is marked."""
    assert hand_scene(s.GOLD_STAYS).barred == s.GOLD_STAYS.gold
    assert hand_scene(s.YOUJIN).barred == ()
    assert hand_scene(s.CLAIM).barred == ()


@pytest.mark.parametrize(
    ("value", "chinese", "english"),
    [
        (9_999, "9,999", "9,999"),
        (123_456, "12.3万", "123K"),
        (12_345_678, "1,234万", "12.3M"),
        (990_000_000, "9.9亿", "990M"),
    ],
)
def test_large_amounts_are_counted_as_the_language_counts(value: int, chinese: str, english: str) -> None:
    assert amount(value, 40, 130, units="万 亿", squeeze=1.0) == chinese
    assert amount(value, 40, 130, squeeze=1.0) == english
