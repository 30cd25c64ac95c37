"""What the bot serves by HTTP: the webhook's door, its health, its figures."""

from __future__ import annotations

import hmac
import json
import logging
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlsplit

from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from telegram import Bot, Update
from tornado.httpserver import HTTPServer
from tornado.web import Application, RequestHandler

from data.settings import HEALTH
from operate.health import Health
from operate.metrics import Metrics

log = logging.getLogger(__name__)

FIGURES: Final = "/metrics"
SECRET_HEADER: Final = "X-Telegram-Bot-Api-Secret-Token"
LONGEST: Final = 1_000_000
"""Bytes of an update; Telegram's are a few thousand."""


class _Page(RequestHandler):
    """Says no more about itself than it must."""

    def set_default_headers(self) -> None:
        self.clear_header("Server")
        self.set_header("Content-Type", "text/plain; charset=utf-8")

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        self.finish(f"{status_code} {self._reason}\n")

    def log_exception(self, *args: Any) -> None:
        """What strangers send is no error of ours; anything else is."""
        if self.get_status() >= 500:
            super().log_exception(*args)


class _Health(_Page):
    def initialize(self, health: Health) -> None:
        self.health = health

    async def get(self) -> None:
        troubles = await self.health.troubles()
        self.set_status(503 if troubles else 200)
        self.finish("".join(f"{line}\n" for line in troubles) or "ok\n")

    head = get


class _Figures(_Page):
    def initialize(self, metrics: Metrics) -> None:
        self.metrics = metrics

    def get(self) -> None:
        self.set_header("Content-Type", CONTENT_TYPE_PLAIN_0_0_4)
        self.finish(self.metrics.latest())


class Door:
    """Where Telegram delivers updates. Who does not know the secret gets 403.

    ``take`` is called with every update that came in; False: no more are taken, and Telegram tries again later.
    """

    def __init__(self, url: str, secret: str, bot: Bot, take: Callable[[Update], bool]) -> None:
        self.path = urlsplit(url).path or "/"
        self._secret = secret.encode()
        self._bot = bot
        self._take = take

    def knows(self, given: str) -> bool:
        """Whether this is the secret, whatever time it takes to see that it is not."""
        return hmac.compare_digest(given.encode("utf-8", "surrogateescape"), self._secret)

    def bring(self, body: bytes) -> int:
        """Take an update in; the status of HTTP that says how that went."""
        try:
            update = Update.de_json(json.loads(body), self._bot)
        except (ValueError, TypeError, KeyError, AttributeError):
            log.warning("what came by the webhook is no update")
            return 400
        return 200 if self._take(update) else 503


class _Hook(_Page):
    def initialize(self, door: Door) -> None:
        self.door = door

    def post(self) -> None:
        if not self.door.knows(self.request.headers.get(SECRET_HEADER, "")):
            log.warning("somebody without the secret knocked at the webhook")
            self.set_status(403)
        else:
            self.set_status(self.door.bring(self.request.body))
        self.finish()


def serve_figures(metrics: Metrics, health: Health, address: str, port: int) -> HTTPServer:
    """Serve figures and health. Raises ``OSError`` if the port cannot be had."""
    return _serve([(FIGURES, _Figures, {"metrics": metrics}), _healthy(health)], address, port)


def serve_webhook(door: Door, health: Health, address: str, port: int) -> HTTPServer:
    """Serve the webhook, and health beside it. Raises ``OSError`` if the port cannot be had."""
    return _serve([(door.path, _Hook, {"door": door}), _healthy(health)], address, port)


def _healthy(health: Health) -> Any:
    return HEALTH, _Health, {"health": health}


def _serve(pages: list[Any], address: str, port: int) -> HTTPServer:
    # Every request would be a line of the log, with the address of whoever asks.
    application = Application(
        [(_literally(path), *rest) for path, *rest in pages],
        default_handler_class=_Nothing,
        log_function=lambda handler: None,
    )
    server = HTTPServer(application, max_body_size=LONGEST)
    server.listen(port, address)
    return server


class _Nothing(_Page):
    """There is nothing here."""

    def prepare(self) -> None:
        self.set_status(404)
        self.finish("404 Not Found\n")


def _literally(path: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "/-_" else f"\\{letter}" for letter in path)
