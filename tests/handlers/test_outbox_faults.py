"""What goes wrong, and what the outbox does then."""

import asyncio
import random
from datetime import timedelta
from itertools import pairwise
from typing import Any

import httpx
import pytest
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Conflict,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
    TimedOut,
)

from handlers.outbox import Priority
from handlers.outbox_calls import Trouble, fault_of
from tests.handlers.telegram_fake import GROUP, Painter, Rows, Telegram, living, make_outbox, words

pytestmark = pytest.mark.looptime(noop_cycles=0)


@pytest.mark.looptime(False)
@pytest.mark.parametrize(
    ("error", "trouble"),
    [
        (ChatMigrated(-100), Trouble.MIGRATED),
        (Forbidden("Forbidden: bot was blocked by the user"), Trouble.UNREACHABLE),
        (BadRequest("Bad Request: chat not found"), Trouble.UNREACHABLE),
        (BadRequest("Bad Request: not enough rights to send text messages to the chat"), Trouble.UNREACHABLE),
        (BadRequest("CHAT_WRITE_FORBIDDEN"), Trouble.UNREACHABLE),
        (BadRequest("Bad Request: not enough rights to send photos to the chat"), Trouble.NO_PHOTOS),
        (BadRequest("Bad Request: message is not modified: specified new ..."), Trouble.UNCHANGED),
        (BadRequest("Bad Request: message to edit not found"), Trouble.GONE),
        (BadRequest("Bad Request: MESSAGE_ID_INVALID"), Trouble.GONE),
        (BadRequest("Bad Request: message can't be edited"), Trouble.FIXED),
        (BadRequest("Bad Request: message thread not found"), Trouble.THREAD),
        (BadRequest("Bad Request: TOPIC_CLOSED"), Trouble.THREAD),
        (BadRequest("Bad Request: wrong file identifier/HTTP URL specified"), Trouble.FILE),
        (BadRequest("Bad Request: can't parse entities"), Trouble.REFUSED),
        (NetworkError("Bad Gateway"), Trouble.NETWORK),
        (TimedOut(), Trouble.NETWORK),
        (Conflict("terminated by other getUpdates request"), Trouble.NETWORK),
        (InvalidToken(), Trouble.NETWORK),
        (TelegramError("Invalid server response"), Trouble.NETWORK),
    ],
)
def test_errors_are_told_apart(error: TelegramError, trouble: Trouble) -> None:
    assert fault_of(error).trouble is trouble


@pytest.mark.looptime(False)
@pytest.mark.parametrize("wait", [3, timedelta(seconds=3)])
def test_floods(wait: int | timedelta) -> None:
    fault = fault_of(RetryAfter(wait))
    assert (fault.trouble, fault.seconds) == (Trouble.FLOOD, 3.0)


@pytest.mark.looptime(False)
def test_calls_that_may_have_arrived() -> None:
    def caused(error: TelegramError, cause: Exception) -> TelegramError:
        error.__cause__ = cause
        return error

    assert fault_of(TimedOut()).perhaps
    assert fault_of(caused(NetworkError("x"), httpx.ReadError("x"))).perhaps
    assert not fault_of(caused(NetworkError("x"), httpx.ConnectError("x"))).perhaps
    assert not fault_of(caused(TimedOut(), httpx.PoolTimeout("x"))).perhaps
    assert not fault_of(NetworkError("Bad Gateway")).perhaps


async def test_retries_with_backoff() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    for _ in range(9):
        server.fail("sendMessage", 502, "Bad Gateway")
    outbox.want("a", words("one"))
    await outbox.idle()
    times = [call.at for call in server.log]
    pauses = [round(b - a, 1) for a, b in pairwise(times)]
    assert pauses == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0]
    assert server.texts(1) == ["one"]


