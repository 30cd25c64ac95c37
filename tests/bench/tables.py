"""Tables in mid-hand, written straight into a database and into the playground's chats: what an evening leaves behind.

Opening hundreds of tables by way of the chats would take longer than all that is measured then.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from data import changes, people, tables
from data import sent as sent_messages
from data.model import Change, Entry, Sent
from data.store import Store
from handlers.dealing import setup_of
from handlers.draft import Draft
from handlers.outbox_memory import FINISHED
from handlers.table_state import Seat, TableState
from mahjong.players import PLAYERS
from mahjong.views import view
from playground.chats import Chat, Content
from playground.files import Media, Upload
from playground.world import World

COINS = 1_500
ZONE = ZoneInfo("Asia/Shanghai")
PATTERNS = 24
"""Hands that are really played; the tables take turns in having one of them."""
LANGUAGES = ("zh-hans", "zh-hans", "zh-hant", "en")


@dataclass(frozen=True, slots=True)
class Furnished:
    """One table: ids of the store's table, the group's chat and the four people, in order of the seats."""

    table: int
    chat: int
    people: tuple[int, int, int, int]


async def furnish(world: World, database: Path, number: int, *, orderly: bool, picture: bytes) -> list[Furnished]:
    """Open so many tables with four people each, each in a hand between its beginning and its 24th discard.

    ``orderly``: the bot was stopped, not killed. ``picture``: a JPEG that stands in the messages.
    """
    store = await Store.open(database)
    try:
        return await store._database.write(_furnish, world, number, orderly, picture)
    finally:
        await store.close()


def _furnish(connection: Connection, world: World, number: int, orderly: bool, picture: bytes) -> list[Furnished]:
    patterns = [pattern(seed) for seed in range(min(number, PATTERNS))]
    media = world.files.store("photo", Upload("table.jpg", picture, "image/jpeg"))
    found = []
    rows: list[Sent] = []
    for index in range(number):
        chat, seats = _crowd(world, index)
        now = datetime.now(UTC)
        group = people.meet_group(connection, chat.id, chat.title, False, now, "zh_Hans")
        persons = []
        for one in (world.people[person] for person in seats):
            known = people.meet_person(connection, one.id, one.name, one.username, one.language_code, now)
            people.set_private_ok(connection, known.id, True)
            persons.append(known.id)
        row = tables.create_table(connection, group.id, {}, now, persons)
        change = _placed(patterns[index % len(patterns)], row.id, group.id, index + 1, persons, seats, world)
        changes.commit(connection, change)
        found.append(Furnished(row.id, chat.id, seats))
        keys = {f"t{row.id}:table": chat}
        keys |= {f"t{row.id}:p{known}:hand": world.chats[one] for known, one in zip(persons, seats, strict=True)}
        rows += [_standing(world, key, place, media) for key, place in keys.items()]
    if orderly:
        rows.append(Sent(key=FINISHED, chat_id=0, message_id=0, digest="", sent_at=datetime.now(UTC)))
    sent_messages.save(connection, rows)
    world.updates.clear()
    return found


def _crowd(world: World, index: int) -> tuple[Chat, tuple[int, int, int, int]]:
    """A group of four people who have all started the bot."""
    a, b, c, d = (
        world.crowd.add_person(f"{name}{index + 1}", language_code=language).id
        for name, language in zip(("阿明", "阿珍", "老林", "Xiaohong"), LANGUAGES, strict=True)
    )
    for person in (a, b, c, d):
        world.chats[person].started = True
    return world.crowd.add_group(f"麻将 {index + 1}", [a, b, c, d]), (a, b, c, d)


def _standing(world: World, key: str, chat: Chat, media: Media) -> Sent:
    """A message of the table that stands in a chat, and what the outbox remembers of it."""
    message = world.post(chat, world.bot.id, Content("photo", "…", media=media))
    digest = json.dumps({"text": "", "keys": "", "sure": True}, separators=(",", ":"))
    now = datetime.now(UTC)
    return Sent(key, chat.id, message.id, digest, now, picture="bench", file_id=media.file_id)


def pattern(seed: int) -> Draft:
    """A hand of four persons, as far as computers have played it: a draft that was never committed."""
    for attempt in _counted(seed):
        chance = Random(attempt)
        draft = _begun(chance)
        discards, phase = chance.randint(0, 24), chance.choice(("turn", "claim"))
        while draft.hand is not None and draft.hand.result is None:
            hand = draft.hand
            if sum(len(seat.river) for seat in hand.seats) >= discards and hand.phase == phase:
                return draft
            seat = next(iter(hand.questions), None)
            if seat is None:
                draft.close_window()
            else:
                draft.play(PLAYERS["easy"].choose(view(hand, seat), chance))
    raise AssertionError


def _counted(seed: int) -> Iterator[str]:
    attempt = 0
    while True:
        yield f"{seed}:{attempt}"
        attempt += 1


def _begun(chance: Random) -> Draft:
    state = TableState(table=1, group=1, host=1)
    state.seats = [Seat(person=seat + 1, wallet=COINS) for seat in range(4)]
    now = datetime.now(UTC)
    draft = Draft(state, None, now, ZONE, chance, 0, setup_of)
    draft.seal(1, chance.randbytes(32), (COINS,) * 4, dict.fromkeys(range(1, 5), COINS))
    draft.deal((chance.randint(1, 6), chance.randint(1, 6)), (COINS,) * 4)
    return draft


def _placed(
    played: Draft, table: int, group: int, hand_id: int, persons: list[int], seats: tuple[int, ...], world: World
) -> Change:
    """The change that puts a hand that was played onto a table."""
    change = played.change()
    assert change.open_hand is not None
    assert change.dice is not None
    state = TableState.from_json(change.state or {})
    state.table, state.group, state.host, state.hand_id = table, group, persons[0], hand_id
    for row in (state.taken, state.players):
        for seat, person, one in zip(row, persons, seats, strict=True):
            seat.person, seat.name = person, world.people[one].name
    opened = replace(change.open_hand, hand_id=hand_id, seats=tuple(persons), holds=dict.fromkeys(persons, COINS))
    entries: tuple[Entry, ...] = tuple(
        entry if entry.hand_id is None else replace(entry, hand_id=hand_id) for entry in change.entries
    )
    dice = replace(change.dice, hand_id=hand_id)
    return replace(change, table_id=table, state=state.to_json(), open_hand=opened, dice=dice, entries=entries)
