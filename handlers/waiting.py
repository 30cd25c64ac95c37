"""Steps of those who wait for a seat: the queue, the seat that is kept for its first, the call 三缺一 (telegram.md)."""

from __future__ import annotations

from collections.abc import Collection

from data.model import Person
from handlers import lobby, stakes
from handlers.answers import Answer
from handlers.draft import Draft
from handlers.table_state import Waiting


def join(draft: Draft, person: Person, stake: int, obstacle: Answer | None = None) -> Answer:
    """A person wants the next seat that becomes free. ``stake``, ``obstacle``: as in ``lobby.sit``.

    Between hands a computer player gives its seat up at once, after a running hand when that is over.
    """
    state = draft.state
    if state.seat_of(person.id) is not None:
        return lobby.sit(draft, person, stake, obstacle)
    if (place := state.place_of(person.id)) is not None:
        return Answer("toast.queued", {"n": place})
    if state.group is None or state.phase == "closed":
        return Answer("toast.stale")
    if (refused := obstacle or lobby.unwelcome(state, person.id) or stakes.cannot_pay(state, stake)) is not None:
        return refused
    if state.phase == "between" and draft.free_a_computer():
        draft.look_for_players()
    if state.phase == "lobby" and state.open_to(person.id):
        return lobby.sit(draft, person, stake)
    state.queue.append(Waiting(person.id, person.name))
    draft.note("queued", person=person.id)
    draft.offer_seats()
    return Answer("toast.queued", {"n": state.place_of(person.id)})


def leave(draft: Draft, person: int) -> Answer:
    """A person no longer wants to wait; a seat kept for them goes to the next."""
    state = draft.state
    if state.place_of(person) is None:
        return Answer("toast.not_queued")
    state.queue = [waiting for waiting in state.queue if waiting.person != person]
    draft.note("unqueued", person=person)
    draft.offer_seats()
    return Answer("toast.unqueued")


def toggle(draft: Draft, person: Person, stake: int, waiting: int, obstacle: Answer | None = None) -> Answer:
    """The queue's button in the group: wait, or no longer.

    ``waiting``: how many waited when the button was made, so that a double tap does not leave again.
    """
    place = draft.state.place_of(person.id)
    if place is None:
        return join(draft, person, stake, obstacle)
    return leave(draft, person.id) if waiting == len(draft.state.queue) else Answer("toast.queued", {"n": place})


def offer_ran_out(draft: Draft, person: int) -> None:
    """Who was offered a seat did not take it in time: it goes to the next."""
    leave(draft, person)
    draft.tell(person, "offer.missed")


def call(draft: Draft, person: int, callers: Collection[int]) -> Answer:
    """Somebody who sits here calls for more players: once in a lobby, in private, those who want to be called.

    ``callers``: who they are and may sit here.
    """
    state = draft.state
    if state.seat_of(person) is None:
        return Answer("toast.not_seated")
    if state.phase != "lobby" or None not in state.seats:
        return Answer("toast.stale")
    if state.called_in == state.hand:
        return Answer("toast.called_already")
    called = [caller for caller in callers if state.seat_of(caller) is None and caller not in state.kicked]
    if not called:
        return Answer("toast.no_callers", alert=True)
    state.called_in, state.called = state.hand, called
    draft.note("called", person=person, called=called)
    return Answer("toast.called", {"n": len(called)})


def uncall(draft: Draft, person: int) -> Answer:
    """A person's call has had its day: its message goes."""
    if person in draft.state.called:
        draft.state.called.remove(person)
        draft.note("uncalled", person=person)
    return Answer()


def forget(draft: Draft, person: int) -> Answer:
    """A person can no longer be written to, or may not sit here: no queue, no call."""
    uncall(draft, person)
    if draft.state.place_of(person) is not None:
        leave(draft, person)
    return Answer()
