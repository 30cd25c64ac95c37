"""Texts: any script, cut by grapheme, never too wide."""

from __future__ import annotations

import pytest

from render import text
from render.fonts import main_font, shaping
from render.text import clean, text_mask
from tests.render.samples import AWKWARD_NAMES, SCRIPTS


@pytest.mark.parametrize("name", range(len(SCRIPTS)))
def test_no_name_is_too_wide(name: int) -> None:
    for most in (1, 20, 90, 400):
        for fit in ("cut", "shrink", "number"):
            drawn = text_mask(SCRIPTS[name], 36, most=most, fit=fit)
            assert drawn.mask.width <= most + 8
            assert drawn.mask.height < 36 * 1.6


@pytest.mark.parametrize("name", ["สวัสดีครับ", "नमस्ते", "عبد", "👍🏽", "e\u0301", "kǹg tsia\u030dh", "庄連萬", "한국어"])
def test_names_are_visible_and_no_box(name: str) -> None:
    assert text_mask(name, 40).mask.getbbox() is not None
    assert all(run.font is not None for run in text._runs(text._clusters(name)))


def test_cut_keeps_clusters_whole() -> None:
    family = "👨‍👩‍👧‍👦"
    for most in range(40, 400, 30):
        clusters = text._cut(tuple(text._clusters(family * 20)), 36, 700, most)
        assert set(clusters) <= {family, "…"}


def test_direction_marks_and_controls_fall_away() -> None:
    assert clean("\u202eevil\u2066\x00\x1b a\nb") == "evil a b"
    assert clean("\ud83dx") == "x"
    assert len(clean(AWKWARD_NAMES[0])) <= text.LONGEST


def test_invisible_name_gets_a_box_and_no_name_nothing() -> None:
    assert text._clusters("\u200b\u200d") == ["□"]
    assert text._clusters("") == []


def test_right_to_left_runs_are_drawn_from_the_right() -> None:
    runs = text._runs(text._clusters("عبد 阿明"))
    assert runs[0].text == "阿明"


def test_ellipsis_of_a_right_to_left_name_is_at_its_left() -> None:
    """Alone, after other words, and kept apart by an isolate: the end of the name is where it is cut."""
    for before, after in (("", ""), ("上家 ", ""), ("\u2068", "\u2069"), ("上家 \u2068", "\u2069")):
        cut = text._cut(tuple(text._clusters(before + "عبدالرحمنمحمد" + after)), 36, 700, 200)
        texts = [run.text for run in text._runs(list(cut))]
        assert texts.index("…") < next(at for at, part in enumerate(texts) if "ع" in part)
    assert [run.text for run in text._runs(text._clusters("上家 \u2068عبد\u2069 打"))] == ["上家 ", "عبد", " 打"]


def test_isolate_does_not_turn_what_follows() -> None:
    runs = text._runs(text._clusters("\u2068عبد\u2069 坐庄 12"))
    assert [run.text for run in runs] == ["عبد", " 坐庄 12"]


def test_space_after_an_emoji_is_a_space() -> None:
    assert text.width("🐼 P", 100) - text.width("🐼P", 100) < 40
    assert text.width("🐼 7", 100) - text.width("🐼", 100) < 100


def test_every_name_stays_when_they_are_cut() -> None:
    names = ("Xiaohong Chen", "\u2068عبد الرحمن محمد\u2069", "W" * 16)
    whole = "、".join(names)
    short = text.shorten(whole, names, 36, 700, 500)
    assert [part[:2] for part in short.split("、")] == [name[:2] for name in names]
    assert text.width(short, 36) <= 500
    assert short.count("\u2068") == short.count("\u2069") == 1
    assert text.shorten("阿明、老林", ("阿明", "老林"), 36, 700, 500) == "阿明、老林"
    # A name that is short keeps all its letters.
    assert text.shorten("阿明 for " + names[2], ("阿明", names[2]), 36, 700, 300).startswith("阿明 for WW")


@pytest.mark.parametrize(
    ("name", "lines"), [("Xiaohong Chen", ("Xiaohong", "Chen")), ("阿明", ("阿明", "")), ("", ("", ""))]
)
def test_two_lines(name: str, lines: tuple[str, str]) -> None:
    assert text.two_lines(name, 28, 700, 130) == lines


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("CPU A", ("CPU A",)),
        ("Xiaohong Chen", ("Xiaohong", "Chen")),
        ("Christopher Wood", ("Christopher", "Wood")),
        ("Alexandrinaworth", ("Alexandr", "inaworth")),
        ("\u2068عبد الرحمن محمد\u2069", ("\u2068عبد الرحمن\u2069", "\u2068محمد\u2069")),
    ],
)
def test_a_name_is_broken_at_a_space_where_there_is_one(name: str, lines: tuple[str, ...]) -> None:
    size, found = text.name_lines(name, 25, 10, 700, 70)
    assert found == lines
    assert max(text.width(line, size, 700) for line in found) <= 72


def test_two_lines_lose_nothing() -> None:
    for name in (*SCRIPTS, *AWKWARD_NAMES):
        first, second = text.two_lines(name, 28, 700, 100)
        known = [cluster for cluster in text._clusters(name) if not cluster.isspace()]
        assert [cluster for cluster in text._clusters(first) + text._clusters(second) if not cluster.isspace()] == known


def test_initials() -> None:
    initials = ("明", "X", "🐼", "ع", "")
    assert tuple(map(text.initial, ("阿明", "Xiaohong", "🐼 Panda", "\u2068عبد\u2069", ""))) == initials


def test_shaping_is_there() -> None:
    """Without libfribidi raqm turns itself off silently, and Arabic and Thai names come out wrong."""
    if not shaping():
        pytest.skip("libfribidi is missing: names in complex scripts are drawn unshaped")
    font = main_font()
    assert font is not None
    assert not text._simple(text._Run(None, "عبد"))


def test_numbers_shrink_before_they_are_cut() -> None:
    assert text_mask("999,999,999", 40, most=100, fit="number").size < 24


def test_taiwan_has_its_own_forms() -> None:
    mainland = text_mask("骨", 60).mask.tobytes()
    text.use("hant")
    try:
        assert text_mask("骨", 60).mask.tobytes() != mainland
    finally:
        text.use("hans")
    assert text_mask("骨", 60).mask.tobytes() == mainland


def test_without_any_font_there_are_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "candidates", lambda script="hans": iter(()))
    monkeypatch.setattr(text, "main_font", lambda script="hans": None)
    caches = (text._font_for, text._width, text._text_mask)
    for cache in caches:
        cache.cache_clear()
    try:
        drawn = text_mask("阿明", 40, most=200)
        assert drawn.mask.getbbox() is not None
        assert drawn.advance == 56
    finally:
        for cache in caches:
            cache.cache_clear()
