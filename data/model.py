"""What goes into the store and comes out of it: plain frozen values.

Ids are the store's own; Telegram's stand in ``telegram_id`` of persons and groups only. Times are aware UTC. Coins are
whole numbers. ``dict`` documents are JSON objects: string keys, no tuples (they come back as lists). What a running
hand hides (seeds, states, journal bodies, records) is left out of every ``repr``, so that no log can show it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

Json = dict[str, Any]

SeatOwner = int | str
"""Who sits on a seat of a hand: a person's id, or a computer player's level (``easy`` …)."""


@dataclass(frozen=True, slots=True)
class Person:
    """One human being.

    ``telegram_id``: None once forgotten. ``language``: a catalogue (``zh_Hans`` …): chosen, else from Telegram's
    code; ``language_chosen`` tells which. ``private_ok``: the bot may write to this person.
    """

    id: int
    telegram_id: int | None
    name: str
    username: str | None
    language: str
    language_chosen: bool
    private_ok: bool
    prefs: Json


@dataclass(frozen=True, slots=True)
class Group:
    """One Telegram group, whatever its chat id is just now. ``language``: a catalogue."""

    id: int
    telegram_id: int
    title: str
    is_forum: bool
    language: str
    settings: Json


@dataclass(frozen=True, slots=True)
class TableRow:
    """One table. ``group_id`` None: a private one. ``state``: the handlers' document; a closed one's names nobody.
    ``seq``: of its last entry."""

    id: int
    group_id: int | None
    state: Json = field(repr=False)
    seq: int
    seated: tuple[int, ...]
    created_at: datetime
    closed_at: datetime | None


@dataclass(frozen=True, slots=True)
class Remains:
    """What can be told of an open table of which other things cannot be read; fields as in ``TableRow``.

    ``state``: empty if it cannot be read. ``hand_id``: of its running hand.
    """

    id: int
    group_id: int | None
    state: Json = field(repr=False)
    seq: int
    seated: tuple[int, ...]
    hand_id: int | None


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a table's journal: an answer, a pass, a time-out, a deadline, the dice … as it came in.

    ``seq`` counts from 1 within the table without a gap: go on from ``TableRow.seq``. ``hand_id`` None: between hands.
    """

    seq: int
    at: datetime
    kind: str
    seat: int | None = None
    hand_id: int | None = None
    body: Json = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class OpenHand:
    """A hand begins; its seed must be kept before its commitment is shown.

    ``hand_id``: from ``Store.new_hand_id()``. ``number``: counts within the table. ``seats``: four owners.
    ``coins``: of the four at the start. ``holds``: coins held for the hand by person id (empty if ``friendly``).
    ``dice``: None while waiting for them (``Change.dice`` brings them), empty for a wall from the seed alone.
    """

    hand_id: int
    number: int
    at: datetime
    rules: str
    options: Json
    dealer: int
    streak: int
    base: int
    seed: bytes = field(repr=False)
    commitment: str
    seats: tuple[SeatOwner, ...]
    coins: tuple[int, ...]
    friendly: bool
    holds: Mapping[int, int] = field(default_factory=dict)
    dice: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Dice:
    """The throw that counts for a hand (the last one, if it was thrown again); empty: the group forbids dice."""

    hand_id: int
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Payment:
    """Coins from one person to another, for one item of record.md. None: a computer player that plays for coins."""

    payer: int | None
    payee: int | None
    amount: int
    item: str


@dataclass(frozen=True, slots=True)
class Settle:
    """A hand has been played to its end.

    ``day``: the local day for rankings, ``YYYY-MM-DD``; None: it was arranged for learning and counts in no sum and
    no list. ``result``: as record.md writes it (``outcome``, ``winner``,
    ``from``, ``by`` and ``net`` are read from it). ``payments``: who pays whom; of a friendly hand none moves.
    ``feats``: by seat, of those that somebody else saw (``mahjong.feats.feats_of``); in a group they are counted.
    """

    hand_id: int
    at: datetime
    day: str | None
    result: Json
    record: Json = field(repr=False)
    payments: tuple[Payment, ...] = ()
    feats: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Void:
    """A hand is given up: its holds are released and nothing moves. ``reason``: a word for the journal's reader."""

    hand_id: int
    at: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class Change:
    """All that one move changes, committed as one. What is None (or empty) stays as it is.

    ``state``: the table's new document. ``seated``: the ids of all persons now at the table. ``close``: the table ends
    then (its running hand must have been settled or voided, at the latest in this change); ``state`` is its last
    document then, and names nobody, or it keeps none.
    Applied in the order ``open_hand``, ``dice``, ``entries``, ``settle``, ``void``, ``close``.
    """

    table_id: int
    entries: tuple[Entry, ...] = ()
    state: Json | None = field(default=None, repr=False)
    seated: tuple[int, ...] | None = None
    open_hand: OpenHand | None = None
    dice: Dice | None = None
    settle: Settle | None = None
    void: Void | None = None
    close: datetime | None = None


