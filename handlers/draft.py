"""One change of a table under way: copies of its state and hand, and the journal entries that made them.

A draft becomes the table's state only once the store has committed it; if that fails it is thrown away and nothing
has happened. Nothing here waits, sends or asks the time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta, tzinfo
from random import Random
from typing import Any, Protocol

from data.model import Change, Dice, Entry, OpenHand, Payment, Settle, Void
from handlers.computers import player_of
from handlers.orders import answer_of
from handlers.quiet import awake_seconds_after, next_day
from handlers.table_state import DAY, FRIENDLY_BASE, MISSES, NOBODY, STILL, STILL_REMIND, Seat, TableState
from mahjong.feats import feats_of
from mahjong.hand import Hand, Setup
from mahjong.match import base_for
from mahjong.moves import Move, Question
from mahjong.notation import write_move
from mahjong.records import Record, record_of, result_json
from mahjong.rulesets import RULESETS
from mahjong.views import view
from mahjong.wall import commitment, shuffle

BEAT = 2.5
"""Seconds from every open discard, kong and opening to the end of its window, whoever is asked (telegram.md)."""
COUNTDOWN = 3
"""Seconds from a full table to the deal."""
COVER = 0.85
"""How many of the windows in which nobody is asked last as long as one in which somebody was, so that the time tells
nothing (telegram.md, *Claims tell nothing*)."""
FIRST_LENGTHS = (3.0, 3.6, 4.4, 5.5, 7.0)
"""Seconds that such windows last at a table that has no lengths of its own yet."""
FIRST_LENGTHS_OF_DAYS = (120.0, 300.0, 600.0, 1200.0, 2400.0)
LENGTHS = 30
LENGTHS_OF_DAYS = 8
"""So many of a table's own lengths are kept; few in a ``days`` game, where people are now all there, now all away."""
MORNING = time(10)
"""When a table that has paused since the day before shows itself again."""
FORGOTTEN_DAYS = 7
"""A table that pauses closes after so many."""
ORDER_SECONDS = 0.8
"""From a draw to the win that was ordered beforehand, so that the others see the draw."""


