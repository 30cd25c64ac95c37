"""What of a view shows in a picture, and nothing else: equal scenes give the same picture, byte for byte.

The digest of a scene and its words is the picture's identity: the cache's key, and the outbox's to reuse a ``file_id``.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Literal

from mahjong.moves import Ask, Option, Seat, Verb
from mahjong.rulesets import RULESETS
from mahjong.seen import Seen, seen
from mahjong.tiles import Tile, in_run
from mahjong.views import MeldView, SeatView, SheetView, View
from render.words import Words

Kind = Literal["hand", "table", "seen", "sheet", "lobby", "ranking", "profile", "diagram", "pays", "replay", "review"]
SHOWN_EVENTS = frozenset({"discarded", "chow", "pong", "kong", "added_kong", "concealed_kong"})


@dataclass(frozen=True, slots=True)
class Deed:
    """What a seat did in sight of all: ``kind`` of ``EventKind``, and the tile it concerned (None if hidden)."""

    kind: str
    tile: Tile | None


@dataclass(frozen=True, slots=True)
class Offer:
    """One move on offer: ``tiles`` from the reader's hand that it takes; ``gain`` in coins, None where unknown.

    ``run``: of a chow all three, in order, a white at the place of the face that it stands for.
    """

    verb: Verb
    tiles: tuple[Tile, ...]
    gain: int | None = None
    run: tuple[Tile, ...] = ()


@dataclass(frozen=True, slots=True)
class HandScene:
    """All that a hand picture shows.

    ``left`` is None while the reader waits: then it would change with every move of the others.
    ``others``: lower house, opposite, upper house, with what they did since the reader's last turn (nothing while
    waiting).
    ``asked``: what the reader is asked (a turn left out), by whose deed, about which tile.
    ``offers``: what can be done, ``pass`` and plain discards left out.
    ``you_tiles``: faces whose discard gives 游金. ``barred``: faces in hand that may not be thrown when others may.
    """

    seat: Seat
    is_dealer: bool
    dealer: Seat
    concealed: tuple[Tile, ...]
    drawn: Tile | None
    melds: tuple[MeldView, ...]
    flowers: tuple[Tile, ...]
    gold: tuple[Tile, ...]
    left: int | None
    mine: bool
    others: tuple[tuple[Seat, tuple[Deed, ...]], ...]
    last_seat: Seat | None
    asked: tuple[Ask, Seat | None, Tile | None] | None
    offers: tuple[Offer, ...]
    you_tiles: tuple[Tile, ...]
    barred: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class TableScene:
    """All that a table picture shows.

    ``bottom``: the seat drawn below; ``hidden``: discards lie face down; ``opening``: nobody has done anything yet.
    """

    bottom: Seat
    dealer: Seat
    gold: tuple[Tile, ...]
    left: int
    turn: Seat | None
    seats: tuple[SeatView, ...]
    last_discard: tuple[Seat, Tile | None] | None
    lock: Seat | None
    hidden: bool
    opening: bool = False


@dataclass(frozen=True, slots=True)
class ReplayScene:
    """All that a moment of a finished hand shows: its table, whose seats have their hands open."""

    table: TableScene


@dataclass(frozen=True, slots=True)
class SeenScene:
    """All that the picture of copies in sight shows: copies by face, the gold, tiles left; ``hidden`` as above."""

    seen: Seen
    gold: tuple[Tile, ...]
    left: int
    hidden: bool


@dataclass(frozen=True, slots=True)
class ReviewScene:
    """All that a discard looked at again shows beside its words: the hand as its owner had it then."""

    concealed: tuple[Tile, ...]
    drawn: Tile | None
    melds: tuple[MeldView, ...]
    gold: tuple[Tile, ...]
    left: int


@dataclass(frozen=True, slots=True)
class SheetScene:
    """All that a score sheet shows: the sheet, its view without what lies behind."""

    sheet: SheetView


@dataclass(frozen=True, slots=True)
class CardScene:
    """A card (lobby, ranking, diagram) shows nothing but its words."""


@dataclass(frozen=True, slots=True)
class ProfileScene:
    """A person's card shows their best hand, if they have one, besides its words."""

    best: SheetView | None


Scene = HandScene | TableScene | ReplayScene | SeenScene | ReviewScene | SheetScene | CardScene | ProfileScene


