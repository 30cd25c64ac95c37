"""Which calls bring a message to its wanted state."""

import asyncio
import json
from dataclasses import replace

import pytest

from handlers.outbox import Button, Message, Priority
from tests.handlers.telegram_fake import GROUP, Painter, Rows, Telegram, living, make_outbox, words

pytestmark = pytest.mark.looptime(noop_cycles=0)


async def test_several_states_become_one_call() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    for number in range(5):
        outbox.want("a", words(f"state {number}"))
    await outbox.idle()
    assert server.methods() == ["sendMessage"]
    assert server.texts(1) == ["state 4"]
    for number in range(5, 9):
        outbox.want("a", words(f"state {number}"))
    await outbox.idle()
    assert server.methods() == ["sendMessage", "editMessageText"]
    assert server.texts(1) == ["state 8"]


async def test_states_wanted_during_a_call_follow_it() -> None:
    server = Telegram(latency=1.0)
    outbox = make_outbox(server)
    await outbox.start()
    outbox.want("a", words("one"))
    await asyncio.sleep(0.2)
    outbox.want("a", words("two"))
    outbox.want("a", words("three"))
    await outbox.idle()
    assert server.methods() == ["sendMessage", "editMessageText"]
    assert server.texts(1) == ["three"]


async def test_back_again_during_a_call() -> None:
    """A is shown, B is on its way, A is wanted: that is a change."""
    server = Telegram(latency=1.0)
    outbox = make_outbox(server)
    await outbox.start()
    outbox.want("a", words("A"))
    await outbox.idle()
    outbox.want("a", words("B"))
    await asyncio.sleep(0.2)
    outbox.want("a", words("A"))
    await outbox.idle()
    assert server.texts(1) == ["A"]
    assert len(server.log) == 3


async def test_unchanged_states_cost_nothing() -> None:
    server, painter = Telegram(), Painter()
    outbox = make_outbox(server)
    await outbox.start()
    for _ in range(3):
        outbox.want("a", words("same", 1, "x", picture=painter("p")))
        await outbox.idle()
    outbox.want("a", words("other", 1, "x", picture=painter("p")))
    outbox.want("a", words("same", 1, "x", picture=painter("p")))
    await outbox.idle()
    assert server.methods() == ["sendPhoto"]
    assert painter.drawn == ["p"]


async def test_smallest_edit() -> None:
    server, painter = Telegram(), Painter()
    outbox = make_outbox(server)
    await outbox.start()
    states = [
        words("a", 1, "x", picture=painter("p")),
        words("a", 1, "y", picture=painter("p")),
        words("b", 1, "z", picture=painter("p")),
        words("b", 1, "z", picture=painter("q")),
        words("b", 1, picture=painter("q")),
    ]
    for state in states:
        outbox.want("k", state)
        await outbox.idle()
    assert server.methods() == [
        "sendPhoto",
        "editMessageReplyMarkup",
        "editMessageCaption",
        "editMessageMedia",
        "editMessageReplyMarkup",
    ]
    assert [call.uploads for call in server.log] == [1, 0, 0, 1, 0]
    assert server.only(1).markup is None
    assert server.only(1).photo == "file2"


async def test_a_picture_is_uploaded_once() -> None:
    server, painter = Telegram(), Painter()
    outbox = make_outbox(server)
    await outbox.start()
    for digest in ("p", "q", "p"):
        outbox.want("a", words("a", 1, picture=painter(digest)))
        await outbox.idle()
    outbox.want("b", words("b", 2, picture=painter("q")))
    await outbox.idle()
    assert painter.drawn == ["p", "q"]
    assert [call.uploads for call in server.log] == [1, 1, 0, 0]
    assert server.only(1).photo == "file1"
    assert server.only(2).photo == "file2"


async def test_uploads_are_the_same_bytes_each_time() -> None:
    server, painter = Telegram(), Painter()
    outbox = make_outbox(server)
    await outbox.start()
    for digest in "pq":
        outbox.want("a", words("a", 1, picture=painter(digest)))
        await outbox.idle()
    assert server.log[1].parameters["media"]["media"] == "attach://picture"


async def test_text_becomes_photo_and_back() -> None:
    server, painter = Telegram(), Painter()
    outbox = make_outbox(server)
    await outbox.start()
    outbox.want("a", words("words"))
    await outbox.idle()
    outbox.want("a", words("picture", picture=painter("p")))
    await outbox.idle()
    outbox.want("a", words("words again"))
    await outbox.idle()
    assert server.methods() == ["sendMessage", "sendPhoto", "deleteMessage", "sendMessage", "deleteMessage"]
    assert server.texts(1) == ["words again"]


