"""The example of docs/new-game.md is a game: it plays to the end."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

from mahjong.dealing import turn_gold
from mahjong.hand import Hand, Setup
from mahjong.moves import in_order
from mahjong.rulesets.base import Ruleset, tile_set
from mahjong.settlement import Due
from mahjong.tiles import FACES
from mahjong.wall import shuffle
from tests.mahjong.play import check, steps

PAGE = Path(__file__).parents[2] / "docs" / "new-game.md"


def test_the_example_plays() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {
        "Ruleset": Ruleset,
        "tile_set": tile_set,
        "FACES": FACES,
        "turn_gold": turn_gold,
        "in_order": in_order,
        "Due": Due,
    }
    exec(code, names)
    game: Ruleset = names["Plain"]()
    for seed in range(30):
        rng = Random(seed)
        made = shuffle(rng.randbytes(32), (), game)
        hand = Hand.deal(Setup(game, wall=made.wall, gold_dice=made.gold_dice))
        for state in steps(hand, rng):
            check(state)


def test_every_hook_is_in_the_list() -> None:
    text = PAGE.read_text(encoding="utf-8")
    hooks = {name for name in (*vars(Ruleset), *Ruleset.__annotations__) if not name.startswith("_")}
    hooks -= {"complete_options"}
    assert [name for name in hooks if f"`{name}`" not in text] == []
