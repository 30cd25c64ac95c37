"""Groups as they are: topics, General, rights lost and given back, anonymous admins, players who cannot be reached."""

from __future__ import annotations

import asyncio
import re

import pytest

from playground.chats import Message
from playground.faults import Fault
from tests.support.stories import (
    Tell,
    dealt,
    newest,
    open_table,
    person_of,
    played_out,
    seat_of,
    seen,
    sits,
    table_of,
    text_of,
)
from tests.support.town import Town

TOPIC_GONE = "thread not found|TOPIC_CLOSED|message to (edit|delete) not found"


async def open_in_topic(town: Town) -> int:
    """The group becomes a forum; a table is opened in a topic of it, and everybody sits down. Returns the topic."""
    crowd = town.world.crowd
    crowd.change_group(town.group_id, is_forum=True)
    topic = crowd.add_topic(town.group_id, "麻将").id
    for person in town.people:
        crowd.start(person)
    await asyncio.sleep(4)
    crowd.say(town.people[0], town.group_id, "/newgame", thread_id=topic)
    await asyncio.sleep(4)
    for person in town.people[1:]:
        await town.press(person, town.group_id, r"\|sit$")
    return topic


def in_topic(town: Town, topic: int | None) -> list[Message]:
    """The bot's messages in a topic (None: General)."""
    return [message for message in town.messages(town.group_id) if message.thread_id == topic]


