"""PTB's Application in the same process as the world, on virtual time."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from typing import Any

import pytest
from telegram import InlineKeyboardButton, InlineKeyboardMarkup, Update
from telegram.error import NetworkError, RetryAfter
from telegram.ext import Application, CallbackQueryHandler, CommandHandler, MessageHandler, filters

from playground.faults import Fault
from playground.world import World
from tests.playground.support import LoopClock
from tests.support import virtual
from tests.support.request import BASE_FILE_URL, BASE_URL, Line, Sent

pytestmark = pytest.mark.filterwarnings("ignore::telegram.warnings.PTBUserWarning")


def application(line: Line) -> Application[Any, Any, Any, Any, Any, Any]:
    app = (
        Application.builder()
        .token(line.world.token)
        .base_url(BASE_URL)
        .base_file_url(BASE_FILE_URL)
        .request(line.request())
        .get_updates_request(line.request())
        .concurrent_updates(True)
        .build()
    )

    async def start(update: Update, context: Any) -> None:
        button = InlineKeyboardButton("press", callback_data="pressed")
        await update.effective_message.reply_text("hello", reply_markup=InlineKeyboardMarkup([[button]]))  # type: ignore[union-attr]

    async def echo(update: Update, context: Any) -> None:
        await update.effective_message.reply_text(update.effective_message.text)  # type: ignore[union-attr, arg-type]

    async def pressed(update: Update, context: Any) -> None:
        assert update.callback_query is not None
        await update.callback_query.answer("yes")
        await update.callback_query.edit_message_text("you pressed")

    app.add_handler(CommandHandler("start", start))
    app.add_handler(CallbackQueryHandler(pressed))
    app.add_handler(MessageHandler(filters.TEXT, echo))
    return app


async def run(app: Application[Any, Any, Any, Any, Any, Any]) -> None:
    await app.initialize()
    assert app.updater is not None
    await app.updater.start_polling(timeout=30, drop_pending_updates=False)
    await app.start()


async def stop(app: Application[Any, Any, Any, Any, Any, Any]) -> None:
    assert app.updater is not None
    await app.updater.stop()
    await app.stop()
    await app.shutdown()


async def tell(seed: int) -> tuple[str, float]:
    """Two virtual hours of four people and an echo bot; the whole call log as text."""
    world = World(LoopClock(), check=True)
    line = Line(world, latency=(0.02, 0.3), seed=seed)
    app = application(line)
    await run(app)
    for round_ in range(30):
        for person in list(world.people):
            if round_ == 0:
                world.crowd.start(person)
            else:
                world.crowd.say(person, person, f"round {round_}")
                await asyncio.sleep(0.5)
        await asyncio.sleep(240)
    for person in list(world.people):
        press = world.crowd.press(person, person, 2, data="pressed")
        await asyncio.sleep(5)
        assert press.status == "answered"
        assert world.chats[person].messages[2].content.text == "you pressed"
    await stop(app)
    assert line.complaints() == []
    calls = [{**asdict(call), "ms": 0} for call in world.log]
    return json.dumps(calls, ensure_ascii=False), asyncio.get_running_loop().time()


def test_the_same_seed_gives_the_same_call_log() -> None:
    first, took = virtual.run(tell(1))
    again, _ = virtual.run(tell(1))
    other, _ = virtual.run(tell(2))
    assert first == again
    assert first != other
    assert took > 7200
    assert first.count('"method": "sendMessage"') == 4 * 30


def test_a_long_poll_returns_at_once_when_something_comes_and_empty_after_its_time() -> None:
    async def story() -> None:
        world = World(LoopClock())
        line = Line(world)
        loop = asyncio.get_running_loop()
        world.updates.clear()
        reply = await line.front.answer(world.token, "getUpdates", {"timeout": "30"})
        assert (reply.payload["result"], loop.time()) == ([], 30)
        person = next(iter(world.people))
        loop.call_later(5, world.crowd.start, person)
        reply = await line.front.answer(world.token, "getUpdates", {"timeout": "30"})
        assert loop.time() == 35
        assert [update["message"]["text"] for update in reply.payload["result"]] == ["/start"]

    virtual.run(story())


def test_hooks_and_a_cut_line() -> None:
    async def story() -> None:
        world = World(LoopClock())
        noted: list[str] = []

        def before(sent: Sent) -> None:
            noted.append(sent.method)
            if len(noted) == 3:
                raise NetworkError("lost on the way there")

        line = Line(world, before=before)
        app = application(line)
        await app.initialize()
        person = next(iter(world.people))
        world.crowd.start(person)
        await app.bot.send_message(person, "one")
        with pytest.raises(NetworkError):
            await app.bot.send_message(person, "two")
        line.cut()
        with pytest.raises(NetworkError):
            await app.bot.send_message(person, "three")
        line.mend()
        await app.bot.send_message(person, "four")
        texts = [message.content.text for message in world.chats[person].messages.values()]
        assert texts == ["/start", "one", "four"]
        assert noted == ["getMe", "sendMessage", "sendMessage", "sendMessage"]
        await app.shutdown()

    virtual.run(story())


def test_faults() -> None:
    async def story() -> None:
        world = World(LoopClock())
        app = application(Line(world))
        await app.initialize()
        loop = asyncio.get_running_loop()
        person = next(iter(world.people))
        world.crowd.start(person)
        chat = world.chats[person]
        world.faults.add(Fault("retry_after", method="sendMessage", seconds=7))
        with pytest.raises(RetryAfter) as caught:
            await app.bot.send_message(person, "x")
        assert caught.value.retry_after == 7
        world.faults.add(Fault("late", chat_id=person, seconds=4))
        await app.bot.send_message(person, "late")
        assert loop.time() == pytest.approx(4)
        world.faults.add(Fault("lose"))
        with pytest.raises(NetworkError):
            await app.bot.send_message(person, "lost")
        world.faults.add(Fault("drop"))
        with pytest.raises(NetworkError):
            await app.bot.send_message(person, "dropped")
        world.faults.add(Fault("error", code=500, skip=1))
        await app.bot.send_message(person, "after skip")
        with pytest.raises(NetworkError):
            await app.bot.send_message(person, "error")
        assert [one.content.text for one in chat.messages.values()] == ["/start", "late", "lost", "after skip"]
        assert world.faults.waiting == []
        await app.shutdown()

    virtual.run(story())


def test_updates_twice_and_out_of_order() -> None:
    async def story() -> None:
        world = World(LoopClock())
        line = Line(world)
        world.updates.clear()
        person = next(iter(world.people))
        world.faults.add(Fault("reorder"))
        world.crowd.start(person)
        world.crowd.say(person, person, "b")

        async def poll(offset: int) -> list[int]:
            reply = await line.front.answer(world.token, "getUpdates", {"offset": str(offset)})
            return [update["update_id"] for update in reply.payload["result"]]

        first, second = await poll(0)
        assert first == second + 1
        assert await poll(first + 1) == []
        world.faults.add(Fault("duplicate"))
        world.crowd.say(person, person, "c")
        assert await poll(0) == [first + 1]
        assert await poll(first + 2) == [first + 1]
        assert await poll(first + 2) == []

    virtual.run(story())
