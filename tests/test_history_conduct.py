"""/history in a group and in private: pages, whose they are, and who won from whom; with the whole bot."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from data.store import Change, OpenHand, Void
from playground.chats import Message
from tests.data.samples import opening, play, won
from tests.support.evening import run_virtual
from tests.support.stories import newest, person_of
from tests.support.town import Town

HANDS = 19


@pytest.fixture
def tell(tmp_path: Path) -> Callable[[Callable[[Town], Awaitable[None]]], None]:
    """Stories in a town where everybody has started the bot and some hands were played."""

    async def whole(story: Callable[[Town], Awaitable[None]]) -> None:
        town = Town(tmp_path / "history.sqlite3", 3)
        await town.open()
        for person in town.people:
            town.world.crowd.start(person)
        await asyncio.sleep(5)
        await played(town, town.group_id, HANDS)
        await story(town)
        assert await town.store.audit() is None
        await town.close()

    return lambda story: run_virtual(whole(story))


async def played(town: Town, chat: int, number: int, **given: Any) -> list[OpenHand]:
    """Hands of the four in a group, a minute each; the last one is just over. The first person wins all."""
    group = await town.house.people.group(town_chat(town, chat))
    table = await town.store.create_table(group.id, {"phase": "closed"}, town.clock.now())
    seats = [person_of(town, person) for person in town.people[:4]]
    opened = []
    for n in range(1, number + 1):
        hand = opening(town.store, seats, n, held=20, **given)
        at = town.clock.now() - timedelta(minutes=number - n)
        end = won(hand, amount=n, day=town.house.day(at))
        await play(town.store, table, hand, type(end)(end.hand_id, at, end.day, end.result, end.record, end.payments))
        opened.append(hand)
    await town.store.commit(Change(table.id, (), close=town.clock.now()))
    return opened


def town_chat(town: Town, chat: int) -> Any:
    class Seen:
        id = chat
        title = town.chat(chat).title
        is_forum = False

    return Seen()


async def asked(town: Town, person: int, chat: int) -> Message:
    """The answer to /history."""
    town.world.crowd.say(person, chat, "/history")
    await asyncio.sleep(6)
    found = newest(town, chat, "最近的局|我打过的局|還沒有|My hands")
    assert found is not None
    return found


def numbers(message: Message) -> list[int]:
    """The amounts that the winner got, down the page."""
    return [int(line.rsplit("+", 1)[1]) for line in message.content.text.split("\n") if "+" in line]


def data_of(message: Message, text: str) -> str:
    return next(b["callback_data"] for row in message.keyboard for b in row if text in b["text"])


async def pressed(town: Town, person: int, message: Message, data: str, *, force: bool = False) -> str | None:
    toast = await town.press_data(person, message.chat_id, message.id, data, force=force)
    await asyncio.sleep(6)
    return toast


def wins(*amounts: int) -> list[int]:
    return [3 * amount for amount in amounts]


def test_a_group_turns_the_pages_of_its_hands_in_one_message(tell: Any) -> None:
    async def story(town: Town) -> None:
        group, person = town.group_id, town.people[0]
        message = await asked(town, person, group)
        assert numbers(message) == wins(*range(19, 11, -1))
        assert "19:" in message.content.text or "20:" in message.content.text, "local time"
        count = len(town.messages(group))
        for expected in (range(11, 3, -1), range(3, 0, -1)):
            assert await pressed(town, town.people[1], message, data_of(message, "旧一页")) == ""
            message = town.chat(group).messages[message.id]
            assert numbers(message) == wins(*expected)
        assert not any("旧一页" in b["text"] for row in message.keyboard for b in row)
        for expected in (range(11, 3, -1), range(19, 11, -1)):
            await pressed(town, person, message, data_of(message, "新一页"))
            message = town.chat(group).messages[message.id]
            assert numbers(message) == wins(*expected)
        assert len(town.messages(group)) == count
        opens = [b["callback_data"] for row in message.keyboard[:2] for b in row]
        assert len(opens) == 8
        assert all(data.startswith("v|") and "|sheet" in data for data in opens)

    tell(story)


def test_in_private_are_my_hands_wherever_they_were(tell: Any) -> None:
    async def story(town: Town) -> None:
        person, loser = town.people[0], town.people[1]
        other = town.world.crowd.add_group("慢桌", town.people).id
        await played(town, other, 2)
        message = await asked(town, loser, loser)
        text = message.content.text
        assert "「慢桌」" in text
        # What I lost, not what the winner won.
        assert text.endswith("-14")
        assert "+" not in text
        back = data_of(message, "慢桌")
        await pressed(town, loser, message, back)
        message = town.chat(loser).messages[message.id]
        assert numbers(message) == wins(2, 1)
        await pressed(town, loser, message, data_of(message, "我打过的局"))
        assert "我打过的局" in town.chat(loser).messages[message.id].content.text
        assert person != loser

    tell(story)


def test_who_won_from_whom_begins_with_my_own_lines(tell: Any) -> None:
    async def story(town: Town) -> None:
        group, person, loser = town.group_id, town.people[0], town.people[1]
        message = await asked(town, person, group)
        await pressed(town, loser, message, data_of(message, "同桌流水"))
        text = town.chat(group).messages[message.id].content.text.split("\n")
        names = [town.house.people.by_chat(one) for one in (person, loser)]
        total = sum(range(1, HANDS + 1))
        assert names[0] is not None
        assert names[1] is not None
        assert text[1] == f"{names[1].name} → {names[0].name}　-{total}"
        message = town.chat(group).messages[message.id]
        await pressed(town, person, message, data_of(message, "今天"))
        assert "今天" in town.chat(group).messages[message.id].content.text
        own = await asked(town, loser, loser)
        await pressed(town, loser, own, data_of(own, town.chat(group).title or ""))
        own = town.chat(loser).messages[own.id]
        await pressed(town, loser, own, data_of(own, "同桌流水"))
        assert town.chat(loser).messages[own.id].content.text.split("\n")[1].startswith("你 → ")

    tell(story)


def _group_of(message: Message) -> str:
    return data_of(message, "同桌流水").split("|")[1]


FORGED = [
    "i|{other}|hands|0",
    "i|{other}|flows|all",
    "i|me|hands|0",
    "i|me|flows|all",
    "i|{group}|hands|999999",
    "i|{group}|hands|x",
    "i|{group}|hands|999999999999999",
    "i|{group}|flows|year",
    "i|{group}|hands",
    "i|{group}|hands|0|0",
    "i|{group}",
    "i|999|hands|0",
    "i|0|hands|0",
]


def test_pages_of_others_and_garbage_are_refused_by_toast(tell: Any) -> None:
    async def story(town: Town) -> None:
        other = town.world.crowd.add_group("别家", town.people[1:]).id
        hands = await played(town, other, 1)
        message = await asked(town, town.people[0], town.group_id)
        group = _group_of(message)
        row = await town.store.hand(hands[0].hand_id)
        assert row is not None
        data: Sequence[str] = [*FORGED, f"i|{{group}}|hands|{hands[0].hand_id}"]
        for one in data:
            forged = one.format(group=group, other=row.group_id)
            assert await pressed(town, town.people[0], message, forged, force=True) == "这个按钮不能用", forged
        assert town.chat(town.group_id).messages[message.id].content.text == message.content.text
        # In private, who is not in a group hears so; who is not at a hand cannot begin there.
        own = await asked(town, town.people[0], town.people[0])
        stranger = f"i|{row.group_id}|hands|0"
        assert await pressed(town, town.people[0], own, stranger, force=True) == "只有群里的人能看"
        assert "别家" not in town.chat(town.people[0]).messages[own.id].content.text.split("\n")[0]

    tell(story)


def test_a_group_that_threw_the_bot_out_is_nobodys_to_look_into_but_its_players(tell: Any) -> None:
    async def story(town: Town) -> None:
        stranger = town.world.crowd.add_person("路人", language_code="zh-hans").id
        town.world.crowd.start(stranger)
        await asyncio.sleep(3)
        person = town.people[0]
        number = _group_of(await asked(town, person, town.group_id))
        own, theirs = await asked(town, person, person), await asked(town, stranger, stranger)
        town.world.crowd.leave(town.group_id, town.world.bot.id, by=person)
        await asyncio.sleep(3)
        for data in (f"i|{number}|hands|0", f"i|{number}|flows|all", "v|3|sheet"):
            assert await pressed(town, stranger, theirs, data, force=True) == "只有群里的人能看"
        assert "还没有" in town.chat(stranger).messages[theirs.id].content.text
        await pressed(town, person, own, f"i|{number}|flows|all", force=True)
        assert "同桌流水" in town.chat(person).messages[own.id].content.text

    tell(story)


def test_an_old_page_says_that_the_group_has_moved(tell: Any) -> None:
    async def story(town: Town) -> None:
        person = town.people[0]
        old = town.world.crowd.add_group("老群", town.people, type="group").id
        await played(town, old, 2)
        message = await asked(town, person, old)
        new = town.world.crowd.migrate(old).id
        await asyncio.sleep(5)
        assert "群升级过了" in (await pressed(town, person, message, data_of(message, "同桌流水"), force=True) or "")
        assert numbers(await asked(town, person, new)) == wins(2, 1)

    tell(story)


def test_nothing_but_a_history_becomes_a_page_of_it(tell: Any) -> None:
    async def story(town: Town) -> None:
        group, person = town.group_id, town.people[0]
        number = _group_of(await asked(town, person, group))
        town.world.crowd.say(person, group, "/newgame")
        await asyncio.sleep(6)
        lobby = newest(town, group, "底 ")
        assert lobby is not None
        before = lobby.content.text
        await pressed(town, person, lobby, f"i|{number}|hands|0", force=True)
        assert town.chat(group).messages[lobby.id].content.text == before

    tell(story)


def test_a_void_hand_is_told_and_opens_nothing(tell: Any) -> None:
    async def story(town: Town) -> None:
        group = await town.house.people.group(town_chat(town, town.group_id))
        table = await town.store.create_table(group.id, {}, town.clock.now())
        hand = opening(town.store, [person_of(town, person) for person in town.people[:4]], held=20)
        await play(town.store, table, hand, None)
        await town.store.commit(Change(table.id, (), void=Void(hand.hand_id, town.clock.now(), "test")))
        await town.store.commit(Change(table.id, (), close=town.clock.now()))
        message = await asked(town, town.people[0], town.group_id)
        assert "作废" in message.content.text.split("\n")[1]
        assert message.keyboard[0][0]["text"] == "2"

    tell(story)
