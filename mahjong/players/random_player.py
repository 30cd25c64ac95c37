"""A player who does anything that is legal."""

from __future__ import annotations

from random import Random

from mahjong.moves import Move
from mahjong.players.base import question_of
from mahjong.views import View


class RandomPlayer:
    """Chooses evenly among the legal moves."""

    def choose(self, view: View, rng: Random) -> Move:
        """Any legal answer."""
        return rng.choice(question_of(view).options).move
