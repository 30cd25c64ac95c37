"""Computer players: they see only their view, and a decision is a function of the view and the generator."""

from __future__ import annotations

from typing import Final

from mahjong.players.base import Player
from mahjong.players.easy import EasyPlayer
from mahjong.players.hard import Cost, HardPlayer, cost, indifference
from mahjong.players.normal import NormalPlayer, Weighed, weigh
from mahjong.players.random_player import RandomPlayer

__all__ = [
    "PLAYERS",
    "Cost",
    "EasyPlayer",
    "HardPlayer",
    "NormalPlayer",
    "Player",
    "RandomPlayer",
    "Weighed",
    "cost",
    "indifference",
    "weigh",
]

PLAYERS: Final[dict[str, Player]] = {
    "random": RandomPlayer(),
    "easy": EasyPlayer(),
    "normal": NormalPlayer(),
    "hard": HardPlayer(),
}
"""Players by name."""