async def test_failures_of_one_chat_are_its_own() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    server.chat_faults[1] = (500, {"description": "Internal Server Error"})
    outbox.want("a", words("one", 1))
    await asyncio.sleep(10)
    outbox.want("b", words("two", 2))
    await asyncio.sleep(0.1)
    assert server.texts(2) == ["two"]
    outbox.want("a", words("newer", 1))
    server.chat_faults.clear()
    await outbox.idle()
    assert server.texts(1) == ["newer"]


async def test_lost_answers() -> None:
    """A message somebody needs is sent again; chatter is not; an edit does no harm twice."""
    server, store = Telegram(), Rows()
    outbox = make_outbox(server, store)
    await outbox.start()
    server.lose("sendMessage", TimedOut(), after=True)
    outbox.want("a", words("turn", 1, "x"))
    await outbox.idle()
    assert server.texts(1) == ["turn", "turn"]
    first, second = server.chats[1]
    outbox.pressed("a", 1, second)
    await outbox.idle()
    outbox.pressed("a", 1, first)
    outbox.pressed("a", 1, first)
    outbox.pressed("unknown", 1, first)
    await outbox.idle()
    assert list(server.chats[1]) == [second]
    assert server.methods(1).count("deleteMessage") == 1
    assert living(store) == {"a"}

    server.lose("editMessageText", TimedOut(), after=True)
    outbox.want("a", words("next", 1, "x"))
    await outbox.idle()
    assert server.texts(1) == ["next"]

    for priority, times in ((Priority.CHATTER, 1), (Priority.RESULT, 2)):
        server.lose("sendMessage", TimedOut(), after=True)
        outbox.say(words("said", 2), priority)
        await outbox.idle()
        assert server.texts(2).count("said") == times
        server.chats[2].clear()


@pytest.mark.parametrize("photo", [False, True])
@pytest.mark.parametrize("restart", [False, True])
async def test_an_edit_that_may_have_arrived_is_not_trusted(photo: bool, restart: bool) -> None:
    """A is shown; B's answer is lost, though B arrived; A is wanted again."""
    server, store, painter = Telegram(), Rows(), Painter()
    outbox = make_outbox(server, store)
    await outbox.start()
    a, b = (words(text, 1, "x", picture=painter(text) if photo else None) for text in "ab")
    outbox.want("k", a)
    await outbox.idle()
    server.lose("editMessageMedia" if photo else "editMessageText", TimedOut(), after=True)
    outbox.want("k", b)
    await asyncio.sleep(0.2)
    assert server.only(1).text == "b"
    if restart:
        await outbox.stop(0.2)
        outbox = make_outbox(server, store)
        await outbox.start()
    outbox.want("k", a)
    await outbox.idle()
    assert server.only(1).text == "a"
    assert server.only(1).photo == ("file1" if photo else None)


async def test_not_modified_is_ignored() -> None:
    server, store = Telegram(), Rows()
    outbox = make_outbox(server, store)
    await outbox.start()
    outbox.want("a", words("one"))
    await outbox.idle()
    server.only(1).text = "two"  # as if an edit had arrived of which nothing is known
    outbox.want("a", words("two"))
    await outbox.idle()
    outbox.want("a", words("two"))
    await outbox.idle()
    assert server.methods() == ["sendMessage", "editMessageText"]


@pytest.mark.parametrize("photo", [False, True])
async def test_message_to_edit_is_gone(photo: bool) -> None:
    server, painter = Telegram(), Painter()
    outbox = make_outbox(server)
    await outbox.start()
    picture = painter("p") if photo else None
    outbox.want("a", words("one", picture=picture))
    await outbox.idle()
    server.chats[1].clear()
    outbox.want("a", words("two", picture=picture))
    await outbox.idle()
    assert server.texts(1) == ["two"]
    assert painter.drawn == (["p"] if photo else [])


async def test_message_that_cannot_be_edited() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    outbox.want("a", words("one", 1, "x"))
    await outbox.idle()
    server.fail("editMessageText", 400, "Bad Request: message can't be edited")
    outbox.want("a", words("two", 1, "x"))
    await outbox.idle()
    assert server.texts(1) == ["two"]  # the old one was deleted


