"""What hints say of hands that are out of the ordinary."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from data.texts import Texts
from handlers.screens.hints import hint_text, look_word, waits_text
from mahjong.outlook import Outlook
from mahjong.players import weigh
from mahjong.records import Record
from mahjong.steps import moments_of
from mahjong.tiles import parse_tiles
from mahjong.views import view
from tests.mahjong.test_every_player import positions
from tests.support.town import texts

CONFORMANCE = Path(__file__).parent.parent / "conformance"


def test_a_hand_that_waits_in_vain_is_told_so() -> None:
    one, four = parse_tiles("1m4m")
    words = texts().get("zh_Hans")
    assert look_word(Outlook(1, ((one, 0), (four, 2))), words) == "听四万×2，共 2 张没见"
    assert look_word(Outlook(1, ((one, 0), (four, 0))), words) == "听一万、四万，可是都见光了"
    # Only a fifth copy would do.
    assert look_word(Outlook(1, ()), words) == "要听的牌一张都不剩了"


def test_the_shape_that_every_tile_completes_is_called_so_whatever_is_asked() -> None:
    told = json.loads((CONFORMANCE / "zz-single-you-declined.json").read_text())
    words = texts().get("zh_Hans")
    moments, _ = moments_of(Record.from_json(told["record"]))
    found = 0
    for moment in moments:
        for seat, question in moment.questions.items():
            seen = view(moment, seat)
            if question.ask == "claim" and waits_text(seen, words) == "什么牌都胡":
                found += 1
                assert hint_text(seen, weigh(seen), words).startswith("过：什么牌都胡\n")
    assert found


@pytest.mark.parametrize(("language", "said"), [("zh_Hans", "你现在什么牌都胡"), ("en", "Now: any tile wins")])
def test_who_is_not_asked_is_told_how_it_stands(language: str, said: str) -> None:
    told = json.loads((CONFORMANCE / "zz-single-you-declined.json").read_text())
    moments, _ = moments_of(Record.from_json(told["record"]))
    words = Texts.load().get(language)
    assert said in {
        hint_text(view(moment, seat), (), words)
        for moment in moments
        for seat in range(4)
        if seat not in moment.questions
    }


@pytest.mark.parametrize("rules", ["zhangzhou", "putian-ming"])
def test_a_kong_is_told_with_its_reason_and_not_twice(rules: str) -> None:
    words = texts().get("zh_Hans")
    claimed = 0
    for hand, seat in positions(rules, 40, 20_000):
        seen = view(hand, seat)
        weighed = weigh(seen)
        if weighed[0].reason == "kong":
            said = hint_text(seen, weighed, words)
            assert re.match("杠[^：]+不亏，还补一张：(还差|听|什么)", said)
            without = next((other for other in weighed if other.move.verb == "pass"), None)
            if without is not None:
                claimed += 1
                assert ("过的话" in said) == (without.improving != weighed[0].improving)
    assert claimed
