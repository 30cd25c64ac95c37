"""What one reader may see of a hand: a seat, or the group. Everything that leaves the process is made from these."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final, TypeVar

from mahjong.hand import Hand
from mahjong.moves import Event, EventKind, MeldKind, Phase, Question, Seat
from mahjong.settlement import Outcome, Result, ScoreLine, Tally
from mahjong.shapes import decompose
from mahjong.state import Discard, Meld
from mahjong.tiles import FACES, Tile
from mahjong.values import value

__all__ = [
    "DiscardView",
    "MeldKind",
    "MeldView",
    "Phase",
    "ScoreLine",
    "SeatView",
    "SheetView",
    "Tally",
    "View",
    "glimpse",
    "opened",
    "sheet",
    "view",
]


@value(frozen=True, slots=True)
class MeldView:
    """A meld 副露. ``tiles`` has 3 or 4 entries, None where the reader may not know the face.

    ``claimed``: index in ``tiles`` of the tile taken from ``source``; None for a concealed kong.
    """

    kind: MeldKind
    tiles: tuple[Tile | None, ...]
    claimed: int | None = None
    source: Seat | None = None


DiscardView = Discard
"""A tile in the river as the reader may see it."""


@value(frozen=True, slots=True)
class SeatView:
    """One seat as the reader may see it.

    ``concealed``: the tiles in hand sorted (golds first, then 萬筒索字), without ``drawn``; None for other seats.
    ``concealed_count``: their number, ``drawn`` included.
    ``drawn``: the tile drawn for this turn, if the reader may know it.
    ``level``: 游金 level the reader may know (one's own always; others' from 2).
    """

    seat: Seat
    concealed_count: int
    concealed: tuple[Tile, ...] | None
    drawn: Tile | None
    melds: tuple[MeldView, ...]
    flowers: tuple[Tile, ...]
    river: tuple[DiscardView, ...]
    level: int = 0


@value(frozen=True, slots=True)
class View:
    """A hand as one reader may see it; ``reader`` None is the group.

    ``gold``: faces that are wild, as turned up (one, or two in Putian dark); empty before it is turned.
    ``drawable``: tiles that turns may still draw (剩), never under 0.
    ``turn``: whose turn it is, None in a window and when ended.
    ``number``: of the question or window that is open.
    ``last_discard``: (seat, tile) that lies open and is nobody's yet or was thrown last; tile None if hidden.
    ``question``: what the reader is asked now and has not answered; never another's.
    ``answered``: the reader was asked under ``number`` and has answered.
    ``lock``: the seat that locked play by 双游 (level 2 or 3), else None.
    ``last_four``: rules-zhangzhou 8.2 is on.
    ``fenbing``: rounds of four alike so far (0, 1, 2 …).
    ``events``: all that happened so far, in order, hidden tiles as None, hidden events left out.
    ``hidden``: discards lie face down for all but who threw them (Putian dark).
    ``gold_dice``: the totals thrown for the gold; all but the last were put back.
    """

    rules: str
    reader: Seat | None
    phase: Phase
    number: int
    dealer: Seat
    streak: int
    base: int
    gold: tuple[Tile, ...]
    drawable: int
    turn: Seat | None
    seats: tuple[SeatView, ...]
    last_discard: tuple[Seat, Tile | None] | None
    question: Question | None
    answered: bool
    lock: Seat | None
    last_four: bool
    fenbing: int
    events: tuple[Event, ...]
    hidden: bool = False
    gold_dice: tuple[int, ...] = ()


@value(frozen=True, slots=True)
class SheetView:
    """The end of a hand, open to all: result, hands, dues (rules-zhangzhou 12).

    ``view``: the ended hand with every seat's tiles open (all ``concealed`` set, kongs shown); discards that nobody may
    see (Putian dark) stay hidden.
    ``sets``: the winning hand set apart: tuples of (tile, stands_for) where a gold or a white stands for another
    face, else stands_for == tile; the pair last; melds not included. Empty if nobody won by a complete hand.
    ``coins``: after payment, by seat. ``net``: by seat, sums to zero. ``points``: by seat.
    ``tally``: by seat, what the points are made of.
    """

    view: View
    outcome: Outcome
    winner: Seat | None
    by: str | None
    source: Seat | None
    tile: Tile | None
    sets: tuple[tuple[tuple[Tile, Tile], ...], ...]
    points: tuple[int, int, int, int]
    fenbing: int
    lines: tuple[ScoreLine, ...]
    net: tuple[int, int, int, int]
    coins: tuple[int, int, int, int]
    next_dealer: Seat
    next_streak: int
    tally: tuple[tuple[Tally, ...], ...] = ()


_HIDDEN: Final = Discard(None)
_V = TypeVar("_V", bound=View)


def view(hand: Hand, reader: Seat | None) -> View:
    """What the reader (a seat, or None for the group) may see of the hand now."""
    return _view(hand, reader, all_open=False)


def glimpse(hand: Hand, reader: Seat | None) -> View:
    """As ``view``, for whoever looks at once and keeps nothing: what is dear is drawn up when it is asked for.

    Asking for it raises ``RuntimeError`` when the hand has gone on.
    """
    shown = _fill(_Glimpse, hand, reader, hand.rules.hidden_discards, 0, (), 0, ())
    for name in _DEAR:
        delattr(shown, name)
    shown.hand = hand
    shown.moment = hand.number, len(hand.events)
    return shown


class _Glimpse(View):
    __slots__ = ("hand", "moment")
    hand: Hand
    moment: tuple[int, int]

    def __getattr__(self, name: str) -> Any:
        if name not in _DEAR:
            raise AttributeError(name)
        hand = self.hand
        if (hand.number, len(hand.events)) != self.moment:
            raise RuntimeError(f"{name} of a hand that has gone on")
        found = _DEAR[name](hand, self.reader)
        setattr(self, name, found)
        return found


def _view(hand: Hand, reader: Seat | None, *, all_open: bool, bare: bool = False) -> View:
    """``bare``: discards and concealed kongs lie open too, and what happened is left out."""
    return _fill(
        View,
        hand,
        reader,
        hand.rules.hidden_discards and not bare,
        _drawable(hand, reader),
        _seats(hand, reader, all_open, bare),
        _fenbing(hand, reader),
        () if bare else _events(hand, reader),
    )


def _fill(
    kind: type[_V],
    hand: Hand,
    reader: Seat | None,
    hidden: bool,
    drawable: int,
    seats: tuple[SeatView, ...],
    fenbing: int,
    events: tuple[Event, ...],
) -> _V:
    setup, last = hand.setup, hand.last_discard
    return kind(
        rules=hand.rules.name,
        reader=reader,
        phase=hand.phase,
        number=hand.number,
        dealer=setup.dealer,
        streak=setup.streak,
        base=setup.base,
        gold=hand.turned,
        drawable=drawable,
        turn=hand.turn,
        seats=seats,
        last_discard=last and (last[0], None if hidden and last[0] != reader else last[1]),
        question=None if reader is None else hand.questions.get(reader),
        answered=reader in hand.answered,
        lock=hand.lock,
        last_four=hand.last_four,
        fenbing=fenbing,
        events=events,
        hidden=hidden,
        gold_dice=setup.gold_dice,
    )


def _drawable(hand: Hand, reader: Seat | None) -> int:
    return max(0, hand.drawable)


def _fenbing(hand: Hand, reader: Seat | None) -> int:
    return (hand.rules.fenbing(hand) + 1).bit_length() - 1


def _seats(hand: Hand, reader: Seat | None, all_open: bool = False, bare: bool = False) -> tuple[SeatView, ...]:
    return tuple([_seat(hand, seat, reader == seat, all_open, bare) for seat in range(4)])


def _seat(hand: Hand, seat: Seat, own: bool, all_open: bool, bare: bool) -> SeatView:
    ended = hand.phase == "ended" or bare
    if not (own or all_open or ended):
        return _outside(hand, seat)
    state = hand.seats[seat]
    concealed: tuple[Tile, ...] | None = None
    drawn: Tile | None = None
    if own or all_open:
        held = state.held()
        drawn = state.drawn
        if drawn is not None:
            held.remove(drawn)
        if state.jokers:
            _put_first(held, hand.gold)
        concealed = tuple(held)
    return SeatView(
        seat,
        state.size,
        concealed,
        drawn,
        tuple([_meld(meld, own or ended) for meld in state.melds]) if state.melds else (),
        tuple(state.flowers),
        (_HIDDEN,) * len(state.river) if hand.rules.hidden_discards and not (own or bare) else tuple(state.river),
        state.level if own or ended or state.level >= 2 else 0,
    )


def _put_first(held: list[Tile], gold: tuple[Tile, ...]) -> None:
    """Move the gold to the front of tiles in ascending order."""
    for tile in sorted(gold, reverse=True):
        if copies := held.count(tile):
            at = held.index(tile)
            del held[at : at + copies]
            held[:0] = (tile,) * copies


def _outside(hand: Hand, seat: Seat) -> SeatView:
    """A seat of a hand that is not over as the others see it; the same for all, so kept until something changes."""
    state = hand.seats[seat]
    river = (_HIDDEN,) * len(state.river) if hand.rules.hidden_discards else tuple(state.river)
    level = state.level if state.level >= 2 else 0
    now = (state.size, level, river, tuple(state.melds), tuple(state.flowers))
    kept = hand.outsides.get(seat)
    if kept is not None and kept[0] == now:
        return kept[1]
    melds = tuple([_meld(meld, False) for meld in state.melds])
    shown = SeatView(seat, state.size, None, None, melds, now[4], river, level)
    hand.outsides[seat] = now, shown
    return shown


@cache
def _meld(meld: Meld, known: bool) -> MeldView:
    hidden = meld.kind == "concealed_kong" and not known
    return MeldView(meld.kind, (None,) * 4 if hidden else meld.tiles, meld.claimed, meld.source)


def _events(hand: Hand, reader: Seat | None) -> tuple[Event, ...]:
    if hand.phase == "ended":
        return tuple(_event(hand, event, reader) for event in hand.events)
    shown = hand.shown.setdefault(None, [])
    if len(shown) < len(hand.events):
        shown += [_event(hand, event, None) for event in hand.events[len(shown) :]]
    if reader is not None:
        others, shown = shown, hand.shown.setdefault(reader, [])
        new = zip(hand.events[len(shown) :], others[len(shown) :], strict=True)
        shown += [event if event.seat == reader else other for event, other in new]
    return tuple(shown)


def _event(hand: Hand, event: Event, reader: Seat | None) -> Event:
    """The event as the reader may know it; what it hides is hidden whatever the tile was."""
    if event.seat == reader and reader is not None:
        return event
    kind = event.kind
    if kind == "drew" or kind == "replaced" or kind == "dealt":
        hidden = True
    elif kind == "discarded":
        hidden = hand.rules.hidden_discards
    else:
        hidden = kind == "concealed_kong" and hand.phase != "ended"
    level = event.level
    if level == 1 and hand.phase != "ended":
        level = 0
    if hidden:
        return _hidden(kind, event.seat, len(event.tiles), event.source, level)
    return event if level == event.level else Event(kind, event.seat, event.tiles, event.source, level)


@cache
def _hidden(kind: EventKind, seat: Seat | None, tiles: int, source: Seat | None, level: int) -> Event:
    return Event(kind, seat, (None,) * tiles, source, level)


_DEAR: Final[dict[str, Callable[[Hand, Seat | None], object]]] = {
    "drawable": _drawable,
    "seats": _seats,
    "fenbing": _fenbing,
    "events": _events,
}
"""What a glimpse draws up only when it is asked for."""


def opened(moment: Hand, ended: Hand) -> View:
    """A moment of a hand that is over, with everything open, hidden discards too; without ``events``.

    Raises ``ValueError`` unless ``ended`` is the same hand at its end: of one that runs nobody may see this.
    """
    if ended.result is None or ended.setup is not moment.setup:
        raise ValueError("the hand is not over")
    return _view(moment, None, all_open=True, bare=True)


def sheet(hand: Hand) -> SheetView:
    """The score sheet of an ended hand. Raises ``ValueError`` while it is not over."""
    result, ending = hand.result, hand.ending
    if result is None or ending is None:
        raise ValueError("the hand is not over")
    return SheetView(
        view=_view(hand, None, all_open=True),
        outcome=result.outcome,
        winner=result.winner,
        by=result.by,
        source=result.source,
        tile=result.tile,
        sets=_sets(hand, result),
        points=result.points,
        fenbing=result.fenbing,
        lines=result.lines,
        net=result.net,
        coins=result.coins,
        next_dealer=result.next_dealer,
        next_streak=result.next_streak,
        tally=tuple(hand.rules.tally(hand, seat, ending) for seat in range(4)),
    )


def _sets(hand: Hand, result: Result) -> tuple[tuple[tuple[Tile, Tile], ...], ...]:
    """The winner's concealed tiles, with the tile won on, as sets and a pair; empty where they are not complete."""
    if result.winner is None:
        return ()
    state = hand.seats[result.winner]
    tiles = state.held()
    sets = state.sets
    if result.tile is not None and result.by in ("discard", "rob_kong", "rob_gold"):
        tiles.append(result.tile)
    if len(tiles) == 3 * sets + 2:
        return _arrange(hand, tiles, sets)
    # 抢金 by the dealer: one tile is laid aside (rules-zhangzhou 6.3).
    for aside in sorted(set(tiles), key=lambda tile: tile in hand.gold):
        rest = tiles.copy()
        rest.remove(aside)
        if len(rest) == 3 * sets + 2 and (found := _arrange(hand, rest, sets)):
            return found
    return ()


def _arrange(hand: Hand, tiles: list[Tile], sets: int) -> tuple[tuple[tuple[Tile, Tile], ...], ...]:
    counts = [0] * FACES
    jokers = []
    natural: dict[Tile, list[Tile]] = {}
    for tile in tiles:
        face = hand.stands_for[tile]
        if face is None:
            jokers.append(tile)
        else:
            counts[face] += 1
            natural.setdefault(face, []).append(tile)
    groups = decompose(counts, len(jokers), sets)
    if groups is None:
        return ()
    return tuple(
        tuple((natural[face].pop() if natural.get(face) else jokers.pop(), face) for face in group) for group in groups
    )
