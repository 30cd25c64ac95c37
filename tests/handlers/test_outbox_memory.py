"""Restarts: what was sent is edited, not sent anew."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest

from data.store import Store
from handlers.outbox import Priority
from tests.handlers.telegram_fake import GROUP, START, Painter, Rows, Telegram, living, make_outbox, words

pytestmark = pytest.mark.looptime(noop_cycles=0)


async def test_the_same_messages_are_edited_after_a_restart() -> None:
    server, store, painter = Telegram(), Rows(), Painter()
    outbox = make_outbox(server, store)
    await outbox.start()
    outbox.want("hand", words("hand", 1, "x", picture=painter("p")))
    outbox.want("table", words("table", GROUP, "x"))
    await outbox.idle()
    await outbox.stop()

    outbox = make_outbox(server, store)
    assert "=finished" in store.rows
    outbox.want("hand", words("hand", 1, "x", picture=painter("p")))  # before the start: waits for the memory
    await outbox.start()
    outbox.want("table", words("table now", GROUP, "x"))
    await outbox.idle()
    assert outbox.keys() == ["hand", "table"]
    assert outbox.keys("ta") == ["table"]
    assert sorted(server.methods()) == ["editMessageText", "sendMessage", "sendPhoto"]
    outbox.want("other", words("other", 2, picture=painter("p")))
    await outbox.idle()
    assert server.log[-1].uploads == 0
    assert painter.drawn == ["p"]


async def test_with_the_real_store(tmp_path: Path) -> None:
    server, painter = Telegram(), Painter()
    for round_ in range(3):
        store = await Store.open(tmp_path / "x.sqlite3", inline=True)
        outbox = make_outbox(server, store)
        await outbox.start()
        outbox.want("hand", words(f"round {round_}", 1, "x", picture=painter("p")))
        await outbox.idle()
        outbox.abort()
        await store.close()
    assert server.methods() == ["sendPhoto", "editMessageMedia", "editMessageMedia"]
    assert [call.uploads for call in server.log] == [1, 0, 0]
    store = await Store.open(tmp_path / "x.sqlite3", inline=True)
    outbox = make_outbox(server, store)
    await outbox.start()
    outbox.ring("hand", words("rung", 1, "x", picture=painter("p")))
    await outbox.idle()
    assert [row.key for row in await store.sent_messages()] == ["#1", "hand"]
    outbox.drop("hand")
    await outbox.idle()
    assert [row.key for row in await store.sent_messages()] == ["#1"]
    assert server.texts(1) == []
    await store.close()


async def test_after_a_kill_each_message_is_made_sure_of() -> None:
    """An edit whose answer did not arrive before the kill: what is remembered is not what is shown."""
    server, store, painter = Telegram(latency=1.0), Rows(), Painter()
    hand, table = words("hand", 1, "x", picture=painter("h")), words("table", 1, "x", picture=painter("t"))
    outbox = make_outbox(server, store)
    await outbox.start()
    outbox.want("a", hand)
    outbox.want("b", words("rests", 2, "x"))
    await outbox.idle()
    outbox.want("a", table)
    await asyncio.sleep(0.7)
    outbox.abort()
    assert server.only(1).text == "table"
    outbox = make_outbox(server, store)
    await outbox.start()
    outbox.want("a", hand, Priority.PROMPT)
    outbox.want("b", words("rests", 2, "x"), Priority.PROMPT)
    assert [slot.priority for slot in outbox._slots] == [Priority.CHATTER] * 2
    await outbox.idle()
    assert server.only(1).text == "hand"
    assert server.methods()[3:] in (["editMessageMedia", "editMessageText"], ["editMessageText", "editMessageMedia"])
    assert sum(call.uploads for call in server.log) == 2
    log = len(server.log)
    outbox.want("a", hand)
    outbox.want("b", words("rests", 2, "x"))
    await outbox.idle()
    assert len(server.log) == log


async def test_edits_are_written_together() -> None:
    server, store = Telegram(), Rows()
    outbox = make_outbox(server, store)
    await outbox.start()
    for text in ("one", "two", "three"):
        for chat in range(1, 11):
            outbox.want(f"k{chat}", words(text, chat))
        await asyncio.sleep(10)
    assert store.saves <= 10 + 2 * 2  # each new message at once
    await outbox.idle()


async def test_close_after_a_restart() -> None:
    server, store = Telegram(), Rows()
    outbox = make_outbox(server, store)
    await outbox.start()
    outbox.want("a", words("one", 1, "x"))
    outbox.want("b", words("two", 2, "x"))
    await outbox.idle()
    outbox.abort()
    outbox = make_outbox(server, store)
    await outbox.start()
    outbox.close("a")
    outbox.close("b", "closed")
    await outbox.idle()
    assert (server.only(1).text, server.only(1).markup) == ("one", None)
    assert (server.only(2).text, server.only(2).markup) == ("closed", None)
    assert set(store.rows) == {"#1", "#2"}


async def test_killed_between_ring_and_deletion() -> None:
    """The copy that was to go is remembered in the same transaction as the new message."""
    server, store = Telegram(latency=1.0), Rows()
    outbox = make_outbox(server, store)
    await outbox.start()
    outbox.want("a", words("one"))
    await outbox.idle()
    outbox.ring("a", words("one"))
    await asyncio.sleep(1.2)
    assert server.texts(1) == ["one", "one"]
    outbox.abort()
    outbox = make_outbox(server, store)
    await outbox.start()
    await outbox.idle()
    assert server.texts(1) == ["one"]
    assert set(store.rows) == {"#1", "a"}
    assert outbox.keys() == ["a"]


@pytest.mark.parametrize("turns", range(0, 60, 4))
async def test_killed_at_any_await(turns: int) -> None:
    """At worst the message stands twice, and the one that is remembered shows the newest state."""
    server, store = Telegram(latency=0.0), Rows()
    outbox = make_outbox(server, store)
    await outbox.start()
    outbox.want("a", words("one", 1, "x"))
    outbox.want("t", words("one", GROUP, "x"))
    for _ in range(turns):
        await asyncio.sleep(0)
    outbox.abort()
    log = len(server.log)
    await asyncio.sleep(100)
    assert len(server.log) == log  # nothing goes out any more
    outbox = make_outbox(server, store)
    await outbox.start()
    outbox.want("a", words("two", 1, "x"))
    outbox.want("t", words("two", GROUP, "x"))
    await outbox.idle()
    for chat in (1, GROUP):
        assert server.texts(chat) in (["two"], ["one", "two"])


async def test_memory_that_cannot_be_read() -> None:
    server, store = Telegram(), Rows()
    outbox = make_outbox(server, store)
    await outbox.start()
    outbox.want("a", words("one"))
    await outbox.idle()
    for digest in ("", "{}", json.dumps({"text": 1}), "[]", '["x"]'):
        for key in ("a", "#1"):
            store.rows[key] = replace(store.rows[key], digest=digest)
        outbox = make_outbox(server, store)
        await outbox.start()
        outbox.want("a", words("one"))
        await outbox.idle()
        assert server.texts(1) == ["one"]


async def test_stop_sends_what_it_can() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    loop = asyncio.get_running_loop()
    for chat in range(1, 41):
        outbox.want(f"k{chat}", words("last", chat), Priority.PROMPT)
    begin = loop.time()
    await outbox.stop(5)
    assert len(server.log) == 40
    assert loop.time() - begin < 2
    outbox.want("k1", words("too late"))
    outbox.say(words("too late"))
    outbox.answer("1")
    outbox.drop("k1")
    await asyncio.sleep(10)
    assert len(server.log) == 40


async def test_stop_does_not_wait_in_vain() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    loop = asyncio.get_running_loop()
    server.chat_faults[1] = (429, {"description": "Too Many Requests", "parameters": {"retry_after": 100}})
    outbox.want("a", words("x"))
    throw = asyncio.create_task(outbox.dice(1))
    await asyncio.sleep(1)
    begin = loop.time()
    await outbox.stop(5)
    assert loop.time() - begin < 0.1
    with pytest.raises(asyncio.CancelledError):
        await throw


async def test_stop_in_the_middle_of_a_call() -> None:
    server, store = Telegram(latency=60.0), Rows()
    outbox = make_outbox(server, store)
    await outbox.start()
    outbox.want("a", words("x"))
    await asyncio.sleep(1)
    begin = asyncio.get_running_loop().time()
    await outbox.stop(5)
    assert asyncio.get_running_loop().time() - begin == pytest.approx(5, abs=0.1)
    assert "=finished" not in store.rows


async def test_chats_at_rest_are_let_go() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    for chat in range(1, 11):
        outbox.want(f"k{chat}", words("one", chat))
    server.fail("sendMessage", 429, "Too Many Requests", retry_after=500)
    await asyncio.sleep(100)
    outbox._queues._keep_house()
    assert len(outbox._queues._chats) == 1  # the one that is paused
    for chat in range(1, 11):
        outbox.want(f"k{chat}", words("two", chat))
    await outbox.idle()
    assert all(server.texts(chat) == ["two"] for chat in range(1, 11))


async def test_stop_at_once_is_no_orderly_end() -> None:
    server, store = Telegram(), Rows()
    outbox = make_outbox(server, store)
    await outbox.start()
    outbox.want("a", words("one"))
    await outbox.idle()
    await outbox.stop(0)
    assert "=finished" not in store.rows


async def test_counters() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    outbox.want("a", words("x"))
    assert outbox.depth == 1
    await outbox.idle()
    outbox.answer("1")
    await outbox.idle()
    assert outbox.calls == {"sendMessage": 1, "answerCallbackQuery": 1}
    assert outbox.depth == outbox.floods == 0


@pytest.mark.parametrize("killed", [False, True])
async def test_what_has_outlived_its_use_is_not_kept(killed: bool) -> None:
    server, store = Telegram(), Rows()
    outbox = make_outbox(server, store)
    await outbox.start()
    for key in ("film7:1", "restart:7", "t7:group"):
        outbox.want(key, words(key, GROUP))
    for key in ("settings:p1", "t7:p1:hand"):
        outbox.want(key, words(key, 1, "x"))
    await outbox.idle()
    calls = len(server.log)
    everything = {"film7:1", "restart:7", "t7:group", "settings:p1", "t7:p1:hand"}
    for days, kept in ((1, everything), (3, everything - {"film7:1", "restart:7"}), (31, set[str]())):
        start = outbox._clock.now()
        await asyncio.sleep((days * 86_400) - (start - START).total_seconds())
        if killed:
            outbox.abort()
            outbox = make_outbox(server, store)
            await outbox.start()
        outbox.want(f"new:{days}", words("something new", 2))
        await outbox.idle()
        for remembered in (set(outbox.keys()), living(store)):
            assert {key for key in remembered if not key.startswith("new:")} == kept
    assert server.methods()[calls:] == ["sendMessage"] * 3
    assert len(server.texts(GROUP)) == 3
    outbox.want("settings:p1", words("again", 1, "x"))
    await outbox.idle()
    assert server.texts(1)[-1] == "again"
    assert "settings:p1" in living(store)


async def test_a_message_is_found_by_where_it_stands() -> None:
    server, store = Telegram(), Rows()
    outbox = make_outbox(server, store)
    await outbox.start()

    def place(key: str) -> tuple[int, int]:
        where = outbox.where(key)
        assert where is not None
        return where

    for key in ("a", "b"):
        outbox.want(key, words(key, GROUP))
    await outbox.idle()
    first, second = place("a"), place("b")
    assert [outbox.key_at(*first), outbox.key_at(*second), outbox.key_at(1, first[1])] == ["a", "b", None]
    outbox.ring("a", words("a", GROUP))
    outbox.want("b", words("b now", GROUP))
    await outbox.idle()
    assert [outbox.key_at(*first), outbox.key_at(*place("a")), outbox.key_at(*second)] == [None, "a", "b"]
    outbox.close("b")
    await outbox.idle()
    assert outbox.key_at(*second) is None
    last = place("a")
    outbox.abort()
    outbox = make_outbox(server, store)
    await outbox.start()
    assert outbox.key_at(*last) == "a"
    outbox.migrate(GROUP, -100_500)
    assert outbox.key_at(*last) is None
