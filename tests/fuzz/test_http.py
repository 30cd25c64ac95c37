"""Whatever comes by HTTP, to the playground, the webhook, health and figures, is answered, and the server lives on."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Coroutine, Sequence
from typing import Any

from hypothesis import strategies as st
from telegram import Bot
from tornado.httpserver import HTTPServer

from operate.metrics import Metrics
from operate.web import SECRET_HEADER, Door, serve_figures, serve_webhook
from playground.control import POST
from playground.methods import METHODS
from playground.schema import ARRAY, schema
from playground.server import Playground
from playground.world import TOKEN, World
from tests.fuzz.entrances import entrance
from tests.fuzz.made_up import bent, damaged, values
from tests.support.patience import PATIENCE

SECRET = "a-Secret_1"
WHOLE = 0.1
"""Seconds for an answer to what may be a whole request; after them nothing more comes from here."""
HEADERS = ("Host: localhost", "Content-Length: 5", "Content-Length: -1", "Transfer-Encoding: chunked",
           "Expect: 100-continue",
           "Connection: close", "Content-Type: application/json", "Content-Type: multipart/form-data; boundary=x",
           "Content-Type: text/plain; charset=\xff", f"{SECRET_HEADER}: {SECRET}", "Origin: http://evil",
           "Range: bytes=9-1",
           "Accept-Encoding: gzip", "Content-Encoding: gzip", "Cookie: a=b", "Upgrade: websocket")  # fmt: skip
PATHS = ("/", "/metrics", "/healthz", "/hook", "/control/state", "/control/calls", "/control/events?after=0",
         "/static/js/main.js",
         "/static/../world.py", "/static/%2e%2e/world.py", f"/bot{TOKEN}/getMe", f"/bot{TOKEN}/", f"/file/bot{TOKEN}/x",
         "/bot/getMe", "/%ff", "//", "*")  # fmt: skip

bodies = st.one_of(st.binary(max_size=60), values.map(lambda value: json.dumps(value).encode("utf-8", "surrogatepass")))


@st.composite
def requests(draw: st.DrawFn) -> bytes:
    """Something like a request of HTTP/1.1, whole or damaged."""
    verb = draw(st.sampled_from(["GET", "POST", "HEAD", "PUT", "OPTIONS", "get", ""]))
    path = draw(st.one_of(st.sampled_from(PATHS), st.text(max_size=20).map(lambda text: f"/{text}")))
    headers = [f"{verb} {path} HTTP/1.1", *draw(st.lists(st.sampled_from(HEADERS), max_size=5))]
    body = draw(bodies)
    if draw(st.booleans()):
        headers.append(f"Content-Length: {len(body)}")
    whole = "\r\n".join((*headers, "", "")).encode("utf-8", "replace") + body
    return draw(damaged(whole)) if draw(st.booleans()) else whole


async def ask(port: int, data: bytes) -> bytes:
    """The head of what is answered to these bytes; b"" if the server hangs up once it sees that no more will come."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(data)
        head = asyncio.ensure_future(reader.readuntil(b"\r\n\r\n"))
        await asyncio.wait({head}, timeout=WHOLE)
        if not head.done():
            writer.write_eof()
        async with asyncio.timeout(PATIENCE):
            return await head
    except (ConnectionError, asyncio.IncompleteReadError):
        return b""
    finally:
        writer.close()


def post(path: str, body: bytes, *headers: str) -> bytes:
    head = (f"POST {path} HTTP/1.1", "Host: localhost", "Connection: close", f"Content-Length: {len(body)}", *headers)
    return "\r\n".join((*head, "", "")).encode() + body


