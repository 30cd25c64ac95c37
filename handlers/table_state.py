"""What is kept of a table between two moves, beside its running hand: a small document, journalled whole.

The document goes into the store as JSON with each change; a hand is rebuilt from its own journal entries.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeVar

from handlers.computers import USUAL

Phase = Literal["lobby", "countdown", "dice", "playing", "between", "paused", "closed"]

MINUTE = 60
HOUR = 60 * MINUTE
DAY = 24 * HOUR
NOBODY = 0
"""The host of a table that has none: the next who sits down is."""
FRIENDLY_COINS = 2_000
MISSES = 2
"""Turns timed out in a row before a computer takes over 托管, or in a ``days`` game the others are asked."""
STILL_REMIND = DAY
STILL = 3 * DAY
"""Seconds without a move at a table without a timer before those who are asked are reminded, and then played for."""
HELD_AGAIN = 15 * MINUTE
"""Seconds after which a deal that waits for coins is tried again, whatever happens elsewhere."""
FRIENDLY_BASE = 10


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds that a timer setting gives (telegram.md, *At the table*); None: no limit.

    ``turn_ring``, ``claim_ring``: how long an edited message may lie unanswered before it is sent anew.
    ``turn_remind``, ``claim_remind``: how long before the time is up a reminder comes; 0: none.
    ``ready``: how long the next hand waits before the others are asked about who is missing; ``idle``: and then, before
    the table pauses; ``lobby``: how long it looks for players; ``offer``: how long a free seat is kept for the
    first of the queue.
    """

    turn: int | None
    claim: int | None
    turn_ring: int
    claim_ring: int
    turn_remind: int = 0
    claim_remind: int = 0
    ready: int = 60
    idle: int = 15 * MINUTE
    lobby: int = 15 * MINUTE
    offer: int = MINUTE


PACES: dict[str, Pace] = {
    "fast": Pace(15, 8, 5, 3),
    "normal": Pace(40, 15, 15, 7, turn_remind=10),
    "slow": Pace(120, 60, 15, 7, turn_remind=30, claim_remind=20),
    "days": Pace(
        12 * HOUR,
        4 * HOUR,
        0,
        0,
        turn_remind=HOUR,
        claim_remind=HOUR,
        ready=12 * HOUR,
        idle=3 * DAY,
        lobby=DAY,
        offer=2 * HOUR,
    ),
    "none": Pace(None, None, 15, 7),
}


T = TypeVar("T")


def _names(kind: type) -> tuple[str, ...]:
    """The fields of a dataclass with slots, in their order."""
    names: tuple[str, ...] = vars(kind)["__slots__"]
    return names


def _copied(value: Any) -> Any:
    """A copy of a part of a document; it holds nothing but plain values, so that this is many times as fast as
    ``deepcopy``, and it is done at every step."""
    kind = type(value)
    if kind is list:
        return [_copied(one) for one in value]
    if kind is dict:
        return {key: _copied(one) for key, one in value.items()}
    if kind is Seat or kind is Waiting:
        return kind(**{name: _copied(getattr(value, name)) for name in _names(kind)})
    return value


def _written(value: Any) -> Any:
    """The same, as a part of a JSON document."""
    kind = type(value)
    if kind is list:
        return [_written(one) for one in value]
    if kind is dict:
        return {key: _written(one) for key, one in value.items()}
    if kind is Seat or kind is Waiting:
        return {name: _written(getattr(value, name)) for name in _names(kind)}
    return value


@dataclass(slots=True)
class Seat:
    """Who sits at one place: a person, or a computer player of some level.

    ``coins`` are a friendly table's virtual coins, ``wallet`` the person's own when last looked at. ``missed`` counts
    turns timed out in a row; ``auto`` is 托管: a computer plays for the person until the next press; ``leaving`` frees
    the seat after the hand. ``present``: has pressed something in this hand. ``orders``: what was decided beforehand
    for this hand (``handlers.orders``). ``unreachable``: the bot may not write to the person.
    """

    person: int | None = None
    computer: str | None = None
    name: str = ""
    coins: int = FRIENDLY_COINS
    wallet: int = 0
    missed: int = 0
    auto: bool = False
    leaving: bool = False
    ready: bool = False
    present: bool = False
    orders: list[str] = field(default_factory=list)
    unreachable: bool = False

    @property
    def played_by_computer(self) -> bool:
        """Whether a computer plays it: its own, or in place of a person (托管)."""
        return self.computer is not None or self.auto


@dataclass(slots=True)
class Waiting:
    """Somebody in the queue for a seat. ``offered``: a free one is kept for them (deadline ``offer:PERSON``)."""

    person: int
    name: str
    offered: bool = False