@pytest.mark.parametrize("error", ["message thread not found", "TOPIC_CLOSED"])
async def test_lost_topics(error: str) -> None:
    server = Telegram(lost_topics={7: error})
    lost: list[tuple[int, int]] = []
    outbox = make_outbox(server, on_thread_lost=lambda *what: lost.append(what))
    await outbox.start()
    outbox.want("a", words("one", GROUP, thread_id=7))
    assert await outbox.dice(GROUP, 7)
    outbox.say(words("two", GROUP, thread_id=7))
    outbox.say(words("elsewhere", GROUP, thread_id=8))
    await outbox.idle()
    assert lost == [(GROUP, 7)]
    assert [shown.thread_id for shown in server.chats[GROUP].values()] == [None, None, None, 8]


async def test_edit_in_a_closed_topic() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    outbox.want("a", words("one", GROUP, thread_id=7))
    await outbox.idle()
    server.lost_topics[7] = "TOPIC_CLOSED"
    server.fail("editMessageText", 400, "Bad Request: TOPIC_CLOSED")
    outbox.want("a", words("two", GROUP, thread_id=7))
    await outbox.idle()
    assert server.only(GROUP).text == "two"
    assert server.only(GROUP).thread_id is None


async def test_what_was_for_a_closed_general_topic_is_given_up_and_other_topics_go_on() -> None:
    server = Telegram(lost_topics={None: "TOPIC_CLOSED"})  # type: ignore[dict-item]
    told: list[Any] = []
    outbox = make_outbox(server, on_thread_lost=lambda *what: told.append(what))
    outbox.on_unreachable = lambda *what: told.append("unreachable")
    await outbox.start()
    outbox.want("a", words("one", GROUP))
    outbox.want("b", words("two", GROUP, thread_id=8))
    await outbox.idle()
    assert told == [(GROUP, None)]
    assert server.only(GROUP).thread_id == 8


async def test_a_topic_in_which_somebody_writes_is_not_lost() -> None:
    server = Telegram(lost_topics={7: "TOPIC_CLOSED"})
    outbox = make_outbox(server)
    await outbox.start()
    outbox.say(words("one", GROUP, thread_id=7))
    await outbox.idle()
    server.lost_topics.clear()
    outbox.thread_found(GROUP, 7)
    outbox.say(words("two", GROUP, thread_id=7))
    await outbox.idle()
    assert [shown.thread_id for shown in server.chats[GROUP].values()] == [None, 7]


async def test_unreachable() -> None:
    server = Telegram()
    reasons: list[tuple[int, str]] = []
    outbox = make_outbox(server, on_unreachable=lambda *what: reasons.append(what))
    await outbox.start()
    outbox.want("a", words("one", 1, "x"))
    await outbox.idle()
    server.chat_faults[1] = (403, {"description": "Forbidden: bot was blocked by the user"})
    outbox.want("a", words("two", 1, "x"), Priority.PROMPT)
    outbox.say(words("said"))
    outbox.want("b", words("other", 2))
    throw = asyncio.create_task(outbox.dice(1))
    await outbox.idle()
    assert reasons == [(1, "Forbidden: bot was blocked by the user")]
    assert await throw is None
    assert server.texts(2) == ["other"]
    server.chat_faults.clear()
    outbox.want("a", words("back", 1, "x"))
    await outbox.idle()
    assert server.texts(1) == ["back"]


async def test_callbacks_that_break_do_no_harm(caplog: pytest.LogCaptureFixture) -> None:
    server = Telegram()
    outbox = make_outbox(server, on_unreachable=lambda *_: 1 / 0)
    await outbox.start()
    server.fail("sendMessage", 403, "Forbidden: bot was kicked from the group chat")
    outbox.want("a", words("one", GROUP))
    await outbox.idle()
    outbox.want("a", words("one", GROUP))
    await outbox.idle()
    assert server.texts(GROUP) == ["one"]
    assert "callback" in caplog.text


