"""Steps of a table's host and the group's admins about people: sending somebody away, keeping somebody off."""

from __future__ import annotations

from handlers import waiting
from handlers.answers import Answer
from handlers.draft import Draft
from handlers.names import shown_name
from handlers.table_state import NOBODY


def may_kick(draft: Draft, by: int | None, *, admin: bool) -> bool:
    """Whether somebody may send others away; ``by`` None: an anonymous admin."""
    return admin or by == draft.state.host


def show_kicking(draft: Draft, by: int, *, admin: bool) -> Answer:
    """Open or close the page of the lobby that asks who shall go."""
    state = draft.state
    if state.phase != "lobby" or not state.choosing:
        return Answer("toast.stale")
    if not may_kick(draft, by, admin=admin):
        return Answer("toast.host_only")
    state.kicking = not state.kicking
    draft.note("kicking")
    return Answer()


def kick(draft: Draft, by: int | None, person: int, *, admin: bool) -> Answer:
    """Send somebody away before a hand begins; they are told, and cannot sit down at this table again."""
    state = draft.state
    if not may_kick(draft, by, admin=admin):
        return Answer("toast.host_only")
    if by == person:
        return Answer("toast.not_yourself")
    index = state.seat_of(person)
    if index is None and state.place_of(person) is None:
        return Answer("toast.they_left")
    if index is not None and state.phase in ("dice", "playing"):
        return Answer("toast.kick_later", alert=True)
    name = shown_name(_name_of(draft, person))
    draft.note("kicked", index, person=person, by=by)
    draft.tell(person, "kick.told")
    _remove(draft, person)
    state.kicking = False
    return Answer("toast.kicked", {"name": name})


def put_off(draft: Draft, person: int, told: str = "ban.told") -> Answer:
    """Somebody is on the group's blacklist now: they lose seat and place in the queue, a running hand they play out.

    ``told``: what they are told, with ``_later`` while they play, with ``_queue`` who waits.
    """
    state = draft.state
    index = state.seat_of(person)
    if index is None and state.place_of(person) is None and person not in (*state.called, state.host):
        return Answer()
    draft.note("banned", index, person=person)
    draft.hand_over(person)
    if index is not None and state.phase in ("dice", "playing"):
        seat = state.seats[index]
        assert seat is not None
        seat.leaving = True
        _keep_off(draft, person)
        draft.tell(person, f"{told}_later")
        return Answer()
    if index is not None:
        draft.tell(person, told)
    elif state.place_of(person) is not None:
        draft.tell(person, f"{told}_queue")
    _remove(draft, person)
    return Answer()


def forgive(draft: Draft, person: int, obstacle: Answer | None = None) -> Answer:
    """Somebody is off the blacklist again: this table takes them, too; whoever still plays the hand out stays.

    ``obstacle``: as in ``lobby.stay``; who sits at another live table by now leaves this one after the hand.
    """
    state = draft.state
    if person not in state.kicked:
        return Answer()
    state.kicked.remove(person)
    index = state.seat_of(person)
    seat = state.seats[index] if index is not None else None
    if seat is not None and state.host == NOBODY and obstacle is None:
        state.host = person
    if seat is not None and not seat.auto and obstacle is None:
        # Who has left of their own accord is played for by a computer, and has a button to stay.
        if seat.leaving:
            draft.tell(person, "ban.forgiven")
        seat.leaving = False
    draft.note("forgiven", index, person=person)
    return Answer()


def _keep_off(draft: Draft, person: int) -> None:
    if person not in draft.state.kicked:
        draft.state.kicked.append(person)


def _remove(draft: Draft, person: int) -> None:
    _keep_off(draft, person)
    waiting.forget(draft, person)
    index = draft.state.seat_of(person)
    if index is not None:
        draft.vacate(index, "lobby.kicked")


def _name_of(draft: Draft, person: int) -> str:
    found = [seat.name for seat in draft.state.taken if seat.person == person]
    return next(iter(found + [one.name for one in draft.state.queue if one.person == person]), "")
