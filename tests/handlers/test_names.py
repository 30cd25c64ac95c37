"""Names of every kind are shown, and none breaks a line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handlers.names import SHOWN, shown_name


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("阿明", "阿明"),
        ("  老   林 ", "老 林"),
        ("A\u202eB", "AB"),
        ("\u200b\u2060", "?"),
        ("\u3164", "?"),
        ("👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"),
        ("e\u0301" * 3, "e\u0301" * 3),
        ("名" * 40, "名" * SHOWN + "…"),
        ("محمد", "\u2068محمد\u2069"),
        ("a\nb\tc", "abc"),
    ],
)
def test_a_name_as_shown(raw: str, shown: str) -> None:
    assert shown_name(raw) == shown


@given(st.text(max_size=200))
def test_any_name_gives_one_visible_line(raw: str) -> None:
    name = shown_name(raw)
    assert name.strip()
    assert "\n" not in name
    assert "\u202e" not in name


def test_a_heap_of_combining_marks_is_cut() -> None:
    assert len(shown_name("a" + "\u0301" * 500)) <= 12
