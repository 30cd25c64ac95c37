"""A hand that is over, looked at again: from its sheet, in the private chat, by those who may."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

from data.model import HandRow
from mahjong.proof import verify
from mahjong.records import Record
from playground.chats import Message
from tests.support.stories import Tell, newcomer, newest, played_out, practise
from tests.support.town import Town


async def a_hand(town: Town) -> HandRow:
    """Play a hand; its sheets stand everywhere when this returns."""
    await played_out(town)
    return (await town.hands())[0]


async def a_whole_hand(town: Town) -> HandRow:
    """Play a hand of many rounds."""
    await played_out(town, at_random=True)
    return (await town.hands())[0]


def living(town: Town, chat: int) -> Message:
    """The replay in a private chat."""
    found = [m for m in town.messages(chat) if any("|go|" in data for data in data_of(m))]
    assert len(found) == 1, [m.content.text for m in found]
    return found[0]


def data_of(message: Message) -> list[str]:
    return [button["callback_data"] for row in message.keyboard for button in row if "callback_data" in button]


def place(town: Town, chat: int) -> tuple[int, int]:
    """At which step of how many the replay in a chat is."""
    found = re.search(r"(\d+)/(\d+)", living(town, chat).content.text)
    assert found is not None
    return int(found[1]), int(found[2])


def files(town: Town, chat: int) -> dict[str, bytes]:
    """The documents in a chat, by the ends of their names."""
    media = [message.content.media for message in town.messages(chat) if message.content.kind == "document"]
    return {file.file_name.rpartition(".")[2]: file.data for file in media if file is not None and file.file_name}


async def go(town: Town, chat: int, where: str) -> str | None:
    toast = await town.press(chat, chat, rf"\|go\|{where}\|")
    await asyncio.sleep(3)
    return toast


async def quick_presses_each_count_and_cost_one_edit(town: Town, person: int) -> None:
    await go(town, person, "first")
    message = living(town, person)
    (data,) = [data for data in data_of(message) if "|go|on|" in data]
    edits = len([call for call in town.calls if call.chat_id == person and call.method.startswith("edit")])
    for _ in range(5):
        await town.press_data(person, person, message.id, data, force=True)
    await asyncio.sleep(5)
    assert place(town, person)[0] == 6
    after = len([call for call in town.calls if call.chat_id == person and call.method.startswith("edit")])
    assert after - edits <= 4


async def rounds_can_be_jumped_to(town: Town, person: int) -> None:
    message = living(town, person)
    await town.press(person, person, r"\|rounds\|")
    await asyncio.sleep(3)
    (menu,) = [m for m in town.messages(person) if m.id == message.id]
    targets = [data for data in data_of(menu) if "|to|" in data]
    assert len(targets) >= 2
    await town.press_data(person, person, message.id, targets[1])
    await asyncio.sleep(3)
    assert place(town, person)[0] == int(targets[1].split("|")[3]) + 1


def test_a_hand_is_replayed_in_the_private_chat_of_whoever_presses(tell_fairly: Tell) -> None:
    async def story(town: Town) -> None:
        row = await a_whole_hand(town)
        person = town.people[1]
        before = len([call for call in town.calls if call.chat_id == town.group_id])
        toast = await town.press(person, town.group_id, rf"^v\|{row.id}\|replay$")
        assert toast == "已发到你的私聊"
        await asyncio.sleep(5)
        at, of = place(town, person)
        assert at == 1
        assert of > 3
        for where, expected in (("on", 2), ("on", 3), ("back", 2), ("last", of), ("first", 1)):
            await go(town, person, where)
            assert place(town, person) == (expected, of)
        assert await go(town, person, "back") == "已经是开局了"
        await go(town, person, "choice")
        assert place(town, person)[0] > 1
        assert len([call for call in town.calls if call.chat_id == town.group_id]) == before
        await quick_presses_each_count_and_cost_one_edit(town, person)
        await rounds_can_be_jumped_to(town, person)
        await town.press(person, person, r"\|shut$")
        await asyncio.sleep(3)
        assert not [m for m in town.messages(person) if any("|go|" in data for data in data_of(m))]

    tell_fairly(story)


async def a_whole_hand_is_made_a_film_once(town: Town, person: int, row: HandRow) -> None:
    assert await town.press(person, person, rf"^v\|{row.id}\|film$") == "正在做动画，几秒就好"
    assert await town.press(person, person, rf"^v\|{row.id}\|film$") == "上一个动画还在做"
    await asyncio.sleep(30)
    assert not await town.press(person, person, rf"^v\|{row.id}\|film$")
    await asyncio.sleep(10)
    ((frames, seconds),) = town.renderer.films
    assert frames <= 36
    assert seconds <= 30
    films = [m for m in town.messages(person) if m.content.kind == "animation"]
    assert len(films) == 2
    assert not any(film.protected for film in films)
    assert sum(bool(call.files) for call in town.calls if call.method == "sendAnimation") == 1


def test_a_replay_goes_on_after_a_kill(tell_fairly: Tell) -> None:
    async def story(town: Town) -> None:
        row = await a_whole_hand(town)
        person = town.people[0]
        await town.press(person, town.group_id, rf"^v\|{row.id}\|replay$")
        await asyncio.sleep(5)
        await go(town, person, "on")
        await town.kill()
        await town.open()
        await asyncio.sleep(5)
        await go(town, person, "on")
        assert place(town, person)[0] == 3
        await a_whole_hand_is_made_a_film_once(town, person, row)

    tell_fairly(story)


def test_sheets_keep_their_links_when_the_table_goes_on(tell: Tell) -> None:
    async def story(town: Town) -> None:
        row = await a_hand(town)
        for person in town.people:
            await town.press(person, town.group_id, r"\|ready$")
        await asyncio.sleep(60)
        links = {f"v|{row.id}|replay", f"v|{row.id}|proof"}
        for chat in (town.group_id, *town.people):
            kept = [set(data_of(m)) for m in town.messages(chat) if "▲" in m.content.text or "▪️" in m.content.text]
            assert kept, chat
            assert links <= kept[0] <= {*links, f"v|{row.id}|best"}, (chat, kept)

    tell(story)


def test_the_proof_is_a_record_that_verifies_and_a_page(tell_fairly: Tell) -> None:
    async def story(town: Town) -> None:
        row = await a_whole_hand(town)
        person = town.people[0]
        await town.press(person, town.group_id, rf"^v\|{row.id}\|proof$")
        await asyncio.sleep(6)
        found = files(town, person)
        assert set(found) == {"json", "html"}
        record = json.loads(found["json"])
        proof = verify(Record.from_json(record))
        assert proof["commitment"] == row.commitment == record["note"]["commitment"]
        assert proof["differs"] == []
        assert row.commitment.encode() in found["html"]
        assert b"http" not in re.sub(rb"http-equiv", b"", found["html"])
        assert await town.press(person, town.group_id, rf"^v\|{row.id}\|proof$") == "刚发过，往上翻就能看到"

    tell_fairly(story)


def test_a_sheet_is_looked_up_in_place_of_the_message_pressed(tell: Tell) -> None:
    async def story(town: Town) -> None:
        row = await a_hand(town)
        person = town.people[0]
        town.world.crowd.say(person, person, "/history")
        await asyncio.sleep(6)
        found = town.find(person, rf"^v\|{row.id}\|sheet")
        assert found is not None
        await town.press_data(person, person, found[0].id, found[1]["callback_data"])
        await asyncio.sleep(6)
        (sheet,) = [m for m in town.messages(person) if "i|me|hands|0" in data_of(m)]
        assert {f"v|{row.id}|replay", f"v|{row.id}|proof", "i|me|hands|0"} <= set(data_of(sheet))
        assert row.seed.hex() in sheet.content.text
        count = len(town.messages(person))
        await town.press_data(person, person, sheet.id, "i|me|hands|0")
        await asyncio.sleep(6)
        assert len(town.messages(person)) == count
        # A message of the table is not made a sheet, whatever a client sends.
        standing = town.messages(town.group_id)[-1]
        text = standing.content.text
        await town.press_data(person, town.group_id, standing.id, f"v|{row.id}|sheet", force=True)
        await asyncio.sleep(6)
        assert town.chat(town.group_id).messages[standing.id].content.text == text

    tell(story)


def test_nobody_sees_hands_that_are_not_theirs_to_see(tell: Tell) -> None:
    async def story(town: Town) -> None:
        row = await a_hand(town)
        watcher = await newcomer(town)
        stranger = town.world.crowd.add_person("外人", language_code="zh-hans").id
        town.world.crowd.start(stranger)
        await asyncio.sleep(3)
        # Whoever is in the group may look, also without having played.
        assert await town.press(watcher, town.group_id, rf"^v\|{row.id}\|replay$") == "已发到你的私聊"
        (hello,) = town.messages(stranger)
        for action in ("replay", "proof", "sheet", "best", "go|on|0"):
            toast = await town.press_data(stranger, stranger, hello.id, f"v|{row.id}|{action}", force=True)
            assert toast is not None
            assert not files(town, stranger)
        await asyncio.sleep(5)
        assert len(town.messages(stranger)) == 1
        forged: list[Any] = [
            "v|999|replay", "v|0|sheet", "v|x|replay", f"v|{row.id}", f"v|{row.id}|nothing", f"v|{row.id}|go|on|99999",
            f"v|{row.id}|go|up|0", f"v|{row.id}|to|-1", f"v|{row.id}|to", f"v|{row.id}|rounds|500",
        ]  # fmt: skip
        await asyncio.sleep(3)
        message = living(town, watcher)
        for data in forged:
            toast = await town.press_data(watcher, watcher, message.id, data, force=True)
            assert toast in ("这个按钮不能用", "这一局没有记录"), (data, toast)

    tell(story)


def test_a_hand_cannot_be_had_in_another_group(tell: Tell) -> None:
    async def story(town: Town) -> None:
        row = await a_hand(town)
        other = town.world.crowd.add_group("别家", town.people).id
        person = town.people[0]
        town.world.crowd.say(person, other, "/help")
        await asyncio.sleep(8)
        message = town.messages(other)[-1]
        for action in ("sheet", "replay", "proof", "best"):
            toast = await town.press_data(person, other, message.id, f"v|{row.id}|{action}", force=True)
            assert toast == "这个按钮不能用"
        # What is leafed through has no place in a group, not even in its own.
        message = town.messages(town.group_id)[-1]
        for action in ("go|on|0", "to|1", "rounds|0", "film", "file", "shut"):
            toast = await town.press_data(person, town.group_id, message.id, f"v|{row.id}|{action}", force=True)
            assert toast == "这个按钮不能用"
            await asyncio.sleep(1)

    tell(story)


def test_a_running_hand_has_no_replay(tell: Tell) -> None:
    async def story(town: Town) -> None:
        row = await a_hand(town)
        for person in town.people:
            await town.press(person, town.group_id, r"\|ready$")
        await asyncio.sleep(45)
        running = await town.store.running_hand(row.table_id)
        assert running is not None
        person = town.people[0]
        message = town.messages(person)[-1]
        for action in ("replay", "proof", "sheet", "film", "file"):
            toast = await town.press_data(person, person, message.id, f"v|{running.id}|{action}", force=True)
            assert toast == "这一局没有记录"

    tell(story)


def test_who_cannot_be_written_to_comes_by_the_deep_link(tell: Tell) -> None:
    async def story(town: Town) -> None:
        row = await a_hand(town)
        watcher = await newcomer(town, started=False)
        press = town.find(town.group_id, rf"^v\|{row.id}\|replay$")
        assert press is not None
        town.world.crowd.press(watcher, town.group_id, press[0].id, press[1]["callback_data"])
        await asyncio.sleep(2)
        answers = [call for call in town.calls if call.method == "answerCallbackQuery"]
        url = answers[-1].params["url"]
        assert url.endswith(f"?start=replay_{row.id}")
        town.world.crowd.start(watcher, url.rpartition("=")[2])
        await asyncio.sleep(6)
        assert place(town, watcher)[0] == 1
        assert newest(town, watcher, "🎞") is not None

    tell(story)


def test_a_practice_hand_is_its_players_alone(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        person, other = town.people[:2]
        for one in (person, other):
            town.world.crowd.start(one)
        await asyncio.sleep(5)
        await practise(town, person)
        task = town.background(town.play_at_random(person))
        for _ in range(3000):
            if town.find(person, r"^v\|\d+\|replay$") is not None:
                break
            await asyncio.sleep(1)
        task.cancel()
        await asyncio.sleep(5)
        found = town.find(person, r"^v\|\d+\|replay$")
        assert found is not None
        data = found[1]["callback_data"]
        assert not await town.press_data(person, person, found[0].id, data)
        await asyncio.sleep(5)
        assert place(town, person)[0] == 1
        (hand,) = re.findall(r"v\|(\d+)\|", data)
        for action in ("replay", "proof", "sheet", "go|on|0"):
            message = town.messages(other)[-1]
            toast = await town.press_data(other, other, message.id, f"v|{hand}|{action}", force=True)
            assert toast == "这个按钮不能用"
        for number in (hand, 999):
            town.world.crowd.start(other, f"replay_{number}")
            await asyncio.sleep(5)
            assert town.messages(other)[-1].content.text == "这一局没有记录", "whether there is one is not told"

    tell_from_the_start(story)
