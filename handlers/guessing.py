"""猜谁胡: whoever watches a table guesses who will win its hand; sealed after the first round, for no coins."""

from __future__ import annotations

from collections.abc import Sequence

from handlers.answers import Answer
from handlers.draft import Draft
from handlers.table_state import TableState

DRAWN = 4
"""The guess that nobody will win."""


def open_guesses(draft: Draft, person: int, hand: int | None) -> Answer:
    """Somebody wants to guess: whom, is shown under the table. Those who play do not: they know too much."""
    return _refused(draft.state, person, hand) or _show(draft)


def guess(draft: Draft, person: int, hand: int | None, choice: int, names: Sequence[str]) -> Answer:
    """Guess a seat (0 to 3) or ``DRAWN``; whoever guesses again has thought better of it. ``names``: of the seats."""
    state = draft.state
    if choice > DRAWN:
        return Answer("toast.forged")
    if (refused := _refused(state, person, hand)) is not None:
        return refused
    if state.guesses.get(str(person)) != choice:
        state.guesses[str(person)] = choice
        draft.note("guess", person=person, choice=choice)
    if choice == DRAWN:
        return Answer("toast.guessed_draw")
    return Answer("toast.guessed", {"name": names[choice]})


def right(state: TableState, winner: int | None) -> list[int]:
    """The persons who guessed how the hand would end. ``winner``: a seat, or None where nobody won."""
    return [int(person) for person, choice in state.guesses.items() if choice == (DRAWN if winner is None else winner)]


def _refused(state: TableState, person: int, hand: int | None) -> Answer | None:
    if state.phase != "playing" or hand != state.hand:
        return Answer("toast.stale")
    if any(player.person == person for player in (*state.players, *state.taken)):
        return Answer("toast.guess_players")
    return None if state.guessing else Answer("toast.guess_sealed")


def _show(draft: Draft) -> Answer:
    if not draft.state.guess_menu:
        draft.state.guess_menu = True
        draft.note("guesses")
    return Answer("toast.guess_whom")
