"""My hand in the group: for its owner's eyes alone where the server can do that, in words where it cannot."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from handlers.application import set_menu
from handlers.outbox import Message as Wanted
from handlers.outbox import Priority
from playground.chats import Message
from playground.faults import Fault
from playground.world import Call
from tests.support.evening import check, run_virtual
from tests.support.town import Town, label_of
from tests.test_conduct import chat_of, dealt, played_out

Story = Callable[[Town], Awaitable[None]]
EPHEMERAL = re.compile("Ephemeral|sendPhoto")
CHINESE = re.compile("[\u4e00-\u9fff]")


@pytest.fixture
def tell(tmp_path: Path) -> Callable[..., None]:
    """Runs a story at a table where a hand has just been dealt, on a server of some version."""

    async def whole(story: Story, version: str | None) -> None:
        town = Town(tmp_path / "own.sqlite3", 5, version=version)
        await town.open()
        await set_menu(town.house)
        await town.seat_all()
        await dealt(town)
        await asyncio.sleep(30)
        await story(town)
        check_nobody_else_saw(town)
        await check(town)
        await town.close()

    return lambda story, version=None: run_virtual(whole(story, version))


def check_nobody_else_saw(town: Town) -> None:
    """No picture of a hand was ever sent to a group for all eyes, not for a moment."""
    for call in town.calls:
        if call.chat_id != town.group_id or call.status != 200 or call.method not in ("sendPhoto", "editMessageMedia"):
            continue
        if "ephemeral_message_id" not in call.result:
            media = town.world.files.by_id(call.result["photo"][-1]["file_id"])
            assert media is not None
            assert label_of(media.data)["reader"] is None


def seen_by(town: Town, person: int) -> list[Message]:
    """The ephemeral messages of the bot that a person sees in the group."""
    bot = town.world.bot.id
    return [m for m in town.chat(town.group_id).ephemeral.values() if m.only_for == person and m.sender == bot]


def made(town: Town, since: int) -> list[Call]:
    """The calls for one person's eyes, or to send a photo to the group, since some moment."""
    return [
        call for call in town.calls[since:] if EPHEMERAL.search(call.method) and call.chat_id in (None, town.group_id)
    ]


async def look(town: Town, person: int) -> tuple[str, bool]:
    """Press 「我的牌」 in the group: the answer, and whether it must be closed."""
    found = town.find(town.group_id, r"^h\|.*\|hand$")
    assert found is not None
    press = town.world.crowd.press(person, town.group_id, found[0].id, found[1]["callback_data"])
    for _ in range(150):
        if press.status != "waiting":
            break
        await asyncio.sleep(0.1)
    assert press.status == "answered"
    return press.text, press.alert


def test_the_owner_sees_it_and_the_server_is_proved_once(tell: Callable[..., None]) -> None:
    async def story(town: Town) -> None:
        one, two = chat_of(town, 0), chat_of(town, 1)
        start = len(town.calls)
        assert await look(town, one) == ("", False)
        (hand,) = seen_by(town, one)
        assert hand.content.media is not None
        assert label_of(hand.content.media.data) == {**label_of(hand.content.media.data), "kind": "hand", "reader": 0}
        assert hand.protected
        assert hand.silent
        assert re.search("只有你看得|Only you", hand.content.text)
        assert [call.method for call in made(town, start)] == [
            "deleteEphemeralMessage", "sendPhoto", "editEphemeralMessageMedia",
        ]  # fmt: skip
        start = len(town.calls)
        await asyncio.sleep(10)
        assert await look(town, two) == ("", False)
        assert [call.method for call in made(town, start)] == ["sendPhoto"]
        (hand,) = seen_by(town, two)
        assert hand.content.media is not None
        assert label_of(hand.content.media.data)["reader"] == 1

    tell(story)


def test_pressed_again_it_is_shown_once(tell: Callable[..., None]) -> None:
    async def story(town: Town) -> None:
        one = chat_of(town, 0)
        await asyncio.gather(*(look(town, one) for _ in range(5)))
        assert len(seen_by(town, one)) == 1
        start = len(town.calls)
        assert await look(town, one) == ("", False)
        assert not made(town, start)

    tell(story)


def test_it_goes_when_the_tiles_change_and_when_the_hand_ends(tell: Callable[..., None]) -> None:
    async def story(town: Town) -> None:
        (table,) = town.house._tables.values()
        for _ in range(200):
            if table.hand is not None and table.hand.phase == "turn":
                break
            await asyncio.sleep(0.1)
        assert table.hand is not None
        (seat,) = table.hand.questions
        one = chat_of(town, seat)
        await look(town, one)
        assert seen_by(town, one)
        await town.press(one, one, r"^m\|.*\|d")
        if seat in table.hand.questions:  # that only warned
            await asyncio.sleep(1)
            await town.press(one, one, r"^m\|.*\|d")
        await asyncio.sleep(10)
        assert not seen_by(town, one)
        other = chat_of(town, (seat + 2) % 4)
        await look(town, other)
        await played_out(town)
        assert not town.chat(town.group_id).ephemeral

    tell(story)


