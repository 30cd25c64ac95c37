"""The stake, before a hand and when it changes after one (rules-zhangzhou 11)."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from data.texts import Texts
from handlers.screens.lobby import lobby_text
from handlers.screens.sheet import FOLDED, next_stake, sheet_text, sheet_words
from handlers.table_state import Seat, TableState
from mahjong.records import Record, replay
from mahjong.views import SheetView, sheet

CASES = Path(__file__).parents[1] / "conformance"
NAMES = ("阿明", "阿珍", "老林", "小红")
WORDS = Texts.load(strict=True).get("zh_Hans")


@cache
def ended() -> SheetView:
    case = json.loads((CASES / "zz-discard-win.json").read_text("utf-8"))
    return sheet(replay(Record.from_json(case["record"])))


def with_coins(*coins: int, base: int = 10) -> SheetView:
    view = replace(ended().view, base=base)
    return replace(ended(), view=view, coins=(coins[0], coins[1], coins[2], coins[3]))


def state(*, timer: str = "normal", for_coins: bool = True) -> TableState:
    players = [Seat(person=number, name=name, wallet=1_600) for number, name in enumerate(NAMES, 1)]
    return TableState(
        1, 1, 1, phase="between", hand=1, players=players, seats=list(players), timer=timer, for_coins=for_coins
    )


def text(now: TableState, shown: SheetView) -> str:
    return sheet_text(now, shown, NAMES, WORDS, None)


@pytest.mark.parametrize(
    ("base", "coins", "line"),
    [
        (10, (1_600, 5_000, 1_600, 2_000), "⬆️ 底分升到 100（1,600–15,999 场）"),
        (100, (1_599, 5_000, 1_600, 2_000), "⬇️ 底分降到 10（160–1,599 场）"),
        (100, (0, 5_000, 1_600, 2_000), "⬇️ 底分降到 10（160–1,599 场）"),
        (10, (16_000, 160_000, 16_000, 16_000), "⬆️ 底分升到 1,000（16,000–159,999 场）"),
    ],
)
def test_a_sheet_says_when_the_stake_changes(base: int, coins: tuple[int, ...], line: str) -> None:
    shown = with_coins(*coins, base=base)
    lines = text(state(), shown).split("\n")
    assert line in lines
    stake = next_stake(state(), shown)
    assert any(other.startswith("下一局") and other.endswith(f"底 {stake:,}") for other in lines)
    assert sheet_words(state(), shown, NAMES, WORDS).next_base == f"底 {stake:,}"


def test_a_stake_that_stays_is_told_without_a_word_more() -> None:
    shown = text(state(), with_coins(1_500, 1_500, 1_500, 1_500))
    assert " · 底 10" in shown
    assert "底分" not in shown


def test_nothing_is_foretold_where_it_is_not_known() -> None:
    rich = with_coins(9_000, 9_000, 9_000, 9_000)
    days = text(state(timer="days"), rich)
    assert "底分" not in days
    assert sheet_words(state(timer="days"), rich, NAMES, WORDS).next_base == ""
    assert "底分" not in text(state(for_coins=False), rich), "no coins move at a friendly table"


def test_the_lobby_tells_the_stake_and_the_coins_it_goes_with() -> None:
    waiting = state()
    waiting.phase = "lobby"
    waiting.seats[3] = None
    assert "底 100 · 1,600–15,999 场" in lobby_text(waiting, WORDS)


def test_what_pays_what_is_folded_below_the_totals_so_that_a_phone_shows_the_picture() -> None:
    few = with_coins(1_500, 1_500, 1_500, 1_500)
    assert "blockquote" not in text(state(), few)
    shown = text(state(), replace(few, lines=few.lines * FOLDED))
    head, details = shown.split("<blockquote expandable>")
    inside, tail = details.split("</blockquote>")
    assert len(inside.split("\n")) > FOLDED
    assert head.count("现有") == len(NAMES)
    assert "下一局" in tail
