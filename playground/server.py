"""The playground over HTTP: Bot API, files, control interface, event stream, page."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import secrets
import sqlite3
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from tornado.iostream import StreamClosedError
from tornado.netutil import bind_sockets
from tornado.web import Application, HTTPError, RequestHandler, StaticFileHandler

from playground.addresses import split
from playground.control import GET, POST, checked
from playground.courier import Courier
from playground.errors import ControlError
from playground.feed import Event
from playground.files import MEGABYTE, Upload
from playground.front import Front
from playground.http import MAX_BODY, Server
from playground.reading import read_int, read_json
from playground.state import StateFile
from playground.world import World

log = logging.getLogger("playground")
STATIC = Path(__file__).with_name("static")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; "
    "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
LOOPBACK = ("localhost", "127.0.0.1", "::1")
HEARTBEAT = 15.0
BEHIND = 1000
"""Events that a slow client may be behind before it is sent away to fetch the state anew."""
LONGEST_WAIT = 20.0


class Playground:
    """A world and its server. ``make_world`` gives a fresh world, also after a reset; ``state`` an earlier one back.

    ``was_reset`` is called after every reset, for whoever runs the bot to start it anew: only a new one is served then.
    """

    def __init__(
        self,
        make_world: Callable[[], World],
        state: StateFile | None = None,
        was_reset: Callable[[], object] | None = None,
    ) -> None:
        self.make_world = make_world
        self.state = state
        self.was_reset = was_reset
        self.hosts: tuple[str, ...] | None = LOOPBACK
        self.patience = 60.0
        """Seconds for a request's head, and for its body; after them the connection is closed."""
        self.streams: set[Stream] = set()
        self.server: Server | None = None
        self.port = 0
        self._tasks: list[asyncio.Task[None]] = []
        self._presses: dict[str, list[asyncio.Future[None]]] = {}
        self.world: World
        self.front: Front
        self.courier: Courier
        self._begin()
        if state is not None:
            state.load(self.world)

    def _begin(self, *, again: bool = False) -> None:
        self.world = self.make_world()
        self.world.session = secrets.token_hex(4)
        self.world.press_ended = self._press_ended
        self.front = Front(self.world, waits=again and self.was_reset is not None)
        self.courier = Courier(self.world)

    def reset(self) -> None:
        """A new world; the bot's long poll ends, and everybody who watches is told to fetch the state anew."""
        self.front.stop()
        self.courier.close()
        old = self.world
        self._begin(again=True)
        self.world.follow(old)
        for stream in tuple(self.streams):
            stream.reset()
        if self.was_reset is not None:
            self.was_reset()

    def listen(self, port: int, host: str = "127.0.0.1") -> None:
        """Binds the port (0: any free one, then in ``port``). Raises OSError if it is taken. Needs a running loop."""
        sockets = bind_sockets(port, host)
        self.hosts = LOOPBACK if host in LOOPBACK else None
        self.port = sockets[0].getsockname()[1]
        self.server = Server(
            application(self),
            max_buffer_size=MAX_BODY + MEGABYTE,
            idle_connection_timeout=self.patience,
            body_timeout=self.patience,
        )
        self.server.add_sockets(sockets)
        self._tasks = [asyncio.create_task(self._tick()), asyncio.create_task(self._deliver())]

    async def close(self) -> None:
        """Stop serving: long polls and streams end."""
        self.front.stop()
        for task in self._tasks:
            task.cancel()
        self.courier.close()
        for stream in tuple(self.streams):
            stream.end()
        if self.server is not None:
            self.server.stop()
            await self.server.close_all_connections()
        self.save()
        if self.state is not None:
            self.state.close()

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(0.5)
            self.world.tick()
            self.save()

    def save(self) -> None:
        """Writes the state file, if there is one and something has happened."""
        if self.state is not None:
            try:
                self.state.save(self.world)
            except sqlite3.Error as error:
                log.error("cannot write %s: %s", self.state.path, error)

    async def _deliver(self) -> None:
        while True:
            await self.courier.run_once()

    def _press_ended(self, press_id: str) -> None:
        for future in self._presses.pop(press_id, ()):
            if not future.done():
                future.set_result(None)

    async def press_end(self, press_id: str, seconds: float) -> None:
        """Returns when the press is no longer waiting, or after so many seconds."""
        press = self.world.presses.get(press_id)
        if press is None or press.status != "waiting":
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._presses.setdefault(press_id, []).append(future)
        with suppress(TimeoutError):
            await asyncio.wait_for(future, min(max(seconds, 0), LONGEST_WAIT))