def test_it_goes_after_a_while(tell: Callable[..., None]) -> None:
    async def story(town: Town) -> None:
        (table,) = town.house._tables.values()
        idle = next(i for i in range(4) if table.hand is not None and i not in table.hand.questions)
        await look(town, chat_of(town, idle))
        await asyncio.sleep(140)
        assert not seen_by(town, chat_of(town, idle))

    tell(story)


def test_a_server_without_it_is_asked_once_and_words_do(tell: Callable[..., None]) -> None:
    async def story(town: Town) -> None:
        one = chat_of(town, 0)
        start = len(town.calls)
        text, alert = await look(town, one)
        assert alert
        assert "你的牌" in text
        assert [call.method for call in made(town, start)] == ["deleteEphemeralMessage"]
        start = len(town.calls)
        assert (await look(town, one))[1]
        assert not made(town, start)

    tell(story, "10.1")


def test_a_server_that_shows_it_to_all_gets_no_hand_and_no_second_chance(tell: Callable[..., None]) -> None:
    async def story(town: Town) -> None:
        before = {m.id for m in town.messages(town.group_id)}
        start = len(town.calls)
        text, alert = await look(town, chat_of(town, 0))
        assert alert
        assert "你的牌" in text
        shown, deleted = made(town, start)[1], next(c for c in town.calls[start:] if c.method == "deleteMessage")
        assert shown.method == "sendPhoto"
        assert deleted.params["message_id"] == shown.result["message_id"]
        assert deleted.time - shown.time < 0.5
        assert {m.id for m in town.messages(town.group_id)} == before
        start = len(town.calls)
        assert (await look(town, chat_of(town, 1)))[1]
        assert not made(town, start)

    tell(story, "10.2")


def test_a_server_that_becomes_older_behind_a_cut_line_is_proved_anew(tell: Callable[..., None]) -> None:
    async def story(town: Town) -> None:
        await look(town, chat_of(town, 0))
        town.line.cut()
        town.world.version = (10, 2)
        town.house.outbox.say(Wanted(town.people[0], "x"))
        await asyncio.sleep(1)
        town.line.mend()
        await asyncio.sleep(30)
        assert (await look(town, chat_of(town, 1)))[1]
        check_nobody_else_saw(town)

    tell(story)


def test_one_left_by_a_kill_is_deleted_at_the_next_start(tell: Callable[..., None]) -> None:
    async def story(town: Town) -> None:
        one = chat_of(town, 0)
        await look(town, one)
        await town.kill()
        assert seen_by(town, one)
        await town.open()
        await asyncio.sleep(30)
        assert not seen_by(town, one)

    tell(story)


def test_the_command_is_seen_by_nobody_else_and_so_is_its_answer(tell: Callable[..., None]) -> None:
    async def story(town: Town) -> None:
        one = chat_of(town, 0)
        before = len(town.messages(town.group_id))
        town.world.crowd.say(one, town.group_id, "/hand")
        await asyncio.sleep(5)
        (hand,) = seen_by(town, one)
        assert hand.content.kind == "photo"
        stranger = town.world.crowd.add_person("Stranger", language_code="en").id
        town.world.crowd.join(town.group_id, stranger)
        town.world.crowd.say(stranger, town.group_id, "/hand")
        await asyncio.sleep(5)
        (answer,) = seen_by(town, stranger)
        assert answer.content.kind == "text"
        assert len(town.messages(town.group_id)) == before

    tell(story)


@pytest.mark.parametrize("said", ["/lang", "/me", "/daily", "/lang English", "/hand"])
def test_an_answer_is_in_the_language_of_those_who_see_it(tell: Callable[..., None], said: str) -> None:
    """Its reader's own where nobody else sees it, the group's where it must be said to all after all."""

    async def story(town: Town) -> None:
        foreign = town.world.crowd.add_person("Frances", language_code="en").id
        town.world.crowd.join(town.group_id, foreign)
        before = len(town.messages(town.group_id))
        town.world.crowd.say(foreign, town.group_id, said)
        await asyncio.sleep(5)
        (answer,) = seen_by(town, foreign)
        assert not CHINESE.search(answer.content.text), answer.content.text
        links = [entity["url"] for entity in answer.content.entities if entity["type"] == "text_link"]
        assert len(links) == (said in ("/lang", "/me")), "what opens elsewhere can be opened"
        assert len(town.messages(town.group_id)) == before
        await asyncio.sleep(150)
        refused = Fault("error", "sendMessage", town.group_id, code=400, description="Bad Request: NO")
        town.world.faults.add(refused)
        town.world.crowd.say(foreign, town.group_id, said)
        await asyncio.sleep(20)
        text = town.messages(town.group_id)[-1].content.text
        assert CHINESE.search(text.replace("English", "")), text
        assert "Frances" in text, "to whom it is said"
        assert not seen_by(town, foreign)
        # To whom the bot can write it says it in private, and nobody else hears of it.
        town.world.crowd.start(foreign)
        await asyncio.sleep(150)
        before = len(town.messages(town.group_id))
        town.world.faults.add(refused)
        town.world.crowd.say(foreign, town.group_id, said)
        await asyncio.sleep(20)
        assert len(town.messages(town.group_id)) == before
        text = town.messages(foreign)[-1].content.text
        assert not CHINESE.search(text), text
        assert said == "/me" or re.search("Frances|You", text), text

    tell(story)