@dataclass(slots=True)
class TableState:
    """The table's document. Times are UTC instants in ISO 8601.

    ``table``: the store's id, set once it is known. ``seats``: None is a free place.
    ``beat_until``: no window closes before it, so that nobody learns from a quick one.
    ``asked_at``, ``answer_by``: when the open questions were asked, and the time that those asked see, whatever the
    others have answered by then.
    ``deadlines``: what is due, by name: ``start``, ``lobby``, ``window``, ``turn``, ``think:SEAT``, ``ready``,
    ``idle``, ``remind`` and ``still`` (without a timer: nobody has moved for long), ``offer:PERSON``,
    ``morning``, ``forgotten``.
    ``hand``: number of the hand at this table, from 1; ``hand_id``: the store's id of it; ``players``: who sat there
    when it began; ``dice``: the throw that broke its wall. ``choosing``: the lobby shows the game's options;
    ``sheet_shown``: the last hand's sheet still stands; ``token``: a secret of the deep link that seats;
    ``group_lost``: the group cannot be written to any more; the running hand is the last.
    ``somebody_asked``: a person is asked in the open window; ``lengths``: of such windows lately, in seconds.
    ``for_coins``: the running or last hand moves coins; None before the first. ``absent``: in a ``days`` game the seat
    that the others are asked about; ``paused_on``: the local day since which the table pauses.
    ``note``: a catalogue key of a standing remark, about those who sat at ``note_of``; ``because``: of a closed table
    that emptied, the remark before its last word.
    ``cover``, ``computers_for_coins``, ``sound``, ``hints``: as in ``GroupSettings``; ``hinting``: hints are given in
    the running or last hand, as was fixed at its deal. ``level``: of the computers that sit down here.
    ``queue``: who waits for a seat, the first first. ``called``: who was called to this lobby (三缺一);
    ``called_in``: the number of hands played at the last call: one a lobby. ``kicked``: who may not sit
    here any more; ``kicking``: the lobby asks whom to send away. ``voiding``: those who sit here are asked
    whether the running hand shall be void; ``void_votes``: who has agreed. ``held``: the persons whose coins other
    hands hold, so that the next deal waits. ``relief``: who is offered coins before it, by id, and how many
    (deadline ``relief``). ``guessing``: those who watch may still guess who wins
    (``handlers.guessing``); ``guess_menu``: the table shows whom; ``guesses``: seat, or 4 for nobody, by person.
    ``lesson``: which of the hands arranged for learning is played here (``mahjong.lessons``), with a coach; None: an
    ordinary table. ``taught``: what the coach has explained, ``teaching``: what it explains at the question that is
    open now, whose number is ``taught_at``.
    """

    table: int = 0
    group: int | None = None
    host: int = 0
    rules: str = "zhangzhou"
    options: dict[str, Any] = field(default_factory=dict)
    timer: str = "normal"
    language: str = "zh_Hans"
    thread: int | None = None
    phase: Phase = "lobby"
    seats: list[Seat | None] = field(default_factory=lambda: [None] * 4)
    dealer: int = 0
    streak: int = 1
    base: int = FRIENDLY_BASE
    hand: int = 0
    hand_id: int | None = None
    beat_until: str | None = None
    asked_at: str | None = None
    answer_by: str | None = None
    deadlines: dict[str, str] = field(default_factory=dict)
    stopping: bool = False
    waiting: bool = False
    note: str | None = None
    note_of: list[Seat] = field(default_factory=list)
    because: str | None = None
    players: list[Seat] = field(default_factory=list)
    dice: list[int] = field(default_factory=list)
    choosing: bool = False
    sheet_shown: bool = False
    token: str = ""
    group_lost: bool = False
    somebody_asked: bool = False
    lengths: list[float] = field(default_factory=list)
    cover: str = "full"
    computers_for_coins: bool = False
    sound: bool = True
    level: str = USUAL
    hints: str = "off"
    hinting: bool = False
    for_coins: bool | None = None
    absent: int | None = None
    paused_on: str | None = None
    queue: list[Waiting] = field(default_factory=list)
    called: list[int] = field(default_factory=list)
    called_in: int | None = None
    kicked: list[int] = field(default_factory=list)
    kicking: bool = False
    voiding: bool = False
    void_votes: list[int] = field(default_factory=list)
    held: list[int] = field(default_factory=list)
    relief: dict[str, int] = field(default_factory=dict)
    guessing: bool = False
    guess_menu: bool = False
    guesses: dict[str, int] = field(default_factory=dict)
    lesson: int | None = None
    taught: list[str] = field(default_factory=list)
    teaching: str | None = None
    taught_at: int | None = None

    def copy(self) -> TableState:
        """A copy that shares nothing that can change."""
        return TableState(**{name: _copied(getattr(self, name)) for name in _names(TableState)})

    def to_json(self) -> dict[str, Any]:
        """The document that the store keeps; ``from_json`` reads it. That of a closed table names nobody."""
        document = {name: _written(getattr(self, name)) for name in _names(TableState)}
        if self.phase == "closed":
            for part in ("seats", "players", "note_of"):
                for seat in filter(None, document[part]):
                    seat["name"] = ""
        return document

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> TableState:
        """Read a document written by this version or an older one: unknown keys are left out, new ones get defaults."""
        known = _names(cls)
        state = cls(**{key: value for key, value in document.items() if key in known})
        state.seats = [None if seat is None else _read(Seat, seat) for seat in state.seats]
        state.players = [_read(Seat, seat) for seat in state.players]
        state.note_of = [_read(Seat, seat) for seat in state.note_of]
        # An older version kept the names alone.
        state.note_of += [Seat(name=name) for name in document.get("note_names", [])]
        state.queue = [_read(Waiting, waiting) for waiting in state.queue]
        return state

    def remark(self, note: str | None, about: Iterable[Seat] = ()) -> None:
        """Let a catalogue key be the standing remark, about those who sit or sat at some seats."""
        self.note, self.note_of = note, [_copied(seat) for seat in about]

    # Who sits where

    def seat_of(self, person: int) -> int | None:
        """The seat of a person, or None."""
        return next((i for i, seat in enumerate(self.seats) if seat is not None and seat.person == person), None)

    def stays(self, person: int) -> bool:
        """Whether a person sits here and is not about to leave."""
        seat = self.seat_of(person)
        return seat is not None and not (self.seats[seat] or Seat()).leaving

    @property
    def attentive(self) -> list[int]:
        """The persons who sit here and are neither leaving nor away."""
        return [
            seat.person
            for seat in self.taken
            if seat.person is not None and not seat.leaving and not seat.auto and seat.missed < MISSES
        ]

    @property
    def computers_stake(self) -> bool:
        """Whether computers play the running hand for coins: they agree to nothing, so that no vote voids it."""
        return not self.friendly_hand and any(seat.computer is not None for seat in self.players)

    def place_of(self, person: int) -> int | None:
        """A person's place in the queue, from 1, or None."""
        return next((n for n, waiting in enumerate(self.queue, 1) if waiting.person == person), None)

    def open_to(self, person: int) -> bool:
        """Whether a seat is free for a person: one that is not kept for others who wait."""
        kept = sum(waiting.offered and waiting.person != person for waiting in self.queue)
        return self.seats.count(None) > kept

    @property
    def named(self) -> list[Seat]:
        """All who are named here but for the queue: who sits, who plays, who a remark is about."""
        return [*self.taken, *self.players, *self.note_of]

    @property
    def taken(self) -> list[Seat]:
        """The seats that somebody has, in order."""
        return [seat for seat in self.seats if seat is not None]

    @property
    def persons(self) -> list[int]:
        """Ids of the persons who sit, in order."""
        return [seat.person for seat in self.taken if seat.person is not None]

    @property
    def friendly(self) -> bool:
        """Whether no coins move (telegram.md, *Coins*): a private table, or one with a computer player.

        A hand under way stays what it was at its deal.
        """
        if self.phase in ("dice", "playing"):
            return self.friendly_hand
        computers = any(seat.computer is not None for seat in self.taken)
        return self.group is None or (computers and not self.computers_for_coins)

    @property
    def friendly_hand(self) -> bool:
        """Whether the running or last hand moved no coins."""
        if self.for_coins is not None:
            return not self.for_coins
        # A hand that an older version began.
        return self.group is None or any(seat.computer is not None for seat in self.players)

    def coins_of(self, seat: Seat) -> int:
        """The coins that a seat plays with: a person's own, or virtual ones."""
        return seat.coins if self.friendly or seat.computer is not None else seat.wallet

    @property
    def hints_given(self) -> bool:
        """Whether the running or last hand gives hints to those who play it: always at a private table."""
        return self.group is None or self.hinting

    @property
    def hints_next(self) -> bool:
        """Whether the next hand will."""
        return self.hints == "all" or (self.hints == "friendly" and self.friendly)

    @property
    def alone(self) -> bool:
        """At most one person sits here: nobody can learn anything from a delay."""
        return len(self.persons) <= 1

    @property
    def days(self) -> bool:
        """A game that lives for weeks, with hours for a turn (telegram.md)."""
        return self.timer == "days"

    @property
    def live(self) -> bool:
        """Whether who sits here may sit at no other live table: not in a ``days`` game, nor one that pauses."""
        return not self.days and self.phase != "paused"

    @property
    def pace(self) -> Pace:
        """How long turns and claims last here."""
        return PACES[self.timer]

    # Deadlines

    def due(self, name: str) -> datetime | None:
        """When a deadline is due (UTC); None if there is no such deadline."""
        text = self.deadlines.get(name)
        return None if text is None else datetime.fromisoformat(text)

    def next_deadline(self) -> tuple[datetime, str] | None:
        """The earliest deadline and its name."""
        if not self.deadlines:
            return None
        return min((datetime.fromisoformat(at), name) for name, at in self.deadlines.items())


def _read(kind: type[T], document: Any) -> T:
    """A part of a document written by this version or another: unknown keys are left out."""
    known = _names(kind)
    return kind(**{key: value for key, value in document.items() if key in known})
