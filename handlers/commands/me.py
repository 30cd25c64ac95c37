"""/me: one's own coins, hands, wins and best hand, in private everywhere; one's data, and to be forgotten."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from hashlib import sha256

from data.model import Person
from handlers import forgetting
from handlers.answers import SILENT, Answer
from handlers.calls import Call, Command
from handlers.finished import Finished, finished
from handlers.house import House
from handlers.names import shown_name
from handlers.outbox import Button, Message, Picture, Priority
from handlers.presses import PagePress
from handlers.pressing import Pressing
from handlers.screens import profile as screen
from handlers.screens.profile import DAYS, Profile

log = logging.getLogger(__name__)

START = "me"
"""The payload of the deep link under which the card is shown."""


async def run(call: Call) -> None:
    """The card in the private chat. In a group nothing of it is said, only where it is."""
    house, person = call.house, call.person
    assert person is not None
    if call.group is None:
        await show(house, person)
    elif person.private_ok:
        await show(house, person)
        call.say_to("me.in_private")
    else:
        name, url = shown_name(person.name), f"https://t.me/{house.username}?start={START}"
        call.tell(
            lambda words: words.html("me.start_first", name=name), lambda words: Button(words("me.open"), url=url)
        )


async def show(house: House, person: Person) -> None:
    """The card, at the bottom of the private chat."""
    message = await _card(house, person)
    if message is not None:
        house.outbox.ring(_key(person), message, Priority.CHATTER)


async def press(pressing: Pressing, pressed: PagePress) -> Answer:
    """``y|card``, ``y|export``, ``y|forget``, ``y|forget|now``: about the presser alone, in their private chat."""
    house, person = pressing.house, pressing.person
    if not pressing.private:
        return Answer("toast.forged")
    if pressing.message_id is not None:
        house.outbox.pressed(_key(person), pressing.chat_id, pressing.message_id)
    match pressed.fields:
        case ("card",):
            message = await _card(house, person)
            if message is not None:
                house.outbox.want(_key(person), message)
        case ("export",):
            return await _export(house, person)
        case ("forget",):
            refused = await forgetting.obstacle(house, person)
            if refused is not None:
                return refused
            house.outbox.want(_key(person), screen.forget_message(pressing.chat_id, pressing.words))
        case ("forget", "now"):
            return await forgetting.forget(house, person)
        case _:
            return Answer("toast.forged")
    return SILENT


async def _card(house: House, person: Person) -> Message | None:
    """The card as of now; None for somebody who has no chat."""
    if person.telegram_id is None:
        return None
    store = house.store
    careers = await store.careers(person.id)
    ranked = await store.ranked_in(person.id)
    groups = await store.groups(ranked)
    # Where they play most comes first.
    home = next(((groups[number], rank) for number, rank in ranked.items() if number in groups), None)
    profile = Profile(
        person=person,
        wallet=await store.wallet(person.id),
        careers=careers,
        home=home,
        places=await store.places(home[0].id, person.id, DAYS) if home is not None else (),
        feats=await store.feats_of(person.id),
    )
    best = await _best(house, profile.career.best_hand)
    words = house.texts.get(person.language)
    today = house.day(house.clock.now())
    return screen.profile_message(house.renderer, person.telegram_id, replace(profile, best=best), today, words)


async def _best(house: House, hand_id: int | None) -> Finished | None:
    """The best hand, played again; None if there is none, or none that can be played by these rules any more."""
    row = await house.store.hand(hand_id) if hand_id is not None else None
    if row is None:
        return None
    try:
        return await finished(house, row)
    except ValueError as error:
        log.error("hand %d cannot be shown: %s", row.id, error)
        return None


async def _export(house: House, person: Person) -> Answer:
    """All that is kept about a person, as a file in their chat."""
    if person.telegram_id is None:
        return Answer("toast.gone")
    words = house.texts.get(person.language)
    kept = await house.store.export(person.id, house.clock.now())
    data = json.dumps(kept, ensure_ascii=False, indent=1).encode()

    async def read() -> bytes:
        return data

    file = Picture(sha256(data).hexdigest(), read, "document", "mahjong-my-data.json")
    house.outbox.ring(forgetting.export_key(person), Message(person.telegram_id, words.html("me.exported"), (), file))
    return Answer("toast.exported")


def _key(person: Person) -> str:
    return f"me:p{person.id}"


COMMAND = Command("me", run, place=60, ephemeral=True, pages={"y": press})
