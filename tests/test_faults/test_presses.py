"""Stale button (turn or hand is past), pressed twice, someone else's: a toast, and nothing else happens."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from handlers.dealing import setup_of
from handlers.table import Table
from playground.chats import Message
from playground.faults import Fault
from tests.support.stories import chat_of, played_out, table_of
from tests.support.town import Town
from tests.test_faults.conftest import Tell


async def state_of(town: Town, table: Table) -> tuple[object, ...]:
    """All that a press could change: the journal, the question, whose coins are where."""
    wallets = await town.store.wallets(range(1, len(town.people) + 1))
    return len(await town.store.table_journal(table.id)), table.state, wallets


async def turn(town: Town) -> tuple[int, int]:
    """Wait until a person is to throw: the seat, and the private chat."""
    table = table_of(town)
    for _ in range(600):
        if table.hand is not None and table.hand.phase == "turn":
            (seat,) = table.hand.questions
            return seat, chat_of(town, seat)
        await asyncio.sleep(0.1)
    raise AssertionError("nobody is to throw")


async def throw(town: Town, buttons: list[tuple[Message, dict[str, Any]]] | None = None) -> tuple[int, int, str]:
    """Whoever is to throw throws a tile that needs no second press: chat, message and data of the button.

    ``buttons``: those seen before, where they are no longer there.
    """
    _, chat = await turn(town)
    table = table_of(town)
    number = table.hand.number if table.hand is not None else 0
    seen = town.buttons(chat) if buttons is None else buttons
    for message, button in [b for b in seen if re.match(r"m\|.*\|d", b[1]["callback_data"])]:
        await town.press_data(chat, chat, message.id, button["callback_data"], force=True)
        if table.hand is not None and table.hand.number != number:
            return chat, message.id, button["callback_data"]
    raise AssertionError("nothing could be thrown")


async def force(town: Town, person: int, chat: int, message: int, data: str) -> str:
    return await town.press_data(person, chat, message, data, force=True) or ""


def test_a_turn_that_is_past(tell: Tell) -> None:
    async def story(town: Town) -> None:
        table = table_of(town)
        chat, message, data = await throw(town)
        await asyncio.sleep(1)
        before = await state_of(town, table)
        assert re.search("已经过了|已經過了|passed|already", await force(town, chat, chat, message, data))
        assert await state_of(town, table) == before

    tell(story)


def test_a_hand_that_is_past(tell: Tell) -> None:
    async def story(town: Town) -> None:
        table = table_of(town)
        chat, message, data = await throw(town)
        await played_out(town)
        before = await state_of(town, table)
        said = await force(town, chat, chat, message, data)
        assert re.search("这一局已经结束|這一局已經結束|hand is over", said), said
        assert await state_of(town, table) == before

    tell(story)


def test_a_table_that_is_gone(tell: Tell) -> None:
    async def story(town: Town) -> None:
        table = table_of(town)
        seen = {data for chat in (town.group_id, *town.people) for data in data_in(town, chat)}
        town.world.crowd.say(town.people[0], town.group_id, "/stop")
        await asyncio.sleep(5)
        await played_out(town)
        assert not town.house._tables
        before = await state_of(town, table)
        last = {chat: town.messages(chat)[-1].id for chat in (town.group_id, *town.people)}
        for data in sorted(data for data in seen if not data.startswith("s|")):
            for chat in (town.group_id, town.people[1]):
                said = await force(town, town.people[1], chat, last[chat], data)
                assert data == "-" or re.search("已经散了|已經散了|closed|gone|over", said), (data, said)
        assert await state_of(town, table) == before

    tell(story)


def data_in(town: Town, chat: int) -> list[str]:
    return [button["callback_data"] for _, button in town.buttons(chat)]


def test_someone_elses(tell: Tell) -> None:
    async def story(town: Town) -> None:
        table = table_of(town)
        seat, chat = await turn(town)
        found = town.find(chat, r"^m\|.*\|d")
        assert found is not None
        message, button = found
        stranger = town.world.crowd.add_person("Stranger", language_code="en").id
        town.world.crowd.start(stranger)
        town.world.crowd.join(town.group_id, stranger)
        await asyncio.sleep(3)
        before = await state_of(town, table)
        for other in [chat_of(town, (seat + 1) % 4), chat_of(town, (seat + 2) % 4), stranger]:
            there = town.messages(other)[-1].id
            said = await force(town, other, other, there, button["callback_data"])
            assert re.search("不是你的牌|不在这一桌|不在這一桌|not yours|not your|sit at this table", said), said
            said = await force(town, other, town.group_id, town.messages(town.group_id)[-1].id, button["callback_data"])
            assert said
        assert await state_of(town, table) == before
        assert town.find(chat, r"^m\|.*\|d") is not None
        assert message.id in [m.id for m in town.messages(chat)]

    tell(story)


@pytest.mark.parametrize("gap", [0.0, 0.3])
def test_pressed_twice(tell: Tell, gap: float) -> None:
    async def story(town: Town) -> None:
        table = table_of(town)
        _, chat = await turn(town)
        moves = sum(entry.kind == "move" for entry in await town.store.table_journal(table.id))
        found = town.find(chat, r"^m\|.*\|d")
        assert found is not None
        presses = []
        for _ in range(4):
            presses.append(town.world.crowd.press(chat, chat, found[0].id, found[1]["callback_data"], force=True))
            await asyncio.sleep(gap)
        await asyncio.sleep(2)
        after = [entry for entry in await town.store.table_journal(table.id) if entry.kind == "move"]
        assert len(after) <= moves + 1
        assert all(press.status == "answered" and press.text for press in presses)

    tell(story)


def test_every_button_of_a_whole_hand_pressed_by_everybody_once_it_is_over(tell: Tell) -> None:
    """No exception, no coin moved, no second result; a sheet's own buttons still do what they say."""

    async def story(town: Town) -> None:
        seen: dict[tuple[int, str], int] = {}
        watch = asyncio.get_running_loop().create_task(collect(town, seen))
        await played_out(town, at_random=True)
        watch.cancel()
        (row,) = await town.hands()
        wallets = await town.store.wallets(range(1, 5))
        harmless = re.compile(r"m\||o\||h\|\d+\|\d+\|(hand|table|unseen)|t\|\d+\|(down|back)")
        count = 0
        for (chat, data), message in sorted(seen.items()):
            if not harmless.match(data):
                continue
            for person in town.people:
                if chat not in (town.group_id, person):
                    continue
                count += 1
                said = await force(town, person, chat, message, data)
                assert said or not data.startswith("m|"), data
        assert count > 100
        assert await town.hands() == [row]
        assert await town.store.wallets(range(1, 5)) == wallets

    tell(story)


