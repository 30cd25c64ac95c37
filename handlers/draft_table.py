"""One change of a table: its journal, its deadlines, who sits there, and its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta, tzinfo
from random import Random
from typing import Any

from data.model import Change, Dice, Entry, OpenHand, Settle, Void
from handlers.dealing import Dealing
from handlers.quiet import awake_seconds_after, next_day
from handlers.table_state import DAY, NOBODY, Seat, TableState
from mahjong.hand import Hand

MORNING = time(10)
"""When a table that has paused since the day before shows itself again."""
FORGOTTEN_DAYS = 7
"""A table that pauses closes after so many."""


@dataclass(slots=True)
class TableDraft:
    """A change being made, but for the course of a hand (``handlers.draft.Draft``).

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
