"""Giving a running hand up: everybody together, or an operator."""

from __future__ import annotations

from handlers import lobby, voiding
from handlers.draft import Draft
from handlers.table_state import Seat
from tests.handlers.test_lobby import draft_of, table_with


def playing() -> Draft:
    state = table_with(1, 2, 3, phase="playing", hand=4)
    state.seats[3] = Seat(computer="easy")
    state.hand_id = 40
    draft = draft_of(state)
    lobby.stop(draft, 1, admin=False)
    return draft


def test_all_who_sit_there_void_the_hand_and_the_table_ends() -> None:
    draft = playing()
    assert draft.state.voiding
    assert voiding.vote(draft, 1, 4, 0).fields == {"n": 2}
    assert voiding.vote(draft, 3, 4, 1).fields == {"n": 1}
    assert not draft.closed
    assert voiding.vote(draft, 2, 4, 2).key == "lobby.voided"
    assert draft.closed
    assert draft.void is not None
    assert draft.void.hand_id == 40
    assert [told[:2] for told in draft.tidings] == [(number, "lobby.voided") for number in (1, 2, 3)]


def test_a_vote_is_taken_back_by_a_new_press_and_not_by_a_double_tap() -> None:
    draft = playing()
    voiding.vote(draft, 1, 4, 0)
    assert voiding.vote(draft, 1, 4, 0).key == "toast.void_voted"
    assert draft.state.void_votes == [1]
    assert voiding.vote(draft, 1, 4, 1).key == "toast.void_back"
    assert not draft.state.void_votes


def test_strangers_old_buttons_and_unasked_votes_count_for_nothing() -> None:
    draft = playing()
    assert voiding.vote(draft, 9, 4, 0).key == "toast.not_seated"
    assert voiding.vote(draft, 1, 3, 0).key == "toast.stale"
    draft.state.voiding = False
    assert voiding.vote(draft, 1, 4, 0).key == "toast.stale"
    assert not draft.state.void_votes


def test_an_operator_voids_alone_and_only_a_hand_that_runs() -> None:
    draft = playing()
    assert voiding.annul(draft, 3).key == "toast.stale"
    assert voiding.annul(draft, 4).key == "lobby.annulled"
    assert draft.void is not None
    idle = draft_of(table_with(1, 2, phase="between", hand=4))
    assert voiding.annul(idle, 4).key == "toast.stale"


def test_a_new_hand_begins_without_votes() -> None:
    draft = playing()
    voiding.vote(draft, 1, 4, 0)
    draft.seal(41, bytes(32), (1500,) * 4, {})
    assert not draft.state.voiding
    assert not draft.state.void_votes


def for_coins(*, computer: bool = False) -> Draft:
    state = table_with(1, 2, 3, 4, phase="playing", hand=4)
    if computer:
        state.seats[3] = Seat(computer="easy")
    state.hand_id, state.for_coins = 40, True
    state.players = [seat for seat in state.seats if seat is not None]
    draft = draft_of(state)
    lobby.stop(draft, 1, admin=False)
    return draft


def test_who_leaves_or_is_away_has_coins_at_stake_and_is_asked_like_the_others() -> None:
    draft = for_coins()
    lobby.leave(draft, 3)
    draft.owner(3).missed = 2
    draft.owner(3).auto = True
    for votes, (person, missing) in enumerate(((1, 3), (2, 2), (3, 1))):
        assert voiding.vote(draft, person, 4, votes).fields == {"n": missing}
    assert not draft.closed
    assert voiding.vote(draft, 4, 4, 3).key == "lobby.voided"
    assert [told[0] for told in draft.tidings if told[1] == "lobby.voided"] == [1, 2, 3, 4]


def test_who_has_left_may_still_ask_that_the_hand_be_void() -> None:
    draft = for_coins()
    draft.state.voiding = False
    lobby.leave(draft, 3)
    assert voiding.ask(draft, 3).key == "toast.void_asked"
    assert voiding.ask(draft, 9).key == "toast.not_allowed"


def test_a_hand_that_computers_play_for_coins_is_voided_by_no_vote() -> None:
    draft = for_coins(computer=True)
    assert draft.state.stopping
    assert not draft.state.voiding
    draft.state.voiding = True
    assert voiding.vote(draft, 1, 4, 0).key == "toast.void_computers"
    assert voiding.ask(draft, 2).key == "toast.void_computers"
    assert voiding.annul(draft, 4).key == "lobby.annulled"
