"""What is called out aloud in a hand: 碰, 補花, 雙游, 自摸 …, from what one reader may see of it and nothing else."""

from __future__ import annotations

from typing import Final

from mahjong.moves import Seat
from mahjong.rulesets import RULESETS
from mahjong.rulesets.putian import PutianOpen
from mahjong.tiles import WHITE
from mahjong.values import value
from mahjong.views import SheetView, View

CALLS: Final = (
    "flower",  # 補花
    "replace",  # 補牌, of whites in Putian
    "chow",
    "pong",
    "kong",  # exposed and added ones
    "concealed_kong",
    "gold",  # 開金
    "fenbing",  # 分餅: four first discards alike
    "draw",  # 臭莊
    "hu",  # on a discard
    "self_draw",
    "single_you",  # 游金
    "false_win",
    "rob_kong",
    "rob_gold",
    "two_gold",
    "double_you",  # at the lock, and at the win
    "triple_you",
    "small_bomb",
    "three_gold",
    "explosion",  # 爆炸: three gold in Putian open
    "heavenly",
    "big_bomb",
    "super_bomb",
)
"""All calls by name, the most frequent first: of several at once the last of these is the one to hear."""

_EVENTS: Final = {
    "chow": "chow",
    "pong": "pong",
    "kong": "kong",
    "added_kong": "kong",
    "concealed_kong": "concealed_kong",
    "gold": "gold",
    "robbed": "rob_kong",
}
_LEVELS: Final = {2: "double_you", 3: "triple_you"}
_RANK: Final = {name: rank for rank, name in enumerate(CALLS)}


@value(frozen=True, slots=True)
class Called:
    """One call: its name of ``CALLS``, and the seat that calls it; None where nobody does (開金, 臭莊)."""

    name: str
    seat: Seat | None = None

    @property
    def rank(self) -> int:
        """How rare it is; the higher, the rather it is to be heard."""
        return _RANK[self.name]


@value(frozen=True, slots=True)
class Heard:
    """How far a reader has listened: so many of the view's ``events``, so much ``fenbing``."""

    events: int = 0
    fenbing: int = 0


def heard(view: View) -> Heard:
    """Everything in this view has been heard, or was missed."""
    return Heard(len(view.events), view.fenbing)


def calls_since(view: View, before: Heard) -> list[Called]:
    """What was called out since, in order; the end of the hand apart (``ending_call``).

    Flowers that are replaced at the deal pass in silence: all four do it at once.
    """
    found = []
    dealing = not any(event.kind in ("drew", "discarded") for event in view.events[: before.events])
    for event in view.events[before.events :]:
        if event.kind in ("drew", "discarded"):
            dealing = False
        elif event.kind == "flower":
            if not dealing:
                found.append(Called("replace" if WHITE in event.tiles else "flower", event.seat))
        elif event.kind == "locked":
            found.append(Called(_LEVELS.get(event.level, "double_you"), event.seat))
        elif event.kind in _EVENTS:
            found.append(Called(_EVENTS[event.kind], event.seat))
    if view.fenbing > before.fenbing:
        found.append(Called("fenbing"))
    return found


def latest_call(view: View) -> Called | None:
    """The last call of a hand that runs, as long as no more than one tile was thrown after it."""
    thrown = [at for at, event in enumerate(view.events) if event.kind == "discarded"]
    since = thrown[-2] + 1 if len(thrown) > 1 else 0
    fenbing = view.fenbing if len(thrown) > 4 * view.fenbing + 1 else max(0, view.fenbing - 1)
    return loudest(calls_since(view, Heard(since, fenbing)))


def ending_call(sheet: SheetView) -> Called:
    """What is called out at the end of a hand."""
    if sheet.outcome == "draw":
        return Called("draw")
    if sheet.outcome == "false_win":
        return Called("false_win", sheet.source)
    name = sheet.by or "hu"
    if name == "discard":
        name = "hu"
    elif name == "three_gold" and PutianOpen.name in RULESETS[sheet.view.rules].kin:
        name = "explosion"
    return Called(name, sheet.winner)


def loudest(calls: list[Called]) -> Called | None:
    """Of several calls at once the one to hear: the rarest, among equals the last."""
    return max(reversed(calls), key=lambda call: call.rank, default=None)
