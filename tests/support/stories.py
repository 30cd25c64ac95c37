"""What stories in a town are told with: a table that everybody sits at, waiting for the deal, playing a hand out."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

from data.model import Person
from handlers.dealing import Dealing
from handlers.table import Table
from handlers.table_state import Seat
from playground.chats import Message
from playground.world import Call
from tests.support.evening import check, run_virtual
from tests.support.soon import over_soon
from tests.support.town import Town

Story = Callable[[Town], Awaitable[None]]
Tell = Callable[[Story], None]


def teller(folder: Path, *, seated: bool = True, seed: int = 3, dealing: Dealing = over_soon) -> Tell:
    """Tells stories in virtual time, each in a new town, and checks at its end what must always hold.

    ``seated``: everybody sits at the group's table when the story begins. ``dealing``: how hands are dealt.
    """

    async def whole(story: Story) -> None:
        town = Town(folder / "story.sqlite3", seed, dealing=dealing)
        await town.open()
        if seated:
            await town.seat_all()
        await story(town)
        await check(town)
        await town.close()

    return lambda story: run_virtual(whole(story))


def table_of(town: Town) -> Table:
    """The one table that is open."""
    (table,) = town.house._tables.values()
    return table


def seats_of(town: Town) -> list[Seat]:
    (table,) = town.house._tables.values()
    return table.state.taken


def chat_of(town: Town, seat: int) -> int:
    person = town.house.people.known(seats_of(town)[seat].person)
    assert person is not None
    return person.telegram_id or 0


async def dealt(town: Town) -> None:
    """Wait until a hand is being played and everybody has it."""
    (table,) = town.house._tables.values()
    for _ in range(600):
        if table.state.phase == "playing":
            break
        await asyncio.sleep(0.1)
    assert table.state.phase == "playing"
    await asyncio.sleep(6)


async def played_out(town: Town, but: Iterable[int] = (), *, at_random: bool = False) -> None:
    """Wait until the first hand is over; those who are asked play to win, ``but`` for some.

    ``at_random``: they press whatever they may, and the hand goes on until the wall is used up.
    """
    play = town.play_at_random if at_random else town.play_to_win
    tasks = [town.background(play(person)) for person in town.people if person not in but]
    row = await town.store.hand(1)
    for _ in range(3000):
        row = await town.store.hand(1)
        if row is not None and row.ended_at is not None:
            break
        await asyncio.sleep(1)
    for task in tasks:
        task.cancel()
    assert row is not None
    assert row.ended_at is not None
    await asyncio.sleep(30)


def photos(town: Town, chat: int) -> list[Call]:
    return [call for call in town.calls if call.method == "sendPhoto" and call.chat_id == chat]


def text_of(town: Town, chat: int) -> str:
    return "\n".join(message.content.text for message in town.messages(chat))


async def met(town: Town, chat: int) -> Person:
    """Have somebody press START in private; the person that the bot knows them as."""
    town.world.crowd.start(chat)
    await asyncio.sleep(3)
    known = town.house.people.by_chat(chat)
    assert known is not None
    return known


async def practise(town: Town, chat: int, game: int = 0) -> None:
    """Have somebody whom the bot may write to begin at a table of their own."""
    town.world.crowd.say(chat, chat, "/newgame")
    await asyncio.sleep(5)
    await town.press(chat, chat, rf"\|practice_{game}$")


def person_of(town: Town, chat: int) -> int:
    """The bot's own id of somebody it has met."""
    person = town.house.people.by_chat(chat)
    assert person is not None
    return person.id


def seat_of(town: Town, chat: int) -> Seat:
    """Somebody's seat at the one table that is open."""
    state = table_of(town).state
    index = state.seat_of(person_of(town, chat))
    assert index is not None
    seat = state.seats[index]
    assert seat is not None
    return seat


def sits(town: Town, *chats: int) -> bool:
    """Whether these and nobody else sit at the one table that is open."""
    return set(table_of(town).state.persons) == {person_of(town, chat) for chat in chats}


async def newcomer(town: Town, name: str = "阿福", *, started: bool = True) -> int:
    """Somebody else who is in the group; ``started``: the bot may write to them."""
    person = town.world.crowd.add_person(name, language_code="zh-hans").id
    town.world.crowd.join(town.group_id, person)
    if started:
        town.world.crowd.start(person)
    town.people.append(person)
    await asyncio.sleep(3)
    return person


async def open_table(town: Town, *seated: int) -> Table:
    """The first of these opens a table in the group, the others sit down."""
    for person in seated:
        town.world.crowd.start(person)
    await asyncio.sleep(5)
    town.world.crowd.say(seated[0], town.group_id, "/newgame")
    await asyncio.sleep(5)
    for person in seated[1:]:
        await town.press(person, town.group_id, r"\|sit$")
    await asyncio.sleep(3)
    return table_of(town)


async def arrived(seconds: float = 5) -> None:
    """Let what was said arrive, and the messages about it."""
    await asyncio.sleep(seconds)


def last_message(town: Town, chat: int) -> Message:
    """The last message in a chat, whatever it says."""
    return town.messages(chat)[-1]


def newest(town: Town, chat: int, pattern: str) -> Message | None:
    """The newest message of the bot in a chat with such a text."""
    found = [message for message in town.messages(chat) if re.search(pattern, message.content.text)]
    return found[-1] if found else None


async def seen(town: Town, chat: int, pattern: str) -> Message:
    """Wait for a message of the bot with such a text; a group's budget may keep it for a while."""
    for _ in range(240):
        message = newest(town, chat, pattern)
        if message is not None:
            return message
        await asyncio.sleep(0.5)
    raise AssertionError(f"no message {pattern!r} in chat {chat}")


def sounded(town: Town, chat: int, pattern: str) -> list[bool]:
    """For every message sent to a chat with such a text: whether it came with a sound."""
    return [
        not call.params.get("disable_notification")
        for call in town.calls
        if call.method in ("sendMessage", "sendPhoto")
        and call.chat_id == chat
        and re.search(pattern, call.params.get("text", call.params.get("caption", "")))
    ]
