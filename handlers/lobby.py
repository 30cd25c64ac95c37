"""Steps of a table that is not in the middle of a hand: who sits, who leaves, when it begins and ends."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from data.model import Person
from handlers import voiding
from handlers.answers import Answer
from handlers.computers import LEVELS
from handlers.draft import COUNTDOWN, Draft
from handlers.names import shown_name
from handlers.stakes import cannot_pay, least_to_sit
from handlers.table_state import NOBODY, PACES, Seat, TableState
from mahjong import lessons
from mahjong.rulesets import RULESETS


def unwelcome(state: TableState, person: int) -> Answer | None:
    """What somebody is told who was sent away from this table; None: they may sit."""
    return Answer("toast.kicked_out", alert=True) if person in state.kicked else None


def new_table(draft: Draft, host: Person, stake: int, obstacle: Answer | None = None) -> None:
    """A table is opened by a person, who sits down at once if the bot may write to them and they may sit.

    ``obstacle``: as in ``sit``. At a private table no coins are asked for: none are at stake.
    """
    draft.note("opened", person=host.id)
    draft.due_in("lobby", draft.state.pace.lobby)
    if host.private_ok and obstacle is None and cannot_pay(draft.state, stake) is None:
        take_seat(draft, host, stake)


def sit(draft: Draft, person: Person, stake: int, obstacle: Answer | None = None) -> Answer:
    """A person wants a seat. ``stake``: what they could lose here. ``obstacle``: what else keeps them away.

    The caller has made sure that the bot may write to them.
    """
    state = draft.state
    seated = state.seat_of(person.id)
    if seated is not None:
        # Who was leaving and sits down again stays after all.
        return stay(draft, person.id, obstacle) if draft.came_back_possible(seated) else Answer("toast.sits_already")
    if state.phase == "paused" and None in state.seats:
        return Answer("toast.paused", alert=True)
    if state.phase != "lobby" or None not in state.seats:
        return Answer("toast.full")
    if not state.open_to(person.id):
        return Answer("toast.kept")
    if (refused := obstacle or unwelcome(state, person.id) or cannot_pay(state, stake)) is not None:
        return refused
    take_seat(draft, person, stake)
    if None not in state.seats:
        begin_countdown(draft)
    return Answer("toast.sat")


def take_seat(draft: Draft, person: Person, stake: int) -> None:
    """Put a person on the first free seat; a table without a host, or in mid-match without people, is theirs then."""
    state = draft.state
    if state.host == NOBODY or (state.hand and not state.persons):
        state.host = person.id
    state.queue = [waiting for waiting in state.queue if waiting.person != person.id]
    state.seats[state.seats.index(None)] = Seat(person=person.id, name=person.name, wallet=stake)
    state.note = None
    draft.seating = True
    draft.note("sat", person=person.id)
    if state.phase == "lobby":
        draft.due_in("lobby", state.pace.lobby)
    draft.offer_seats()


def leave(draft: Draft, person: int) -> Answer:
    """A person leaves: at once between hands, after the hand in the middle of one (telegram.md)."""
    state = draft.state
    index = state.seat_of(person)
    if index is None:
        return Answer("toast.not_seated")
    seat = state.seats[index]
    assert seat is not None
    draft.note("left", index, person=person)
    if state.group is None:
        draft.end_table("lobby.closed")
        return Answer("toast.left")
    if state.phase in ("dice", "playing"):
        seat.leaving = True
        draft.take_over(index)
        return Answer("toast.leaving", alert=True)
    draft.vacate(index, "between.left")
    return Answer("toast.left")


def stay(draft: Draft, person: int, obstacle: Answer | None = None) -> Answer:
    """I am back: the computer gives the hand back, and who was leaving stays.

    ``obstacle``: as in ``sit``; whoever has left may sit at another table by now.
    """
    index = draft.state.seat_of(person)
    if index is None:
        return Answer("toast.not_seated")
    refused = unwelcome(draft.state, person) or (None if draft.state.stays(person) else obstacle)
    if refused is not None:
        return refused
    if not draft.came_back(index, to_stay=True):
        return Answer("toast.stale")
    draft.note("back", index)
    return Answer("toast.back")


def add_computer(draft: Draft, person: int, taken: int) -> Answer:
    """Seat a computer player; anybody who sits may. ``taken``: seats taken when the button was made, so that a double
    tap adds one, not two."""
    state = draft.state
    if taken != len(state.taken):
        return Answer()
    if state.phase != "lobby":
        return Answer("toast.stale")
    if None not in state.seats:
        return Answer("toast.full")
    if state.seat_of(person) is None:
        return Answer("toast.not_seated")
    if not state.open_to(0):
        return Answer("toast.kept_for", {"name": shown_name(state.queue[0].name)})
    state.seats[state.seats.index(None)] = Seat(computer=state.level)
    draft.note("computer", level=state.level)
    if None not in state.seats:
        begin_countdown(draft)
    return Answer()


def drop_computer(draft: Draft, person: int, taken: int) -> Answer:
    """Take a computer player off its seat again. ``taken``: as in ``add_computer``."""
    state = draft.state
    if taken != len(state.taken):
        return Answer()
    computers = [index for index, seat in enumerate(state.seats) if seat is not None and seat.computer]
    if state.phase != "lobby" or not computers:
        return Answer("toast.no_computer")
    if state.seat_of(person) is None:
        return Answer("toast.not_seated")
    state.seats[computers[-1]] = None
    draft.note("no_computer")
    draft.offer_seats()
    return Answer()


def may_choose(state: TableState, person: int) -> bool:
    """Whether somebody may choose what is played: who sits here, or the host of a table where nobody does yet."""
    return state.seat_of(person) is not None or (not state.persons and person == state.host)


def choose_game(draft: Draft, person: int, rules: str, options: Mapping[str, Any]) -> Answer:
    """Play another game; anybody who sits may choose while the table looks for players.

    ``options``: those the group has chosen for it; the others begin at their defaults.
    """
    state = draft.state
    if state.phase != "lobby" or rules not in RULESETS:
        return Answer("toast.stale")
    if not may_choose(state, person):
        return Answer("toast.not_seated")
    if rules != state.rules:
        # A streak belongs to the game in which it was won.
        state.rules, state.options, state.streak = rules, dict(options), 1
        draft.note("game", rules=rules)
    return Answer()


def choose_option(draft: Draft, person: int, number: int) -> Answer:
    """Give the game's option of this number its next value."""
    state = draft.state
    specs = RULESETS[state.rules].table_options
    if state.phase != "lobby" or number >= len(specs):
        return Answer("toast.stale")
    if not may_choose(state, person):
        return Answer("toast.not_seated")
    spec = specs[number]
    now = state.options.get(spec.name, spec.default)
    state.options[spec.name] = spec.values[(spec.values.index(now) + 1) % len(spec.values)]
    draft.note("option", name=spec.name, value=state.options[spec.name])
    return Answer()