def get(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()


def status_of(answer: bytes) -> int:
    """0 if it just hung up."""
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.") else 0


class Broken(logging.Handler):
    """Whatever is logged with a stack."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.stacks: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info:
            self.stacks.append(logging.Formatter().format(record))


def serving(talk: Coroutine[Any, Any, None]) -> None:
    """Talk with a server of ours; none of it ends in a stack."""
    broken = Broken()
    logging.getLogger().addHandler(broken)
    try:
        asyncio.run(talk)
    finally:
        logging.getLogger().removeHandler(broken)
    assert broken.stacks == []


async def at_playground(sent: Sequence[bytes]) -> None:
    playground = Playground(lambda: World(feed=True, seed=5, budgets=False))
    playground.patience = 2.0
    playground.listen(0)
    try:
        for data in sent:
            # 501: what Telegram knows and the playground does not.
            assert status_of(await ask(playground.port, data)) in (*range(500), 501), data
        assert status_of(await ask(playground.port, get("/control/state"))) == 200
        assert status_of(await ask(playground.port, get(f"/bot{TOKEN}/getMe"))) == 200
    finally:
        await playground.close()


@entrance(15, sent=st.lists(requests(), min_size=1, max_size=8))
def test_the_playground_answers_or_hangs_up(sent: list[bytes]) -> None:
    serving(at_playground(sent))


IDS = (5000000001, 5000000002, -1001000000001, 0, -1, 2**63, 1, 2, 3)
LIKELY = {
    "Integer": st.one_of(st.sampled_from(IDS), st.integers(-3, 300)),
    "String": st.one_of(
        st.sampled_from(["x", "<b>x</b>", "<b", "*x*", "HTML", "MarkdownV2", "@x", "en", "data:,", "attach://a", ""]),
        st.text(max_size=30),
        st.sampled_from(IDS).map(str),
    ),
    "Boolean": st.booleans(),
    "Float": st.floats(),
    "InputFile": st.sampled_from(["attach://a", "x", ""]),
}


def of_type(name: str, depth: int = 0) -> st.SearchStrategy[Any]:
    """Something like a value of a type of the Bot API."""
    if name.startswith(ARRAY):
        return st.lists(of_type(name.removeprefix(ARRAY), depth), max_size=3)
    if name in LIKELY:
        return LIKELY[name]
    if depth > 4:
        return values
    document = schema().types.get(name, {})
    if subtypes := document.get("subtypes"):
        return st.one_of([of_type(kind, depth + 1) for kind in subtypes])
    return fields_of(document.get("fields", {}), depth + 1)


def fields_of(fields: dict[str, Any], depth: int = 0) -> st.SearchStrategy[dict[str, Any]]:
    """Something like the fields of an object or of a call: the needed ones, some others."""
    made = {
        name: st.deferred(lambda field=field: st.one_of([of_type(kind, depth) for kind in field["types"]]))  # type: ignore[misc]
        for name, field in fields.items()
    }
    needed = {name: made[name] for name, field in fields.items() if field.get("required")}
    return st.fixed_dictionaries(needed, optional={name: one for name, one in made.items() if name not in needed})


CALLS = {method: fields_of(schema().methods[method]["fields"]) for method in sorted(METHODS)}


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, Any]:
    method = draw(st.sampled_from(list(CALLS)))
    given = draw(CALLS[method])
    return method, draw(bent(given)) if draw(st.booleans()) else given


@st.composite
def wishes(draw: st.DrawFn) -> tuple[str, Any]:
    """Something like a request at the control interface."""
    likely = {"int": LIKELY["Integer"], "str": LIKELY["String"], "bool": st.booleans(), "float": st.floats()}

    def of(kind: str) -> st.SearchStrategy[Any]:
        name = kind.rstrip("?").replace("null", "").strip()
        return st.lists(likely[name[:-2]], max_size=3) if name.endswith("[]") else likely.get(name, values)

    path = draw(st.sampled_from(sorted(POST)))
    fields = {name: of(kind) for name, kind in POST[path].fields.items()}
    return path, draw(st.fixed_dictionaries({}, optional=fields)) if draw(st.integers(0, 3)) else draw(
        st.fixed_dictionaries(fields)
    )


@entrance(25, made=st.lists(st.one_of(calls(), wishes()), min_size=1, max_size=20))
def test_calls_and_wishes_are_answered(made: list[tuple[str, Any]]) -> None:
    sent = [
        post(f"/bot{TOKEN}/{path}" if path in CALLS else f"/control/{path}", as_json(given), JSON)
        for path, given in made
    ]
    serving(at_playground(sent))


JSON = "Content-Type: application/json"


def as_json(document: Any) -> bytes:
    return json.dumps(document).encode("utf-8", "surrogatepass")


class Well:
    """A health that finds nothing wrong."""

    async def troubles(self) -> list[str]:
        return []


async def at(server: HTTPServer, sent: Sequence[bytes]) -> None:
    (port,) = {socket.getsockname()[1] for socket in server._sockets.values()}
    try:
        for data in sent:
            assert status_of(await ask(port, data)) < 500, data
        assert status_of(await ask(port, get("/healthz"))) == 200
    finally:
        server.stop()
        await server.close_all_connections()


UPDATES = [
    {"update_id": 1, "message": {"message_id": 1, "date": 1, "chat": {"id": 5, "type": "private"}, "text": "/start x",
     "from": {"id": 5, "is_bot": False, "first_name": "a"},
     "entities": [{"type": "bot_command", "offset": 0, "length": 6}]}},
    {"update_id": 2, "callback_query": {"id": "1", "from": {"id": 5, "is_bot": False, "first_name": "a"},
     "chat_instance": "1", "data": "t|1|sit", "message": {"message_id": 1, "date": 0,
     "chat": {"id": -5, "type": "group"}}}},
    {"update_id": 3, "my_chat_member": {"chat": {"id": -5, "type": "group", "title": "x"}, "date": 1,
     "from": {"id": 5, "is_bot": False, "first_name": "a"},
     "old_chat_member": {"status": "left", "user": {"id": 7, "is_bot": True, "first_name": "b"}},
     "new_chat_member": {"status": "member", "user": {"id": 7, "is_bot": True, "first_name": "b"}}}},
]  # fmt: skip


@st.composite
def bent_updates(draw: st.DrawFn) -> Any:
    return draw(bent(draw(st.sampled_from(UPDATES))))


updates = st.builds(
    lambda body, secret: post("/hook", body, JSON, f"{SECRET_HEADER}: {secret}"),
    st.one_of(bodies, bent_updates().map(as_json)),
    st.sampled_from([SECRET, SECRET, SECRET, "", "other", "a-Secret_1\xe9"]),
)


@entrance(15, sent=st.lists(st.one_of(requests(), updates), min_size=1, max_size=10))
def test_the_webhook_takes_updates_or_refuses(sent: list[bytes]) -> None:
    taken: list[object] = []

    async def knock() -> None:
        door = Door("https://x/hook", SECRET, Bot(TOKEN), lambda update: taken.append(update) is None)
        server = serve_webhook(door, Well(), "127.0.0.1", 0)  # type: ignore[arg-type]
        await at(server, sent)

    serving(knock())
    assert len(taken) <= sum(SECRET.encode() in data for data in sent)


@entrance(15, sent=st.lists(requests(), min_size=1, max_size=10))
def test_figures_and_health_are_served_or_the_request_refused(sent: list[bytes]) -> None:
    async def look() -> None:
        server = serve_figures(Metrics(), Well(), "127.0.0.1", 0)  # type: ignore[arg-type]
        await at(server, sent)

    serving(look())
