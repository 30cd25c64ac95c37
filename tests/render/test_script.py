"""Headlines in brush script: what our own texts say there is there, the rest falls back."""

from __future__ import annotations

import re

import pytest

from data.texts import FOLDER, Texts
from mahjong.tiles import NAMES
from render.script import CHARACTERS, SPACES, script_mask

TEXTS = Texts.load(strict=True)
HEADLINES = ("win.", "game.card.", "score.card_title", "tile.")


@pytest.mark.parametrize("language", ["zh_Hans", "zh_Hant"])
def test_every_headline_of_ours_can_be_written(language: str) -> None:
    words = TEXTS.get(language)
    catalogue = (FOLDER / f"{language}.po").read_text("utf-8")
    keys = [key for key in re.findall(r'^msgid "([^"]+)"', catalogue, re.MULTILINE) if key.startswith(HEADLINES)]
    assert len(keys) > len(NAMES)
    for key in keys:
        missing = {char for char in words(key) if char not in CHARACTERS and char not in SPACES}
        assert not missing, (key, missing)
        assert script_mask(words(key), 92, 800) is not None


def test_no_character_twice_and_none_empty() -> None:
    assert len(set(CHARACTERS)) == len(CHARACTERS)
    for char in CHARACTERS:
        drawn = script_mask(char, 112, 200)
        assert drawn is not None
        box = drawn.mask.getbbox()
        assert box is not None
        # Nothing is cut off at the cell's edges.
        assert box[0] >= 1, char
        assert box[2] <= 113, char


def test_what_is_not_there_falls_back() -> None:
    assert script_mask("自摸 A", 92, 800) is None
    assert script_mask("", 92, 800) is None
    assert script_mask(" · ", 92, 800) is None
    assert script_mask("超级大炸弹" * 4, 92, 800) is None, "too small to be a headline"
    shrunk = script_mask("超级大炸弹", 92, 400)
    assert shrunk is not None
    assert shrunk.size == 80
    assert shrunk.mask.width <= 402