def choose_timer(draft: Draft, person: int, timer: str, stakes: Mapping[int, int]) -> Answer:
    """Play with another timer (``PACES``); anybody who sits may choose while the table looks for players.

    ``stakes``: by person, what those who sit could lose then.
    """
    state = draft.state
    if state.phase != "lobby" or timer not in PACES:
        return Answer("toast.stale")
    if not may_choose(state, person):
        return Answer("toast.not_seated")
    if timer != state.timer:
        state.timer = timer
        draft.due_in("lobby", state.pace.lobby)
        for seat in state.taken:
            if seat.person is not None:
                seat.wallet = stakes[seat.person]
        draft.note("timer", timer=timer)
    return Answer()


def choose_level(draft: Draft, person: int, number: int) -> Answer:
    """Play against computers of another level (``computers.LEVELS``): those who sit here and all who will.

    At a private table also between two hands.
    """
    state = draft.state
    if state.phase != "lobby" and not (state.phase == "between" and state.group is None):
        return Answer("toast.stale")
    if not may_choose(state, person):
        return Answer("toast.not_seated")
    level = LEVELS[number]
    if level != state.level:
        state.level = level
        for seat in state.taken:
            if seat.computer is not None:
                seat.computer = level
        draft.note("level", level=level)
    return Answer()


