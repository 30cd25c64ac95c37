"""The games: what differs between them, each in one file. ``RULESETS`` has them by the name that records use."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, TypeVar

from mahjong.rulesets.base import OptionSpec, Ruleset
from mahjong.rulesets.putian import PutianDark, PutianOpen
from mahjong.rulesets.zhangzhou import Zhangzhou

__all__ = ["RULESETS", "OptionSpec", "Ruleset", "nearest", "of_game"]

T = TypeVar("T")

_GAMES: Final[tuple[Ruleset, ...]] = (Zhangzhou(), PutianDark(), PutianOpen())
"""A new one is put last: buttons name a game by its place."""
RULESETS: Final[dict[str, Ruleset]] = {rules.name: rules for rules in _GAMES}


def nearest(rules: str, known: Collection[str]) -> str:
    """The game itself, or the nearest of those that it is made from (``Ruleset.kin``), whose name is known.

    Raises ``LookupError`` if none is, saying what is missing.
    """
    for name in RULESETS[rules].kin:
        if name in known:
            return name
    raise LookupError(f"{rules} is not among {', '.join(known)}: docs/new-game.md lists what a game must have")


def of_game(table: Mapping[str, T], rules: str) -> T:
    """What a table by game has for a game, or for the nearest of those that it is made from."""
    return table[nearest(rules, table)]
