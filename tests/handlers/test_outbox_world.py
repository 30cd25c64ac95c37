"""The outbox against the playground, which checks every call and enforces Telegram's budgets."""

import asyncio
import io
from random import Random

from PIL import Image
from telegram import Bot

from handlers.clock import Clock
from handlers.outbox import Button, FileKind, Message, Outbox, Picture, Priority
from playground.faults import Fault
from playground.world import Call
from tests.handlers.telegram_fake import Rows
from tests.support.request import BASE_URL, Line, WatchedWorld
from tests.support.town import START
from tests.support.virtual import run


def jpeg(shade: int) -> Picture:
    async def draw() -> bytes:
        out = io.BytesIO()
        Image.new("L", (8, 8), shade).save(out, "JPEG")
        return out.getvalue()

    return Picture(f"shade {shade}", draw)


def gif() -> bytes:
    out = io.BytesIO()
    first, second = (Image.new("L", (64, 64), shade) for shade in (0, 255))
    first.save(out, "GIF", save_all=True, append_images=[second], duration=500)
    return out.getvalue()


def file(kind: FileKind, name: str, data: bytes) -> Picture:
    async def read() -> bytes:
        return data

    return Picture(f"{kind} {name}", read, kind, name)


def test_documents_and_animations() -> None:
    """They are sent once, by name, in an old message or a new one; a chat that takes none is told in words."""

    async def story() -> None:
        clock = Clock(START)
        world = WatchedWorld(clock, seed=1, check=True)
        line = Line(world, latency=(0.02, 0.02), seed=1)
        group = next(chat for chat in world.chats.values() if not chat.private)
        reader = next(iter(world.people))
        world.crowd.start(reader)
        bot = Bot(world.token, base_url=BASE_URL, request=line.request(), get_updates_request=line.request())
        outbox = Outbox(bot, clock, Rows())
        await outbox.start()
        record = file("document", "hand-7.json", b'{"rules": "zhangzhou"}')
        film = file("animation", "hand-7.gif", gif())
        outbox.say(Message(reader, "the record", picture=record))
        outbox.want("film", Message(group.id, "a hand", picture=jpeg(1)))
        await outbox.idle()
        outbox.say(Message(group.id, "the record again", picture=record))
        outbox.want("film", Message(group.id, "the film", picture=film))
        await outbox.idle()
        sent = list(world.chats[reader].messages.values())[-1].content
        assert (sent.kind, sent.text) == ("document", "the record")
        assert sent.media is not None
        assert (sent.media.file_name, sent.media.data) == ("hand-7.json", b'{"rules": "zhangzhou"}')
        shown = {message.content.text: message.content for message in group.messages.values()}
        assert shown["the record again"].media is sent.media
        assert shown["the film"].kind == "animation"
        assert "a hand" not in shown

        refusal = "Bad Request: not enough rights to send documents to the chat"
        world.faults.add(Fault("error", "sendDocument", group.id, code=400, description=refusal))
        outbox.say(Message(group.id, "another", picture=file("document", "hand-8.json", b"{}")))
        await outbox.idle()
        last = list(group.messages.values())[-1].content
        assert (last.kind, last.text) == ("text", "another")
        assert outbox.calls["sendAnimation"] == 0
        assert outbox.calls["sendDocument"] == 3
        await outbox.stop()

    run(story())


def test_busy_minutes_with_kills() -> None:
    """A table that wants more than the budgets allow, killed at random: every call is good, no chat is left behind."""

    async def story() -> None:
        rng = Random(5)
        clock = Clock(START)
        world = WatchedWorld(clock, seed=5, budgets=True, check=True)
        calls: list[Call] = []
        world.on_call = calls.append
        line = Line(world, latency=(0.02, 0.3), seed=5)
        group = next(chat.id for chat in world.chats.values() if not chat.private)
        people = list(world.people)
        for person in people:
            world.crowd.start(person)
        store = Rows()

        async def begin() -> Outbox:
            request = line.request()
            bot = Bot(world.token, base_url=BASE_URL, request=request, get_updates_request=line.request())
            outbox = Outbox(bot, clock, store)
            await outbox.start()
            return outbox

        outbox = await begin()
        for tick in range(600):
            chat = rng.choice([group, *people])
            keyboard = ((Button("一万", data=f"m|{tick}"), Button("胡", data="h", style="success")),)
            picture = jpeg(rng.randrange(256)) if rng.random() < 0.8 else None
            message = Message(chat, f"<b>{tick}</b>", keyboard, picture, silent=chat == group, protect=True)
            what = rng.random()
            if what < 0.05:
                outbox.ring(f"c{chat}", message)
            elif what < 0.07:
                outbox.close(f"c{chat}")
            elif what < 0.09:
                outbox.drop(f"c{chat}")
            elif what < 0.11:
                asyncio.get_running_loop().create_task(outbox.dice(group))
            else:
                outbox.want(f"c{chat}", message, Priority(rng.randrange(3)))
            if rng.random() < 0.005:
                outbox.abort()
                outbox = await begin()
            await asyncio.sleep(rng.choice([0.0, 0.1, 0.5, 1.0]))
        for chat in (group, *people):
            outbox.want(f"c{chat}", Message(chat, "last"))
        await outbox.idle()
        assert outbox.depth == 0
        for chat in (group, *people):
            where = outbox.where(f"c{chat}")
            assert where is not None
            assert world.chats[chat].messages[where[1]].content.text == "last"
        # A message deleted just before a kill may be taken to stand there still.
        wrong = [call for call in calls if call.status != 200 and "not found" not in (call.description or "")]
        assert not [(call.method, call.description) for call in wrong]
        await outbox.stop()

    run(story())