def show_options(draft: Draft, person: int) -> Answer:
    """Show or hide the game's options in the lobby."""
    state = draft.state
    if state.phase != "lobby":
        return Answer("toast.stale")
    if not may_choose(state, person):
        return Answer("toast.not_seated")
    state.choosing = not state.choosing
    state.kicking = False
    draft.note("options")
    return Answer()


def start(draft: Draft, person: int) -> Answer:
    """Begin with whoever is there; computers fill the free seats."""
    state = draft.state
    if state.phase != "lobby":
        return Answer("toast.stale")
    if state.seat_of(person) is None:
        return Answer("toast.not_host")
    if any(waiting.offered for waiting in state.queue):
        return Answer("toast.kept_for", {"name": shown_name(state.queue[0].name)})
    fill_with_computers(draft)
    begin_countdown(draft)
    return Answer()


def fill_with_computers(draft: Draft) -> None:
    """Computers take the free seats."""
    state = draft.state
    state.seats = [seat or Seat(computer=state.level) for seat in state.seats]


def begin_countdown(draft: Draft) -> None:
    """All four are there: a short countdown, then the deal."""
    state = draft.state
    state.phase = "countdown"
    state.note = None
    state.called = []
    state.kicking = False
    state.deadlines.clear()
    draft.due_in("start", COUNTDOWN)
    draft.note("countdown")


def draw_seats(draft: Draft) -> None:
    """Before the first hand seats and dealer are drawn by lot, so that no two can arrange to sit in a row."""
    state = draft.state
    draft.chance.shuffle(state.seats)
    state.dealer = draft.chance.randrange(4)
    state.streak = 1


def seat_the_learner(draft: Draft) -> None:
    """Who learns, and who deals, sit where the arranged hand wants them."""
    state = draft.state
    state.seats.sort(key=lambda seat: seat is None or seat.person is None)
    state.dealer = lessons.DEALER


def free_the_poor(draft: Draft, poor: Collection[int]) -> None:
    """Those with too few coins for a seat give it up (rules-zhangzhou 11)."""
    state = draft.state
    about = []
    for index, seat in enumerate(state.seats):
        if seat is not None and seat.person in poor:
            about.append(seat)
            key = "tell.poor_days" if state.days else "tell.poor"
            draft.tell(seat.person, key, least=least_to_sit(days=state.days))
            draft.free(index)
    draft.note("poor")
    draft.look_for_players("lobby.poor_days" if state.days else "lobby.poor", about)


def end_practice(draft: Draft) -> Answer:
    """Close a private table at once, whatever is going on there: its player sits down elsewhere."""
    draft.note("stopped")
    draft.end_table("lobby.closed")
    return Answer()


def stop(draft: Draft, person: int | None, *, admin: bool) -> Answer:
    """End the table, after the running hand if there is one; its host and the group's admins may.

    With it goes the question whether that hand shall be void; anybody who sits here may ask it. ``person``: None for
    an anonymous admin.
    """
    state = draft.state
    running = state.phase in ("dice", "playing") and state.group is not None
    if person != state.host and not admin:
        return voiding.ask(draft, person) if running and person is not None else Answer("toast.not_allowed")
    if running:
        state.stopping, state.voiding = True, not state.computers_stake
        draft.note("stopping", person=person)
        return Answer("toast.stopping")
    draft.note("stopped", person=person)
    draft.end_table("lobby.closed")
    return Answer("lobby.closed")


