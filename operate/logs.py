"""The log: lines of text or JSON on stderr, each with the table and hand that it is about, and without secrets.

Nothing is logged from a hand's state: what is said of a table are ids, phases and outcomes (house.md, *The game, as
data*). An error that surprises the bot may name tiles in its words: of such only its kind and where it arose is logged.
"""

from __future__ import annotations

import json
import logging
import re
import traceback
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from types import TracebackType
from typing import Final, TextIO

from telegram.error import TelegramError

from data.errors import StoreError
from data.settings import Settings
from handlers.about import ABOUT

HIDDEN: Final = "…"
_TOKEN: Final = re.compile(r"(?<![0-9])[0-9]{5,}:[A-Za-z0-9_-]{30,}")
"""A bot's token, whoever's."""
_LIBRARIES: Final = ("httpx", "httpcore", "telegram", "tornado", "alembic", "aiosqlite", "sqlalchemy", "PIL", "asyncio")
"""They would write addresses, which hold the token, and parameters of queries."""

_PLAIN: Final = (OSError, TelegramError, StoreError, AttributeError, ImportError, NameError, TypeError)
"""Errors whose words tell of the machine, the network or the program, never of what a hand holds."""
_ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class WithoutSecrets(logging.Formatter):
    """Takes secrets out of finished lines, whatever put them there: a message, an argument, a traceback."""

    def __init__(self, form: str | None = None, *, secrets: Iterable[str] = ()) -> None:
        super().__init__(form)
        self._secrets = sorted(filter(None, secrets), key=len, reverse=True)

    def formatException(self, ei: _ExcInfo) -> str:
        """The traceback; of errors that may name tiles without their words."""
        blocks = []
        for error in _chain(ei[1]):
            words = str(error) if isinstance(error, _PLAIN) else HIDDEN
            where = "".join(traceback.format_tb(error.__traceback__))
            blocks.append(f"Traceback (most recent call last):\n{where}{type(error).__qualname__}: {words}")
        return "\nwhich led to\n".join(blocks)

    def _hide(self, line: str) -> str:
        for secret in self._secrets:
            line = line.replace(secret, HIDDEN)
        return _TOKEN.sub(HIDDEN, line)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """What led to an error, the first first, and itself."""
    if error is not None:
        yield from _chain(error.__cause__ or (None if error.__suppress_context__ else error.__context__))
        yield error


class TextLines(WithoutSecrets):
    """For people: time, level, where, ``t12 h340`` if it is about a table, and what."""

    def __init__(self, *, secrets: Iterable[str] = ()) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(about)s%(message)s", secrets=secrets)

    def format(self, record: logging.LogRecord) -> str:
        """A record as a line for people."""
        about = ABOUT.get()
        hand = f" h{about.hand}" if about is not None and about.hand is not None else ""
        record.about = "" if about is None else f"t{about.table}{hand}: "
        return self._hide(super().format(record))


class JsonLines(WithoutSecrets):
    """One JSON object a line, for log collectors: ``at``, ``level``, ``logger``, ``message``; ``table`` and ``hand`` if
    it is about one; ``exception``, a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as an object of JSON in one line."""
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": self._hide(record.getMessage()),
        }
        about = ABOUT.get()
        if about is not None:
            line["table"] = about.table
            if about.hand is not None:
                line["hand"] = about.hand
        if record.exc_info:
            line["exception"] = self._hide(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False)


def formatter(settings: Settings) -> logging.Formatter:
    """The log's form as it is set, which knows what must not stand there."""
    secrets = [
        secret.get_secret_value()
        for secret in (settings.telegram_bot_token, settings.webhook_secret)
        if secret is not None
    ]
    return JsonLines(secrets=secrets) if settings.log_format == "json" else TextLines(secrets=secrets)


def quiet() -> None:
    """A proxy's page in place of an answer is no error of ours, and no traceback: who called says so."""
    logging.getLogger("telegram.request.BaseRequest").setLevel(logging.CRITICAL)


def set_up_logging(settings: Settings, stream: TextIO | None = None) -> None:
    """Log to ``stream`` (by default stderr). Libraries speak only when something is wrong."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter(settings))
    logging.basicConfig(level=settings.log_level, handlers=[handler], force=True)
    quiet()
    for name in _LIBRARIES:
        logging.getLogger(name).setLevel(max(logging.WARNING, logging.getLevelName(settings.log_level)))
