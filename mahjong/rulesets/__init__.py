"""The games: what differs between them, each in one file. ``RULESETS`` has them by the name that records use."""

from __future__ import annotations

from typing import Final

from mahjong.rulesets.base import OptionSpec, Ruleset
from mahjong.rulesets.putian import PutianDark, PutianOpen
from mahjong.rulesets.zhangzhou import Zhangzhou

__all__ = ["RULESETS", "OptionSpec", "Ruleset"]

RULESETS: Final[dict[str, Ruleset]] = {rules.name: rules for rules in (Zhangzhou(), PutianDark(), PutianOpen())}
