"""同桌流水 and the list of hands, as they are written."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from data.model import Flow
from data.texts import Texts
from handlers.screens.history import OTHERS, OWN, flows_text, when

TEXTS = Texts.load(strict=True)
NAMES = dict(enumerate(("阿明", "阿珍", "老林", "小红", "阿福"), 1))
CHINA = timezone(timedelta(hours=8))


def shown(flows: list[Flow], *, reader: int = 1, you: bool = True, language: str = "zh_Hans") -> list[str]:
    names = {**NAMES, **{number: f"客{number}" for number in range(10, 60)}}
    return flows_text(flows, names, "all", TEXTS.get(language), group="周末麻将", reader=reader, you=you).split("\n")[
        1:
    ]


def test_mine_come_first_then_the_others_then_the_computers_in_one_line() -> None:
    flows = [Flow(2, 3, 900), Flow(1, 2, 320), Flow(3, 1, 80), Flow(None, 2, 70), Flow(4, None, 100), Flow(1, None, 40)]
    assert shown(flows) == [
        "你 ← 阿珍　<b>+320</b>",
        "你 → 老林　<b>-80</b>",
        "你 ← 🤖 电脑　<b>+40</b>",
        "你合计　<b>+280</b>",
        "———",
        "阿珍 ← 老林　<b>+900</b>",
        "🤖 电脑　<b>-30</b>",
    ]


def test_in_a_group_the_reader_is_called_by_name() -> None:
    assert shown([Flow(3, 1, 80)], you=False) == ["阿明 → 老林　<b>-80</b>"]


def test_a_big_group_stays_readable() -> None:
    own = [Flow(1, number, 1_000 - number) for number in range(10, 10 + OWN + 3)]
    others = [Flow(2, number, 500 - number) for number in range(10, 10 + OTHERS + 5)]
    lines = shown([*own, *others])
    assert len(lines) == OWN + 1 + 1 + OTHERS + 1
    assert lines[-1] == "……还有 8 对"
    # What is left out of the lines is in the sum.
    assert f"{sum(flow.net for flow in own):+,}" in lines[OWN]


@pytest.mark.parametrize("language", ["zh_Hans", "zh_Hant", "en"])
def test_nothing_yet_is_said_in_one_line(language: str) -> None:
    assert len(shown([], language=language)) == 1


def test_names_cannot_break_the_page() -> None:
    text = flows_text([Flow(1, 2, 5)], {1: "<b>", 2: "a&b"}, "day", TEXTS.get("en"), group="<i>", reader=3, you=True)
    assert "&lt;b&gt; ← a&amp;b" in text
    assert "&lt;i&gt;" in text


def test_times_are_local_and_short() -> None:
    now = datetime(2026, 5, 1, 16, 30, tzinfo=UTC)
    assert when(now - timedelta(minutes=20), now, CHINA) == "00:10"
    assert when(now - timedelta(minutes=40), now, CHINA) == "5-01 23:50"
    assert when(datetime(2025, 12, 31, 1, 5, tzinfo=UTC), now, CHINA) == "2025-12-31 09:05"