def ready(draft: Draft, person: int, hand: int | None) -> Answer:
    """A person is ready for the next hand."""
    state = draft.state
    index = state.seat_of(person)
    if index is None:
        return Answer("toast.not_seated")
    if state.phase != "between" or hand != state.hand:
        return Answer("toast.stale")
    seat = state.seats[index]
    assert seat is not None
    if not seat.ready:
        seat.ready = True
        seat.auto = False
        draft.note("ready", index)
    return Answer("toast.ready")


def all_ready(state: TableState) -> bool:
    """Whether the next hand may begin."""
    return state.phase == "between" and all(seat is not None and seat.ready for seat in state.seats)


def ready_ran_out(draft: Draft) -> None:
    """A minute after the hand somebody is missing: the others are asked what to do."""
    state = draft.state
    # Whoever plays against computers alone has nobody to ask, and no hurry.
    state.waiting = not state.alone
    state.deadlines.clear()
    draft.time_for_people("idle", state.pace.idle)
    draft.note("missing")


def wait_more(draft: Draft, person: int, hand: int | None) -> Answer:
    """The others will wait another minute for who is missing."""
    state = draft.state
    if state.seat_of(person) is None:
        return Answer("toast.not_seated")
    if state.phase != "between" or hand != state.hand or not state.waiting:
        return Answer("toast.stale")
    state.waiting = False
    state.deadlines.clear()
    draft.time_for_people("ready", state.pace.ready)
    draft.note("wait")
    return Answer("toast.waiting")


def fill_up(draft: Draft, person: int, hand: int | None) -> Answer:
    """Computers take the seats of those who are missing; the table is friendly from then on."""
    answer = _replace_the_missing(draft, person, hand, Seat(computer=draft.state.level, ready=True))
    if answer.key == "toast.ready":
        draft.note("filled", draft.state.seat_of(person))
    return answer


def swap(draft: Draft, person: int, hand: int | None) -> Answer:
    """The seats of those who are missing go to who waits, or to who comes."""
    answer = _replace_the_missing(draft, person, hand, None)
    if answer.key != "toast.ready":
        return answer
    draft.note("swapped", draft.state.seat_of(person))
    draft.look_for_players()
    return Answer("toast.swapped")


def _replace_the_missing(draft: Draft, person: int, hand: int | None, by: Seat | None) -> Answer:
    state = draft.state
    if state.seat_of(person) is None:
        return Answer("toast.not_seated")
    if state.phase != "between" or hand != state.hand or not state.waiting:
        return Answer("toast.stale")
    ready(draft, person, hand)
    for at, seat in enumerate(state.seats):
        if seat is None or not seat.ready:
            if seat is not None:
                draft.tell(seat.person, "between.replaced" if by is not None else "between.swapped")
            draft.free(at)
            state.seats[at] = None if by is None else replace(by)
    return Answer("toast.ready")


def unreachable(draft: Draft, person: int) -> Answer:
    """The bot may not write to a person any more: the table is told once, the seat is freed after the hand."""
    state = draft.state
    index = state.seat_of(person)
    if index is None:
        return Answer()
    seat = state.seats[index]
    assert seat is not None
    if state.phase in ("dice", "playing"):
        if not seat.unreachable:
            seat.unreachable = True
            draft.note("unreachable", index)
            if not seat.leaving:
                seat.leaving = True
                draft.take_over(index)
        return Answer()
    draft.note("unreachable", index)
    draft.vacate(index, "lobby.unreachable")
    return Answer()


def reachable(draft: Draft, person: int, obstacle: Answer | None = None) -> Answer:
    """The bot may write to somebody again who was given up in mid-hand: they play on, unless they were sent away.

    ``obstacle``: as in ``stay``.
    """
    index = draft.state.seat_of(person)
    seat = draft.state.seats[index] if index is not None else None
    if index is None or seat is None or not seat.unreachable:
        return Answer()
    seat.unreachable = False
    draft.note("reachable", index)
    if unwelcome(draft.state, person) is None and obstacle is None:
        draft.came_back(index, to_stay=True)
    return Answer()