async def test_what_is_sent_says_how() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    keyboard = ((Button("胡", data="h", style="success"), Button("看", url="https://t.me/x")),)
    outbox.want("a", Message(GROUP, "<b>a</b>", keyboard, silent=True, protect=True, thread_id=7))
    outbox.want("b", Message(GROUP - 1, "general", thread_id=1))
    await outbox.idle()
    sent = server.log[0].parameters
    assert sent["parse_mode"] == "HTML"
    assert sent["disable_notification"] is True
    assert sent["protect_content"] is True
    assert sent["message_thread_id"] == 7
    assert json.loads(sent["reply_markup"]) == {
        "inline_keyboard": [
            [
                {"text": "胡", "callback_data": "h", "style": "success"},
                {"text": "看", "url": "https://t.me/x"},
            ]
        ]
    }
    assert "message_thread_id" not in server.log[1].parameters


def test_buttons_are_checked() -> None:
    for wrong in ({}, {"data": "x", "url": "y"}, {"data": ""}, {"data": "三" * 22}):
        with pytest.raises(ValueError, match=r"button|data"):
            Button("x", **wrong)


# Ringing


async def test_ring_sends_anew_then_deletes() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    outbox.want("a", words("turn", silent=True))
    await outbox.idle()
    old = outbox.where("a")
    outbox.ring("a", words("turn"))
    await outbox.idle()
    assert server.methods() == ["sendMessage", "sendMessage", "deleteMessage"]
    assert server.log[2].parameters["message_id"] == old[1]  # type: ignore[index]
    assert not server.only(1).silent
    assert outbox.where("a") == (1, max(server.chats[1]))


async def test_ring_reuses_the_picture() -> None:
    server, painter = Telegram(), Painter()
    outbox = make_outbox(server)
    await outbox.start()
    outbox.want("a", words("turn", picture=painter("p")))
    await outbox.idle()
    outbox.ring("a", words("turn", picture=painter("p")))
    await outbox.idle()
    assert [call.uploads for call in server.log] == [1, 0, 0]
    assert painter.drawn == ["p"]


async def test_ring_of_a_message_not_out_yet() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    outbox.want("a", words("turn", silent=True))
    outbox.ring("a", words("turn"))
    await outbox.idle()
    assert server.methods() == ["sendMessage"]
    assert not server.only(1).silent


async def test_later_states_keep_the_ring() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    outbox.want("a", words("one"))
    await outbox.idle()
    outbox.ring("a", words("two"))
    outbox.want("a", words("three", silent=True))
    await outbox.idle()
    assert server.methods() == ["sendMessage", "sendMessage", "deleteMessage"]
    assert server.texts(1) == ["three"]
    assert not server.only(1).silent


async def test_hush() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    outbox.want("a", words("one"))
    await outbox.idle()
    outbox.ring("a", words("one"))
    outbox.hush("a")
    outbox.hush("unknown")
    await outbox.idle()
    assert server.methods() == ["sendMessage"]


async def test_ring_that_fails_rings_later() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    outbox.want("a", words("one"))
    await outbox.idle()
    server.fail("sendMessage", 429, "Too Many Requests", retry_after=5)
    outbox.ring("a", words("one"))
    await asyncio.sleep(0.015)  # on its way
    outbox.want("a", words("two", silent=True))
    await outbox.idle()
    assert server.methods() == ["sendMessage", "sendMessage", "sendMessage", "deleteMessage"]
    assert server.texts(1) == ["two"]
    assert not server.only(1).silent


# The end of a message


async def test_drop() -> None:
    server, store = Telegram(), Rows()
    outbox = make_outbox(server, store)
    await outbox.start()
    outbox.want("a", words("one"))
    outbox.want("b", words("two"))
    outbox.drop("b")  # before it was sent
    await outbox.idle()
    assert server.texts(1) == ["one"]
    outbox.drop("a")
    outbox.drop("unknown")
    await outbox.idle()
    assert server.texts(1) == []
    assert server.methods() == ["sendMessage", "deleteMessage"]
    assert not living(store)
    assert outbox.keys() == []


async def test_drop_during_the_send() -> None:
    server, store = Telegram(latency=1.0), Rows()
    outbox = make_outbox(server, store)
    await outbox.start()
    outbox.want("a", words("one"))
    await asyncio.sleep(0.5)
    outbox.drop("a")
    outbox.want("a", words("another"))
    await outbox.idle()
    assert server.texts(1) == ["another"]
    assert living(store) == {"a"}
    assert store.rows["a"].message_id == max(server.chats[1])


