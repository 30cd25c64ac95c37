"""What stories in a town are told with: a table that everybody sits at, waiting for the deal, playing a hand out."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from handlers.table import Table
from handlers.table_state import Seat
from playground.world import Call
from tests.support.evening import check, run_virtual
from tests.support.town import Town

Story = Callable[[Town], Awaitable[None]]
Tell = Callable[[Story], None]


def teller(folder: Path, *, seated: bool = True, seed: int = 3) -> Tell:
    """Tells stories in virtual time, each in a new town, and checks at its end what must always hold.

    ``seated``: everybody sits at the group's table when the story begins.
    """

    async def whole(story: Story) -> None:
        town = Town(folder / "story.sqlite3", seed)
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


async def played_out(town: Town) -> None:
    """Wait until the hand is over; those who are asked play at random."""
    tasks = [town.background(town.play_at_random(person)) for person in town.people]
    rows = await town.hands()
    for _ in range(3000):
        rows = await town.hands()
        if rows and rows[0].ended_at is not None:
            break
        await asyncio.sleep(1)
    for task in tasks:
        task.cancel()
    assert rows[0].ended_at is not None
    await asyncio.sleep(30)


def photos(town: Town, chat: int) -> list[Call]:
    return [call for call in town.calls if call.method == "sendPhoto" and call.chat_id == chat]


def text_of(town: Town, chat: int) -> str:
    return "\n".join(message.content.text for message in town.messages(chat))