@dataclass(slots=True)
class Draft:
    """A change being made.

    ``zone``: of local days and quiet hours. ``seq``: of the table's last journal entry before it. ``seed``: of the
    hand under way. ``tidings``: texts (catalogue key and fields) to be told to persons in private once it is
    committed; ``bring_down``: the group's message is then sent anew at the bottom; ``ring_all``: those of all who sit
    here are, with a sound.
    """

    state: TableState
    hand: Hand | None
    now: datetime
    zone: tzinfo
    chance: Random
    seq: int
    dealing: Dealing
    seed: bytes | None = None
    entries: list[Entry] = field(default_factory=list)
    seating: bool = False
    open_hand: OpenHand | None = None
    dice: Dice | None = None
    settle: Settle | None = None
    void: Void | None = None
    closed: bool = False
    tidings: list[tuple[int, str, dict[str, str]]] = field(default_factory=list)
    bring_down: bool = False
    ring_all: bool = False

    @property
    def day(self) -> str:
        """The local day, ``YYYY-MM-DD``."""
        return self.now.astimezone(self.zone).date().isoformat()

    def tell(self, person: int | None, key: str, **fields: str) -> None:
        """Have a person told something in private, once all this is committed."""
        if person is not None:
            self.tidings.append((person, key, fields))

    def tell_all(self, key: str) -> None:
        """Have everybody who sits here told something in private."""
        for person in self.state.persons:
            self.tell(person, key)

    def change(self) -> Change:
        """All of it, to be committed as one."""
        return Change(
            table_id=self.state.table,
            entries=tuple(self.entries),
            state=self.state.to_json(),
            seated=tuple(self.state.persons) if self.seating else None,
            open_hand=self.open_hand,
            dice=self.dice,
            settle=self.settle,
            void=self.void,
            close=self.now if self.closed else None,
        )

    def note(self, kind: str, seat: int | None = None, **body: Any) -> None:
        """Write a line of the journal."""
        seq = self.seq + len(self.entries) + 1
        self.entries.append(Entry(seq, self.now, kind, seat, self.state.hand_id, body))

    # Deadlines

    def due_in(self, name: str, seconds: float) -> None:
        """Set a deadline so many seconds from now."""
        self.state.deadlines[name] = (self.now + timedelta(seconds=seconds)).isoformat()

    def time_for_people(self, name: str, seconds: float) -> None:
        """Set a deadline that gives people so many seconds; in a ``days`` game quiet hours do not count."""
        if self.state.days:
            self.state.deadlines[name] = awake_seconds_after(self.now, seconds, self.zone).isoformat()
        else:
            self.due_in(name, seconds)

    def due_at_least(self, name: str, seconds: float) -> None:
        """Put a deadline off so that so many seconds are left, in a ``days`` game outside quiet hours."""
        soonest = self.now + timedelta(seconds=seconds)
        if self.state.days:
            soonest = awake_seconds_after(self.now, seconds, self.zone)
        self.state.deadlines[name] = max(self.state.deadlines[name], soonest.isoformat())

    # The hand's course

    def seal(self, hand_id: int, seed: bytes, coins: tuple[int, ...], holds: Mapping[int, int]) -> None:
        """Begin a hand: its seed is fixed and committed to, before any die is thrown (telegram.md, *Fair deals*).

        ``coins``: of the four at the start. The stake is set afresh (rules-zhangzhou 11).
        """
        state = self.state
        state.hand += 1
        state.hand_id = hand_id
        state.for_coins = not state.friendly
        state.hinting = state.hints_next
        state.phase = "dice"
        state.base = base_for(coins) or FRIENDLY_BASE if state.for_coins else FRIENDLY_BASE
        state.absent = None
        state.deadlines.clear()
        state.waiting = False
        state.voiding, state.void_votes = False, []
        state.held, state.relief = [], {}
        state.guessing, state.guess_menu, state.guesses = state.group is not None, False, {}
        state.sheet_shown = False
        state.note = None
        for seat in state.taken:
            seat.ready = seat.present = False
            seat.missed = 0
            seat.orders = []
        state.players = deepcopy(state.taken)
        self.seed = seed
        self.note("sealed", commitment=commitment(seed))
        self.open_hand = OpenHand(
            hand_id=hand_id,
            number=state.hand,
            at=self.now,
            rules=state.rules,
            options=dict(state.options),
            dealer=state.dealer,
            streak=state.streak,
            base=state.base,
            seed=seed,
            commitment=commitment(seed),
            seats=tuple(seat.person if seat.person is not None else seat.computer or "" for seat in state.taken),
            coins=coins,
            friendly=state.friendly,
            holds=holds,
        )

    def deal(self, dice: tuple[int, ...], coins: tuple[int, ...]) -> None:
        """The dice have fallen (empty: none were thrown): make the wall, deal, and ask the opening questions."""
        state = self.state
        assert state.hand_id is not None
        assert self.seed is not None
        self.dice = Dice(state.hand_id, dice)
        self.note("dealt", dice=list(dice))
        state.dice = list(dice)
        self.hand = Hand.deal(
            self.dealing(state.rules, state.options, state.dealer, state.streak, state.base, coins, self.seed, dice)
        )
        state.phase = "playing"
        self.asked()

    def play(self, move: Move, *, timed_out: bool = False) -> None:
        """A seat answers. Raises ``mahjong.hand.IllegalMove``; then nothing is changed that matters: drop the draft."""
        assert self.hand is not None
        number = self.hand.number
        self.hand.apply(move)
        self.note("timeout" if timed_out else "move", move.seat, move=write_move(move))
        self.went_on(number)

    def close_window(self, *, timed_out: bool = False) -> None:
        """The window's time is over, or nobody can better the best answer."""
        state = self.state
        assert self.hand is not None
        if state.somebody_asked and not state.alone and state.asked_at is not None:
            lasted = (self.now - datetime.fromisoformat(state.asked_at)).total_seconds()
            state.lengths = [*state.lengths, round(lasted, 2)][-(LENGTHS_OF_DAYS if state.days else LENGTHS) :]
        number = self.hand.number
        self.hand.close()
        self.note("close", timed_out=timed_out)
        self.went_on(number)

    def went_on(self, number: int) -> None:
        """After any step: ask anew where the engine does, else see what the open window still waits for."""
        assert self.hand is not None
        if self.hand.result is not None:
            self.finish()
        elif self.hand.number != number or self.hand.phase == "turn":
            self.asked()
        else:
            self.wait_for_answers()

    def asked(self, until: str | None = None) -> None:
        """New questions are open: set their deadlines. ``until``: the time that they had before a restart."""
        hand, state = self.hand, self.state
        assert hand is not None
        state.guessing = state.guessing and not _first_round_over(hand)
        state.asked_at = self.now.isoformat()
        state.deadlines.clear()
        state.beat_until = None
        if state.pace.turn is None and state.group is not None:
            # No timer is no reason to lock four wallets for ever.
            self.due_in("remind", STILL_REMIND)
            self.due_in("still", STILL)
        if hand.phase == "turn":
            self._asked_for_a_discard(next(iter(hand.questions.values())), until)
        else:
            self._asked_in_a_window(until)

    def _time_to_answer(self, seconds: int, until: str | None) -> str:
        """When the time to answer is up: what those asked see, what the reminder is set by and what comes due.

        After a restart (``until``) a ``days`` game keeps the time it had, but leaves at least a quarter of the whole,
        and all of it if the time ran out while nobody could press; other games give their whole time anew.
        """
        if not self.state.days:
            return (self.now + timedelta(seconds=seconds)).isoformat()
        whole = awake_seconds_after(self.now, seconds, self.zone)
        before = datetime.fromisoformat(until) if until is not None else None
        if before is None or before <= self.now:
            return whole.isoformat()
        return min(whole, max(before, awake_seconds_after(self.now, seconds / 4, self.zone))).isoformat()

    def _asked_for_a_discard(self, question: Question, until: str | None) -> None:
        state, seat = self.state, question.seat
        state.answer_by = None
        if self.owner(seat).played_by_computer:
            self.think(seat)
            return
        if state.pace.turn is not None:
            state.answer_by = state.deadlines["turn"] = self._time_to_answer(state.pace.turn, until)
        if answer_of(self.owner(seat).orders, question) is not None:
            self.due_in(f"think:{seat}", ORDER_SECONDS)

    def _asked_in_a_window(self, until: str | None) -> None:
        hand, state = self.hand, self.state
        assert hand is not None
        for seat in sorted(hand.questions):
            self.answer_unasked(seat)
        state.somebody_asked = any(not self.owner(seat).played_by_computer for seat in hand.questions)
        beat = self.beat()
        state.beat_until = (self.now + timedelta(seconds=beat)).isoformat()
        state.answer_by = None
        if state.pace.claim is not None:
            state.answer_by = self._time_to_answer(state.pace.claim, until)
            state.deadlines["window"] = max(state.answer_by, state.beat_until)
        for seat in sorted(hand.questions):
            if self.owner(seat).played_by_computer:
                self.think(seat)
        self.wait_for_answers()

    def answer_unasked(self, seat: int) -> None:
        """Answer for a seat in an open window without disturbing anybody, as far as that can be done.

        A guess that its own tiles show to be hopeless is passed in silence; standing orders speak for their owner.
        """
        hand = self.hand
        assert hand is not None
        while (question := hand.questions.get(seat)) is not None:
            if question.hopeless:
                move: Move | None = Move(seat, "pass")
            else:
                move = None if self.owner(seat).played_by_computer else answer_of(self.owner(seat).orders, question)
            if move is None:
                return
            hand.apply(move)
            self.note("move", seat, move=write_move(move))

    def orders_changed(self, seat: int) -> None:
        """A seat's orders are others now: what they say to its open question holds at once."""
        hand = self.hand
        assert hand is not None
        if seat not in hand.questions:
            return
        if hand.phase == "turn":
            self.state.deadlines.pop(f"think:{seat}", None)
            if answer_of(self.owner(seat).orders, hand.questions[seat]) is not None:
                self.due_in(f"think:{seat}", ORDER_SECONDS)
        else:
            self.answer_unasked(seat)
            self.wait_for_answers()

    def beat(self) -> float:
        """Seconds for which a window stands whoever answers, so that its length tells nothing."""
        hand, state = self.hand, self.state
        assert hand is not None
        if state.alone or state.cover == "off":
            return 0.0
        # In a lock the window names the seat that draws: there the time must tell nothing at all.
        cover = 1.0 if hand.phase == "lock" else COVER
        if state.cover == "full" and not state.somebody_asked and self.chance.random() < cover:
            first = FIRST_LENGTHS_OF_DAYS if state.days else FIRST_LENGTHS
            return max(BEAT, self.chance.choice(state.lengths or first))
        return BEAT

    def owner(self, seat: int) -> Seat:
        """Who sits at a seat of the hand under way."""
        owner = self.state.seats[seat]
        assert owner is not None
        return owner

    def wait_for_answers(self) -> None:
        """Close an open window at the end of its beat if nobody can better the best answer."""
        hand, state = self.hand, self.state
        assert hand is not None
        assert state.beat_until is not None
        for name in [name for name in state.deadlines if name.startswith("think:")]:
            if int(name[6:]) not in hand.questions:
                del state.deadlines[name]
        if hand.can_close:
            state.deadlines = {"window": max(state.beat_until, self.now.isoformat())}

    def think(self, seat: int) -> None:
        """A computer answers after a humane while (engine.md)."""
        low, high = (0.4, 0.9) if self.state.alone else (0.8, 2.5)
        if self.owner(seat).computer is None:
            low, high = 0.5, 1.0
        self.due_in(f"think:{seat}", round(self.chance.uniform(low, high), 3))

    def thought(self, seat: int) -> None:
        """The while to think is over: a computer answers, or the orders that a person gave do."""
        assert self.hand is not None
        owner = self.owner(seat)
        if owner.played_by_computer:
            self.computer_plays(seat)
        elif (ordered := answer_of(owner.orders, self.hand.questions[seat])) is not None:
            self.play(ordered)

    def computer_plays(self, seat: int) -> None:
        """A computer player, or one that stands in, answers a seat's question from that seat's view."""
        assert self.hand is not None
        chance = Random(f"{self.state.hand_id}:{self.hand.number}:{seat}")
        self.play(player_of(self.owner(seat).computer).choose(view(self.hand, seat), chance))

    def take_over(self, seat: int) -> None:
        """托管 begins: a computer plays for a person who is away or leaving."""
        self.owner(seat).auto = True
        self.settled_about(seat)
        if self.hand is not None and seat in self.hand.questions:
            self.state.deadlines.pop("turn", None)
            self.think(seat)

    def came_back(self, seat: int, *, to_stay: bool = False) -> bool:
        """Any press ends 托管; of one who is leaving only the one that says so (``to_stay``).

        Returns whether there was any to end.
        """
        owner = self.owner(seat)
        if to_stay:
            owner.leaving = False
        was_away = owner.auto and not owner.leaving
        owner.missed = 0
        owner.present = True
        self.settled_about(seat)
        if was_away:
            owner.auto = False
            self.state.deadlines.pop(f"think:{seat}", None)
            if self.hand is not None and self.hand.phase == "turn" and seat in self.hand.questions:
                self.asked()
        return was_away

    def came_back_possible(self, seat: int) -> bool:
        """Whether a computer stands in for a person who could take over again."""
        owner = self.state.seats[seat]
        return owner is not None and owner.auto and self.state.phase in ("dice", "playing")

    def turn_ran_out(self) -> None:
        """A turn's time is up: the drawn tile goes; after two in a row a computer takes over (telegram.md).

        In a ``days`` game the others are asked instead what shall be done, once; are they all away, computers play the
        hand out as by the other timers, and the table pauses.
        """
        assert self.hand is not None
        (seat,) = self.hand.questions
        owner = self.owner(seat)
        owner.missed += 1
        if owner.missed >= MISSES:
            if self.state.days and not self.state.alone:
                self._ask_about(seat)
            else:
                owner.auto = True
        self.play(self.hand.default_move(seat), timed_out=True)

    def _ask_about(self, seat: int) -> None:
        """The others are asked about one who is away, one such person at a time."""
        people = [owner for owner in self.state.taken if owner.person is not None]
        if not self.state.attentive:
            self.state.absent = None
            for owner in people:
                owner.auto, owner.present = True, False
        elif self.state.absent is None:
            self.state.absent = seat
            self.ring_all = True

    def settled_about(self, seat: int) -> None:
        """What to do about somebody who was away is clear: the others are asked about the next, if there is one."""
        if self.state.absent == seat:
            away = [
                index
                for index, owner in enumerate(self.state.seats)
                if owner is not None and owner.missed >= MISSES and not owner.auto and index != seat
            ]
            self.state.absent = away[0] if away else None

    def finish(self) -> None:
        """The hand is over: settle it, write its record, pass or keep the deal."""
        hand, state = self.hand, self.state
        assert hand is not None
        assert hand.result is not None
        assert state.hand_id is not None
        result = hand.result
        owners = [seat.person for seat in state.players]
        payments = tuple(
            Payment(owners[line.payer], owners[line.payee], line.paid, line.item) for line in result.lines if line.paid
        )
        self.settle = Settle(
            hand_id=state.hand_id,
            at=self.now,
            day=self.day,
            result=result_json(hand),
            record=self.record().to_json(),
            payments=payments if state.for_coins else (),
            # Somebody else must have been there to see it: alone one can deal until it comes.
            feats=feats_of(hand) if state.group is not None and owners.count(None) <= 2 else (),
        )
        away = not any(seat.present for seat in state.taken)
        for seat, coins, net in zip(state.taken, result.coins, result.net, strict=True):
            if state.friendly or seat.computer is not None:
                seat.coins = coins
            else:
                seat.wallet += net
            seat.ready = seat.computer is not None
        state.dealer, state.streak = result.next_dealer, result.next_streak
        state.phase = "between"
        state.guessing = False
        state.sheet_shown = True
        state.beat_until = None
        state.answer_by = None
        state.deadlines.clear()
        state.absent = None
        self.time_for_people("ready", state.pace.ready)
        self.free_leavers()
        if state.group_lost and not self.closed:
            self.tell_all("lobby.group_closed")
            self.end_table("lobby.group_closed")
        elif state.stopping and not self.closed:
            self.end_table("lobby.closed")
        elif away and state.phase == "between":
            self.pause()

    def pause(self) -> None:
        """Nobody is there: the table stands as it is and blocks nobody from sitting elsewhere (telegram.md)."""
        state = self.state
        state.phase = "paused"
        state.paused_on = self.day
        state.waiting = False
        state.held, state.relief = [], {}
        state.deadlines = {"morning": next_day(self.now, MORNING, self.zone).isoformat()}
        self.due_in("forgotten", FORGOTTEN_DAYS * DAY)
        for seat in state.taken:
            seat.auto = False
            seat.missed = 0
        self.note("paused")

    def record(self) -> Record:
        """The hand as a record, whole: with its seed, its dice and who played (ids of our own)."""
        state = self.state
        assert self.hand is not None
        assert self.seed is not None
        players = [
            f"p{seat.person}" if seat.person is not None else f"computer:{seat.computer}" for seat in state.players
        ]
        free: dict[str, Any] = {"id": str(state.hand_id), "seed": self.seed.hex(), "players": players}
        if state.dice:
            free["dice"] = state.dice
        return record_of(self.hand, **free)

    # Seats and the table's end

    def free_leavers(self) -> None:
        """Those who left in mid-hand give up their seats now; the table then looks for players again."""
        state = self.state
        gone = [(index, seat) for index, seat in enumerate(state.seats) if seat is not None and seat.leaving]
        for index, _ in gone:
            self.free(index)
        unreachable = [seat for _, seat in gone if seat.unreachable]
        # Computers make room for people who wait.
        for _ in state.queue[state.seats.count(None) :]:
            self.free_a_computer()
        if gone:
            about = unreachable or [seat for _, seat in gone]
            self.look_for_players("lobby.unreachable" if unreachable else "between.left", about)
        elif None in state.seats:
            self.look_for_players()

    def free(self, index: int) -> None:
        """Take whoever sits there off the seat; a host's rights pass on to somebody who stays."""
        state = self.state
        seat = state.seats[index]
        state.seats[index] = None
        self.seating = True
        if seat is not None and seat.person is not None:
            self.hand_over(seat.person)

    def hand_over(self, host: int) -> None:
        """A host's rights pass on to somebody else who sits here; if nobody does, to the next who will."""
        state = self.state
        if state.host == host:
            state.host = next((person for person in state.persons if person != host), NOBODY)

    def vacate(self, index: int, note: str) -> None:
        """Free a seat while no hand runs, and look for somebody else; ``note``: what is said of who sat there.

        A table that pauses goes on doing so, as long as somebody is left.
        """
        state = self.state
        seat = state.seats[index]
        self.free(index)
        about = [seat] if seat is not None else []
        if state.phase != "paused" or not state.persons:
            self.look_for_players(note, about)
        else:
            state.remark(note, about)

    def look_for_players(self, note: str | None = None, about: Sequence[Seat] = ()) -> None:
        """Back to the lobby, with dealer and streak as they stand; a table that nobody is left at closes.

        ``note``, ``about``: the catalogue key of what is said about why, and who sat at these seats.
        """
        state = self.state
        if note is not None:
            state.remark(note, about)
        state.phase = "lobby"
        state.waiting = False
        state.held, state.relief = [], {}
        state.deadlines.clear()
        self.due_in("lobby", state.pace.lobby)
        if not state.persons and not state.queue:
            state.because = note
            self.end_table("lobby.closed")
        self.offer_seats()

    def offer_seats(self) -> None:
        """Keep the free seats for those who wait, the first first, for so long as ``Pace.offer`` says."""
        state = self.state
        free = state.seats.count(None) if state.phase == "lobby" else 0
        for place, waiting in enumerate(state.queue):
            waiting.offered = place < free
            name = f"offer:{waiting.person}"
            if waiting.offered and name not in state.deadlines:
                self.time_for_people(name, state.pace.offer)
        kept = {f"offer:{waiting.person}" for waiting in state.queue if waiting.offered}
        for name in [name for name in state.deadlines if name.startswith("offer:") and name not in kept]:
            del state.deadlines[name]

    def free_a_computer(self) -> bool:
        """Take one computer player off its seat for a person who waits; whether there was one."""
        seats = self.state.seats
        index = next((i for i in reversed(range(4)) if (seat := seats[i]) is not None and seat.computer), None)
        if index is not None:
            self.free(index)
        return index is not None

    def end_table(self, why: str | None = None) -> None:
        """Close the table; a running hand is voided, its holds go back. ``why``: a catalogue key for the last line."""
        state = self.state
        if state.hand_id is not None and state.phase in ("dice", "playing"):
            self.void = Void(state.hand_id, self.now, why or "closed")
            self.hand = None
        state.phase = "closed"
        state.deadlines.clear()
        if why is not None:
            state.note = why
        for waiting in state.queue:
            self.tell(waiting.person, "offer.closed")
        state.queue, state.called = [], []
        state.relief = {}
        self.closed = True
        self.note("closed", why=why)


