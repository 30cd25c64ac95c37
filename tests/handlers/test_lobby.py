"""Steps between hands: sitting, leaving, starting, being ready."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from data.model import Person, Wallet
from data.texts import Texts
from handlers import lobby, stakes
from handlers.answers import Answer
from handlers.computers import LEVELS, USUAL, next_number, player_of
from handlers.dealing import setup_of
from handlers.draft import Draft
from handlers.screens.lobby import closed_message, level_button, lobby_text, note
from handlers.screens.pictures import lobby_words
from handlers.screens.seating import seat_names
from handlers.table_state import Seat, TableState
from mahjong.rulesets.zhangzhou import Zhangzhou

TEXTS = Texts.load(strict=True)
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def person(number: int, name: str = "阿明", private_ok: bool = True) -> Person:
    return Person(number, 5_000_000_000 + number, name, None, "zh_Hans", False, private_ok, {})


def draft_of(state: TableState) -> Draft:
    return Draft(state, None, NOW, UTC, Random(1), 0, setup_of)


def table_with(*people: int, phase: str = "lobby", hand: int = 0) -> TableState:
    state = TableState(table=1, group=1, host=people[0] if people else 1, hand=hand)
    state.phase = phase  # type: ignore[assignment]
    for index, number in enumerate(people):
        state.seats[index] = Seat(person=number, name=f"P{number}", wallet=1500)
    return state


def test_the_fourth_to_sit_begins_the_countdown() -> None:
    draft = draft_of(table_with(1, 2, 3))
    assert lobby.sit(draft, person(4), 1500).key == "toast.sat"
    assert draft.state.phase == "countdown"
    assert set(draft.state.deadlines) == {"start"}
    assert draft.seating


@pytest.mark.parametrize(
    ("people", "who", "wallet", "obstacle", "toast"),
    [
        ((1, 2), 1, 1500, None, "toast.sits_already"),
        ((1, 2, 3, 4), 5, 1500, None, "toast.full"),
        ((1, 2), 5, 1500, Answer("toast.elsewhere"), "toast.elsewhere"),
        ((1, 2), 5, 159, None, "toast.poor"),
    ],
)
def test_who_may_not_sit_is_told_why_and_nothing_changes(
    people: tuple[int, ...], who: int, wallet: int, obstacle: Answer | None, toast: str
) -> None:
    draft = draft_of(table_with(*people))
    assert lobby.sit(draft, person(who), wallet, obstacle).key == toast
    assert not draft.entries


def test_exactly_160_coins_may_sit() -> None:
    draft = draft_of(table_with(1))
    assert lobby.sit(draft, person(2), 160).key == "toast.sat"


def test_a_game_of_days_asks_for_four_times_the_coins() -> None:
    state = table_with(1)
    state.timer = "days"
    for balance, toast in ((639, "toast.poor_days"), (640, "toast.sat")):
        stake = stakes.stake_to_sit(Wallet(balance, 0), days=True)
        assert lobby.sit(draft_of(state), person(2), stake).key == toast
    assert stakes.stake_of(Wallet(2000, 700), days=False) == 1300


def test_five_games_of_days_and_a_live_table_can_all_be_played_at_once() -> None:
    wallet = Wallet(1500, 0)
    for _ in range(5):
        stake = stakes.stake_of(wallet, days=True)
        assert 160 <= stake <= 1500 // 4
        wallet = Wallet(1500, wallet.held + stake)
    assert stakes.stake_of(wallet, days=False) >= 160


def test_coins_held_elsewhere_are_not_poverty() -> None:
    state = table_with(1)
    assert stakes.held_elsewhere(state, Wallet(1500, 1400)) == Answer("toast.held", alert=True)
    assert stakes.held_elsewhere(state, Wallet(159, 100)) is None
    assert stakes.held_elsewhere(state, Wallet(1500, 1300)) is None
    state.timer = "days"
    assert stakes.held_elsewhere(state, Wallet(1500, 1500)) is None
    assert lobby.sit(draft_of(state), person(2), stakes.stake_to_sit(Wallet(1500, 1500), days=True)).key == "toast.sat"


def test_a_deal_waits_for_coins_held_elsewhere_once_and_at_last_pauses() -> None:
    draft = draft_of(table_with(1, 2, 3, 4, phase="between", hand=3))
    wallets = {number: Wallet(1500, 1500 if number == 2 else 0) for number in (1, 2, 3, 4)}
    assert stakes.wait_for_coins(draft, wallets)
    assert draft.state.held == [2]
    assert set(draft.state.deadlines) == {"start", "idle"}
    idle = draft.state.deadlines["idle"]
    assert stakes.wait_for_coins(draft, wallets)
    assert [entry.kind for entry in draft.entries] == ["held"]
    del draft.state.deadlines["start"]
    draft.now += timedelta(minutes=10)
    assert stakes.wait_for_coins(draft, wallets)
    assert draft.state.deadlines["idle"] == idle
    assert not stakes.wait_for_coins(draft, {number: Wallet(1500, 0) for number in wallets})
    stakes.waited_long(draft)
    assert (draft.state.phase, draft.state.held) == ("paused", [])


def test_a_table_that_waits_for_coins_before_its_first_hand_closes_and_says_why() -> None:
    draft = draft_of(table_with(1, 2, 3, 4, phase="countdown"))
    assert stakes.wait_for_coins(draft, {number: Wallet(1500, 1500 * (number == 2)) for number in (1, 2, 3, 4)})
    stakes.waited_long(draft)
    assert draft.closed
    assert (draft.state.note, [seat.name for seat in draft.state.note_of]) == ("held.dead", ["P2"])


def test_the_host_of_a_lobby_where_nobody_sits_chooses_its_timer() -> None:
    state = table_with()
    state.host = 1
    draft = draft_of(state)
    assert lobby.choose_timer(draft, 2, "days", {}).key == "toast.not_seated"
    assert lobby.show_options(draft, 1).key is None
    assert lobby.choose_timer(draft, 1, "days", {}).key is None
    assert draft.state.days


def test_the_poor_may_sit_at_a_friendly_table() -> None:
    state = table_with(1)
    state.seats[1] = Seat(computer="easy")
    assert lobby.sit(draft_of(state), person(2), 0).key == "toast.sat"


def test_only_somebody_seated_can_start_and_computers_fill_in() -> None:
    draft = draft_of(table_with(1))
    assert lobby.start(draft, 9).key == "toast.not_host"
    assert not draft.entries
    lobby.start(draft, 1)
    assert [seat.computer for seat in draft.state.taken] == [None, USUAL, USUAL, USUAL]
    assert draft.state.friendly
    assert draft.state.phase == "countdown"


def test_a_computer_comes_and_goes_and_a_double_tap_adds_one() -> None:
    draft = draft_of(table_with(1))
    assert lobby.add_computer(draft, 9, 1).key == "toast.not_seated"
    lobby.add_computer(draft, 1, 1)
    lobby.add_computer(draft, 1, 1)
    assert len(draft.state.taken) == 2
    assert draft.state.friendly
    lobby.drop_computer(draft, 1, 2)
    assert not draft.state.friendly
    assert lobby.drop_computer(draft, 1, 1).key == "toast.no_computer"


def test_the_level_button_goes_once_round_and_takes_those_who_sit_along() -> None:
    draft = draft_of(table_with(1))
    lobby.add_computer(draft, 1, 1)
    assert lobby.choose_level(draft, 9, 0).key == "toast.not_seated"
    found = [draft.state.level]
    for _ in LEVELS:
        lobby.choose_level(draft, 1, next_number(draft.state.level))
        found.append(draft.state.level)
        assert draft.state.seats[1] == Seat(computer=draft.state.level)
        pressed = level_button(draft.state, TEXTS.get("zh_Hans"))
        assert pressed.data == f"t|1|level_{next_number(draft.state.level)}"
    assert found[-1] == USUAL
    assert set(found) == set(LEVELS)
    lobby.start(draft, 1)
    assert lobby.choose_level(draft, 1, 0).key == "toast.stale"


@pytest.mark.parametrize(("group", "key"), [(1, "toast.stale"), (None, None)])
def test_between_hands_only_a_private_table_changes_its_level(group: int | None, key: str | None) -> None:
    state = table_with(1, phase="between", hand=1)
    state.group = group
    assert lobby.choose_level(draft_of(state), 1, 0).key == key


def test_a_state_of_an_older_version_keeps_its_computers_and_one_of_a_newer_is_played_all_the_same() -> None:
    state = table_with(1)
    state.seats[1:] = [Seat(computer="easy"), Seat(computer="easy"), Seat(computer="superb")]
    document = state.to_json()
    for name in ("level", "hints", "hinting"):
        del document[name]
    read = TableState.from_json(document)
    assert [seat.computer for seat in read.taken] == [None, "easy", "easy", "superb"]
    assert (read.level, read.hints, read.hinting) == (USUAL, "off", False)
    assert player_of("easy") is not player_of("superb") or USUAL == "easy"
    assert player_of("superb") is player_of(USUAL) is player_of(None)
    assert seat_names(read.seats, TEXTS.get("zh_Hans"), levels=True)[1:] == (
        "🤖 电脑甲·简单",
        "🤖 电脑乙·简单",
        "🤖 电脑丙",
    )


@pytest.mark.parametrize("language", TEXTS.languages)
@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("levels", [False, True])
def test_nobody_passes_for_a_computer(language: str, plain: bool, levels: bool) -> None:
    words = TEXTS.get(language)
    state = table_with(1, 2, 3)
    state.seats[3] = Seat(computer=USUAL)
    names = seat_names(state.seats, words, plain=plain, levels=levels)
    for number, seat in enumerate(state.seats[:3]):
        assert seat is not None
        seat.name = ("🤖 " if number else "") + names[3].replace("🤖 ", "")
    shown = seat_names(state.seats, words, plain=plain, levels=levels)
    assert shown[3] == names[3]
    assert len(set(shown)) == 4
    assert not any("🤖" in name for name in shown[:3])


def test_who_leaves_between_hands_frees_the_seat_and_the_host_passes_on() -> None:
    draft = draft_of(table_with(1, 2, 3, 4, phase="between", hand=3))
    lobby.leave(draft, 1)
    assert draft.state.seats[0] is None
    assert draft.state.phase == "lobby"
    assert draft.state.host == 2
    assert (draft.state.note, [seat.name for seat in draft.state.note_of]) == ("between.left", ["P1"])


def test_the_last_to_leave_closes_the_table() -> None:
    draft = draft_of(table_with(1))
    lobby.leave(draft, 1)
    assert draft.state.phase == "closed"
    assert draft.closed


def test_who_leaves_while_the_dice_fall_stays_to_the_end_of_the_hand() -> None:
    draft = draft_of(table_with(1, 2, 3, 4, phase="dice", hand=1))
    assert lobby.leave(draft, 2).key == "toast.leaving"
    seat = draft.state.seats[1]
    assert seat is not None
    assert seat.leaving
    assert seat.auto


def test_only_host_and_admins_stop_and_a_running_hand_is_played_out() -> None:
    draft = draft_of(table_with(1, 2, 3, 4, phase="playing", hand=1))
    assert lobby.stop(draft, 9, admin=False).key == "toast.not_allowed"
    assert not draft.state.voiding
    assert lobby.stop(draft, 2, admin=False).key == "toast.void_asked"
    assert not draft.state.stopping
    assert lobby.stop(draft, 2, admin=True).key == "toast.stopping"
    assert draft.state.stopping
    assert not draft.closed
    idle = draft_of(table_with(1, 2))
    lobby.stop(idle, 1, admin=False)
    assert idle.closed


def test_all_four_ready_begin_the_next_hand() -> None:
    state = table_with(1, 2, 3, 4, phase="between", hand=2)
    draft = draft_of(state)
    for number in (1, 2, 3):
        assert lobby.ready(draft, number, 2).key == "toast.ready"
        assert not lobby.all_ready(draft.state)
    assert lobby.ready(draft, 4, 1).key == "toast.stale"
    lobby.ready(draft, 4, 2)
    assert lobby.all_ready(draft.state)


def test_computers_take_the_seats_of_the_missing_only_after_a_minute() -> None:
    state = table_with(1, 2, 3, 4, phase="between", hand=2)
    draft = draft_of(state)
    lobby.ready(draft, 1, 2)
    assert lobby.fill_up(draft, 1, 2).key == "toast.stale"
    lobby.ready_ran_out(draft)
    assert "idle" in draft.state.deadlines
    lobby.fill_up(draft, 1, 2)
    assert draft.state.persons == [1]
    assert draft.tidings == [(number, "between.replaced", {}) for number in (2, 3, 4)]
    assert lobby.all_ready(draft.state)


def test_seats_and_dealer_are_drawn_by_lot() -> None:
    drawn = set()
    for seed in range(40):
        state = table_with(1, 2, 3, 4)
        draft = Draft(state, None, NOW, UTC, Random(seed), 0, setup_of)
        lobby.draw_seats(draft)
        drawn.add((tuple(draft.state.persons), draft.state.dealer))
    assert len(drawn) > 25


def test_an_unreachable_player_is_named_and_freed() -> None:
    draft = draft_of(table_with(1, 2))
    lobby.unreachable(draft, 2)
    assert draft.state.persons == [1]
    assert (draft.state.note, [seat.name for seat in draft.state.note_of]) == ("lobby.unreachable", ["P2"])


def test_the_state_survives_json() -> None:
    state = table_with(1, 2, phase="between", hand=2)
    state.players = [seat for seat in state.seats if seat is not None]
    draft_of(state).due_in("ready", 60)
    again = TableState.from_json(state.to_json())
    assert again == state
    assert TableState.from_json({**state.to_json(), "unknown": 1}) == state


def test_the_host_is_always_somebody_who_sits_here() -> None:
    state = table_with(1, 2, 3, 4, phase="between", hand=2)
    draft = draft_of(state)
    lobby.ready(draft, 3, 2)
    lobby.ready_ran_out(draft)
    lobby.fill_up(draft, 3, 2)
    assert draft.state.host == 3
    poor = draft_of(table_with(1, 2, 3, 4, phase="countdown"))
    lobby.free_the_poor(poor, [1])
    assert poor.state.host == 2


def test_who_was_leaving_may_stay_after_all() -> None:
    draft = draft_of(table_with(1, 2, 3, 4, phase="dice", hand=1))
    lobby.leave(draft, 2)
    assert lobby.stay(draft, 2).key == "toast.back"
    seat = draft.state.seats[1]
    assert seat is not None
    assert not seat.leaving
    assert not seat.auto
    assert lobby.stay(draft, 2).key == "toast.stale"


def test_the_timer_is_chosen_by_those_who_sit() -> None:
    draft = draft_of(table_with(1, 2))
    assert lobby.choose_timer(draft, 9, "fast", {}).key == "toast.not_seated"
    assert lobby.choose_timer(draft, 2, "days", {1: 375, 2: 400}).key is None
    assert draft.state.days
    assert [seat.wallet for seat in draft.state.taken] == [375, 400]
    assert lobby.choose_timer(draft, 2, "nonsense", {}).key == "toast.stale"
    draft.state.phase = "countdown"
    assert lobby.choose_timer(draft, 2, "fast", {}).key == "toast.stale"


def test_games_and_options_are_chosen_by_those_who_sit() -> None:
    draft = draft_of(table_with(1, 2))
    assert lobby.choose_game(draft, 9, "putian-an", {}).key == "toast.not_seated"
    assert lobby.choose_option(draft, 1, 0).key is None
    assert draft.state.options == {"dead_wall_stacks": 13}
    lobby.choose_game(draft, 2, "putian-ming", {"discard_win_multiplier": 1})
    assert (draft.state.rules, draft.state.options) == ("putian-ming", {"discard_win_multiplier": 1})
    assert lobby.choose_game(draft, 1, "nonsense", {}).key == "toast.stale"
    assert lobby.choose_option(draft, 1, 9).key == "toast.stale"


def test_a_table_that_empties_says_why_and_that_it_is_closed() -> None:
    poor = draft_of(table_with(1, 2, phase="countdown"))
    lobby.free_the_poor(poor, [1, 2])
    left = draft_of(table_with(1, phase="between", hand=3))
    lobby.leave(left, 1)
    gone = draft_of(table_with(1, 2, phase="playing", hand=3))
    for number in (1, 2):
        lobby.leave(gone, number)
    gone.free_leavers()
    words = TEXTS.get("zh_Hans")
    said = ["P1、P2 不到 160 币，空出位子。", "P1 离桌了。", "P1、P2 离桌了。"]
    for draft, why in zip((poor, left, gone), said, strict=True):
        assert draft.closed
        assert closed_message(-1, draft.state, words).text.split("\n")[1:] == [why, "这一桌散了。"]


def test_a_table_that_is_closed_in_time_says_nothing_of_who_left_before() -> None:
    draft = draft_of(table_with(1, 2))
    lobby.leave(draft, 2)
    lobby.stop(draft, 1, admin=False)
    assert closed_message(-1, draft.state, TEXTS.get("zh_Hans")).text.split("\n")[1:] == ["这一桌散了。"]


def test_a_lobby_counts_who_is_missing() -> None:
    words = TEXTS.get("zh_Hans")
    draft = draft_of(table_with(1, 2, 3, 4, phase="between", hand=3))
    titles = []
    for number in (4, 3, 2):
        lobby.leave(draft, number)
        titles.append(lobby_text(draft.state, words).split("\n")[0].rpartition(" · ")[2])
        assert "三缺一" not in note(draft.state, words)
    for number in (7, 8, 9):
        lobby.sit(draft, person(number), 1500)
    titles.append(lobby_text(draft.state, words).split("\n")[0].rpartition(" · ")[2])
    assert titles == ["三缺一", "还差 2 人", "还差 3 人", "人齐了"]


@pytest.mark.parametrize("seats", [(1, 2, 3), (1, 2, 3, 4)])
def test_a_table_that_pauses_says_so_where_a_seat_is_free(seats: tuple[int, ...]) -> None:
    draft = draft_of(table_with(*seats, phase="paused", hand=2))
    assert lobby.sit(draft, person(5), 1500).key == ("toast.paused" if len(seats) == 3 else "toast.full")
    assert lobby.add_computer(draft, 1, len(seats)).key == "toast.stale"


def test_however_many_options_a_game_has_its_card_says_the_stake_and_the_time_for_a_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = TEXTS.get("en")
    usual = lobby_words(table_with(1), words).facts
    monkeypatch.setattr(Zhangzhou, "options", Zhangzhou.options[:1] * 4)
    facts = lobby_words(table_with(1), words).facts
    assert len(facts) == 4
    assert (facts[0], facts[-1]) == (usual[0], usual[-1])
    assert facts[-1].label == words("fact.turn")
