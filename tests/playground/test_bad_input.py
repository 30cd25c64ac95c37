"""Whatever comes over the wire is answered or hung up on, told in one line, and the playground serves on."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import struct
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
import pytest_asyncio

from playground.http import MAX_BODY
from playground.reading import DEEPEST
from playground.server import Playground
from playground.world import TOKEN, World
from tests.support.patience import PATIENCE

SEND, POLL = f"/bot{TOKEN}/sendMessage", f"/bot{TOKEN}/getUpdates"
PERSON, GROUP = 5000000001, -1001000000001
CHUNKED = (
    "POST /control/start HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked"
)
MEGABYTE = 1024 * 1024


@pytest_asyncio.fixture
async def playground(request: pytest.FixtureRequest) -> AsyncIterator[Playground]:
    """A server that is still well at the end; a test may say how patient it is."""
    server = Playground(lambda: World(feed=True, check=True, seed=5, budgets=False))
    server.patience = getattr(request, "param", server.patience)
    server.listen(0)
    yield server
    assert b" 200 " in await ask(server, b"GET /control/state HTTP/1.0\r\nHost: localhost\r\n\r\n")
    await server.close()


class Lines(logging.Handler):
    """What the server logs while a test runs, from the level on that `python -m playground` shows of bad input."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)

    @property
    def stacks(self) -> list[str]:
        """Of those that tell of something nobody had thought of, the message."""
        return [record.getMessage() for record in self.records if record.exc_info]


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Iterator[Lines]:
    caplog.set_level(logging.INFO)
    lines = Lines()
    logging.getLogger().addHandler(lines)
    yield lines
    logging.getLogger().removeHandler(lines)


async def ask(playground: Playground, data: bytes) -> bytes:
    """All that is answered to these bytes until the server hangs up or has no more to say; b"" if it just hangs up."""
    reader, writer = await asyncio.open_connection("127.0.0.1", playground.port)
    try:
        writer.write(data)
        async with asyncio.timeout(PATIENCE):
            head = await reader.readuntil(b"\r\n\r\n")
            size = next(
                (int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0
            )
            return head + await reader.readexactly(size)
    except (asyncio.IncompleteReadError, ConnectionError):
        return b""
    finally:
        writer.close()


def post(path: str, body: bytes, kind: str = "application/json") -> bytes:
    """A well-formed POST of whatever body."""
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def vanish(writer: asyncio.StreamWriter) -> None:
    """Be gone, as a machine whose plug is pulled: without a farewell, with a reset."""
    gone: socket.socket = writer.get_extra_info("socket")
    gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def until(holds: Any) -> None:
    """Wait until something is true."""
    async with asyncio.timeout(PATIENCE):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


def told_in_one_line(lines: Lines) -> bool:
    """Whether there is one line without a stack and without the token."""
    shown = [line for line in lines.records if line.name in ("playground", "tornado.general", "tornado.application")]
    return [line.exc_info for line in shown] == [None] and TOKEN not in shown[0].getMessage()


@pytest.mark.parametrize(
    ("data", "answer"),
    [
        ("GET /\r\n\r\n", b" 400 "),
        ("GET / HTTP/9.9\r\nHost: localhost\r\n\r\n", b" 400 "),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nno colon\r\n\r\n", b" 400 "),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n", b" 400 "),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", b" 400 "),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: abc\r\n\r\n", b" 400 "),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}", b" 400 "),
        (f"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {'9' * 30}\r\n\r\n", b" 400 "),
        (f"{CHUNKED}\r\n\r\nzz\r\n{{}}\r\n0\r\n\r\n", b" 400 "),
        (f"{CHUNKED}\r\n\r\n-5\r\n{{}}\r\n0\r\n\r\n", b" 400 "),
        (f"{CHUNKED}\r\n\r\nffffffffff\r\n{{}}", b" 400 "),
        (f"{CHUNKED}\r\n\r\n2\r\n{{}}XX0\r\n\r\n", b" 400 "),
        (f"{CHUNKED}\r\nContent-Length: 2\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n", b" 400 "),
        (f"{CHUNKED.replace('chunked', 'gzip')}\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n", b" 400 "),
        ("GET /bot%FF/getMe HTTP/1.1\r\nHost: localhost\r\n\r\n", b" 400 "),
        ("GET /static/a%00b HTTP/1.1\r\nHost: localhost\r\n\r\n", b" 404 "),
        ("GET /control/events?after=\u00b2 HTTP/1.1\r\nHost: localhost\r\n\r\n", b" 400 "),
        (f"GET /control/events?after={'9' * 5000} HTTP/1.1\r\nHost: localhost\r\n\r\n", b" 400 "),
        ("GET / HTTP/1.1\r\nHost: localhost\r\n" + "".join(f"X-{n}: y\r\n" for n in range(20_000)) + "\r\n", b""),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + "y" * 300_000 + "\r\n\r\n", b""),
        ("GET /" + "a" * 100_000 + " HTTP/1.1\r\nHost: localhost\r\n\r\n", b""),
        ("X" * 300_000, b""),
    ],
    ids=lambda value: repr(value)[:48],
)
async def test_what_is_no_http_is_refused_in_one_line(
    playground: Playground, lines: Lines, data: str, answer: bytes
) -> None:
    assert answer in (await ask(playground, data.encode("latin-1"))).partition(b"\r\n")[0]
    await until(lambda: lines.records)
    assert told_in_one_line(lines)


