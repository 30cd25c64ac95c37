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