def test_a_table_stays_in_its_topic(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        topic = await open_in_topic(town)
        await dealt(town)
        await played_out(town)
        assert not in_topic(town, None) or all("麻将" not in m.content.text for m in in_topic(town, None)[1:])
        kinds = {message.content.kind for message in in_topic(town, topic)}
        assert {"photo", "dice"} <= kinds

    tell_from_the_start(story)


def test_general_has_no_thread_id_and_another_topic_is_told_where_the_table_is(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        crowd = town.world.crowd
        crowd.change_group(town.group_id, is_forum=True)
        topic = crowd.add_topic(town.group_id, "聊天").id
        one = town.people[0]
        crowd.start(one)
        await asyncio.sleep(4)
        crowd.say(one, town.group_id, "/newgame", thread_id=1)
        await seen(town, town.group_id, "开桌了")
        assert table_of(town).state.thread is None
        for command in ("/newgame", "/table"):
            crowd.say(one, town.group_id, command, thread_id=topic)
            await asyncio.sleep(8)
            (there,) = [m for m in in_topic(town, topic) if "在另一个话题里" in m.content.text][-1:]
            (row,) = there.keyboard
            where = int(row[0]["url"].rpartition("/")[2])
            assert row[0]["url"].startswith("https://t.me/c/1000000001/")
            assert "开桌了" in town.chat(town.group_id).messages[where].content.text
        assert all(call.params.get("message_thread_id") != 1 for call in town.calls)

    tell_from_the_start(story)


@pytest.mark.parametrize("end", ["closed", "removed", "no forum"])
def test_a_topic_that_is_gone_moves_the_table_to_the_group_which_says_so(tell_from_the_start: Tell, end: str) -> None:
    async def story(town: Town) -> None:
        topic = await open_in_topic(town)
        await dealt(town)
        crowd = town.world.crowd
        if end == "closed":
            crowd.close_topic(town.group_id, topic)
        elif end == "removed":
            crowd.remove_topic(town.group_id, topic)
        else:
            crowd.change_group(town.group_id, is_forum=False)
        await played_out(town)
        excuse(town, TOPIC_GONE)
        assert table_of(town).state.thread is None
        assert newest(town, town.group_id, "这个话题发不了了，牌桌移到群里接着打") is not None
        sheets = [message for message in in_topic(town, None) if "🔓" in message.content.text]
        assert len(sheets) == 1

    tell_from_the_start(story)


def test_a_topic_opened_again_takes_the_next_table(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        topic = await open_in_topic(town)
        await asyncio.sleep(2)
        crowd = town.world.crowd
        crowd.close_topic(town.group_id, topic)
        await dealt(town)
        for person in town.people:
            crowd.say(person, town.group_id, "/stop", thread_id=1)
        await played_out(town)
        excuse(town, TOPIC_GONE)
        crowd.close_topic(town.group_id, topic, closed=False)
        crowd.say(town.people[0], town.group_id, "/newgame", thread_id=topic)
        await asyncio.sleep(10)
        assert table_of(town).state.thread == topic
        assert [m for m in in_topic(town, topic) if "开桌了" in m.content.text]

    tell_from_the_start(story)


def test_a_closed_general_topic_ends_its_table_after_the_hand_but_not_another_topics(
    tell_from_the_start: Tell,
) -> None:
    async def story(town: Town) -> None:
        crowd = town.world.crowd
        topic = await open_in_topic(town)
        await dealt(town)
        crowd.close_topic(town.group_id, 1)
        # An admin can write in a closed topic; the bot cannot answer there.
        crowd.say(town.people[0], town.group_id, "/help", thread_id=1)
        await asyncio.sleep(20)
        excuse(town, TOPIC_GONE)
        assert table_of(town).state.thread == topic
        crowd.remove_topic(town.group_id, topic)
        await asyncio.sleep(30)
        excuse(town, TOPIC_GONE)
        table = table_of(town)
        assert table.state.phase == "playing"
        for person in town.people:
            assert newest(town, person, "私聊里接着打完|私聊裡接著打完|played to its end here") is not None
        # A restart does not bring the group back, and nothing more is tried there.
        await town.kill()
        tried = len([call for call in town.calls if call.chat_id == town.group_id])
        await town.open()
        await played_out(town)
        assert len([call for call in town.calls if call.chat_id == town.group_id]) == tried
        assert not town.house._tables
        (row,) = await town.hands()
        assert row.outcome not in (None, "void")
        for person in town.people:
            # There is nowhere else to open the seal.
            assert newest(town, person, "🔓") is not None
            assert newest(town, person, "群里发不了消息了|群組裡傳不了訊息了|can't be written to any more") is not None

    tell_from_the_start(story)


def excuse(town: Town, pattern: str) -> None:
    """Calls whose refusal cannot be avoided: what they were made for had just gone."""
    for call in list(town.calls):
        if call.status in (400, 403) and call.description is not None:
            assert re.search(pattern, call.description), call
            town.calls.remove(call)


@pytest.mark.parametrize("how", ["removed", "silenced", "forbidden", "deleted"])
def test_a_group_in_which_the_bot_cannot_write_loses_its_table_and_nothing_moves(tell: Tell, how: str) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        crowd, bot = town.world.crowd, town.world.bot.id
        if how == "removed":
            crowd.leave(town.group_id, bot, by=town.people[0])
        elif how == "silenced":
            crowd.set_status(town.group_id, bot, "restricted", can_send=False)
        elif how == "deleted":
            crowd.remove_group(town.group_id)
        else:
            # The group lets nobody send any more: no update tells the bot.
            text = "Bad Request: not enough rights to send text messages to the chat"
            for method in ("sendMessage", "sendPhoto", "editMessageMedia", "editMessageCaption"):
                fault = Fault("error", method, town.group_id, code=400, description=text, times=1000)
                crowd.order_fault(fault)
        await asyncio.sleep(120)
        excuse(town, "kicked|not enough rights|group chat was deleted")
        assert not town.house._tables
        (row,) = await town.hands()
        assert row.outcome == "void"
        assert {(await town.store.wallet(number)).held for number in (1, 2, 3, 4)} == {0}
        for person in town.people:
            assert newest(town, person, "这一桌散了|這一桌散了|table is closed") is not None

    tell(story)


def test_a_bot_that_is_added_again_says_hello_and_opens_a_new_table(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        crowd, bot = town.world.crowd, town.world.bot.id
        crowd.leave(town.group_id, bot, by=town.people[0])
        await asyncio.sleep(10)
        crowd.join(town.group_id, bot, by=town.people[0])
        hello = await seen(town, town.group_id, "大家好")
        old = town.find(town.group_id, r"\|hand$")
        if old is not None:
            message, button = old
            said = await town.press_data(town.people[0], town.group_id, message.id, button["callback_data"])
            assert said == "这一桌已经散了"
        await town.press_data(town.people[0], town.group_id, hello.id, "t|0|open")
        await asyncio.sleep(4)
        assert sits(town, town.people[0])

    tell(story)


def test_without_the_right_to_send_photos_a_hand_is_played_in_words(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        crowd = town.world.crowd
        crowd.set_status(town.group_id, town.world.bot.id, "restricted", photos=False)
        await town.seat_all()
        await dealt(town)
        await played_out(town)
        refused = [call for call in town.calls if call.status != 200]
        assert refused
        assert all(call.method == "sendPhoto" for call in refused)
        assert len(refused) <= 3
        for call in refused:
            town.calls.remove(call)
        assert all(message.content.media is None for message in town.messages(town.group_id))
        assert newest(town, town.group_id, "🔓") is not None

    tell_from_the_start(story)


def test_a_right_that_is_given_back_turns_words_into_pictures(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        crowd, bot = town.world.crowd, town.world.bot.id
        crowd.set_status(town.group_id, bot, "restricted", photos=False)
        await open_table(town, *town.people[:2])
        (before,) = (m for m in town.messages(town.group_id) if "已坐" in m.content.text)
        assert before.content.media is None
        crowd.set_status(town.group_id, bot, "member")
        await asyncio.sleep(20)
        (after,) = (m for m in town.messages(town.group_id) if "已坐" in m.content.text)
        assert after.content.media is not None
        excuse(town, "rights to send photos")

    tell_from_the_start(story)


def test_an_anonymous_admin_is_explained_every_command_and_given_a_button(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        crowd = town.world.crowd
        admin, two, *_ = town.people
        for person in (admin, two):
            crowd.start(person)
        await asyncio.sleep(4)

        async def say(command: str) -> None:
            crowd.say(admin, town.group_id, command, anonymous=True)
            await asyncio.sleep(12)

        await say("/newgame")
        assert newest(town, town.group_id, "认不出你是谁") is not None
        assert not town.house._tables
        await town.press(admin, town.group_id, r"\|open$")
        await asyncio.sleep(4)
        assert sits(town, admin)
        await town.press(admin, town.group_id, r"\|leave$")
        crowd.say(two, town.group_id, "/newgame")
        await asyncio.sleep(4)
        await say("/join")
        explained = newest(town, town.group_id, "认不出你是谁：.*按下面的按钮")
        assert explained is not None
        (row,) = explained.keyboard
        await town.press_data(admin, town.group_id, explained.id, row[0]["callback_data"])
        assert sits(town, admin, two)
        for command in ("/leave", "/hand"):
            await say(command)
            assert newest(town, town.group_id, "按下面的按钮，我就知道是你") is not None
        for command in ("/help", "/score", "/table", "/settings"):
            before = len(town.messages(town.group_id))
            await say(command)
            assert len(town.messages(town.group_id)) > before or command == "/table"
        # What only an admin may do needs no person: that it is one is known.
        words = crowd.say(two, town.group_id, "/hand")
        crowd.say(admin, town.group_id, "/kick", reply_to=words.id, anonymous=True)
        await seen(town, town.group_id, "已请 阿珍 离开")
        crowd.say(admin, town.group_id, "/ban", reply_to=words.id, anonymous=True)
        await seen(town, town.group_id, "阿珍 不能再上这个群的牌桌")
        await say("/stop")
        assert not town.house._tables

    tell_from_the_start(story)


def test_in_privacy_mode_talk_goes_unheard_and_replies_to_the_bot_change_nothing(tell: Tell) -> None:
    async def story(town: Town) -> None:
        assert town.world.bot.privacy
        await dealt(town)
        before = town.world.updates.changes
        town.world.crowd.say(town.people[1], town.group_id, "碰！")
        assert town.world.updates.changes == before
        shown = town.messages(town.group_id)[-1]
        calls = len([call for call in town.calls if call.method == "sendMessage"])
        town.world.crowd.say(town.people[1], town.group_id, "好牌", reply_to=shown.id)
        await asyncio.sleep(4)
        assert len([call for call in town.calls if call.method == "sendMessage"]) == calls
        await played_out(town)

    tell(story)


@pytest.mark.parametrize("back", [True, False])
def test_a_player_who_blocks_the_bot_is_named_and_comes_back_by_the_button(tell: Tell, back: bool) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        lost = town.people[1]
        town.world.crowd.block(lost)
        message = await seen(town, town.group_id, "⚠️ 阿珍 的私聊不通")
        (link,) = [button["url"] for row in message.keyboard for button in row if "url" in button]
        table = table_of(town)
        assert seat_of(town, lost).auto
        if back:
            town.world.crowd.start(lost, link.partition("start=")[2])
            await asyncio.sleep(10)
            assert "私聊不通" not in text_of(town, town.group_id)
            seat = seat_of(town, lost)
            assert (seat.auto, seat.leaving, seat.unreachable) == (False, False, False)
            assert any(m.content.media is not None for m in town.messages(lost)[-2:])
        await played_out(town, but=() if back else (lost,))
        assert (table.state.seat_of(person_of(town, lost)) is not None) is back
        if not back:
            lobby = await seen(town, town.group_id, "阿珍 的私聊不通：请打开和我的私聊按 START")
            (link,) = [button["url"] for row in lobby.keyboard for button in row if "url" in button]
            town.world.crowd.start(lost, link.partition("start=")[2])
            await asyncio.sleep(5)
            assert table.state.seat_of(person_of(town, lost)) is not None
        excuse(town, "blocked")

    tell(story)


def test_a_player_who_cannot_be_written_to_in_the_lobby_is_named_with_the_button(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        one, two, *_ = town.people
        await open_table(town, one, two)
        town.world.crowd.block(two)
        lobby = await seen(town, town.group_id, "阿珍 的私聊不通")
        assert sits(town, one)
        (link,) = [button["url"] for row in lobby.keyboard for button in row if "url" in button]
        town.world.crowd.start(two, link.partition("start=")[2])
        await asyncio.sleep(5)
        assert sits(town, one, two)
        assert not [button for row in town.messages(town.group_id)[-1].keyboard for button in row if "url" in button]
        excuse(town, "blocked")

    tell_from_the_start(story)


def test_who_leaves_the_group_waits_for_no_seat_and_is_not_called(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        person = town.world.crowd.add_person("阿福", language_code="zh-hans").id
        town.world.crowd.join(town.group_id, person)
        town.world.crowd.start(person)
        town.people.append(person)
        await asyncio.sleep(4)
        await town.press(person, town.group_id, r"\|queue_0$")
        table = table_of(town)
        assert table.state.queue
        town.world.crowd.leave(town.group_id, person)
        await asyncio.sleep(4)
        assert not table.state.queue

    tell(story)


@pytest.mark.parametrize("how", ["heard", "pressed", "pressed after a start"])
def test_a_group_that_is_renamed_is_called_by_its_new_name(tell_from_the_start: Tell, how: str) -> None:
    async def story(town: Town) -> None:
        one, two, *_ = town.people
        table = await open_table(town, one, two)
        if how == "pressed after a start":
            await town.kill()
            await town.open()
            table = table_of(town)
        if how == "heard":
            town.world.crowd.change_group(town.group_id, title="周末麻将")
        else:
            town.chat(town.group_id).title = "周末麻将"
            await town.press(two, town.group_id, r"\|options$")
        await asyncio.sleep(6)
        assert table.group is not None
        assert table.group.title == "周末麻将"
        assert newest(town, one, "周末麻将") is not None

    tell_from_the_start(story)