DEEP = "[" * (DEEPEST + 1) + "]" * (DEEPEST + 1)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (SEND, "[" * 100_000),
        (SEND, f'{{"chat_id": {PERSON}, "text": "x", "colour": {DEEP}}}'),
        (SEND, f'{{"chat_id": {PERSON}, "text": "x", "reply_markup": {"[" * 100_000}}}'),
        (SEND, '{"chat_id": NaN, "text": "x"}'),
        (SEND, '{"chat_id": 1e999, "text": "x"}'),
        (SEND, f'{{"chat_id": {"9" * 400}, "text": "x"}}'),
        (SEND, f'{{"chat_id": {"9" * 5000}, "text": "x"}}'),
        (SEND, '{"chat_id": [1], "text": {"a": 1}}'),
        (SEND, '{"chat_id": null, "text": null}'),
        (SEND, '{"chat_id": 5000000001, "text": "\xff"}'),
        (SEND, '{"chat_id": 5000000001, "text": "\\ud800"}'),
        ("/control/say", f'{{"person_id": {PERSON}, "chat_id": {GROUP}, "text": "\\ud800"}}'),
        ("/control/people/add", '{"first_name": "\\udfff"}'),
        (
            SEND,
            f'{{"chat_id": {PERSON}, "text": "<tg-time unix=\\"{"9" * 5000}\\">x</tg-time>", "parse_mode": "HTML"}}',
        ),
        (SEND, f'{{"chat_id": {PERSON}, "text": "{"<b>" * 5000}", "parse_mode": "HTML"}}'),
        (POLL, f'{{"timeout": {"9" * 400}}}'),
        (POLL, f'{{"offset": {"9" * 400}}}'),
        ("/control/clock", '{"advance": 1e300}'),
        ("/control/clock", '{"advance": 1e999}'),
        ("/control/clock", '{"advance": NaN}'),
        ("/control/clock", '{"advance": 4e9}'),
        ("/control/clock", '{"speed": NaN}'),
        ("/control/faults/add", '{"kind": "late", "seconds": NaN}'),
        ("/control/faults/add", '{"kind": "retry_after", "seconds": 1e300}'),
        ("/control/faults/add", '{"kind": "error", "code": 99999999}'),
        ("/control/faults/add", '{"kind": "error", "code": -1}'),
        ("/control/faults/add", '{"kind": "error", "seconds": -1}'),
        ("/control/press", f'{{"person_id": {PERSON}, "chat_id": {GROUP}, "message_id": {"9" * 400}, "data": "x"}}'),
    ],
    ids=lambda value: value[-60:],
)
async def test_json_and_numbers_out_of_all_measure_are_refused(
    playground: Playground, lines: Lines, path: str, body: str
) -> None:
    playground.world.crowd.start(PERSON)
    answer = await ask(playground, post(path, body.encode("latin-1")))
    assert b" 400 " in answer.partition(b"\r\n")[0], answer
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["ok"] is False
    assert lines.stacks == []
    # The log of calls can still be read, and the bot's next call be made.
    for look in ("/control/calls", f"/bot{TOKEN}/getMe"):
        assert b" 200 " in await ask(playground, f"GET {look} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())


async def test_a_form_may_hold_json_that_is_too_deep(playground: Playground) -> None:
    body = f"chat_id={PERSON}&text=x&reply_markup={'[' * 100_000}".encode()
    answer = await ask(playground, post(SEND, body, "application/x-www-form-urlencoded"))
    assert b'"error_code":400' in answer


@pytest.mark.parametrize("token", ["x", "7000000001", "7000000001:" + "x" * 35, "%2e%2e", TOKEN + "x", "\xff"])
async def test_a_wrong_token_opens_nothing(playground: Playground, token: str) -> None:
    for path in (f"/bot{token}/getMe", f"/file/bot{token}/photos/file_1.jpg", f"/bot{TOKEN}/getYou"):
        answer = await ask(playground, f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode("latin-1"))
        assert answer.split(b" ")[1] in (b"401", b"404"), answer
        assert b'"ok":false' in answer


def memory() -> int:
    """Bytes of this process in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


async def test_an_upload_without_end_is_refused_at_once_and_takes_no_memory(
    playground: Playground, lines: Lines
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", playground.port)
    kind = "multipart/form-data; boundary=x"
    head = post(f"/bot{TOKEN}/sendPhoto", b"", kind).replace(b"Length: 0", b"Length: %d" % (MAX_BODY + 1))
    before = memory()
    writer.write(head)
    # Whoever sends first and reads afterwards, comes to read the answer all the same.
    for _ in range(64):
        writer.write(b"x" * MEGABYTE)
        await writer.drain()
    answer = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert (await reader.read(1000)).endswith(b'"description": "Request Entity Too Large"}')
    assert memory() - before < 16 * MEGABYTE
    assert told_in_one_line(lines)
    vanish(writer)


async def test_a_file_that_is_too_large_is_not_kept(playground: Playground) -> None:
    playground.world.crowd.start(PERSON)
    part = b'--x\r\nContent-Disposition: form-data; name="%s"\r\n\r\n'
    body = part % b"chat_id" + b"%d\r\n" % PERSON
    body += part % b'document"; filename="x' + b"x" * (51 * MEGABYTE) + b"\r\n--x--\r\n"
    answer = await ask(playground, post(f"/bot{TOKEN}/sendDocument", body, "multipart/form-data; boundary=x"))
    assert b'"error_code":413' in answer
    assert b"Request Entity Too Large" in answer
    assert list(playground.world.files.all()) == []


@pytest.mark.parametrize("playground", [0.4], indirect=True)
async def test_clients_that_take_for_ever_are_hung_up_on_and_hold_up_nobody(playground: Playground) -> None:
    """Silent ones, ones that send their head a byte at a time, and ones whose body does not come."""
    heads = [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: loc", post(SEND, b"x" * 90)[:-80]]
    clients = [await asyncio.open_connection("127.0.0.1", playground.port) for _ in range(60)]
    for number, (_, writer) in enumerate(clients):
        writer.write(heads[number % len(heads)])

    async def drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while True:
                writer.write(b"a")
                with suppress(TimeoutError):
                    async with asyncio.timeout(0.02):
                        await reader.read()
                        return

    dripping = [asyncio.create_task(drip(*client)) for client in clients[1::4] + clients[2::4]]
    assert b" 200 " in await ask(playground, f"GET /bot{TOKEN}/getMe HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    async with asyncio.timeout(PATIENCE):
        for reader, _ in clients[0::4] + clients[3::4]:
            await reader.read()
        await asyncio.wait(dripping)
    assert playground.server is not None
    await until(lambda: not playground.server._connections)
    for _, writer in clients:
        writer.close()


async def test_clients_that_vanish_leave_nothing_behind(playground: Playground, lines: Lines) -> None:
    """In mid-head, in mid-body, while they wait for updates, for events or for the end of a press, and at once."""
    world = playground.world
    world.updates.clear()
    poll = post(POLL, b'{"timeout": 50}')
    press = world.crowd.press(PERSON, GROUP, 1, "x", force=True)
    world.updates.clear()
    wait = f"GET /control/callback?id={press.id}&wait=20 HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    events = b"GET /control/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
    writers = []
    for data in (poll[:30], poll[:-5], poll, events, wait, b"GET /control/state HTTP/1.1\r\nHost: localhost\r\n\r\n"):
        _, writer = await asyncio.open_connection("127.0.0.1", playground.port)
        writer.write(data)
        await writer.drain()
        writers.append(writer)
    await until(lambda: playground.streams and playground.front._waiter and playground._presses)
    for writer in writers:
        vanish(writer)
    await until(lambda: not playground.streams and playground.front._waiter is None)
    # The update that comes now is for the next who asks.
    world.crowd.start(PERSON)
    assert b'"text":"/start"' in await ask(playground, poll)
    assert lines.stacks == []


async def test_two_hundred_watchers_all_hear_and_may_all_vanish_at_once(playground: Playground) -> None:
    clients = [await asyncio.open_connection("127.0.0.1", playground.port) for _ in range(200)]
    for _, writer in clients:
        writer.write(b"GET /control/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    await until(lambda: len(playground.streams) == 200)
    playground.world.crowd.start(PERSON)
    async with asyncio.timeout(PATIENCE):
        for reader, _ in clients:
            await reader.readuntil(b"/start")
    for _, writer in clients:
        vanish(writer)
    playground.world.crowd.say(PERSON, PERSON, "still there?")
    await until(lambda: not playground.streams and not playground.world.feed.watchers)


async def test_noise_breaks_nothing(playground: Playground, lines: Lines) -> None:
    """Requests with bytes changed, cut, doubled; the same every time."""
    chance = Random(8)
    good = [
        post(SEND, b'{"chat_id": %d, "text": "<b>x</b> &amp; y", "parse_mode": "HTML"}' % PERSON),
        post(SEND, b"chat_id=%d&text=%%E7%%89%%8C" % PERSON, "application/x-www-form-urlencoded"),
        post("/control/say", b'{"person_id": %d, "chat_id": %d, "text": "hi"}' % (PERSON, GROUP)),
        post("/control/clock", b'{"advance": 1.5}'),
        b"GET /control/messages?chat_id=%d&limit=5 HTTP/1.1\r\nHost: localhost\r\n\r\n" % GROUP,
        b"GET /static/js/main.js HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-9\r\n\r\n",
    ]
    playground.world.crowd.start(PERSON)
    for _ in range(400):
        data = bytearray(chance.choice(good))
        for _ in range(chance.randint(1, 6)):
            at = chance.randrange(len(data))
            match chance.randrange(3):
                case 0:
                    data[at] = chance.randrange(256)
                case 1:
                    del data[at : at + chance.randint(1, 9)]
                case _:
                    data[at:at] = data[at : at + chance.randint(1, 30)] * chance.randint(1, 3)
        reader, writer = await asyncio.open_connection("127.0.0.1", playground.port)
        writer.write(bytes(data))
        writer.write_eof()
        answer = await asyncio.wait_for(reader.read(4000), PATIENCE)
        assert b" 500 " not in answer.partition(b"\r\n")[0], bytes(data)
        writer.close()
    assert lines.stacks == []
