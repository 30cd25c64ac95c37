"""Hands that are over: their sheet, the hand again move by move, their film, their proof (telegram.md, *After a hand*).

What is leafed through stands in the private chat of whoever presses: a group has 18 calls a minute for all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from data.model import Person
from handlers import films, proof, review
from handlers.answers import SILENT, Answer
from handlers.house import House
from handlers.links import hand_link
from handlers.outbox import Button, Priority
from handlers.preferences import Preferences, group_tiles
from handlers.presses import PagePress, page_data
from handlers.pressing import Pressing
from handlers.retold import Told
from handlers.screens.history import MINE
from handlers.screens.replay import replay_message
from handlers.screens.seating import seat_names
from handlers.screens.sheet import sheet_message
from handlers.seating import may_look_into

SHOWN = ("replay", "proof", "best")
"""What a deep link can ask for."""


async def press(pressing: Pressing, pressed: PagePress) -> Answer:
    """A button about a hand that is over: ``v|HAND|ACTION|…``."""
    hand, action = pressed.number(0), pressed.fields[1] if len(pressed.fields) > 1 else ""
    if hand is None or action not in (*SHOWN, "sheet", "review", *_IN_PRIVATE):
        return Answer("toast.forged")
    told = await _told(pressing.house, pressing.person, pressing.user_id, hand, None if pressing.private else pressing)
    if isinstance(told, Answer):
        return told
    if action == "sheet":
        return _sheet(pressing, told, pressed)
    if action == "review":
        return await review.press(pressing, told, pressed)
    if action in _IN_PRIVATE:
        return _IN_PRIVATE[action](pressing, told, pressed) if pressing.private else Answer("toast.forged")
    if action == "best" and not pressing.private:
        return await films.best_for_all(pressing, told)
    if not pressing.person.private_ok:
        return Answer(url=hand_link(pressing.house.username, action, hand))
    answer = await _show(pressing.house, pressing.person, told, action)
    if answer.key is None and not pressing.private:
        return Answer("replay.in_private")
    return answer


async def follow(house: House, person: Person, user_id: int, hand: int, action: str) -> Answer:
    """Somebody came by a deep link for one of ``SHOWN``."""
    told = await _told(house, person, user_id, hand)
    if not isinstance(told, Answer):
        return await _show(house, person, told, action)
    # A link is no button; of what others practise nothing is told, not even that they do.
    return Answer("replay.none") if told.key == "toast.forged" else told


async def _told(
    house: House, person: Person, user_id: int, hand: int, pressing: Pressing | None = None
) -> Told | Answer:
    """The hand, if this person may see it: who sat there, and for a group's hand its members.

    ``pressing``: where it was pressed in a group; no button of another group's hand ever stood there.
    """
    row = await house.store.hand(hand)
    if row is None or row.record is None:
        return Answer("replay.none")
    if row.group_id is None:
        if person.id not in row.seats or pressing is not None:
            return Answer("toast.forged")
        return await house.retold.told(house, row)
    group = await house.store.group(row.group_id)
    if group is None or (pressing is not None and pressing.chat_id != group.telegram_id):
        return Answer("toast.forged")
    here = person.id in row.seats or pressing is not None
    if not here and not await may_look_into(house, group, person, user_id):
        return Answer("history.stranger", alert=True)
    return await house.retold.told(house, row)


def _sheet(pressing: Pressing, told: Told, pressed: PagePress) -> Answer:
    """Make the pressed message the sheet of the hand."""
    house, hand = pressing.house, told.hand
    group = told.group
    words = pressing.words if pressing.private or group is None else house.texts.get(group.language)
    tiles = Preferences.of(pressing.person).tiles if pressing.private else group_tiles(group)
    message = sheet_message(
        house.renderer,
        pressing.chat_id,
        hand.state,
        hand.sheet,
        seat_names(hand.players, words),
        words,
        reader=told.seat_of(pressing.person.id) if pressing.private else None,
        seed=told.row.seed.hex(),
        tiles=tiles,
        group=group.title if group is not None and pressing.private else None,
        feats=hand.first_feats,
    )
    # Where it came from: a page of the group's hands, or of the reader's own.
    own = group is None or (pressing.private and pressed.fields[2:3] == (MINE,))
    scope = MINE if own or group is None else group.id
    back = Button(words("button.to_hands"), page_data("i", scope, "hands", pressed.number(3) or 0))
    message = replace(message, keyboard=(*message.keyboard, (back,)), thread_id=pressing.thread)
    # Only a history becomes a sheet, and a history again.
    house.outbox.want(pressing.answer_key("history"), message, Priority.CHATTER)
    return SILENT


async def _show(house: House, person: Person, told: Told, action: str) -> Answer:
    """Show something of a hand in a person's private chat."""
    if action == "replay":
        house.retold.go(person.id, told.row.id, 0)
        return _want(house, person, told, 0, anew=True)
    if action == "proof":
        return proof.send(house, person, told)
    return films.best_for_one(house, person, told)