def hand_scene(view: View) -> HandScene:
    """The scene of the reader's hand. Raises ``ValueError`` for the group's view, which has no hand."""
    if view.reader is None:
        raise ValueError("a hand picture needs a reader")
    me = view.seats[view.reader]
    question = view.question
    mine = view.turn == view.reader
    busy = mine or question is not None
    asked = None
    offers: list[Offer] = []
    you_tiles: list[Tile] = []
    throwable: set[Tile] = set()
    if question is not None:
        if question.ask != "turn":
            asked = (question.ask, question.source, question.tile)
        for option in question.options:
            move = option.move
            if move.verb == "discard":
                throwable.add(move.tiles[0])
                if option.level:
                    you_tiles.append(move.tiles[0])
            elif move.verb != "pass":
                offers.append(_offer(option, question.tile, view))
    hand = {*(me.concealed or ()), *((me.drawn,) if me.drawn is not None else ())}
    others = tuple((view.reader + step) % 4 for step in (1, 2, 3))
    deeds: dict[Seat, list[Deed]] = {seat: [] for seat in others}
    last_seat = None
    if busy:
        thrown: Tile | None = None
        for event in view.events:
            if event.kind == "discarded":
                thrown = event.tiles[0]
            if event.kind == "discarded" and event.seat == view.reader:
                deeds = {seat: [] for seat in others}
                last_seat = None
            elif event.kind in SHOWN_EVENTS and event.seat is not None and event.seat != view.reader:
                # Of a chow the tile that was taken: what was thrown last.
                tile = thrown if event.kind == "chow" else event.tiles[0] if event.tiles else None
                deeds[event.seat].append(Deed(event.kind, tile))
                last_seat = event.seat
    return HandScene(
        seat=view.reader,
        is_dealer=view.dealer == view.reader,
        dealer=view.dealer,
        concealed=me.concealed or (),
        drawn=me.drawn,
        melds=me.melds,
        flowers=me.flowers,
        gold=view.gold,
        left=view.drawable if busy else None,
        mine=mine,
        others=tuple((seat, tuple(deeds[seat][-4:])) for seat in others),
        last_seat=last_seat,
        asked=asked,
        offers=tuple(offers),
        you_tiles=tuple(sorted(set(you_tiles))),
        barred=tuple(sorted(hand - throwable)) if throwable else (),
    )


def _offer(option: Option, asked: Tile | None, view: View) -> Offer:
    move = option.move
    if move.verb != "chow" or asked is None:
        return Offer(move.verb, move.tiles, option.gain)
    stands = RULESETS[view.rules].stands_for(view.gold)
    return Offer("chow", in_run(move.tiles, stands), option.gain, in_run((*move.tiles, asked), stands))


def table_scene(view: View) -> TableScene:
    """The scene of the table. The group's view has seat 0 below, so that all keep their places from hand to hand."""
    shown = tuple(
        replace(seat, concealed=None, drawn=None, level=0) if view.phase != "ended" else seat for seat in view.seats
    )
    last = view.last_discard
    return TableScene(
        bottom=view.reader or 0,
        dealer=view.dealer,
        gold=view.gold,
        left=max(0, view.drawable),
        turn=view.turn,
        seats=shown,
        last_discard=last,
        lock=view.lock,
        hidden=view.hidden,
        opening=last is None
        and bool(view.gold)
        and view.phase in ("opening", "turn")
        and not any(seat.river or seat.melds for seat in view.seats),
    )


def replay_scene(view: View) -> ReplayScene:
    """The scene of a moment of a finished hand (``mahjong.steps``). Raises ``ValueError`` if a hand is not open."""
    if any(seat.concealed is None for seat in view.seats):
        raise ValueError("a replay needs all hands open")
    return ReplayScene(replace(table_scene(view), seats=view.seats, opening=False))


def seen_scene(view: View) -> SeenScene:
    """The scene of how many copies of each face the reader has in sight."""
    return SeenScene(seen(view), view.gold, max(0, view.drawable), view.hidden)


def review_scene(view: View) -> ReviewScene:
    """The scene of a reader's hand looked at again. Raises ``ValueError`` for the group's view, which has no hand."""
    if view.reader is None:
        raise ValueError("a review needs a reader")
    me = view.seats[view.reader]
    return ReviewScene(me.concealed or (), me.drawn, me.melds, view.gold, max(0, view.drawable))


def sheet_scene(sheet: SheetView) -> SheetScene:
    """The scene of a score sheet."""
    view = sheet.view
    seats = tuple(replace(seat, river=(), level=0) for seat in view.seats)
    bare = replace(view, number=0, seats=seats, last_discard=None, question=None, answered=False, events=())
    return SheetScene(replace(sheet, view=bare))


def scene_of(kind: Kind, view: View | SheetView | None) -> Scene:
    """The scene of ``view`` for a picture of ``kind`` (cards have None, a profile its best hand's sheet or None).

    Raises ``ValueError`` if they do not fit.
    """
    if kind == "profile" and (view is None or isinstance(view, SheetView)):
        return ProfileScene(sheet_scene(view).sheet if view is not None else None)
    if (view is None) != (kind in ("lobby", "ranking", "diagram", "pays")):
        raise ValueError(f"a {kind} picture {'needs a' if view is None else 'has no'} view")
    if view is None:
        return CardScene()
    if isinstance(view, SheetView):
        if kind != "sheet":
            raise ValueError(f"a {kind} picture needs a View, not a SheetView")
        return sheet_scene(view)
    if kind == "hand":
        return hand_scene(view)
    if kind == "table":
        return table_scene(view)
    if kind == "seen":
        return seen_scene(view)
    if kind == "review":
        return review_scene(view)
    if kind == "replay":
        return replay_scene(view)
    raise ValueError(f"no picture {kind!r} of a View")


def digest_of(kind: Kind, scene: Scene, words: Words) -> str:
    """SHA-256 in hex of all that shows."""
    return hashlib.sha256(repr((kind, scene, words)).encode("utf-8", "surrogatepass")).hexdigest()
