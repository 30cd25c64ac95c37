"""The queue for a seat, the seat kept for its first, the call for players."""

from __future__ import annotations

from datetime import timedelta

import pytest

from handlers import lobby, waiting
from handlers.answers import Answer
from handlers.draft import Draft
from handlers.table_state import Seat, TableState
from tests.handlers.test_lobby import NOW, draft_of, person, table_with


def queue_of(draft: Draft) -> list[tuple[int, bool]]:
    return [(waiting.person, waiting.offered) for waiting in draft.state.queue]


def full(phase: str = "playing") -> Draft:
    """Four people at a table in its third hand; two more wait."""
    draft = draft_of(table_with(1, 2, 3, 4, phase=phase, hand=3))
    for number in (5, 6):
        waiting.join(draft, person(number), 1500)
    return draft


def test_who_comes_to_a_full_table_gets_a_place_in_the_queue() -> None:
    draft = full()
    assert queue_of(draft) == [(5, False), (6, False)]
    again = waiting.join(draft, person(5), 1500)
    assert (again.key, again.fields) == ("toast.queued", {"n": 1})
    assert waiting.join(draft, person(2), 1500).key == "toast.sits_already"


@pytest.mark.parametrize(
    ("stake", "obstacle", "toast"), [(159, None, "toast.poor"), (1500, Answer("toast.elsewhere"), "toast.elsewhere")]
)
def test_who_could_not_sit_cannot_wait(stake: int, obstacle: Answer | None, toast: str) -> None:
    draft = draft_of(table_with(1, 2, 3, 4, phase="playing", hand=1))
    assert waiting.join(draft, person(5), stake, obstacle).key == toast
    assert not draft.entries


def test_a_free_seat_is_kept_for_the_first_for_a_minute() -> None:
    draft = full("between")
    lobby.leave(draft, 2)
    assert queue_of(draft) == [(5, True), (6, False)]
    assert draft.state.due("offer:5") == NOW + timedelta(seconds=60)
    assert lobby.sit(draft, person(7), 1500).key == "toast.kept"
    assert lobby.add_computer(draft, 1, 3).key == "toast.kept_for"
    assert lobby.start(draft, 1).key == "toast.kept_for"
    assert lobby.sit(draft, person(5), 1500).key == "toast.sat"
    assert draft.state.phase == "countdown"
    assert queue_of(draft) == [(6, False)]
    assert set(draft.state.deadlines) == {"start"}


def test_who_misses_the_minute_makes_way_for_the_next() -> None:
    draft = full("between")
    lobby.leave(draft, 2)
    waiting.offer_ran_out(draft, 5)
    assert queue_of(draft) == [(6, True)]
    assert draft.tidings[-1][:2] == (5, "offer.missed")
    waiting.offer_ran_out(draft, 6)
    assert not draft.state.queue
    assert not [name for name in draft.state.deadlines if name.startswith("offer")]
    assert lobby.sit(draft, person(7), 1500).key == "toast.sat"


def test_two_free_seats_are_kept_for_two_and_a_third_for_anybody() -> None:
    draft = full("between")
    for number in (1, 2, 3):
        lobby.leave(draft, number)
    assert queue_of(draft) == [(5, True), (6, True)]
    assert lobby.sit(draft, person(7), 1500).key == "toast.sat"
    assert lobby.sit(draft, person(8), 1500).key == "toast.kept"
    assert queue_of(draft) == [(5, True), (6, True)]


def test_pressing_again_leaves_the_queue_but_a_double_tap_does_not() -> None:
    draft = draft_of(table_with(1, 2, 3, 4, phase="playing", hand=1))
    assert waiting.toggle(draft, person(5), 1500, 0).key == "toast.queued"
    assert waiting.toggle(draft, person(5), 1500, 0).key == "toast.queued"
    assert waiting.toggle(draft, person(5), 1500, 1).key == "toast.unqueued"
    assert not draft.state.queue
    assert waiting.leave(draft, 5).key == "toast.not_queued"


def test_a_computer_makes_room_after_the_hand() -> None:
    state = table_with(1, 2, phase="playing", hand=1)
    state.seats[2], state.seats[3] = Seat(computer="easy"), Seat(computer="easy")
    draft = draft_of(state)
    waiting.join(draft, person(5), 1500)
    state = draft.state
    state.phase = "between"
    draft.free_leavers()
    assert state.phase == "lobby"
    assert queue_of(draft) == [(5, True)]
    assert [seat.computer for seat in state.taken] == [None, None, "easy"]


def test_a_computer_makes_room_at_once_between_hands() -> None:
    state = table_with(1, 2, 3, phase="between", hand=1)
    state.seats[3] = Seat(computer="easy", ready=True)
    draft = draft_of(state)
    assert waiting.join(draft, person(5), 1500).key == "toast.sat"
    assert draft.state.persons == [1, 2, 3, 5]
    assert draft.state.phase == "countdown"


def test_the_queue_outlives_the_last_who_leaves_and_the_first_to_sit_is_host() -> None:
    draft = draft_of(table_with(1, phase="between", hand=1))
    draft.state.seats[1] = Seat(computer="easy")
    draft.state.phase = "playing"
    waiting.join(draft, person(5), 1500)
    draft.state.phase = "between"
    lobby.leave(draft, 1)
    assert not draft.closed
    assert lobby.sit(draft, person(5), 1500).key == "toast.sat"
    assert draft.state.host == 5


def test_a_table_that_closes_tells_who_waits() -> None:
    draft = full("between")
    lobby.stop(draft, 1, admin=False)
    assert {(person, key) for person, key, _ in draft.tidings} >= {(5, "offer.closed"), (6, "offer.closed")}
    assert not draft.state.queue


def test_those_missing_can_be_swapped_for_who_waits() -> None:
    draft = full("between")
    for number in (1, 3, 4):
        lobby.ready(draft, number, 3)
    assert lobby.swap(draft, 1, 3).key == "toast.stale"
    lobby.ready_ran_out(draft)
    assert lobby.swap(draft, 9, 3).key == "toast.not_seated"
    assert lobby.swap(draft, 1, 3).key == "toast.swapped"
    assert draft.state.persons == [1, 3, 4]
    assert queue_of(draft) == [(5, True), (6, False)]
    assert (2, "between.swapped") in [told[:2] for told in draft.tidings]


def test_players_are_called_once_a_lobby() -> None:
    draft = draft_of(table_with(1, 2, 3))
    assert waiting.call(draft, 9, [5]).key == "toast.not_seated"
    assert waiting.call(draft, 1, [2, 3]).key == "toast.no_callers"
    assert waiting.call(draft, 1, [2, 5, 6]).fields == {"n": 2}
    assert draft.state.called == [5, 6]
    assert waiting.call(draft, 2, [7]).key == "toast.called_already"
    waiting.uncall(draft, 6)
    assert draft.state.called == [5]
    lobby.sit(draft, person(5), 1500)
    assert not draft.state.called
    draft.state.phase, draft.state.hand = "between", 1
    lobby.leave(draft, 5)
    assert waiting.call(draft, 1, [5]).key == "toast.called"


def test_queue_and_calls_survive_json() -> None:
    draft = full("between")
    lobby.leave(draft, 2)
    draft.state.called = [8]
    assert TableState.from_json(draft.state.to_json()) == draft.state
    waiting.forget(draft, 8)
    waiting.forget(draft, 5)
    assert queue_of(draft) == [(6, True)]
    assert not draft.state.called