# Leafing through


def _want(house: House, person: Person, told: Told, at: int, *, anew: bool = False, choosing: bool = False) -> Answer:
    message = replay_message(
        house.renderer,
        person.telegram_id or 0,
        told.hand,
        told.steps,
        at,
        house.texts.get(person.language),
        reader=told.seat_of(person.id),
        tiles=Preferences.of(person).tiles,
        group=told.group.title if told.group is not None else None,
        choosing=choosing,
    )
    key = f"p{person.id}:replay"
    if anew:
        house.outbox.ring(key, message)
    else:
        house.outbox.want(key, message)
    return SILENT


def _go(pressing: Pressing, told: Told, pressed: PagePress) -> Answer:
    """One of the buttons that lead on from where one is: pressed quickly, each counts."""
    where = pressed.fields[2] if len(pressed.fields) == 4 else ""
    said = _step(told, pressed, 3)
    if said is None or where not in ("first", "back", "on", "last", "choice"):
        return Answer("toast.forged")
    last = len(told.steps) - 1
    known = pressing.house.retold.place(pressing.person.id, told.row.id)
    now = said if known is None else known
    if where == "choice":
        ahead = (number for number in range(now + 1, last + 1) if told.steps[number].matters)
        to = next(ahead, last)
    else:
        to = {"first": 0, "back": max(0, now - 1), "on": min(last, now + 1), "last": last}[where]
    if to == now == said:
        return Answer("replay.at_end" if to else "replay.at_start")
    return _arrive(pressing, told, to)


def _to(pressing: Pressing, told: Told, pressed: PagePress) -> Answer:
    to = _step(told, pressed, 2)
    return Answer("toast.forged") if to is None else _arrive(pressing, told, to)


def _at(pressing: Pressing, told: Told, pressed: PagePress) -> Answer:
    """From somewhere else into the replay, to this step."""
    at = _step(told, pressed, 2)
    if at is None:
        return Answer("toast.forged")
    pressing.house.retold.go(pressing.person.id, told.row.id, at)
    return _want(pressing.house, pressing.person, told, at, anew=True)


def _rounds(pressing: Pressing, told: Told, pressed: PagePress) -> Answer:
    at = _step(told, pressed, 2)
    return Answer("toast.forged") if at is None else _arrive(pressing, told, at, choosing=True)


def _arrive(pressing: Pressing, told: Told, at: int, *, choosing: bool = False) -> Answer:
    house, person = pressing.house, pressing.person
    if pressing.message_id is not None:
        house.outbox.pressed(f"p{person.id}:replay", pressing.chat_id, pressing.message_id)
    house.retold.go(person.id, told.row.id, at)
    return _want(house, person, told, at, choosing=choosing)


def _step(told: Told, pressed: PagePress, field: int) -> int | None:
    """A field as the number of a step; None if the hand has no such step."""
    at = pressed.number(field)
    return at if at is not None and at < len(told.steps) else None


def _shut(pressing: Pressing, told: Told, pressed: PagePress) -> Answer:
    pressing.put_away(f"p{pressing.person.id}:replay")
    return SILENT


def _file(pressing: Pressing, told: Told, pressed: PagePress) -> Answer:
    return proof.send_record(pressing.house, pressing.person, told)


_IN_PRIVATE: dict[str, Callable[[Pressing, Told, PagePress], Answer]] = {
    "go": _go,
    "to": _to,
    "at": _at,
    "unreview": review.shut,
    "rounds": _rounds,
    "shut": _shut,
    "file": _file,
    "film": films.whole,
}
