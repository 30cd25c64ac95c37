"""Tornado's server with Telegram's answer to a body that is too large: 413 at once, before any of it is kept."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable
from contextlib import suppress
from typing import Any

from tornado.http1connection import HTTP1Connection
from tornado.httpserver import HTTPServer
from tornado.httputil import (
    HTTPConnection,
    HTTPHeaders,
    HTTPMessageDelegate,
    RequestStartLine,
    ResponseStartLine,
)
from tornado.iostream import IOStream, StreamClosedError

from playground.files import MAX_UPLOAD
from playground.reading import read_int

log = logging.getLogger("playground")
MAX_BODY = 2 * MAX_UPLOAD
"""Bytes of a request's body: several files may come in one."""
LINGER = 5.0
"""Seconds in which somebody who goes on sending may do so, so that they come to read the answer."""
BITE = 65_536
_BODY = json.dumps({"ok": False, "error_code": 413, "description": "Request Entity Too Large"}).encode()
_ANSWER = (
    b"HTTP/1.1 413 Request Entity Too Large\r\nContent-Type: application/json; charset=utf-8\r\n"
    b"Connection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(_BODY), _BODY)
)


class Server(HTTPServer):
    """See the module."""

    def initialize(self, *args: Any, **kwargs: Any) -> None:
        """As tornado wants it: settings by name."""
        super().initialize(*args, **{"max_body_size": MAX_BODY, **kwargs})
        self._lingering: set[asyncio.Task[None]] = set()

    def start_request(self, server_conn: object, request_conn: HTTPConnection) -> HTTPMessageDelegate:
        """As tornado wants it: who is to read the next request."""
        assert isinstance(request_conn, HTTP1Connection)
        return _Sized(self, super().start_request(server_conn, request_conn), request_conn)

    def refuse(self, stream: IOStream, size: int) -> None:
        """Answer 413 on a connection that is nobody else's any more."""
        log.warning("413: a body of %d bytes is more than %d", size, MAX_BODY)
        task = asyncio.get_running_loop().create_task(_linger(stream))
        self._lingering.add(task)
        task.add_done_callback(self._lingering.discard)


async def _linger(stream: IOStream) -> None:
    with suppress(StreamClosedError, TimeoutError):
        async with asyncio.timeout(LINGER):
            await stream.write(_ANSWER)
            while True:
                await stream.read_bytes(BITE, partial=True)
    stream.close()


class _Sized(HTTPMessageDelegate):
    """Hands on what is received, unless there will be too much of it."""

    def __init__(self, server: Server, delegate: HTTPMessageDelegate, connection: HTTP1Connection) -> None:
        self._server = server
        self._delegate = delegate
        self._connection = connection

    def headers_received(
        self, start_line: RequestStartLine | ResponseStartLine, headers: HTTPHeaders
    ) -> Awaitable[None] | None:
        try:
            size = read_int(headers.get("Content-Length", "0"))
        except ValueError:
            # No number at all: that is said by the connection.
            size = 0
        if size > MAX_BODY:
            self._server.refuse(self._connection.detach(), size)
            return None
        return self._delegate.headers_received(start_line, headers)

    def data_received(self, chunk: bytes) -> Awaitable[None] | None:
        return self._delegate.data_received(chunk)

    def finish(self) -> None:
        self._delegate.finish()

    def on_connection_close(self) -> None:
        self._delegate.on_connection_close()
