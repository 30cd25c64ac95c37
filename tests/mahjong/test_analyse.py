"""The question *analyse*: what it refuses, each in one line that names the field."""

from __future__ import annotations

from typing import Any

import pytest

from mahjong.analyse import analyse
from mahjong.moves import IllegalRecord

HAND = {"rules": "zhangzhou", "gold": "5m", "melds": 0, "concealed": "123789m123456p7899s"}


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (None, "a hand is a JSON object"),
        ({"tiles": 1}, "unknown field 'tiles'; known: "),
        ({"melds": ...}, "melds: missing"),
        ({"rules": 3}, "rules: one of zhangzhou, "),
        ({"rules": "riichi"}, "rules: one of zhangzhou, "),
        ({"gold": 5}, "gold: a tile, a list of tiles, or null"),
        ({"gold": ["5m", 6]}, "gold: a tile, a list of tiles, or null"),
        ({"gold": ["5m", "6m"]}, "gold: at most 1 in zhangzhou, not 2"),
        ({"gold": "5x"}, "gold: \"not a tile: '5x'\""),
        ({"gold": "1f"}, "gold: no such gold in zhangzhou"),
        ({"melds": True}, "melds: an integer from 0 to 5"),
        ({"melds": 6}, "melds: an integer from 0 to 5"),
        ({"concealed": 5}, "concealed: a text of tiles"),
        ({"concealed": "123"}, "concealed: digits without a suit"),
        ({"concealed": "1m"}, "concealed: 16 or 17 tiles with 0 melds, not 1"),
        ({"concealed": "123789m123456p789s1f"}, "concealed: 1f is never in hand in zhangzhou"),
        ({"concealed": "11111m123456p78999s"}, "concealed: 5 of 1m, there are 4"),
        ({"concealed": "5555m123456p789999s"}, "concealed: 4 of 5m, there are 3"),
        ({"rules": "putian-an", "concealed": "123789m123456p789s1z"}, "concealed: 1z is never in hand in putian-an"),
    ],
)
def test_what_is_no_hand_is_refused_by_field(changed: dict[str, Any] | None, told: str) -> None:
    hand: Any = changed
    if changed is not None:
        hand = {name: value for name, value in {**HAND, **changed}.items() if value is not ...}
    with pytest.raises(IllegalRecord) as caught:
        analyse(hand)
    assert str(caught.value).startswith(told)
    assert "\n" not in str(caught.value)


def test_without_gold_nothing_is_wild() -> None:
    assert analyse({**HAND, "gold": None})["waits"] == ["6s", "9s"]
