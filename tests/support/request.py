"""PTB's Application over the playground's World in the same process: no sockets, and virtual time if the loop has it.

One `Line` stands for the network to one world; every bot (also one restarted) gets a `WorldRequest` of it for its calls
and one for its getUpdates. With the same seed, world and program the calls arrive in the same order at the same
instants.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any

from telegram.error import NetworkError, TelegramError, TimedOut
from telegram.request import BaseRequest, RequestData

from playground.files import Upload
from playground.front import Front
from playground.world import Reply, World
from tests.support import calls

BASE_URL = "http://world/bot"
BASE_FILE_URL = "http://world/file/bot"


class WatchedWorld(World):
    """A world of which it is remembered what the bot uses of the Bot API (``tests.support.contract``)."""

    def _note(self, method: str, chat_id: int | None, params: dict[str, Any], *about: Any) -> None:
        calls.note(method, params)
        super()._note(method, chat_id, params, *about)


@dataclass(frozen=True, slots=True)
class Sent:
    """A call on its way, as hooks see it: before it reaches the world."""

    method: str
    params: dict[str, Any]
    files: tuple[str, ...]
    at: float


class Line:
    """The network between bots and a world.

    latency: seconds of a call's way there and of its way back, drawn evenly from this range by a generator of `seed`;
        None: none, and nothing is drawn.
    before: called with each call (not getUpdates); may raise a TelegramError, say NetworkError: then the world never
        sees the call.
    after: called with each call and the status and payload that the world gave; may raise: then the bot never sees
        the answer.
    """

    def __init__(
        self,
        world: World,
        *,
        latency: tuple[float, float] | None = None,
        seed: int = 0,
        before: Callable[[Sent], None] | None = None,
        after: Callable[[Sent, int, dict[str, Any]], None] | None = None,
    ) -> None:
        self.world = world
        self.front = Front(world)
        self.latency = latency
        self.rng = random.Random(seed)
        self.before = before
        self.after = after
        self.open = True
        self.broken: list[Exception] = []
        """What went wrong in the world itself: PTB would take it for a network error, so tests look here."""
        self._outside = copy_context()

    def cut(self) -> None:
        """From now on the network is down: calls fail with NetworkError. `mend` ends it."""
        self.open = False

    def mend(self) -> None:
        self.open = True

    def request(self, dead: Callable[[], bool] = lambda: False) -> WorldRequest:
        """A request object for one bot: it is closed with the bot, the line stays. ``dead``: whether the bot was
        killed: then it makes no more calls; those on their way arrive."""
        return WorldRequest(self, dead=dead)

    def complaints(self) -> list[str]:
        """Calls that the world refused though no fault was asked for, and what broke in it: [] if all was well."""
        refused = [
            f"{call.number} {call.method} {call.params}: {call.status} {call.description}"
            for call in self.world.log
            if call.status >= 400 and call.fault is None
        ]
        return refused + [repr(error) for error in self.broken]

    def seconds(self) -> float:
        """How long the next way takes."""
        return 0.0 if self.latency is None else self.rng.uniform(*self.latency)

    async def call(self, sent: Sent, token: str, files: dict[str, Upload], limit: float | None) -> Reply:
        """One call, there and back. Whoever waits for it may die meanwhile: it arrives all the same.

        Raises TimedOut where ``limit`` seconds of waiting end first, NetworkError where no answer comes.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Reply] = loop.create_future()
        started = loop.time()

        def arrive() -> None:
            if not self.open:
                if not answer.done():
                    answer.set_exception(NetworkError("the network is down"))
                return
            try:
                reply = self.world.serve(token, sent.method, sent.params, files)
            except Exception as error:
                self.broken.append(error)
                if not answer.done():
                    answer.set_exception(error)
                return
            wait = reply.delay + self.seconds()
            if limit is not None and loop.time() + wait - started > limit:
                later(max(0.0, started + limit - loop.time()), lambda: come_back(None))
            else:
                later(wait, lambda: come_back(reply))

        def come_back(reply: Reply | None) -> None:
            if answer.done():
                return
            if reply is None:
                answer.set_exception(TimedOut())
            elif reply.lost or not self.open:
                answer.set_exception(NetworkError("the connection was closed without an answer"))
            else:
                answer.set_result(reply)

        def later(seconds: float, step: Callable[[], object]) -> None:
            if seconds:
                loop.call_later(seconds, step, context=self._outside)
            else:
                step()

        later(self.seconds(), arrive)
        return await answer

    async def poll(self, sent: Sent, token: str) -> Reply:
        """One call of getUpdates, which ends with whoever waits for it."""
        await asyncio.sleep(self.seconds())
        reply = await self.front.answer(token, sent.method, sent.params)
        await asyncio.sleep(self.seconds())
        if reply.lost or not self.open:
            raise NetworkError("the connection was closed without an answer")
        return reply