async def test_old_messages_lose_their_buttons_instead() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    outbox.want("a", words("one", 1, "x"))
    await outbox.idle()
    await asyncio.sleep(48 * 3600)
    outbox.ring("a", words("two", 1, "y"))
    await outbox.idle()
    assert server.methods() == ["sendMessage", "sendMessage", "editMessageReplyMarkup"]
    assert [(shown.text, shown.markup is None) for shown in server.chats[1].values()] == [
        ("one", True),
        ("two", False),
    ]


async def test_old_messages_without_buttons_are_left_alone() -> None:
    server, store = Telegram(), Rows()
    outbox = make_outbox(server, store)
    await outbox.start()
    outbox.want("a", words("one", 1))
    await outbox.idle()
    await asyncio.sleep(48 * 3600)
    outbox.ring("a", words("two", 1, "y"))
    outbox.want("b", words("three", 1))
    await outbox.idle()
    await asyncio.sleep(48 * 3600)
    outbox.drop("b")
    await outbox.idle()
    assert server.methods() == ["sendMessage", "sendMessage", "sendMessage"]
    assert living(store) == {"a"}


async def test_delete_refused() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    outbox.want("a", words("one", 1, "x"))
    await outbox.idle()
    server.fail("deleteMessage", 400, "Bad Request: message can't be deleted for everyone")
    outbox.drop("a")
    await outbox.idle()
    assert server.methods() == ["sendMessage", "deleteMessage", "editMessageReplyMarkup"]
    assert server.only(1).markup is None


async def test_close_takes_the_buttons_off() -> None:
    server, store, painter = Telegram(), Rows(), Painter()
    outbox = make_outbox(server, store)
    await outbox.start()
    outbox.want("a", words("one", 1, "x"))
    outbox.want("b", words("two", 2, "x", picture=painter("p")))
    await outbox.idle()
    outbox.close("a")
    outbox.close("b", "the end")
    await outbox.idle()
    assert server.methods(1) == ["sendMessage", "editMessageReplyMarkup"]
    assert server.methods(2) == ["sendPhoto", "editMessageCaption"]
    assert (server.only(1).markup, server.only(1).text) == (None, "one")
    assert (server.only(2).markup, server.only(2).text) == (None, "the end")
    assert not living(store)
    assert outbox.keys() == []


async def test_close_brings_the_newest_state_about() -> None:
    """A score sheet wanted and closed at once is still shown."""
    server, painter = Telegram(), Painter(1.0)
    outbox = make_outbox(server)
    await outbox.start()
    outbox.want("a", words("one", 1, "x", picture=painter("p")))
    await outbox.idle()
    outbox.want("a", words("sheet", 1, "x", picture=painter("q")))
    outbox.close("a")
    outbox.want("b", words("never out", 2, "x"))
    outbox.close("b")
    await outbox.idle()
    assert (server.only(1).text, server.only(1).photo, server.only(1).markup) == ("sheet", "file2", None)
    assert (server.only(2).text, server.only(2).markup) == ("never out", None)


async def test_close_keeps_the_buttons_that_it_is_told_to() -> None:
    """Whether a newer state is on its way or not, in one call each; what shows just that costs none."""
    server, store = Telegram(), Rows()
    outbox = make_outbox(server, store)
    await outbox.start()
    kept = words("", 1, "k").keyboard
    outbox.want("a", words("one", 1, "x"))
    outbox.want("b", words("two", 2, "x"))
    outbox.want("c", words("three", 3, "k"))
    await outbox.idle()
    outbox.close("a", keyboard=kept)
    outbox.want("b", words("two, newer", 2, "y"))
    outbox.close("b", "the end", kept)
    outbox.close("c", keyboard=kept)
    await outbox.idle()
    shown = server.only(3).markup
    assert shown is not None
    assert [server.only(chat).markup for chat in (1, 2)] == [shown, shown]
    assert [server.only(chat).text for chat in (1, 2, 3)] == ["one", "the end", "three"]
    assert server.methods(1) == ["sendMessage", "editMessageReplyMarkup"]
    assert server.methods(2) == ["sendMessage", "editMessageText"]
    assert server.methods(3) == ["sendMessage"]
    assert not living(store)


async def test_close_without_buttons_costs_nothing() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    outbox.want("a", words("one"))
    outbox.want("b", words("two", 2))
    await outbox.idle()
    outbox.close("a")
    outbox.close("b", "two")
    outbox.close("unknown")
    await outbox.idle()
    assert server.methods() == ["sendMessage", "sendMessage"]


async def test_close_of_a_message_that_is_gone() -> None:
    server, store = Telegram(), Rows()
    outbox = make_outbox(server, store)
    await outbox.start()
    outbox.want("a", words("one", 1, "x"))
    await outbox.idle()
    server.chats[1].clear()
    outbox.close("a")
    await outbox.idle()
    assert server.texts(1) == []
    assert not living(store)