class Handler(RequestHandler):
    """What all have in common: whom they serve, and that errors are JSON."""

    playground: Playground

    def initialize(self, playground: Playground) -> None:
        """As tornado wants it: what the application gives every handler."""
        self.playground = playground

    def prepare(self) -> None:
        """Pages of other sites must not reach a server on this machine, whether they say so in Origin or come by a name
        of their own that leads here."""
        here = split(f"http://{self.request.host}")
        if self.playground.hosts is not None and (here is None or here.hostname not in self.playground.hosts):
            raise HTTPError(403, reason="Host not allowed")
        if any("\0" in (one or "") for one in self.path_args):
            raise HTTPError(404)
        origin = self.request.headers.get("Origin")
        if origin is not None and origin.partition("://")[2] != self.request.host:
            raise HTTPError(403, reason="Origin not allowed")

    def set_default_headers(self) -> None:
        self.clear_header("Server")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("Content-Security-Policy", POLICY)
        self.set_header("Cache-Control", "no-cache")

    def compute_etag(self) -> str | None:
        """None: nothing here is worth comparing."""
        return None

    def write_json(self, status: int, document: Any) -> None:
        """Answer with a document."""
        self.set_status(status)
        self.set_header("Content-Type", "application/json; charset=utf-8")
        self.finish(json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass"))

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        self.write_json(status_code, {"ok": False, "error": self._reason})

    def log_exception(self, typ: Any, value: Any, tb: Any) -> None:
        if isinstance(value, HTTPError):
            log.info("%s %s: %s", self.request.method, shown(self.request.path), value)
        else:
            log.error("%s %s", self.request.method, shown(self.request.path), exc_info=(typ, value, tb))


class BotHandler(Handler):
    """``/bot<token>/<method>``: parameters in the query, a form, multipart or JSON."""

    _work: asyncio.Task[Any] | None = None

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        self.write_json(
            status_code, {"ok": False, "error_code": status_code, "description": f"{self._reason} (playground)"}
        )

    async def get(self, token: str, method: str) -> None:
        """A call with its parameters in the address."""
        await self._answer(token, method)

    async def post(self, token: str, method: str) -> None:
        """A call with a body: JSON, or a form."""
        await self._answer(token, method)

    def on_connection_close(self) -> None:
        if self._work is not None:
            self._work.cancel()

    def _params(self) -> tuple[dict[str, Any], dict[str, Upload]]:
        params: dict[str, Any] = {}
        try:
            for name, values in self.request.arguments.items():
                if len(values) > 1:
                    raise HTTPError(400, reason=f"Bad Request: parameter {name!r} is given {len(values)} times")
                params[name] = values[0].decode("utf-8")
        except UnicodeDecodeError:
            raise HTTPError(400, reason="Bad Request: strings must be encoded in UTF-8") from None
        kind = self.request.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        if kind == "application/json" and self.request.body:
            try:
                body = read_json(self.request.body)
            except ValueError:
                raise HTTPError(400, reason="Bad Request: can't parse JSON object") from None
            if not isinstance(body, dict):
                raise HTTPError(400, reason="Bad Request: object expected as JSON body")
            params |= body
        elif self.request.body and kind not in ("application/x-www-form-urlencoded", "multipart/form-data"):
            raise HTTPError(400, reason="Bad Request: unsupported Content-Type")
        files = {
            name: Upload(parts[0]["filename"], parts[0]["body"], parts[0]["content_type"])
            for name, parts in self.request.files.items()
        }
        return params, files

    def _hang_up(self) -> None:
        """Closes the connection without an answer."""
        self.detach().close()

    async def _answer(self, token: str, method: str) -> None:
        params, files = self._params()
        self._work = asyncio.ensure_future(self.playground.front.answer(token, method, params, files))
        try:
            reply = await self._work
        except asyncio.CancelledError:
            return
        if reply.lost:
            self._hang_up()
            return
        with suppress(StreamClosedError):
            self.write_json(reply.status, reply.payload)


class FileHandler(Handler):
    """``/file/bot<token>/<path>``, with the path that getFile gave."""

    def get(self, token: str, path: str) -> None:
        """The bytes of a file."""
        world = self.playground.world
        media = world.files.by_path(path) if token == world.token else None
        if media is None:
            self.write_json(404, {"ok": False, "error_code": 404, "description": "Not Found"})
            return
        self.set_header("Content-Type", "application/octet-stream")
        self.finish(media.data)


class MediaHandler(Handler):
    """``/control/media/<name>``: for the page, with its type."""

    def get(self, name: str) -> None:
        """The bytes of a picture or a sound."""
        media = self.playground.world.files.by_name(name)
        if media is None:
            raise HTTPError(404)
        self.set_header("Content-Type", media.mime_type)
        self.set_header("Cache-Control", "private, max-age=31536000, immutable")
        if media.kind == "document":
            self.set_header("Content-Disposition", "attachment")
        self.finish(media.data)


class ControlHandler(Handler):
    """``/control/…``."""

    async def get(self, path: str) -> None:
        """Something to look at."""
        route = GET.get(path)
        if route is None:
            status = 405 if path in POST or path == "reset" else 404
            self.write_json(status, {"ok": False, "error": f"there is no GET /control/{path}"})
            return
        given = {name: self.get_query_argument(name) for name in self.request.query_arguments}
        await self._do(route, given, texts=True)

    async def post(self, path: str) -> None:
        """Something to do."""
        kind = self.request.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            # Not only for order's sake: a browser asks before it sends JSON to another site.
            raise HTTPError(400, reason="Content-Type must be application/json")
        try:
            given = read_json(self.request.body or b"{}")
        except ValueError:
            raise HTTPError(400, reason="the body is not valid JSON") from None
        if not isinstance(given, dict):
            raise HTTPError(400, reason="the body is not a JSON object")
        if path == "reset":
            self.playground.reset()
            self.write_json(200, {"ok": True, "result": True})
            return
        route = POST.get(path)
        if route is None:
            status = 405 if path in GET else 404
            self.write_json(status, {"ok": False, "error": f"there is no POST /control/{path}"})
            return
        await self._do(route, given, texts=False)

    async def _do(self, route: Any, given: dict[str, Any], texts: bool) -> None:
        world = self.playground.world
        try:
            args = checked(route, given, texts)
            wait = args.get("wait")
            result = route.do(world, args)
            if wait:
                await self.playground.press_end(result["id"], wait)
                result = GET["callback"].do(world, {"id": result["id"]})
        except ControlError as error:
            self.write_json(error.status, {"ok": False, "error": str(error)})
            return
        self.write_json(200, {"ok": True, "result": result})


class Stream(Handler):
    """``/control/events``: server-sent events."""

    async def get(self) -> None:
        """All that happens from now on, or after an event, for as long as somebody listens."""
        feed = self.playground.world.feed
        asked = self.request.headers.get("Last-Event-ID") or self.get_query_argument("after", "")
        try:
            after = read_int(asked) if asked else None
        except ValueError:
            raise HTTPError(400, reason="after must be a number") from None
        self._pending: deque[Event] = deque()
        self._news = asyncio.Event()
        self._ended = False
        self._feed = feed
        self.set_header("Content-Type", "text/event-stream; charset=utf-8")
        self.write("retry: 1000\n\n")
        hello = json.dumps({"session": self.playground.world.session, "seq": feed.seq})
        self.write(f"event: hello\ndata: {hello}\n\n")
        missed = feed.since(after) if after is not None else []
        if missed is None:
            self._reset_now()
        else:
            self._pending.extend(missed)
        feed.watchers.append(self._take)
        self.playground.streams.add(self)
        try:
            await self._run()
        except (StreamClosedError, TimeoutError):
            self._ended = True
        finally:
            self._leave()

    async def _run(self) -> None:
        await self._push()
        while not self._ended or self._pending:
            if not self._pending:
                try:
                    await asyncio.wait_for(self._news.wait(), HEARTBEAT)
                except TimeoutError:
                    self.write(": still here\n\n")
            self._news.clear()
            while self._pending:
                event = self._pending.popleft()
                self.write(f"id: {event.seq}\nevent: {event.name}\ndata: {event.data}\n\n")
            await self._push()

    async def _push(self) -> None:
        """Sends what was written; a client that takes nothing for half a minute is given up."""
        await asyncio.wait_for(self.flush(), 30)

    def _take(self, event: Event) -> None:
        self._pending.append(event)
        self._news.set()
        if len(self._pending) > BEHIND:
            log.info("an event stream was too slow and is closed")
            self._pending.clear()
            self._leave()
            self.end()
            # It reconnects, and is told that what it wants is gone, or catches up.
            stream = getattr(self.request.connection, "stream", None)
            if stream is not None:
                stream.close()

    def _reset_now(self) -> None:
        self.write("event: reset\ndata: {}\n\n")

    def reset(self) -> None:
        """The world is another one: say so and end; the client comes back."""
        self._leave()
        self._pending.clear()
        with suppress(RuntimeError, StreamClosedError):
            self._reset_now()
        self.end()

    def end(self) -> None:
        """The stream is over; the page asks again."""
        self._ended = True
        self._news.set()

    def _leave(self) -> None:
        if self._take in self._feed.watchers:
            self._feed.watchers.remove(self._take)
        self.playground.streams.discard(self)

    def on_connection_close(self) -> None:
        if hasattr(self, "_news"):
            self._leave()
            self._pending.clear()
            self.end()


class Page(StaticFileHandler):
    """The page's files, with the same headers and the same caution."""

    def initialize(self, playground: Playground, path: str, default_filename: str | None = None) -> None:  # type: ignore[override]
        """As tornado wants it: the folder."""
        super().initialize(path, default_filename)
        self.playground = playground

    prepare = Handler.prepare
    set_default_headers = Handler.set_default_headers
    log_exception = Handler.log_exception

    def get_cache_time(self, path: str, modified: Any, mime_type: str) -> int:
        """Seconds: pages are asked for anew each time."""
        return 0


class Nothing(Handler):
    """Any other address."""

    def _refuse(self) -> None:
        document: dict[str, Any] = {"ok": False, "error_code": 404, "description": "Not Found"}
        self.write_json(404, document if self.request.path.startswith("/bot") else {"ok": False, "error": "not found"})

    def get(self) -> None:
        """404, in the form of whoever asks."""
        self._refuse()

    post = put = delete = patch = head = options = get


def application(playground: Playground) -> Application:
    """All routes."""
    own = {"playground": playground}
    static = own | {"path": str(STATIC)}
    return Application(
        [
            (r"/bot([^/]+)/([A-Za-z]+)/?", BotHandler, own),
            (r"/file/bot([^/]+)/(.+)", FileHandler, own),
            (r"/control/events", Stream, own),
            (r"/control/media/([\w.-]+)", MediaHandler, own),
            (r"/control/([a-z/]+)", ControlHandler, own),
            (r"/static/(.*)", Page, static),
            (r"/(favicon\.ico)", Page, static),
            (r"/()", Page, static | {"default_filename": "index.html"}),
            (r".*", Nothing, own),
        ],
        log_function=_log_request,
    )


def _log_request(handler: RequestHandler) -> None:
    level = logging.WARNING if handler.get_status() >= 500 else logging.DEBUG
    log.log(level, "%d %s %s", handler.get_status(), handler.request.method, shown(handler.request.path))


def shown(path: str) -> str:
    """A path without the token in it."""
    return re.sub(r"/bot[^/]*", "/bot…", path)
