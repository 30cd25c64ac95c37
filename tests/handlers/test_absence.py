"""Those who are away: time-outs by every timer, what the others decide, and a table that pauses."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import pytest

from data.model import Wallet
from handlers import absence, lobby, play, taking_up
from handlers.answers import Answer
from handlers.dealing import setup_of
from handlers.draft import Draft
from handlers.play import Warnings
from handlers.presses import MovePress
from handlers.quiet import is_quiet
from handlers.stakes import stake_of
from handlers.table_state import PACES, Seat, TableState
from mahjong.moves import Move

CHINA = ZoneInfo("Asia/Shanghai")
NOON = datetime(2026, 5, 1, 4, tzinfo=UTC)


def dealt(timer: str, *, now: datetime = NOON, persons: int = 4) -> Draft:
    """A hand whose opening window is closed: the dealer (seat 0) is to throw."""
    state = TableState(table=1, group=1, host=1, timer=timer)
    state.seats = [
        Seat(person=number, name=f"P{number}", wallet=1500) if number <= persons else Seat(computer="easy")
        for number in (1, 2, 3, 4)
    ]
    draft = Draft(state, None, now, CHINA, Random(1), 0, setup_of)
    draft.seal(7, bytes(range(32)), (1500,) * 4, {})
    draft.deal((3, 4), (1500,) * 4)
    draft.close_window()
    return draft


def time_passes(draft: Draft) -> str:
    """What is due first happens at its time; returns its name."""
    due = draft.state.next_deadline()
    assert due is not None
    draft.now, name = due
    del draft.state.deadlines[name]
    kind, _, seat = name.partition(":")
    if kind == "turn":
        draft.turn_ran_out()
    elif kind == "window":
        draft.close_window()
    else:
        draft.thought(int(seat))
    return name


@pytest.mark.parametrize("timer", sorted(PACES))
def test_a_turn_has_the_time_of_its_timer(timer: str) -> None:
    draft = dealt(timer)
    seconds = PACES[timer].turn
    due = draft.state.due("turn")
    assert due == (
        None if seconds is None else NOON + timedelta(seconds=seconds + (8 * 3600 if timer == "days" else 0))
    )
    assert (draft.state.answer_by is None) == (seconds is None)


@pytest.mark.parametrize("timer", ["fast", "normal", "slow"])
def test_two_turns_missed_in_a_row_bring_the_computer_and_a_press_ends_it(timer: str) -> None:
    draft = dealt(timer)
    seat = draft.state.seats[0]
    assert seat is not None
    missed = []
    while not seat.auto and draft.hand is not None and draft.hand.result is None:
        assert draft.hand.phase != "turn" or draft.hand.turn != 0 or len(missed) < 2
        before = seat.missed
        time_passes(draft)
        if seat.missed > before:
            missed.append(draft.entries[-1])
    assert seat.auto
    assert len(missed) == 2
    assert draft.state.absent is None
    draft.came_back(0)
    assert not seat.auto
    assert seat.missed == 0


def test_claims_that_run_out_pass_and_never_take() -> None:
    draft = dealt("fast")
    while draft.hand is not None and draft.hand.result is None:
        time_passes(draft)
    assert draft.settle is not None
    assert not [e for e in draft.entries if e.kind == "timeout" and "discard" not in e.body["move"]]


def test_without_a_timer_nobody_is_ever_played_for() -> None:
    draft = dealt("none")
    assert set(draft.state.deadlines) == {"remind", "still"}
    play.press(draft, 1, first_discard(draft), Warnings())
    assert draft.hand is not None
    assert ("window" in draft.state.deadlines) == draft.hand.can_close


def first_discard(draft: Draft) -> MovePress:
    assert draft.hand is not None
    (question,) = draft.hand.questions.values()
    option = next(o for o in question.options if o.move.verb == "discard" and o.move.tiles[0] not in draft.hand.gold)
    return MovePress(1, 1, question.number, Move(-1, "discard", option.move.tiles))


def absent_in_days() -> Draft:
    """A ``days`` game in which seat 0 has missed two turns; the others play."""
    draft = dealt("days")
    while draft.state.absent is None:
        hand = draft.hand
        assert hand is not None
        assert hand.result is None
        for other in [seat for seat in hand.questions if seat != 0]:
            if other in hand.questions:
                draft.now += timedelta(minutes=1)
                draft.came_back(other)
                draft.computer_plays(other)
                break
        else:
            time_passes(draft)
    return draft


def test_in_a_game_of_days_the_others_are_asked_and_no_clock_ends_at_night() -> None:
    draft = absent_in_days()
    assert draft.state.absent == 0
    assert draft.state.seats[0].auto is False  # type: ignore[union-attr]
    assert draft.ring_all
    assert not draft.tidings, "the question stands in living messages, and goes with its answer"
    due = draft.state.next_deadline()
    assert due is not None
    assert not is_quiet(due[0] - timedelta(seconds=1), CHINA)


@pytest.mark.parametrize(
    ("choice", "toast", "auto", "stopping"),
    [
        ("wait", "toast.absent_waits", False, False),
        ("computer", "toast.absent_auto", True, False),
        ("end", "toast.stopping", True, True),
    ],
)
def test_what_the_others_decide(choice: str, toast: str, auto: bool, stopping: bool) -> None:
    draft = absent_in_days()
    assert absence.decide(draft, 2, 1, choice).key == toast
    seat = draft.state.seats[0]
    assert seat is not None
    assert (seat.auto, draft.state.stopping, draft.state.absent) == (auto, stopping, None)
    assert absence.decide(draft, 3, 1, choice).key == "toast.stale"


def test_who_is_asked_about_is_back_by_any_press() -> None:
    draft = absent_in_days()
    assert absence.decide(draft, 1, 1, "computer").key == "toast.back"
    assert draft.state.absent is None
    assert not draft.state.seats[0].auto  # type: ignore[union-attr]
    draft = absent_in_days()
    draft.came_back(0)
    assert draft.state.absent is None


def test_a_decision_by_a_stranger_or_about_another_hand_changes_nothing() -> None:
    draft = absent_in_days()
    assert absence.decide(draft, 9, 1, "end").key == "toast.not_seated"
    assert absence.decide(draft, 2, 2, "end").key == "toast.stale"
    assert draft.state.absent == 0


def everybody_away(timer: str = "fast") -> Draft:
    draft = dealt(timer)
    while draft.settle is None:
        time_passes(draft)
    return draft


def test_a_table_pauses_when_nobody_pressed_anything_in_a_whole_hand() -> None:
    draft = everybody_away()
    state = draft.state
    assert state.phase == "paused"
    assert not state.live
    assert set(state.deadlines) == {"morning", "forgotten"}
    assert state.due("morning") == datetime(2026, 5, 2, 2, tzinfo=UTC)
    assert state.persons == [1, 2, 3, 4]


def test_one_press_in_the_hand_and_it_does_not_pause() -> None:
    draft = dealt("fast")
    play.press(draft, 1, first_discard(draft), Warnings())
    while draft.settle is None:
        time_passes(draft)
    assert draft.state.phase == "between"


def test_going_on_waits_for_the_others_and_frees_the_seats_of_those_who_sit_elsewhere() -> None:
    draft = everybody_away()
    assert absence.resume(draft, 9, {}).key == "toast.not_seated"
    assert absence.resume(draft, 2, {2: "家"}) == Answer("toast.elsewhere", {"group": "家"}, alert=True)
    assert absence.resume(draft, 2, {}).key == "toast.resumed"
    assert draft.state.phase == "between"
    assert [seat.ready for seat in draft.state.taken] == [False, True, False, False]
    assert draft.ring_all
    assert absence.resume(draft, 3, {}).key == "toast.stale"
    draft = everybody_away()
    streak, dealer = draft.state.streak, draft.state.dealer
    absence.resume(draft, 2, {3: "家"})
    assert draft.state.phase == "lobby"
    assert draft.state.persons == [1, 2, 4]
    assert (draft.state.streak, draft.state.dealer) == (streak, dealer)


def test_on_the_day_itself_only_players_dissolve_a_paused_table_the_next_day_anybody() -> None:
    draft = everybody_away()
    assert absence.dissolve(draft, 9, admin=False).key == "toast.not_seated"
    assert not draft.closed
    draft.now += timedelta(days=1)
    assert absence.dissolve(draft, 9, admin=False).key is None
    assert draft.closed


def test_a_table_left_alone_between_hands_pauses_with_its_streak() -> None:
    draft = dealt("fast")
    play.press(draft, 1, first_discard(draft), Warnings())
    while draft.settle is None:
        time_passes(draft)
    lobby.ready_ran_out(draft)
    assert set(draft.state.deadlines) == {"idle"}
    draft.pause()
    assert draft.state.phase == "paused"


@pytest.mark.parametrize(
    ("balance", "held", "days", "stake"),
    [
        (1500, 0, False, 1500),
        (1500, 200, False, 1300),
        (1500, 0, True, 375),
        (1500, 375, True, 281),
        (1500, 1400, True, 100),
        (800, 300, True, 160),
        (639, 0, True, 159),
    ],
)
def test_a_game_of_days_holds_a_quarter_of_the_wallet_at_most(balance: int, held: int, days: bool, stake: int) -> None:
    assert stake_of(Wallet(balance, held), days=days) == stake


@pytest.mark.parametrize("window", [False, True])
@pytest.mark.parametrize(
    ("hour", "minute", "past_turn", "past_claim"),
    [
        # The turn has from noon to 8 of the next day, the claim to 16 of the same.
        (13, 0, (1, 8), (0, 16)),
        (15, 30, (1, 8), (0, 16.5)),
        (31, 0, (1, 10), (1, 11)),
        (38, 0, (2, 10), (1, 18)),
        (23, 30, (1, 10), (1, 11)),
    ],
    ids=["soon", "shortly before", "a quarter at least", "all of it anew", "at night"],
)
def test_after_a_restart_there_is_one_time_for_message_and_deadline(
    window: bool, hour: int, minute: int, past_turn: tuple[int, float], past_claim: tuple[int, float]
) -> None:
    draft = dealt("days")
    if window:
        # Everybody is asked about something at every discard until somebody can claim it.
        while draft.hand is not None and not (draft.hand.phase == "claim" and draft.hand.questions):
            if draft.hand.phase == "turn":
                play.press(draft, draft.owner(draft.hand.turn or 0).person or 0, first_discard(draft), Warnings())
            else:
                draft.close_window()
    assert draft.state.answer_by is not None
    name, (day, clock) = ("window", past_claim) if window else ("turn", past_turn)
    morning = datetime(2026, 5, 1, tzinfo=CHINA)
    draft.now = (morning + timedelta(hours=hour, minutes=minute)).astimezone(UTC)
    taking_up.resumed(draft)
    due = draft.state.due(name)
    assert due == morning + timedelta(days=day, hours=clock)
    assert draft.state.answer_by == draft.state.deadlines[name]
    assert not is_quiet(due, CHINA)


def test_without_a_timer_who_is_away_is_called_after_a_day_and_played_for_after_three() -> None:
    draft = dealt("none")
    assert draft.state.due("remind") == NOON + timedelta(days=1)
    absence.remind(draft)
    assert draft.tidings == [(1, "still.told", {})]
    assert draft.state.attentive == [2, 3, 4]
    del draft.state.deadlines["remind"]
    draft.now += timedelta(days=2)
    taking_up.resumed(draft)
    assert draft.state.deadlines == {"still": (NOON + timedelta(days=3)).isoformat()}, "a restart gives no new days"
    for person in (2, 3, 4):
        lobby.leave(draft, person)
    absence.too_still(draft)
    while draft.settle is None:
        time_passes(draft)
    assert not draft.state.persons or draft.state.persons == [1]


def test_a_private_table_without_a_timer_waits_as_long_as_one_likes() -> None:
    draft = dealt("none")
    draft.state.group = None
    draft.asked()
    assert "still" not in draft.state.deadlines


def test_in_a_game_of_days_one_question_at_a_time_is_asked_and_each_once() -> None:
    draft = absent_in_days()
    draft.ring_all = False
    third = draft.owner(2)
    third.missed = 2
    draft._ask_about(2)
    draft._ask_about(0)
    assert not draft.ring_all
    assert draft.state.absent == 0
    absence.decide(draft, 2, 1, "wait")
    assert draft.state.absent == 2
    draft.came_back(2)
    assert draft.state.absent is None


def test_a_game_of_days_that_all_have_left_is_played_out_and_pauses_with_few_calls() -> None:
    draft = dealt("days")
    play.press(draft, 1, first_discard(draft), Warnings())
    called = 0
    while draft.settle is None:
        time_passes(draft)
        called += draft.ring_all
        draft.ring_all = False
    assert draft.state.phase == "paused"
    assert called <= 3
    assert draft.now - NOON < timedelta(days=14)
