"""The playground over real sockets: PTB, the control interface, the event stream, and input that is no HTTP."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import pytest_asyncio
from telegram import Bot, InputMediaPhoto
from telegram.error import BadRequest, Conflict, InvalidToken, RetryAfter
from telegram.request import HTTPXRequest

from playground.faults import Fault
from playground.server import BEHIND, Playground
from playground.world import TOKEN, World
from tests.playground.support import picture
from tests.support.patience import PATIENCE
from tests.support.process import until


@pytest_asyncio.fixture
async def playground() -> AsyncIterator[Playground]:
    server = Playground(lambda: World(feed=True, check=True, seed=5))
    server.listen(0)
    yield server
    await server.close()


@pytest_asyncio.fixture
async def client(playground: Playground) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{playground.port}", trust_env=False) as client:
        yield client


def bot(playground: Playground, token: str = TOKEN) -> Bot:
    address = f"http://127.0.0.1:{playground.port}"
    requests = [HTTPXRequest(httpx_kwargs={"trust_env": False}) for _ in range(2)]
    return Bot(token, f"{address}/bot", f"{address}/file/bot", requests[0], requests[1])


async def do(client: httpx.AsyncClient, path: str, **body: Any) -> Any:
    answer = await client.post(f"/control/{path}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()["result"]


@pytest.mark.filterwarnings("ignore::telegram.warnings.PTBDeprecationWarning")
async def test_ptb_on_real_sockets(playground: Playground) -> None:
    async with bot(playground) as ptb:
        assert ptb.username == "fujian_mahjong_bot"
        person = next(iter(playground.world.people))
        playground.world.crowd.start(person)
        await ptb.set_my_commands([("newgame", "开一桌")], language_code="zh")
        sent = await ptb.send_photo(person, picture(200, 100).data, caption="<b>手牌</b>", parse_mode="HTML")
        assert sent.caption_html == "<b>手牌</b>"
        edited = await sent.edit_media(InputMediaPhoto(picture(200, 100, colour=9).data, "新"))
        assert not isinstance(edited, bool)
        loaded = await (await edited.photo[-1].get_file()).download_as_bytearray()
        assert bytes(loaded) == picture(200, 100, colour=9).data
        with pytest.raises(BadRequest, match="Message is not modified"):
            await edited.edit_caption("新")
        playground.world.faults.add(Fault("retry_after", seconds=3))
        with pytest.raises(RetryAfter):
            await ptb.send_message(person, "x")
        updates = await ptb.get_updates(allowed_updates=["message", "callback_query"])
        assert updates[-1].message is not None
        assert updates[-1].message.text == "/start"
        playground.world.updates.clear()
        older = asyncio.create_task(ptb.get_updates(timeout=50))
        await until(lambda: playground.front._waiter, "the older one")
        newer = asyncio.create_task(ptb.get_updates(timeout=50))
        with pytest.raises(Conflict):
            await older
        playground.world.crowd.say(person, person, "now")
        assert [update.message and update.message.text for update in await newer] == ["now"]
    with pytest.raises(InvalidToken):
        await bot(playground, "7000000001:" + "x" * 35).initialize()


async def test_doing_and_looking(playground: Playground, client: httpx.AsyncClient) -> None:
    state = (await client.get("/control/state")).json()["result"]
    assert [person["name"] for person in state["people"]] == ["阿明", "阿珍", "老林", "Xiaohong Chen"]
    person = state["people"][0]["id"]
    group = next(chat["id"] for chat in state["chats"] if chat["type"] == "supergroup")
    started = await do(client, "start", person_id=person, payload="seat_7")
    assert started["text"] == "/start seat_7"
    async with bot(playground) as ptb:
        markup = {"inline_keyboard": [[{"text": "x", "callback_data": "y"}]]}
        sent = await ptb.send_message(person, "x", api_kwargs={"reply_markup": json.dumps(markup)})
        pressing = asyncio.create_task(
            do(client, "press", person_id=person, chat_id=person, message_id=sent.message_id, row=0, column=0, wait=50)
        )
        updates = await ptb.get_updates(timeout=50)
        while not (updates and updates[-1].callback_query):
            updates = await ptb.get_updates(offset=updates[-1].update_id + 1, timeout=50)
        await updates[-1].callback_query.answer("ok", url=f"https://t.me/{ptb.username}?start=abc")
        callback = await pressing
        assert (callback["status"], callback["text"], callback["start"]) == ("answered", "ok", "abc")
    added = await do(client, "people/add", first_name="Zoe", groups=[group])
    seen = (await client.get("/control/chats", params={"person_id": added["id"]})).json()["result"]
    assert {chat["id"] for chat in seen} == {group, added["id"]}
    calls = (await client.get("/control/calls", params={"method": "sendMessage"})).json()["result"]
    assert calls[0]["params"]["text"] == "x"
    assert (await do(client, "clock", advance=60))["now"] > state["now"] + 60
    fault = await do(client, "faults/add", kind="error", code=502, description="Bad Gateway")
    assert (await client.get("/control/state")).json()["result"]["faults"] == [fault]
    await do(client, "faults/clear")
    forum = await do(client, "groups/add", title="f", members=[person], is_forum=True)
    topic = await do(client, "topics/add", chat_id=forum["id"], name="桌")
    await do(client, "topics/close", chat_id=forum["id"], topic_id=topic["id"])
    await do(client, "say", person_id=person, chat_id=forum["id"], text="hi", thread_id=None)
    await do(client, "read", person_id=person, chat_id=forum["id"])
    await do(client, "react", person_id=person, chat_id=forum["id"], message_id=1, emoji="👍")
    await do(client, "reset")
    async with bot(playground) as ptb:
        # A bot that goes on polling from where it was hears what happens in the new world.
        offset = updates[-1].update_id + 1
        await ptb.get_updates(offset=offset)
        await do(client, "start", person_id=person)
        assert (await ptb.get_updates(offset=offset))[-1].message.text == "/start"  # type: ignore[union-attr]
    assert len((await client.get("/control/state")).json()["result"]["people"]) == 4


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("nothing", {}, 404),
        ("state", {}, 405),
        ("start", {}, 400),
        ("start", {"person_id": "5"}, 400),
        ("start", {"person_id": True}, 400),
        ("start", {"person_id": 5}, 404),
        ("start", {"person_id": 5000000001, "payload": "a b"}, 400),
        ("start", {"person_id": 5000000001, "colour": "red"}, 400),
        ("unblock", {"person_id": 5000000001}, 409),
        ("say", {"person_id": 5000000001, "chat_id": 5000000002, "text": "x"}, 404),
        ("say", {"person_id": 5000000001, "chat_id": 5000000001, "text": " "}, 400),
        ("speak", {"person_id": 5000000001, "chat_id": 5000000001, "voice": "*", "duration": 1}, 400),
        ("speak", {"person_id": 5000000001, "chat_id": 5000000001, "voice": "", "duration": 1}, 400),
        ("press", {"person_id": 5000000001, "chat_id": 5000000001, "message_id": 1, "row": 0, "column": 0}, 404),
        ("groups/add", {"title": "x", "members": []}, 400),
        ("groups/migrate", {"chat_id": -1001000000001}, 409),
        ("people/add", {"first_name": "x", "username": "aming_zz"}, 409),
        ("people/add", {"first_name": ""}, 400),
        ("faults/add", {"kind": "earthquake"}, 400),
        ("faults/add", {"kind": "error", "method": "sendMesage"}, 400),
        ("clock", {"advance": -1}, 400),
    ],
)  # fmt: skip
async def test_wishes_refused(client: httpx.AsyncClient, path: str, body: dict[str, Any], status: int) -> None:
    answer = await client.post(f"/control/{path}", json=body)
    assert answer.status_code == status, answer.text
    assert answer.json()["ok"] is False
    assert answer.json()["error"]


async def events(client: httpx.AsyncClient, count: int, **headers: str) -> list[tuple[str, str, Any]]:
    """The first events of a stream: id, name, data."""
    found: list[tuple[str, str, Any]] = []
    async with client.stream("GET", "/control/events", headers=headers, params={"after": "0"}) as answer:
        event: dict[str, str] = {}
        async for line in answer.aiter_lines():
            if line:
                name, _, value = line.partition(": ")
                event[name] = value
            elif "event" in event:
                found.append((event.get("id", ""), event["event"], json.loads(event["data"])))
                event = {}
                if len(found) == count:
                    return found
    return found


async def watch(
    playground: Playground, client: httpx.AsyncClient, count: int, after: int
) -> asyncio.Task[list[tuple[str, str, Any]]]:
    """Begin to watch; what comes is told from now on."""
    watchers = playground.world.feed.watchers
    before = tuple(watchers)
    watching = asyncio.create_task(events(client, count, **{"Last-Event-ID": str(after)}))
    await until(lambda: set(watchers) - set(before), "the watcher")
    return watching


async def test_the_event_stream(playground: Playground, client: httpx.AsyncClient) -> None:
    world = playground.world
    at = world.feed.seq
    person = next(iter(world.people))
    watching = await watch(playground, client, 9, at)
    world.crowd.start(person)
    sent = world.call(TOKEN, "sendMessage", {"chat_id": person, "text": "x"})[1]["result"]["message_id"]
    world.call(TOKEN, "editMessageText", {"chat_id": person, "message_id": sent, "text": "y"})
    world.call(TOKEN, "deleteMessage", {"chat_id": person, "message_id": sent})
    seen = await asyncio.wait_for(watching, PATIENCE)
    assert [name for _, name, _ in seen] == [
        "hello", "chat", "message", "message", "call", "edited", "call", "deleted", "call",
    ]  # fmt: skip
    assert [int(number) for number, _, _ in seen[1:]] == list(range(at + 1, at + 9))
    assert seen[3][2]["message"]["text"] == "x"
    assert seen[3][2]["unread"] == {str(person): 1}
    assert seen[5][2]["message"]["text"] == "y"
    assert seen[7][2]["message_ids"] == [sent]
    # Nothing is missed by coming back with the last number, and one from another life is told to begin anew.
    again = await asyncio.wait_for(events(client, 3, **{"Last-Event-ID": str(at + 6)}), PATIENCE)
    assert [name for _, name, _ in again] == ["hello", "deleted", "call"]
    lost = await asyncio.wait_for(events(client, 2, **{"Last-Event-ID": str(at + 1000)}), PATIENCE)
    assert [name for _, name, _ in lost] == ["hello", "reset"]
    watching = await watch(playground, client, 2, world.feed.seq)
    playground.reset()
    assert [name for _, name, _ in await asyncio.wait_for(watching, PATIENCE)] == ["hello", "reset"]


async def test_a_watcher_that_does_not_read_is_sent_away(playground: Playground) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", playground.port)
    writer.write(b"GET /control/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    await reader.readline()
    world = playground.world
    assert len(world.feed.watchers) == 1
    # One event after the other in one turn of the loop: nobody could have read them.
    for number in range(BEHIND + 1):
        world.feed.emit("clock", lambda number=number: {"number": number})  # type: ignore[misc]
    assert world.feed.watchers == []
    assert playground.streams == set()
    await asyncio.wait_for(reader.read(), PATIENCE)
    writer.close()


async def first_line(playground: Playground, data: bytes) -> str:
    """The first line that the server answers to these bytes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", playground.port)
    writer.write(data)
    answer = await asyncio.wait_for(reader.readline(), PATIENCE)
    writer.close()
    return answer.decode()


