"""One change of a table under way: copies of its state and hand, and the journal entries that made them.

A draft becomes the table's state only once the store has committed it; if that fails it is thrown away and nothing
has happened. Nothing here waits, sends or asks the time.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any, Literal

from data.model import Dice, OpenHand, Payment, Settle
from handlers import coach
from handlers.computers import player_of
from handlers.draft_table import TableDraft
from handlers.orders import answer_of
from handlers.quiet import awake_seconds_after
from handlers.table_state import FRIENDLY_BASE, MISSES, STILL, STILL_REMIND, Seat
from mahjong import lessons
from mahjong.feats import feats_of
from mahjong.hand import Hand
from mahjong.match import base_for
from mahjong.moves import Move, Question
from mahjong.notation import write_move
from mahjong.records import Record, record_of, result_json
from mahjong.views import view
from mahjong.wall import commitment

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
ORDER_SECONDS = 0.8
"""From a draw to the win that was ordered beforehand, so that the others see the draw."""

Chooser = Literal["person", "clock", "computer"]
"""Who chose a move; ``person`` also where it was ordered beforehand."""


@dataclass(slots=True)
class Draft(TableDraft):
    """A change being made: what ``TableDraft`` changes of the table, and the course of its hand."""

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

    def play(self, move: Move, by: Chooser = "person") -> None:
        """A seat answers. Raises ``mahjong.hand.IllegalMove``; then nothing is changed that matters: drop the draft."""
        assert self.hand is not None
        number = self.hand.number
        self.hand.apply(move)
        marks = {"computer": True} if by == "computer" else {}
        self.note("timeout" if by == "clock" else "move", move.seat, move=write_move(move), **marks)
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
        self.teach()
        if state.pace.turn is None and state.group is not None:
            # No timer is no reason to lock four wallets for ever.
            self.due_in("remind", STILL_REMIND)
            self.due_in("still", STILL)
        if hand.phase == "turn":
            self._asked_for_a_discard(next(iter(hand.questions.values())), until)
        else:
            self._asked_in_a_window(until)

    def teach(self) -> None:
        """Where a coach sits by: choose what it explains at the question that is asked now, each thing once."""
        hand, state = self.hand, self.state
        assert hand is not None
        # After a restart the same question is asked again.
        if state.lesson is None or state.taught_at == hand.number:
            return
        state.teaching, state.taught_at = coach.lesson_now(view(hand, lessons.LEARNER), state.taught), hand.number
        if state.teaching is not None:
            state.taught.append(state.teaching)

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
        # Who follows the coach meets the same hand every time.
        key = self.state.hand_id if self.state.lesson is None else lessons.seed_of(self.state.lesson).hex()
        chance = Random(f"{key}:{self.hand.number}:{seat}")
        self.play(player_of(self.owner(seat).computer).choose(view(self.hand, seat), chance), "computer")

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
        self.play(self.hand.default_move(seat), "clock")

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
            day=self.day if state.lesson is None else None,
            result=result_json(hand),
            record=self.record().to_json(),
            payments=payments if state.for_coins else (),
            # Somebody else must have been there to see it: alone one can deal until it comes.
            feats=feats_of(hand) if owners.count(None) <= 2 else (),
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
        elif state.lesson is not None:
            self.end_table()
        elif away and state.phase == "between":
            self.pause()

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
        if state.lesson is not None:
            free["note"] = {"lesson": state.lesson}
        return record_of(self.hand, **free)


def _first_round_over(hand: Hand) -> bool:
    """Whether somebody has thrown a second tile: from then on no more guesses are taken (``handlers.guessing``)."""
    thrown = [event.seat for event in hand.events if event.kind == "discarded"]
    return len(thrown) > len(set(thrown))