def _first_round_over(hand: Hand) -> bool:
    """Whether somebody has thrown a second tile: from then on no more guesses are taken (``handlers.guessing``)."""
    thrown = [event.seat for event in hand.events if event.kind == "discarded"]
    return len(thrown) > len(set(thrown))


class Dealing(Protocol):
    """Makes what a hand is dealt from; tests of the whole bot choose walls by another one."""

    def __call__(
        self,
        rules: str,
        options: Mapping[str, Any],
        dealer: int,
        streak: int,
        base: int,
        coins: tuple[int, ...],
        seed: bytes,
        dice: tuple[int, ...],
    ) -> Setup: ...


def setup_of(
    rules: str,
    options: Mapping[str, Any],
    dealer: int,
    streak: int,
    base: int,
    coins: tuple[int, ...],
    seed: bytes,
    dice: tuple[int, ...],
) -> Setup:
    """What a hand is dealt from: everything kept of it, and the wall that seed and dice make."""
    ruleset = RULESETS[rules]
    deal = shuffle(seed, dice, ruleset, dealer)
    return Setup(
        rules=ruleset,
        options=dict(options),
        dealer=dealer,
        streak=streak,
        base=base,
        coins=(coins[0], coins[1], coins[2], coins[3]),
        wall=deal.wall,
        gold_dice=deal.gold_dice,
    )
