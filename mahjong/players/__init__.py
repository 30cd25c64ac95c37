"""Computer players: they see only their view, and a decision is a function of the view and the generator."""

from __future__ import annotations

from random import Random
from typing import Final, Protocol

from mahjong.moves import Move
from mahjong.views import View


class Player(Protocol):
    """One who answers questions."""

    def choose(self, view: View, rng: Random) -> Move:
        """A legal answer to ``view.question``. Raises ``ValueError`` if nothing is asked."""
        ...


PLAYERS: Final[dict[str, Player]] = {}
"""Players by name: ``random``, ``easy``."""