async def test_group_becomes_a_supergroup() -> None:
    server, store, new = Telegram(), Rows(), -100_500
    moves: list[tuple[int, int]] = []
    outbox = make_outbox(server, store, on_migrated=lambda *what: moves.append(what))
    await outbox.start()
    outbox.want("a", words("one", -5, "x"))
    outbox.want("b", words("rests", -5, "x"))
    await outbox.idle()
    moved = {"description": "group chat was upgraded", "parameters": {"migrate_to_chat_id": new}}
    server.chat_faults[-5] = (400, moved)
    outbox.want("a", words("two", -5, "x"))
    outbox.say(words("said", -5))
    throw = asyncio.create_task(outbox.dice(-5))
    await outbox.idle()
    assert moves == [(-5, new)]
    assert await throw
    assert sorted(server.texts(new)) == ["", "said", "two"]
    outbox.want("b", words("wakes", -5, "x"))  # a handler that has not heard of it
    outbox.migrate(-5, new)
    await outbox.idle()
    assert "wakes" in server.texts(new)
    assert {store.rows[key].chat_id for key in living(store)} == {new}


async def test_migration_heard_of_during_a_call() -> None:
    server = Telegram(latency=1.0)
    outbox = make_outbox(server)
    await outbox.start()
    outbox.want("a", words("one", -5))
    await asyncio.sleep(0.7)
    outbox.migrate(-5, -100_500)
    await outbox.idle()
    assert server.texts(-100_500) == ["one"]
    assert outbox.where("a") == (-100_500, max(server.chats[-100_500]))


async def test_refused_states_are_given_up(caplog: pytest.LogCaptureFixture) -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    server.fail("sendMessage", 400, "Bad Request: can't parse entities")
    outbox.want("a", words("<broken"))
    await outbox.idle()
    assert len(server.log) == 1
    assert "parse entities" in caplog.text
    outbox.want("a", words("sound"))
    await outbox.idle()
    assert server.texts(1) == ["sound"]


async def test_a_file_id_that_is_no_good() -> None:
    server, painter = Telegram(), Painter()
    outbox = make_outbox(server)
    await outbox.start()
    outbox.want("a", words("one", 1, picture=painter("p")))
    await outbox.idle()
    server.fail("sendPhoto", 400, "Bad Request: wrong file identifier/HTTP URL specified")
    outbox.want("b", words("two", 2, picture=painter("p")))
    await outbox.idle()
    assert server.only(2).photo == "file2"
    assert painter.drawn == ["p", "p"]


async def test_chat_without_photos() -> None:
    server, painter = Telegram(), Painter()
    outbox = make_outbox(server)
    await outbox.start()
    server.fail("sendPhoto", 400, "Bad Request: not enough rights to send photos to the chat")
    outbox.want("a", words("one", GROUP, picture=painter("p")))
    await outbox.idle()
    outbox.want("a", words("two", GROUP, picture=painter("q")))
    await outbox.idle()
    assert server.methods() == ["sendPhoto", "sendMessage", "editMessageText"]
    await asyncio.sleep(601)
    outbox.want("a", words("three", GROUP, picture=painter("q")))
    await outbox.idle()
    assert server.only(GROUP).photo == "file1"


# Dice


async def test_dice() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    throws = [asyncio.create_task(outbox.dice(GROUP)), asyncio.create_task(outbox.dice(GROUP, 1))]
    await asyncio.sleep(0)
    outbox.say(words("waits", GROUP), Priority.PROMPT)
    assert await asyncio.gather(*throws) == [shown % 6 + 1 for shown in (101, 102)]
    await outbox.idle()
    assert server.methods() == ["sendDice", "sendDice", "sendMessage"]
    assert all("message_thread_id" not in call.parameters for call in server.log)


