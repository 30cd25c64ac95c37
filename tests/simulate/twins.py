"""The twin of a hand: to one reader it looks the same, and all that is hidden from them is otherwise.

What a reader is shown must be the same of both.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from handlers.outbox import Message
from handlers.table import Table
from mahjong.hand import Hand
from mahjong.moves import Event, Seat
from mahjong.state import Discard, Meld
from mahjong.tiles import FACES

HIDDEN_EVENTS = frozenset({"dealt", "drew", "replaced", "concealed_kong"})


def twin_of(hand: Hand, reader: Seat | None, chance: Random) -> Hand:
    """A hand in play that ``reader`` (None: the group) cannot tell from this one."""
    other = hand.copy()
    dark = hand.rules.hidden_discards
    seats = [seat for seat in range(4) if seat != reader]
    pool = list(other.wall) + [tile for seat in seats for tile in other.seats[seat].held()]
    chance.shuffle(pool)
    other.wall = type(other.wall)(pool.pop() for _ in other.wall)
    for number in seats:
        state = other.seats[number]
        had_drawn = state.drawn is not None
        state.remove(held := state.held())
        tiles = [pool.pop() for _ in held]
        for tile in tiles:
            state.add(tile)
        state.drawn = tiles[0] if had_drawn else None
        if state.level < 2:
            state.level = 1 - state.level
        state.passed_win = not state.passed_win
        state.melds = [_other_meld(meld, chance) for meld in state.melds]
        if dark:
            state.river = [Discard(chance.randrange(FACES), discard.claimed_by) for discard in state.river]
    hidden = HIDDEN_EVENTS | {"discarded"} if dark else HIDDEN_EVENTS
    other.events = [_other_event(event, reader, hidden, chance) for event in hand.events]
    if dark and hand.last_discard is not None and hand.last_discard[0] != reader:
        other.last_discard = hand.last_discard[0], chance.randrange(FACES)
    # Who else is asked, and who has answered, is hidden as well.
    other.questions = {seat: question for seat, question in hand.questions.items() if seat == reader}
    other._answered = hand._answered & {reader}
    return other


def _other_meld(meld: Meld, chance: Random) -> Meld:
    if meld.kind != "concealed_kong":
        return meld
    return replace(meld, tiles=(chance.randrange(FACES),) * len(meld.tiles))


def _other_event(event: Event, reader: Seat | None, hidden: frozenset[str], chance: Random) -> Event:
    if event.kind not in hidden or (event.seat == reader and reader is not None):
        # The level of a discard tells of 单游, which is not announced.
        return event if event.level != 1 or event.seat == reader else replace(event, level=0)
    return replace(event, tiles=tuple(chance.randrange(FACES) for _ in event.tiles))


def told_apart(table: Table, reader: Seat | None, chat_id: int, chance: Random) -> str | None:
    """What in a chat differs between a table's hand and its twin; None if nothing does."""
    hand, state = table.hand, table.state
    assert hand is not None
    shown = _messages(table, chat_id)
    twin_state = state.copy()
    twin_state.somebody_asked = not state.somebody_asked
    twin_state.lengths = [9.0]
    twin_state.deadlines = {name: at for name, at in state.deadlines.items() if not name.startswith("think")}
    try:
        table.hand, table.state = twin_of(hand, reader, chance), twin_state
        otherwise = _messages(table, chat_id)
    finally:
        table.hand, table.state = hand, state
    if shown.keys() != otherwise.keys():
        return f"messages: {sorted(shown.keys() ^ otherwise.keys())}"
    for key, one in shown.items():
        other = otherwise[key]
        if one.text != other.text:
            return f"{key}: {one.text!r} would be {other.text!r}"
        if one.keyboard != other.keyboard:
            return f"{key}: buttons {one.keyboard} would be {other.keyboard}"
        if (one.picture and one.picture.digest) != (other.picture and other.picture.digest):
            return f"{key}: the picture"
    return None


def _messages(table: Table, chat_id: int) -> dict[str, Message]:
    return {key: message for key, (message, _) in table.showing._wanted().items() if message.chat_id == chat_id}