SEND = f"/bot{TOKEN}/sendMessage"
JSON = "Content-Type: application/json"


@pytest.mark.parametrize(
    ("line", "headers", "body", "status"),
    [
        ("GARBAGE", [], "", 400),
        ("\x16\x03\x01\x02\x00\x01\x00", [], "", 400),
        ("GET / HTTP/1.1", [], "", 400),
        ("GET / HTTP/1.1", ["Host: evil.example"], "", 403),
        ("GET / HTTP/1.1", ["Host: [::1"], "", 403),
        ("GET /control/state HTTP/1.1", ["Host: localhost", "Origin: https://evil.example"], "", 403),
        ("GET /control/state HTTP/1.1", ["Host: localhost", "Origin: null"], "", 403),
        ("POST /control/start HTTP/1.1", ["Host: localhost"], "{}", 400),
        ("POST /control/start HTTP/1.1", ["Host: localhost", JSON], "{]}", 400),
        ("POST /control/start HTTP/1.1", ["Host: localhost", JSON], "[" * 100_000, 400),
        ("POST /control/start HTTP/1.1", ["Host: localhost", JSON, "Content-Length: -5"], "", 400),
        ("POST /control/start HTTP/1.1", ["Host: localhost", JSON, "Content-Length: 99999999999"], "", 413),
        ("GET /control/events?after=x HTTP/1.1", ["Host: localhost"], "", 400),
        ("GET /static/../../pyproject.toml HTTP/1.1", ["Host: localhost"], "", 403),
        ("GET /nowhere HTTP/1.1", ["Host: localhost"], "", 404),
        ("DELETE /control/state HTTP/1.1", ["Host: localhost"], "", 405),
        (f"GET {SEND}?chat_id=%FF HTTP/1.1", ["Host: localhost"], "", 400),
        (f"GET {SEND}?text=a&text=b HTTP/1.1", ["Host: localhost"], "", 400),
        (f"POST {SEND} HTTP/1.1", ["Host: localhost", JSON], "[]", 400),
        (f"POST {SEND} HTTP/1.1", ["Host: localhost", JSON], '{"chat_id": 1, "text": "\\ud800"}', 400),
        (f"POST {SEND} HTTP/1.1", ["Host: localhost", "Content-Type: text/plain"], "hi", 400),
        (f"POST {SEND} HTTP/1.1", ["Host: localhost", "Content-Type: multipart/form-data; boundary=x"], "hi", 400),
        (f"GET /file/bot{TOKEN}/photos/file_9.jpg HTTP/1.1", ["Host: localhost"], "", 404),
        ("GET /botx/getMe HTTP/1.1", ["Host: localhost"], "", 404),
    ],
)  # fmt: skip
async def test_input_that_is_wrong_is_answered(
    playground: Playground, line: str, headers: list[str], body: str, status: int
) -> None:
    if body:
        headers = [*headers, f"Content-Length: {len(body)}"]
    answer = await first_line(playground, "\r\n".join([line, *headers, "", body]).encode("latin-1"))
    assert answer.startswith(f"HTTP/1.1 {status} ")
    assert " 200 " in await first_line(playground, b"GET /control/budgets HTTP/1.0\r\nHost: localhost\r\n\r\n")