async def test_a_closed_key_is_free() -> None:
    server, store = Telegram(), Rows()
    outbox = make_outbox(server, store)
    await outbox.start()
    outbox.want("a", words("one", 1, "x"))
    await outbox.idle()
    outbox.close("a")
    outbox.want("a", words("two", 1, "y"), Priority.PROMPT)
    await outbox.idle()
    assert server.texts(1) == ["one", "two"]
    assert [shown.markup is None for shown in server.chats[1].values()] == [True, False]
    assert store.rows["a"].message_id == max(server.chats[1])


async def test_another_chat_under_the_same_key() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    outbox.want("a", words("one", 1))
    await outbox.idle()
    outbox.want("a", words("one", 2))
    await outbox.idle()
    assert server.texts(1) == []
    assert server.texts(2) == ["one"]


async def test_say() -> None:
    server, store = Telegram(), Rows()
    outbox = make_outbox(server, store)
    await outbox.start()
    outbox.say(words("hello"))
    outbox.say(words("hello"))
    await outbox.idle()
    assert server.texts(1) == ["hello", "hello"]
    assert not living(store)


async def test_say_is_given_up_in_the_end() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    for _ in range(40):
        server.fail("sendMessage", 502, "Bad Gateway")
    outbox.say(words("late"), Priority.RESULT)
    outbox.want("a", words("state"))
    await outbox.idle()
    assert server.texts(1) == ["state"]


# Pictures


async def test_superseded_drawing_is_not_sent() -> None:
    server, painter = Telegram(), Painter(2.0)
    outbox = make_outbox(server)
    await outbox.start()
    outbox.want("a", words("one", picture=painter("p")))
    await asyncio.sleep(1)
    outbox.want("a", words("two", picture=painter("q")))
    await outbox.idle()
    assert server.methods() == ["sendPhoto"]
    assert server.only(1).text == "two"
    assert server.log[0].at == pytest.approx(3.0, abs=0.1)


async def test_words_that_change_while_drawing() -> None:
    server, painter = Telegram(), Painter(2.0)
    outbox = make_outbox(server)
    await outbox.start()
    outbox.want("a", words("one", picture=painter("p")))
    await asyncio.sleep(1)
    outbox.want("a", words("two", picture=painter("p")))
    await outbox.idle()
    assert painter.drawn == ["p"]
    assert server.methods() == ["sendPhoto"]
    assert server.only(1).text == "two"


async def test_slow_drawing_holds_up_nobody_else() -> None:
    server, slow, quick = Telegram(), Painter(10.0), Painter(0.01)
    outbox = make_outbox(server)
    await outbox.start()
    outbox.want("slow", words("slow", 1, picture=slow("s")))
    await asyncio.sleep(0.1)
    outbox.want("quick", words("quick", 2, picture=quick("q")))
    outbox.want("urgent", words("urgent", 1), Priority.PROMPT)
    await asyncio.sleep(0.5)
    assert server.texts(2) == ["quick"]
    assert server.texts(1) == ["urgent"]
    await outbox.idle()
    assert server.texts(1) == ["urgent", "slow"]


async def test_dropped_while_drawing() -> None:
    server, painter = Telegram(), Painter(2.0)
    outbox = make_outbox(server)
    await outbox.start()
    outbox.want("a", words("one", picture=painter("p")))
    await asyncio.sleep(1)
    outbox.drop("a")
    await outbox.idle()
    assert server.log == []


@pytest.mark.parametrize("seconds", [0.0, 60.0])
async def test_pictures_that_cannot_be_drawn(seconds: float) -> None:
    server, painter = Telegram(), Painter()
    outbox = make_outbox(server)
    await outbox.start()

    async def broken() -> bytes:
        await asyncio.sleep(seconds)
        raise RuntimeError("no brush")

    outbox.want("a", words("in words", 1, picture=replace(painter("x"), draw=broken)))
    outbox.want("b", words("picture", 2, picture=painter("p")))
    await outbox.idle()
    outbox.want("b", words("old picture, new words", 2, "x", picture=replace(painter("x"), draw=broken)))
    await outbox.idle()
    assert server.methods(1) == ["sendMessage"]
    assert server.methods(2) == ["sendPhoto", "editMessageCaption"]
    outbox.want("a", words("drawn", 1, picture=painter("y")))
    await outbox.idle()
    assert server.only(1).photo == "file2"


async def test_drawings_of_many_chats_are_bounded() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    running = most = 0

    async def draw() -> bytes:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.5)
        running -= 1
        return b"\xff\xd8"

    painter = Painter()
    for chat in range(1, 201):
        outbox.want(f"k{chat}", words("x", chat, picture=replace(painter(f"p{chat}"), draw=draw)))
    await outbox.idle()
    assert most == 30
    assert len(server.log) == 200
