"""What has happened, in words of each language."""

from __future__ import annotations

from dataclasses import replace

import pytest

from data.texts import Texts
from handlers.wording import capital, named_places, signs, since_my_turn, streak_word
from mahjong.hand import Hand, Setup
from mahjong.moves import Event
from mahjong.rulesets import RULESETS
from mahjong.tiles import Tile, parse_tiles
from mahjong.views import view
from mahjong.wall import shuffle

TEXTS = Texts.load(strict=True)
NAMES = ("Me", "阿明", "老林", "阿珍")


def tiles(text: str) -> tuple[Tile, ...]:
    return tuple(parse_tiles(text))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("zh_Hans", "下家 打五万 · 对家 碰五万 打东 · 上家 吃一索 二索 三索"),
        (
            "en",
            "right: threw 5 wan · opposite: ponged 5 wan; threw East · left: chowed 1 bam, 2 bam, 3 bam",
        ),
    ],
)
def test_since_my_turn_each_is_told_by_place_and_flowers_are_left_out(language: str, said: str) -> None:
    rules = RULESETS["zhangzhou"]
    deal = shuffle(bytes(32), (3, 4), rules)
    hand = Hand.deal(Setup(rules, wall=deal.wall, gold_dice=deal.gold_dice))
    events = (
        Event("discarded", 0, tiles("1m")),
        Event("flower", 1, tiles("6f8f")),
        Event("discarded", 1, tiles("5m")),
        Event("pong", 2, tiles("5m")),
        Event("discarded", 2, tiles("1z")),
        Event("chow", 3, tiles("123s")),
    )
    seen = replace(view(hand, 0), events=events)
    assert since_my_turn(TEXTS.get(language), seen) == said


def test_a_place_and_a_name_are_read_as_one() -> None:
    assert named_places(TEXTS.get("zh_Hant"), 1, NAMES) == ("上家 Me", "自己 阿明", "下家 老林", "對家 阿珍")
    assert named_places(TEXTS.get("en"), 1, NAMES) == ("left: Me", "you: 阿明", "right: 老林", "opposite: 阿珍")


def test_what_was_let_go_is_said_so_that_it_cannot_be_misread() -> None:
    words = TEXTS.get("zh_Hans")
    green = words("tile.6z")
    assert words("replay.no_you", tile=green, win=words("win.single_you")) == f"没打「{green}」去单游"
    assert words("replay.into_you", tile=green, win=words("win.single_you")) == f"打「{green}」，进单游"
    for verb, said in (("chow", "没吃"), ("pong", "没碰"), ("kong", "没杠")):
        assert words(f"replay.no_{verb}", tile=words("tile.8s")) == f"{said}{words('tile.8s')}"


@pytest.mark.parametrize("language", ["zh_Hans", "zh_Hant", "en"])
def test_a_streak_is_not_said_as_a_factor(language: str) -> None:
    """「×2」 on a score sheet is what is multiplied, and nothing else."""
    words = TEXTS.get(language)
    assert streak_word(words, 1) == ""
    assert "2" in streak_word(words, 2)
    assert "×" not in streak_word(words, 2)


def test_in_english_labels_side_by_side_in_pictures_begin_alike() -> None:
    words = TEXTS.get("en")
    known = signs(words, "zhangzhou")
    heads = [words(f"sheet.{key}") for key in ("base_label", "fenbing_label", "pay_to", "total", "now", "next")]
    heads += [known.base, known.left, known.gold, known.flowers, capital(words("tally.concealed_kong", n=1))]
    assert [head for head in heads if not head[0].isupper()] == []
