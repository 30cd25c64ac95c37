"""What somebody is told to do who asks, or who is taught: the best answer by *normal*."""

from __future__ import annotations

from collections.abc import Sequence

from mahjong.players import Weighed, weigh
from mahjong.views import View


def advised(weighed: Sequence[Weighed]) -> Weighed:
    """The answer to give people. ``weighed``: all answers, best first (``weigh``).

    Of equals a pass: what gains nothing is better left.
    """
    best = weighed[0]
    if best.reason != "keeps":
        return best
    return next((other for other in weighed if other.move.verb == "pass" and _number(other) == _number(best)), best)


def advice(view: View) -> Weighed | None:
    """``advised`` for the reader's question; None where nothing is asked."""
    return advised(weigh(view)) if view.question is not None else None


def _number(weighed: Weighed) -> tuple[int, int, int]:
    return weighed.missing, weighed.live, weighed.kinds
