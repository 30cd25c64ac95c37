"""Sending somebody away before the start, and a group's blacklist at a table."""

from __future__ import annotations

import pytest

from handlers import hosting, lobby, waiting
from handlers.answers import Answer
from handlers.table_state import NOBODY
from tests.handlers.test_lobby import draft_of, person, table_with


def test_the_host_or_an_admin_sends_somebody_away_for_good() -> None:
    draft = draft_of(table_with(1, 2, 3))
    assert hosting.kick(draft, 2, 3, admin=False).key == "toast.host_only"
    assert hosting.kick(draft, 1, 1, admin=False).key == "toast.not_yourself"
    assert hosting.kick(draft, 1, 9, admin=False).key == "toast.they_left"
    assert hosting.kick(draft, 1, 3, admin=False).fields == {"name": "P3"}
    assert draft.state.persons == [1, 2]
    assert draft.tidings[0][:2] == (3, "kick.told")
    assert (draft.state.note, [seat.name for seat in draft.state.note_of]) == ("lobby.kicked", ["P3"])
    assert lobby.sit(draft, person(3), 1500).key == "toast.kicked_out"
    assert waiting.join(draft, person(3), 1500).key == "toast.kicked_out"
    assert hosting.kick(draft, None, 1, admin=True).key == "toast.kicked"
    assert draft.state.host == 2


@pytest.mark.parametrize("phase", ["dice", "playing"])
def test_nobody_is_sent_away_in_mid_hand(phase: str) -> None:
    draft = draft_of(table_with(1, 2, 3, 4, phase=phase, hand=1))
    assert hosting.kick(draft, 1, 3, admin=False).key == "toast.kick_later"
    assert len(draft.state.persons) == 4


def test_a_countdown_stops_when_somebody_is_sent_away() -> None:
    draft = draft_of(table_with(1, 2, 3))
    lobby.sit(draft, person(4), 1500)
    hosting.kick(draft, 1, 4, admin=False)
    assert draft.state.phase == "lobby"
    assert "start" not in draft.state.deadlines


def test_whom_to_send_away_is_asked_on_the_options_page_only() -> None:
    draft = draft_of(table_with(1, 2))
    assert hosting.show_kicking(draft, 1, admin=False).key == "toast.stale"
    lobby.show_options(draft, 2)
    assert hosting.show_kicking(draft, 2, admin=False).key == "toast.host_only"
    hosting.show_kicking(draft, 1, admin=False)
    assert draft.state.kicking
    lobby.show_options(draft, 2)
    assert not draft.state.kicking


def test_who_is_banned_plays_the_hand_out_and_then_loses_the_seat() -> None:
    draft = draft_of(table_with(1, 2, 3, 4, phase="playing", hand=1))
    hosting.put_off(draft, 3)
    seat = draft.state.seats[2]
    assert seat is not None
    assert seat.leaving
    assert not seat.auto
    assert lobby.stay(draft, 3).key == "toast.kicked_out"
    draft.state.phase = "between"
    draft.free_leavers()
    assert draft.state.persons == [1, 2, 4]
    assert lobby.sit(draft, person(3), 1500).key == "toast.kicked_out"
    hosting.forgive(draft, 3)
    assert lobby.sit(draft, person(3), 1500).key == "toast.sat"


def test_who_is_banned_loses_a_place_in_the_queue_and_a_seat_in_the_lobby() -> None:
    draft = draft_of(table_with(1, 2, 3, 4, phase="playing", hand=1))
    waiting.join(draft, person(5), 1500)
    hosting.put_off(draft, 5)
    assert not draft.state.queue
    idle = draft_of(table_with(1, 2))
    hosting.put_off(idle, 2)
    assert idle.state.persons == [1]
    before = len(idle.entries)
    hosting.put_off(idle, 8)
    assert len(idle.entries) == before


def test_who_is_forgiven_in_mid_hand_keeps_the_seat_unless_they_had_left_it() -> None:
    draft = draft_of(table_with(1, 2, 3, 4, phase="playing", hand=1))
    hosting.put_off(draft, 3)
    hosting.forgive(draft, 3)
    lobby.leave(draft, 4)
    hosting.put_off(draft, 4)
    hosting.forgive(draft, 4)
    draft.state.phase = "between"
    draft.free_leavers()
    assert draft.state.persons == [1, 2, 3]


def test_who_is_forgiven_and_sits_at_another_table_by_now_leaves_after_the_hand() -> None:
    draft = draft_of(table_with(1, 2, 3, 4, phase="playing", hand=1))
    hosting.put_off(draft, 3)
    hosting.forgive(draft, 3, Answer("toast.elsewhere"))
    draft.state.phase = "between"
    draft.free_leavers()
    assert draft.state.persons == [1, 2, 4]
    assert lobby.sit(draft, person(3), 1500).key == "toast.sat"


@pytest.mark.parametrize("phase", ["lobby", "playing"])
def test_a_banned_host_hands_over_at_once(phase: str) -> None:
    draft = draft_of(table_with(1, 2, 3, 4, phase=phase, hand=1))
    hosting.put_off(draft, 1)
    assert draft.state.host == 2
    assert lobby.stop(draft, 1, admin=False).key != "lobby.closed"
    assert not draft.closed


def test_a_table_without_a_host_is_that_of_the_next_who_sits() -> None:
    unseated = draft_of(table_with())
    hosting.put_off(unseated, unseated.state.host)
    lobby.sit(unseated, person(2), 1500)
    assert unseated.state.host == 2
    alone = draft_of(table_with(1, phase="playing", hand=1))
    hosting.put_off(alone, 1)
    assert alone.state.host == NOBODY
    hosting.forgive(alone, 1)
    assert alone.state.host == 1