def test_an_ordinary_command_brings_the_hand_down_in_private(tell: Callable[..., None]) -> None:
    async def story(town: Town) -> None:
        town.world.commands.clear()
        one = chat_of(town, 0)
        last = town.messages(one)[-1].id
        town.world.crowd.say(one, town.group_id, "/hand")
        await asyncio.sleep(20)
        assert town.messages(one)[-1].id > last
        assert "私聊" in "".join(m.content.text for m in town.messages(town.group_id)[-3:])
        start = len(town.calls)
        town.world.crowd.say(one, town.group_id, "/hand")
        await asyncio.sleep(20)
        assert not made(town, start), "a group in which the bot may send none unasked is not tried again at once"

    tell(story)


def test_asked_for_in_private_it_is_there_whatever_was_looked_at(tell: Callable[..., None]) -> None:
    async def story(town: Town) -> None:
        one = chat_of(town, 0)

        def shown() -> str:
            media = town.messages(one)[-1].content.media
            assert media is not None
            return str(label_of(media.data)["kind"])

        await town.press(one, one, r"\|seen$")
        await asyncio.sleep(3)
        assert shown() != "hand"
        town.world.crowd.say(one, one, "/hand")
        await asyncio.sleep(5)
        assert shown() == "hand"

    tell(story)


@pytest.mark.parametrize(
    "fault",
    [
        Fault("lose", "sendPhoto"),
        Fault("drop", "sendPhoto"),
        Fault("retry_after", "sendPhoto", seconds=5),
        Fault("error", "sendPhoto", code=502, description="Bad Gateway"),
        Fault("error", "sendPhoto", code=400, description="Bad Request: not enough rights to send photos to the chat"),
        Fault("error", "sendPhoto", code=400, description="Bad Request: EPHEMERAL_MESSAGES_FORBIDDEN"),
        Fault("lose", "editEphemeralMessageMedia"),
        Fault("drop", "deleteEphemeralMessage"),
    ],
    ids=lambda fault: f"{fault.kind}-{fault.method}-{fault.description[-12:]}",
)
def test_when_it_fails_words_do(tell: Callable[..., None], fault: Fault) -> None:
    async def story(town: Town) -> None:
        fault.chat_id = town.group_id if fault.method != "deleteEphemeralMessage" else None
        town.world.faults.add(fault)
        text, alert = await look(town, chat_of(town, 0))
        assert alert
        assert re.search("你的牌|Your hand", text)
        town.world.faults.clear()
        await asyncio.sleep(60)
        if fault.kind != "lose":
            assert not seen_by(town, chat_of(town, 0))

    tell(story)


def test_one_whose_call_takes_long_is_answered_in_words_in_time_and_put_away(tell: Callable[..., None]) -> None:
    async def story(town: Town) -> None:
        one = chat_of(town, 0)
        town.world.faults.add(Fault("late", "sendPhoto", chat_id=town.group_id, seconds=6))
        begin = town.world.now()
        text, alert = await look(town, one)
        assert alert
        assert re.search("你的牌|Your hand", text)
        assert town.world.now() - begin < 5
        await asyncio.sleep(60)
        assert not seen_by(town, one)

    tell(story)


def test_one_that_cannot_be_changed_is_replaced(tell: Callable[..., None]) -> None:
    async def story(town: Town) -> None:
        one = chat_of(town, 0)
        refused = Fault("error", "editEphemeralMessageMedia", code=400, description="Bad Request: MESSAGE_ID_INVALID")
        town.world.faults.add(refused)
        assert await look(town, one) == ("", False)
        await asyncio.sleep(15)
        (hand,) = seen_by(town, one)
        assert hand.content.media is not None
        assert label_of(hand.content.media.data)["reader"] == 0

    tell(story)


def test_when_the_group_has_had_its_calls_words_do_at_once(tell: Callable[..., None]) -> None:
    async def story(town: Town) -> None:
        outbox = town.house.outbox
        for number in range(18):
            outbox.say(Wanted(town.group_id, f"{number}", silent=True), Priority.PROMPT)
        await asyncio.sleep(10)
        now = asyncio.get_running_loop().time()
        assert (await look(town, chat_of(town, 0)))[1]
        assert asyncio.get_running_loop().time() - now < 5

    tell(story)