class WorldRequest(BaseRequest):
    """What PTB calls instead of HTTP: one for the builder's `request(...)`, one for its `get_updates_request(...)`."""

    def __init__(self, line: Line, read_timeout: float | None = 10.0, dead: Callable[[], bool] = lambda: False) -> None:
        self.line = line
        self._read_timeout = read_timeout
        self._dead = dead

    @property
    def read_timeout(self) -> float | None:
        return self._read_timeout

    async def initialize(self) -> None:
        """Nothing to set up."""

    async def shutdown(self) -> None:
        """Nothing to close."""

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: Any = BaseRequest.DEFAULT_NONE,
        write_timeout: Any = BaseRequest.DEFAULT_NONE,
        connect_timeout: Any = BaseRequest.DEFAULT_NONE,
        pool_timeout: Any = BaseRequest.DEFAULT_NONE,
    ) -> tuple[int, bytes]:
        """One call. Raises TimedOut where a read time-out would end the wait, NetworkError where no answer comes."""
        line = self.line
        if self._dead():
            raise asyncio.CancelledError
        if url.startswith(BASE_FILE_URL):
            return self._download(url)
        token, _, name = url.removeprefix(BASE_URL).partition("/")
        params, files = _parts(request_data)
        sent = Sent(name, params, tuple(files), asyncio.get_running_loop().time())
        if not line.open:
            # Without a moment's wait a caller that tries again at once would never let virtual time go on.
            await asyncio.sleep(0.1)
            raise NetworkError("the network is down")
        if name == "getUpdates":
            reply = await line.poll(sent, token)
        else:
            if line.before is not None:
                line.before(sent)
            limit = self._read_timeout if read_timeout is BaseRequest.DEFAULT_NONE else read_timeout
            reply = await line.call(sent, token, files, limit)
            if line.after is not None:
                line.after(sent, reply.status, reply.payload)
        return reply.status, json.dumps(reply.payload).encode()

    def _download(self, url: str) -> tuple[int, bytes]:
        token, _, path = url.removeprefix(BASE_FILE_URL).partition("/")
        media = self.line.world.files.by_path(path) if token == self.line.world.token else None
        return (404, b'{"ok":false,"error_code":404,"description":"Not Found"}') if media is None else (200, media.data)


def _parts(request_data: RequestData | None) -> tuple[dict[str, Any], dict[str, Upload]]:
    """Parameters as a form would carry them, and the uploads."""
    if request_data is None:
        return {}, {}
    files = {}
    for name, (file_name, content, mime_type) in request_data.multipart_data.items():
        data = content if isinstance(content, bytes) else content.read()
        files[name] = Upload(file_name, data, mime_type)
    # A form knows plain strings only, whatever kinds of string the bot makes them of.
    return {name: str(value) for name, value in request_data.json_parameters.items()}, files


__all__ = ["BASE_FILE_URL", "BASE_URL", "Line", "NetworkError", "Sent", "TelegramError", "TimedOut", "WorldRequest"]
