"""Steps that give a running hand up: all who sit there together, or an operator alone (telegram.md, *Commands*)."""

from __future__ import annotations

from handlers.answers import Answer
from handlers.draft import Draft


def ask(draft: Draft, person: int) -> Answer:
    """Somebody who sits here wants the running hand to be void: all who do are asked."""
    state = draft.state
    if state.seat_of(person) is None:
        return Answer("toast.not_allowed")
    if state.computers_stake:
        return Answer("toast.void_computers", alert=True)
    if not state.voiding:
        state.voiding = True
        draft.note("void_asked", person=person)
    return Answer("toast.void_asked")


def vote(draft: Draft, person: int, hand: int | None, votes: int) -> Answer:
    """Agree to void the running hand, or no longer; once all who sit here agree it is void, and the table ends.

    Who is leaving or away is asked like the others: their coins are at stake as well. ``votes``: how
    many had agreed when the button was made, so that a double tap does not take a vote back.
    """
    state = draft.state
    index = state.seat_of(person)
    if index is None:
        return Answer("toast.not_seated")
    if state.phase != "playing" or hand != state.hand or not state.voiding:
        return Answer("toast.stale")
    if state.computers_stake:
        return Answer("toast.void_computers", alert=True)
    if draft.came_back(index):
        draft.note("back", index)
    if person not in state.void_votes:
        state.void_votes.append(person)
        draft.note("void_vote", index)
    elif votes == len(state.void_votes) and not set(state.persons) <= set(state.void_votes):
        state.void_votes.remove(person)
        draft.note("void_vote_back", index)
        return Answer("toast.void_back")
    missing = len(set(state.persons) - set(state.void_votes))
    if missing:
        return Answer("toast.void_voted", {"n": missing})
    return _void(draft, "lobby.voided")


def annul(draft: Draft, hand: int | None) -> Answer:
    """An operator voids the running hand alone."""
    state = draft.state
    if state.phase not in ("dice", "playing") or hand != state.hand:
        return Answer("toast.stale")
    return _void(draft, "lobby.annulled")


def close(draft: Draft, operator: int, hand: int) -> Answer:
    """An operator closes the table, whatever goes on there; of a running hand nothing moves.

    ``hand``: the one that the operator was shown.
    """
    state = draft.state
    if hand != state.hand or state.phase == "closed":
        return Answer("toast.stale")
    why = "lobby.annulled" if state.phase in ("dice", "playing") else "lobby.operator_closed"
    draft.note("operator_closed", person=operator)
    draft.tell_all(why)
    draft.end_table(why)
    return Answer("admin.closed")


def _void(draft: Draft, why: str) -> Answer:
    """Nothing of the hand moves, what it held is released, and the table ends."""
    for person in draft.state.persons:
        draft.tell(person, why)
    draft.end_table(why)
    return Answer(why)