@dataclass(frozen=True, slots=True)
class HandRow:
    """A hand as kept. ``seed`` is secret until ``ended_at`` is set.

    ``outcome``: of record.md, or ``void`` (then ``result`` is ``{"reason": …}``); None while it runs.
    """

    id: int
    table_id: int
    group_id: int | None
    number: int
    rules: str
    options: Json
    dealer: int
    streak: int
    base: int
    seed: bytes = field(repr=False)
    commitment: str
    dice: tuple[int, ...] | None
    seats: tuple[SeatOwner, ...]
    coins: tuple[int, ...]
    friendly: bool
    opened_at: datetime
    ended_at: datetime | None
    outcome: str | None
    result: Json | None
    record: Json | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class HandLine:
    """An ended hand as a list of hands shows it; fields as in ``HandRow``, ``source`` and ``by`` as in record.md.

    ``tile``: the one won on, as records write it. ``net``: of the four seats, empty if void.
    """

    id: int
    table_id: int
    group_id: int | None
    number: int
    rules: str
    friendly: bool
    ended_at: datetime
    outcome: str
    winner: int | None
    source: int | None
    by: str | None
    tile: str | None
    seats: tuple[SeatOwner, ...]
    net: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HandPage:
    """Some ended hands, newest first. ``newer``, ``older``: hands from which the pages beside it begin.

    None: there is no such page; ``newer`` 0: the one with the newest hand.
    """

    lines: tuple[HandLine, ...]
    newer: int | None
    older: int | None


@dataclass(frozen=True, slots=True)
class Flow:
    """What one person has won from another. None: a computer player that plays for coins. ``net`` is above 0."""

    winner: int | None
    loser: int | None
    net: int


@dataclass(frozen=True, slots=True)
class Feat:
    """A feat of a person (``mahjong.feats``): the hand in which it was first done, when that ended, how often since."""

    person_id: int
    feat: str
    hand_id: int
    at: datetime
    count: int


@dataclass(frozen=True, slots=True)
class Wallet:
    """A person's coins. ``held``: by hands that run; ``available``: may be put at stake elsewhere."""

    balance: int
    held: int

    @property
    def available(self) -> int:
        """What no running hand holds."""
        return self.balance - self.held


@dataclass(frozen=True, slots=True)
class Grants:
    """What a person has been given on a local day.

    ``daily``: that day's coins; ``reliefs``: how often there was relief; ``days``: with daily coins in a row, up to
    that day or the one before.
    """

    daily: bool
    reliefs: int
    days: int


GrantKind = Literal["start", "daily", "relief", "refund"]


@dataclass(frozen=True, slots=True)
class Rank:
    """A person's place in a group's ranking by coins won there. ``place`` from 1, shared by equals; ``of``: how many.

    ``hands`` and ``wins`` count hands for coins only.
    """

    place: int
    of: int
    person_id: int
    name: str
    hands: int
    wins: int
    net: int


@dataclass(frozen=True, slots=True)
class RankingPage:
    """One page of a group's ranking, with the reader's own row, all as of one moment.

    ``of``: persons ranked in all. ``today``: what those shown won today, by person; who has not played is left out.
    """

    rows: tuple[Rank, ...]
    own: Rank | None
    of: int
    today: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Career:
    """What a person has played and won, in all groups and in private.

    ``dealt_in``: hands in which another won by this one's discard or kong (放炮). ``longest_run``: most wins in a row;
    ``longest_deal``: longest streak as dealer. ``best_hand``: id of the win that brought the most, ``best_net``.
    ``won``: game, kind of win (``by`` of record.md), how often; the most frequent first.
    """

    hands: int = 0
    wins: int = 0
    dealt_in: int = 0
    net: int = 0
    longest_run: int = 0
    longest_deal: int = 0
    best_hand: int | None = None
    best_net: int = 0
    won: tuple[tuple[str, str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Careers:
    """A person's hands for coins, and apart from them the friendly ones."""

    for_coins: Career
    friendly: Career


@dataclass(frozen=True, slots=True)
class Act:
    """Something that an operator did (/admin). ``person_id``: the operator; ``body``: about what."""

    at: datetime
    person_id: int
    act: str
    body: Json


@dataclass(frozen=True, slots=True)
class Sent:
    """A message that stands in a chat: the outbox's memory.

    ``key``: the outbox's own. ``digest``: of the state last sent (text, keyboard, picture). ``picture``: digest of the
    picture it shows; None: a text message. ``file_id``: Telegram's, of that picture.
    """

    key: str
    chat_id: int
    message_id: int
    digest: str
    sent_at: datetime
    picture: str | None = None
    file_id: str | None = None
    thread_id: int | None = None