async def collect(town: Town, seen: dict[tuple[int, str], int]) -> None:
    while True:
        for chat in (town.group_id, *town.people):
            for message, button in town.buttons(chat):
                seen[(chat, button["callback_data"])] = message.id
        await asyncio.sleep(0.5)


def test_a_hand_message_that_is_out_of_date_is_followed_by_a_fresh_one(tell: Tell) -> None:
    """The chat still shows a copy that the bot thinks it has deleted: it goes, and the living one comes down."""

    async def story(town: Town) -> None:
        table = table_of(town)
        _, chat = await turn(town)
        living = town.messages(chat)[-1]
        town.world.faults.add(
            Fault("error", "deleteMessage", chat, code=400, description="Bad Request: not now", times=9)
        )
        await asyncio.sleep(17)  # the ring sends a second one, and the first cannot be deleted
        town.world.faults.clear()
        first, second = town.messages(chat)[-2:]
        assert first.id == living.id
        data = next(b["callback_data"] for row in first.keyboard for b in row if b["callback_data"].startswith("m|"))
        await throw(town)
        await asyncio.sleep(3)
        before = await state_of(town, table)
        assert await force(town, chat, chat, first.id, data)
        await asyncio.sleep(5)
        (fresh,) = [m for m in town.messages(chat) if m.content.media is not None]
        assert fresh.id > second.id
        assert fresh.silent
        assert await state_of(town, table) == before
        for _ in range(20):
            await force(town, chat, chat, fresh.id, data)
        assert town.messages(chat)[-1].id <= fresh.id + 1, "a flood of stale presses sends no flood of hands"

    tell(story, errors=("Not now",), dealing=setup_of)
