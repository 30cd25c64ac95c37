"""Which computer players sit down at a table, and who answers for a seat that none of the people plays."""

from __future__ import annotations

from mahjong.players import PLAYERS, Player

LEVELS = tuple(level for level in ("easy", "normal", "hard") if level in PLAYERS)
"""From the weakest to the strongest."""
USUAL = "normal" if "normal" in PLAYERS else LEVELS[0]
"""Where nobody has chosen; also who stands in for a person who is away 托管 (telegram.md, *At the table*)."""


def player_of(level: str | None) -> Player:
    """The player of a level; for None and for what another version calls so, the usual one."""
    return PLAYERS[level if level in LEVELS else USUAL]


def number_of(level: str) -> int:
    """Which of ``LEVELS`` a level is; of one that is none, the usual one's."""
    return LEVELS.index(level if level in LEVELS else USUAL)


def next_number(level: str) -> int:
    """The level that a press on the button of this one leads to: one up, and from the strongest to the weakest."""
    return (number_of(level) + 1) % len(LEVELS)