async def test_dice_lost_are_thrown_again() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    server.lose("sendDice", TimedOut(), after=True)
    server.fail("sendDice", 429, "Too Many Requests", retry_after=10)
    assert await outbox.dice(GROUP) == 102 % 6 + 1
    assert len(server.chats[GROUP]) == 2


async def test_dice_forbidden() -> None:
    server = Telegram()
    unreachable: list[Any] = []
    outbox = make_outbox(server, on_unreachable=lambda *what: unreachable.append(what))
    await outbox.start()
    server.fail("sendDice", 400, "Bad Request: not enough rights to send stickers to the chat")
    assert await outbox.dice(GROUP) is None
    assert not unreachable


async def test_dice_nobody_waits_for() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    throw = asyncio.create_task(outbox.dice(GROUP))
    await asyncio.sleep(0)
    throw.cancel()
    outbox.say(words("x", GROUP))
    await outbox.idle()
    assert server.methods() == ["sendMessage"]


# Answers


async def test_answers() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    outbox.answer("1", "好" * 300, alert=True)
    outbox.answer("2", url="https://t.me/bot?start=x")
    server.fail("answerCallbackQuery", 502, "Bad Gateway")
    await outbox.idle()
    answers = [call.parameters for call in server.log]
    assert {p["callback_query_id"] for p in answers} == {"1", "2"}
    assert len(answers) == 3
    assert all(len(p.get("text", "")) <= 200 for p in answers)
    server.fail("answerCallbackQuery", 400, "Bad Request: query is too old and response timeout expired")
    outbox.answer("3")
    await outbox.idle()
    assert len(server.log) == 4


async def test_answers_are_given_up_in_time() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    for _ in range(99):
        server.fail("answerCallbackQuery", 502, "Bad Gateway")
    outbox.answer("1")
    await outbox.idle()
    assert server.log[-1].at < 15


async def test_a_broken_store_does_not_stop_the_sending(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(Rows):
        async def save_sent(self, *_: Any) -> None:
            raise OSError("disk full")

    server = Telegram()
    outbox = make_outbox(server, Broken())
    await outbox.start()
    for text in ("one", "two"):
        outbox.want("a", words(text))
        await outbox.idle()
    assert server.texts(1) == ["two"]
    assert "remembered" in caplog.text


async def test_a_storm() -> None:
    """All kinds of faults at random for an hour; then every chat shows what was wanted last, once."""
    rng = random.Random(11)
    server, painter = Telegram(), Painter(0.05)
    outbox = make_outbox(server)
    await outbox.start()
    faults: list[tuple[int, str, dict[str, Any]]] = [
        (502, "Bad Gateway", {}),
        (429, "Too Many Requests", {"retry_after": 7}),
        (400, "Bad Request: message to edit not found", {}),
        (400, "Bad Request: message can't be edited", {}),
    ]
    methods = ["sendMessage", "sendPhoto", "editMessageText", "editMessageMedia", "deleteMessage"]
    for tick in range(250):
        chat = rng.choice([1, 2, 3, GROUP])
        picture = painter(f"p{rng.randrange(30)}") if rng.random() < 0.6 else None
        wanted = words(str(tick), chat, "x", picture=picture)
        (outbox.ring if rng.random() < 0.1 else outbox.want)(f"{chat}", wanted)
        if rng.random() < 0.2:
            status, description, more = rng.choice(faults)
            server.fail(rng.choice(methods), status, description, **more)
        await asyncio.sleep(3)
    server.faults.clear()
    for chat in (1, 2, 3, GROUP):
        outbox.want(f"{chat}", words("last", chat))
    await outbox.idle()
    for chat in (1, 2, 3, GROUP):
        assert server.texts(chat).count("last") == 1
        assert outbox.where(f"{chat}") == (chat, max(server.chats[chat]))