async def test_two_hundred_clients(playground: Playground) -> None:
    writers = []
    for number in range(200):
        _, writer = await asyncio.open_connection("127.0.0.1", playground.port)
        # Half of them never finish their request.
        writer.write(b"GET /control/events HTTP/1.1\r\nHost: localhost\r\n" + (b"\r\n" if number % 2 else b""))
        writers.append(writer)
    async with bot(playground) as ptb:
        assert (await ptb.get_me()).id == playground.world.bot.id
    assert len(playground.streams) == 100
    for writer in writers:
        writer.close()
    person = next(iter(playground.world.people))
    playground.world.crowd.start(person)
    await until(lambda: not playground.streams, "the watchers to be let go")


async def test_headers_of_the_page(client: httpx.AsyncClient) -> None:
    page = await client.get("/")
    assert page.status_code == 200
    assert "script-src 'self'" in page.headers["Content-Security-Policy"]
    assert "unsafe" not in page.headers["Content-Security-Policy"]


async def test_webhooks(playground: Playground) -> None:
    taken: list[tuple[bytes, bytes]] = []

    async def hook(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        size = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        taken.append((head, await reader.readexactly(size)))
        status = b"500 No" if len(taken) == 1 else b"200 OK"
        writer.write(b"HTTP/1.1 " + status + b"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        await writer.drain()
        writer.close()

    listening = await asyncio.start_server(hook, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    world = playground.world
    world.updates.clear()
    url = f"http://127.0.0.1:{port}/hook"
    world.call(TOKEN, "setWebhook", {"url": url, "secret_token": "s3cret", "allowed_updates": ["message"]})
    world.crowd.start(next(iter(world.people)))
    await until(lambda: len(taken) == 2 and not world.updates.waiting, "the second delivery")
    assert taken[0][1] == taken[1][1]
    assert json.loads(taken[1][1])["message"]["text"] == "/start"
    assert b"x-telegram-bot-api-secret-token: s3cret" in taken[0][0].lower()
    info = world.call(TOKEN, "getWebhookInfo", {})[1]["result"]
    assert info["pending_update_count"] == 0
    assert info["last_error_message"].startswith("Wrong response from the webhook: 500")
    listening.close()


def test_a_port_in_use_is_one_line() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ended = subprocess.run(
            [sys.executable, "-m", "playground", "--port", str(port)], capture_output=True, text=True, timeout=PATIENCE
        )
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert ended.stderr.startswith(f"Cannot listen on 127.0.0.1:{port}: ")
    assert ended.stderr.count("\n") == 1
