"""What every computer player is."""

from __future__ import annotations

from random import Random
from typing import Protocol

from mahjong.moves import Move, Question
from mahjong.views import View


class Player(Protocol):
    """One who answers questions, seeing only a view."""

    def choose(self, view: View, rng: Random) -> Move:
        """A legal answer to ``view.question``. Raises ``ValueError`` if nothing is asked."""
        ...


def question_of(view: View) -> Question:
    """The question that the view asks its reader. Raises ``ValueError`` if there is none."""
    if view.question is None:
        raise ValueError("this view asks nothing")
    return view.question
