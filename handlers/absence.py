"""Steps about those who are away: what the others decide in a ``days`` game, and a table that pauses (telegram.md)."""

from __future__ import annotations

from collections.abc import Mapping

from handlers import lobby
from handlers.answers import Answer
from handlers.draft import Draft
from handlers.table_state import MISSES

CHOICES = ("wait", "computer", "end")


def decide(draft: Draft, person: int, hand: int | None, choice: str) -> Answer:
    """Somebody missed two turns of a ``days`` game; one of the others says what shall be done.

    ``wait``: the next turns are theirs as before. ``computer``: 托管 until they are back. ``end``: the same, and the
    table ends after this hand. Who is asked about and presses is back.
    """
    state = draft.state
    index = state.seat_of(person)
    if index is None:
        return Answer("toast.not_seated")
    if state.phase != "playing" or hand != state.hand or state.absent is None:
        return Answer("toast.stale")
    absent = state.absent
    draft.note("absent", absent, choice=choice, by=index)
    draft.came_back(index)
    if absent == index:
        return Answer("toast.back")
    draft.settled_about(absent)
    draft.owner(absent).missed = 0
    if choice != "wait":
        draft.take_over(absent)
    if choice == "end":
        state.stopping = True
        return Answer("toast.stopping")
    return Answer("toast.absent_waits" if choice == "wait" else "toast.absent_auto")


def remind(draft: Draft) -> None:
    """At a table without a timer nobody has moved for a day: who is asked is told that the others wait."""
    draft.note("reminded")
    for seat in _waited_for(draft):
        # The others no longer need their word to give the hand up.
        draft.owner(seat).missed = MISSES
        draft.tell(draft.owner(seat).person, "still.told")


def too_still(draft: Draft) -> None:
    """At a table without a timer nobody has moved for days: computers answer for those who are asked, 托管."""
    draft.note("still")
    for seat in _waited_for(draft):
        draft.take_over(seat)


def _waited_for(draft: Draft) -> list[int]:
    assert draft.hand is not None
    return [seat for seat in sorted(draft.hand.questions) if not draft.owner(seat).played_by_computer]


def resume(draft: Draft, person: int, busy: Mapping[int, str]) -> Answer:
    """Go on with a table that pauses. ``busy``: who sits at another live table by now, and in which group; their seats
    are free then."""
    state = draft.state
    if state.seat_of(person) is None:
        return Answer("toast.not_seated")
    if state.phase != "paused":
        return Answer("toast.stale")
    if person in busy and not state.days:
        return Answer("toast.elsewhere", {"group": busy[person]}, alert=True)
    draft.note("unpaused", person=person)
    state.phase = "between"
    state.paused_on = None
    state.sheet_shown = True
    state.deadlines.clear()
    gone = []
    for index, seat in enumerate(state.seats):
        if seat is None:
            continue
        seat.ready = seat.computer is not None
        if seat.person in busy and not state.days:
            gone.append(seat)
            draft.free(index)
    draft.ring_all = True
    if None in state.seats:
        draft.look_for_players("between.left" if gone else None, gone)
        return Answer("toast.resumed")
    draft.time_for_people("ready", state.pace.ready)
    lobby.ready(draft, person, state.hand)
    return Answer("toast.resumed")


def dissolve(draft: Draft, person: int, *, admin: bool) -> Answer:
    """Close a table that pauses, so that a new one can be opened: its players and admins may, the next day anybody."""
    state = draft.state
    if state.phase != "paused":
        return Answer("toast.stale")
    if state.seat_of(person) is None and not admin and state.paused_on == draft.day:
        return Answer("toast.not_seated")
    draft.note("dissolved", person=person)
    draft.end_table("paused.dissolved")
    return Answer()
