"""Callback data: short, read back as written, garbage refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handlers.presses import MovePress, PagePress, TablePress, move_data, page_data, read_press, table_data
from mahjong.moves import Move

NUMBERS = st.integers(0, 10**15 - 1)
MOVES = st.one_of(
    st.builds(Move, st.just(-1), st.sampled_from(["discard", "kong"]), st.tuples(st.integers(0, 41))),
    st.builds(Move, st.just(-1), st.just("chow"), st.tuples(st.integers(0, 33), st.integers(0, 33))),
    st.builds(Move, st.just(-1), st.sampled_from(["pong", "kong", "hu", "pass", "rob"])),
)


@given(NUMBERS, NUMBERS, NUMBERS, MOVES, st.integers(0, 9))
def test_a_move_reads_back_as_written_within_64_bytes(
    table: int, hand: int, number: int, move: Move, step: int
) -> None:
    data = move_data(table, hand, number, move, step)
    assert 1 <= len(data.encode()) <= 64
    assert read_press(data) == MovePress(table, hand, number, move, step)


@given(NUMBERS, st.sampled_from(["sit", "ready", "down"]), st.none() | NUMBERS)
def test_an_action_reads_back_as_written(table: int, action: str, hand: int | None) -> None:
    assert read_press(table_data(table, action, hand)) == TablePress(table, action, hand)


def test_no_number_is_not_the_number_0() -> None:
    assert read_press("t|3|add_0") == TablePress(3, "add", number=0)
    assert read_press("t|3|add") == TablePress(3, "add", number=None)


@given(st.text(max_size=64))
def test_no_text_whatever_makes_it_fail(text: str) -> None:
    read_press(text)


@pytest.mark.parametrize(
    "data",
    ["", "m", "m|1|2|3", "m|1|2|3|d9x", "m|1|2|3|q", "m|-1|2|3|p", "m|1|2|3|d", "t|1|rm -rf", "t||sit", "h|1|x|ready",
     "m|1|2|3|d5m|extra", "m|９|2|3|p", "t|99999999999999999999|sit"],
)  # fmt: skip
def test_forged_data_is_refused(data: str) -> None:
    pressed = read_press(data)
    assert pressed is None or (
        isinstance(pressed, MovePress) and pressed.move.verb == "discard" and not pressed.move.tiles
    )


def test_a_page_is_named_by_its_letter_and_plain_fields() -> None:
    data = page_data("v", 12, "at", 40)
    assert data == "v|12|at|40"
    pressed = read_press(data)
    assert pressed == PagePress("v", ("12", "at", "40"))
    assert (pressed.number(0), pressed.number(1), pressed.number(2), pressed.number(3)) == (12, None, 40, None)
    for forged in ("v", "v|", "vr|1", "Q|1", "v|1|a b", "v|" + "|".join("1234567"), "v|" + "9" * 41, "|1"):
        assert read_press(forged) is None, forged
