"""What the group sees of claim windows: how long each lasts, and how many messages come in it.

A window in which somebody could claim must not be told from one in which nobody could (telegram.md, *Claims tell
nothing*).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from data.model import Change
from playground.world import Call
from tests.simulate.place import Place

SURE = 2_000
"""Discards that are needed to say anything."""
MOST = 0.6


@dataclass(frozen=True, slots=True)
class Seen:
    """One discard: whether a person could claim it; in the group, seconds from the edit that shows it to the edit that
    shows what came next, and calls from one to the other."""

    asked: bool
    seconds: float
    calls: int


@dataclass(slots=True)
class _Window:
    chat: int
    asked: bool
    shown: float | None = None
    closed: bool = False
    calls: int = 0


class Delays:
    """Watches the tables at which more than one person plays."""

    def __init__(self, place: Place) -> None:
        self.seen: list[Seen] = []
        self._place = place
        self._open: dict[int, _Window] = {}
        place.on_commit.append(self._committed)

    def _committed(self, change: Change) -> None:
        state = change.state
        if state is None:
            return
        window = self._open.get(change.table_id)
        if window is not None and any(entry.kind == "close" for entry in change.entries):
            if window.shown is None:
                del self._open[change.table_id]
            else:
                window.closed = True
        persons = sum(seat is not None and seat["person"] is not None for seat in state["seats"])
        thrown = any(
            entry.kind in ("move", "timeout") and " discard " in entry.body["move"] for entry in change.entries
        )
        table = self._place.house.table(change.table_id) if self._place.up else None
        covered = state.get("cover", "full") == "full"
        waits = covered and state["phase"] == "playing" and bool(state["beat_until"])
        if thrown and waits and persons > 1 and table is not None and table.group is not None:
            self._open[change.table_id] = _Window(table.group.telegram_id or 0, bool(state["somebody_asked"]))

    def heard(self, call: Call) -> None:
        """A call was made: does the group see a discard, or what came after it?"""
        if call.chat_id is None or call.chat_id > 0 or not call.method.startswith(("edit", "send")):
            return
        for table, window in list(self._open.items()):
            if window.chat != call.chat_id:
                continue
            if window.shown is None:
                window.shown = call.time
            elif window.closed:
                self.seen.append(Seen(window.asked, round(call.time - window.shown, 3), window.calls))
                del self._open[table]
            else:
                window.calls += 1


def told(values: Sequence[tuple[bool, float]]) -> float:
    """How well a value tells the two kinds apart: area under the curve, 0.5 for not at all, 1 for always; whichever
    way round it is."""
    yes = sorted(value for asked, value in values if asked)
    no = sorted(value for asked, value in values if not asked)
    if not yes or not no:
        return 0.5
    above = ties = 0
    low = high = 0
    for value in yes:
        while low < len(no) and no[low] < value:
            low += 1
        high = max(high, low)
        while high < len(no) and no[high] <= value:
            high += 1
        above += low
        ties += high - low
    area = (above + 0.5 * ties) / (len(yes) * len(no))
    return max(area, 1 - area)
