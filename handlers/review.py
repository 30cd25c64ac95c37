"""复盘 of a hand that is over, for who played it: private, one message, and only discards of one's own choice."""

from __future__ import annotations

import asyncio

from handlers.answers import SILENT, Answer
from handlers.house import House
from handlers.preferences import Preferences
from handlers.presses import PagePress
from handlers.pressing import Pressing
from handlers.retold import Told
from handlers.screens.review import review_message
from mahjong.records import Record
from mahjong.review import Slip, judge, turns_of, worst


async def press(pressing: Pressing, told: Told, pressed: PagePress) -> Answer:
    """``v|HAND|review`` opens it, ``v|HAND|review|AT`` turns to another slip of its message."""
    house, person, hand = pressing.house, pressing.person, told.hand
    seat = told.seat_of(person.id)
    if not pressing.private or seat is None:
        return Answer("toast.forged")
    if not hand.state.hints_given:
        return Answer("hint.not_here", alert=True)
    slips = await slips_of(house, told, seat)
    if not slips and not any(await _chosen(house, told, seat)):
        # Nobody is praised for what others did.
        return Answer("review.not_yours", alert=True)
    opens = len(pressed.fields) == 2
    at = 0 if opens else pressed.number(2)
    if at is None or at >= max(1, len(slips)):
        return Answer("toast.forged")
    message = review_message(
        house.renderer,
        pressing.chat_id,
        hand,
        slips,
        at,
        pressing.words,
        tiles=Preferences.of(person).tiles,
        group=told.group.title if told.group is not None else None,
    )
    key = _key(person.id)
    if opens:
        house.outbox.ring(key, message)
    else:
        if pressing.message_id is not None:
            house.outbox.pressed(key, pressing.chat_id, pressing.message_id)
        house.outbox.want(key, message)
    return SILENT


async def slips_of(house: House, told: Told, seat: int) -> tuple[Slip, ...]:
    """The slips of a seat, found once; between two discards whatever else is due gets its turn."""
    key = told.row.id, seat
    known = house.retold.slips.get(key)
    if known is not None:
        return known
    chosen = await _chosen(house, told, seat)
    found = []
    for turn, own in zip(turns_of(Record.from_json(told.row.record), seat), chosen, strict=False):
        await asyncio.sleep(0)
        slip = judge(turn) if own else None
        if slip is not None:
            found.append(slip)
    return house.retold.keep_slips(key, worst(found))


async def _chosen(house: House, told: Told, seat: int) -> list[bool]:
    """For each discard of a seat whether the person chose it, not the clock nor a computer that stood in 托管.

    Those of a lock, in which there is no choice, are the last.
    """
    entries = [entry for entry in await house.store.journal(told.row.id) if entry.seat == seat]
    return [
        entry.kind == "move" and not entry.body.get("computer")
        for entry in entries
        if entry.kind in ("move", "timeout") and " discard " in entry.body["move"]
    ]


def shut(pressing: Pressing, told: Told, pressed: PagePress) -> Answer:
    """The message goes."""
    pressing.put_away(_key(pressing.person.id))
    return SILENT


def _key(person_id: int) -> str:
    return f"p{person_id}:review"
