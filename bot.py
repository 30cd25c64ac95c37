"""The bot: settings and wiring. ``python bot.py`` runs it until it is told to stop."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import fcntl
import json
import logging
import os
import signal
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from html import escape
from pathlib import Path

from telegram import Bot
from telegram.error import Forbidden, InvalidToken, TelegramError
from telegram.ext import Application, ApplicationBuilder

from data.errors import StoreError
from data.settings import Settings, SettingsError, load_settings
from data.store import Store
from data.texts import Texts
from data.upkeep import back_up, look_through, restore
from handlers.application import ALLOWED_UPDATES, InOrder, Updates, set_menu
from handlers.clock import Clock
from handlers.house import House
from handlers.outbox import Message, Outbox
from handlers.requests import Request
from render.pool import Renderer

log = logging.getLogger("bot")

NO_TOKEN = (
    "TELEGRAM_BOT_TOKEN is not set. Get a token from @BotFather and put TELEGRAM_BOT_TOKEN=… into .env, "
    "or try the bot without one: make run"
)
CONNECTIONS = 40
"""Calls under way at once; answers to presses are not held back by budgets."""
REACH_ATTEMPTS = 5
GRACE = 4.5
"""Seconds in which the bot stops, whatever happens."""
FLUSH = 2.0
"""Seconds of them in which what is still to be said may go out."""
HOUR = 3600.0


class Refused(Exception):
    """The bot cannot run; ``str()`` is one line that says what to do."""


class JsonLines(logging.Formatter):
    """One JSON object a line, for log collectors."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def set_up_logging(settings: Settings) -> None:
    """Log to stderr. Libraries that would write addresses (they hold the token) speak only when something is wrong."""
    handler = logging.StreamHandler()
    text = logging.Formatter("%(asctime)s %(levelname)-7s %(name)s: %(message)s")
    handler.setFormatter(JsonLines() if settings.log_format == "json" else text)
    logging.basicConfig(level=settings.log_level, handlers=[handler], force=True)
    for name in ("httpx", "httpcore", "telegram", "apscheduler", "alembic", "aiosqlite", "sqlalchemy", "PIL"):
        logging.getLogger(name).setLevel(max(logging.WARNING, logging.getLevelName(settings.log_level)))


@contextlib.contextmanager
def sole_use(database: Path) -> Iterator[None]:
    """Keep other bots off the database; the lock goes with the process, however it ends. Raises ``Refused``."""
    try:
        database.parent.mkdir(parents=True, exist_ok=True)
        lock = database.with_name(database.name + ".lock").open("w")
    except OSError:
        # The store says better what is wrong with the place.
        yield
        return
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Refused(f"Another bot runs on {database}: stop it, or set DATABASE_PATH to another file") from None
        yield


def drawing_processes(settings: Settings) -> int:
    """How many processes draw: as set, else one a core up to four, and none where memory is short."""
    if settings.render_processes is not None:
        return settings.render_processes
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return 0 if memory < 1_500_000_000 else min(4, os.cpu_count() or 1)


def build_application(settings: Settings) -> Application:  # type: ignore[type-arg]
    """PTB's application: updates side by side, no rate limiter and no job queue (telegram.md says why)."""
    assert settings.telegram_bot_token is not None
    builder = (
        ApplicationBuilder()
        .token(settings.telegram_bot_token.get_secret_value())
        .concurrent_updates(InOrder())
        .job_queue(None)
        .request(Request(CONNECTIONS))
        .get_updates_request(Request(1))
    )
    if settings.telegram_api_url is not None:
        builder = builder.base_url(f"{settings.telegram_api_url}/bot")
        builder = builder.base_file_url(f"{settings.telegram_api_url}/file/bot")
    return builder.build()


async def reach_telegram(application: Application) -> Bot:  # type: ignore[type-arg]
    """Initialize the bot (getMe). Raises ``Refused`` for a wrong token, or when Telegram stays out of reach."""
    for attempt in range(1, REACH_ATTEMPTS + 1):
        try:
            await application.initialize()
            bot: Bot = application.bot
            return bot
        except (InvalidToken, Forbidden):
            raise Refused("Telegram refuses TELEGRAM_BOT_TOKEN: copy it again from @BotFather into .env") from None
        except TelegramError as error:
            if attempt == REACH_ATTEMPTS:
                raise Refused(f"Telegram cannot be reached ({error}): check the network and TELEGRAM_API_URL") from None
            log.warning("Telegram cannot be reached (%s); trying again", error)
            await asyncio.sleep(attempt)
    raise AssertionError


async def receive(application: Application, settings: Settings) -> None:  # type: ignore[type-arg]
    """Begin to take updates, those that waited while the bot was down included. Raises ``Refused``."""
    updater = application.updater
    assert updater is not None
    try:
        if settings.webhook_url is None:
            await updater.start_polling(
                allowed_updates=ALLOWED_UPDATES, error_callback=polling_failed, bootstrap_retries=REACH_ATTEMPTS
            )
            return
        assert settings.webhook_secret is not None
        await updater.start_webhook(
            listen="0.0.0.0",
            port=settings.port,
            url_path=settings.webhook_url.split("/", 3)[-1] if settings.webhook_url.count("/") > 2 else "",
            webhook_url=settings.webhook_url,
            secret_token=settings.webhook_secret.get_secret_value(),
            allowed_updates=ALLOWED_UPDATES,
            bootstrap_retries=REACH_ATTEMPTS,
        )
    except TelegramError as error:
        raise Refused(f"Telegram does not let updates be fetched ({error}): try again later") from None
    except OSError as error:
        raise Refused(
            f"Port {settings.port} cannot be listened on ({error.strerror}): set PORT to a free one"
        ) from None


def polling_failed(error: TelegramError) -> None:
    """Fetching updates failed; PTB tries again by itself."""
    log.warning("updates cannot be fetched: %s", error)


async def run(settings: Settings) -> None:
    """Run the bot until SIGINT or SIGTERM, then end within ``GRACE`` seconds whatever Telegram does.

    Raises ``Refused`` or ``StoreError`` if it cannot start.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    running = asyncio.Event()
    work = loop.create_task(serve(settings, running, stop))
    told = loop.create_task(stop.wait())
    await asyncio.wait({work, told}, return_when=asyncio.FIRST_COMPLETED)
    told.cancel()
    if not work.done():
        if running.is_set():
            await asyncio.wait({work}, timeout=GRACE)
        work.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await work


async def serve(settings: Settings, running: asyncio.Event, stop: asyncio.Event) -> None:
    """Wire everything, serve until ``stop``, and put everything away. ``running`` is set once updates are taken."""
    async with contextlib.AsyncExitStack() as stack:
        stack.enter_context(sole_use(settings.database_path))
        store = await Store.open(settings.database_path)
        stack.push_async_callback(store.close)
        application = build_application(settings)
        bot = await reach_telegram(application)
        stack.push_async_callback(application.shutdown)
        clock = Clock()
        renderer = Renderer(drawing_processes(settings))
        stack.callback(renderer.close)
        outbox = Outbox(bot, clock, store)
        operator = Operator(settings.admin_ids, outbox, clock)
        house = House(
            store,
            bot,
            outbox,
            renderer,
            Texts.load(),
            clock,
            timezone=settings.timezone,
            on_trouble=operator.tell,
            operators=settings.admin_ids,
        )
        Updates(house).register(application)
        # Presses can be answered before the first picture can be drawn.
        house.later(renderer.start())
        await outbox.start()
        stack.push_async_callback(outbox.stop, FLUSH)
        await house.start(bot.username)
        stack.push_async_callback(house.stop)
        await application.start()
        stack.push_async_callback(application.stop)
        await receive(application, settings)
        assert application.updater is not None
        stack.push_async_callback(application.updater.stop)
        house.later(set_menu(house))
        log.info("@%s is running", bot.username)
        running.set()
        await stop.wait()
        log.info("stopping")


class Operator:
    """Tells the people in ADMIN_IDS in private what they must know, each trouble once an hour at most."""

    def __init__(self, admin_ids: frozenset[int], outbox: Outbox, clock: Clock) -> None:
        self._admin_ids = admin_ids
        self._outbox = outbox
        self._clock = clock
        self._told: dict[str, float] = {}

    def tell(self, line: str) -> None:
        """One line, as plain text."""
        now = self._clock.time()
        if now - self._told.get(line, -HOUR) < HOUR:
            return
        self._told[line] = now
        for chat_id in sorted(self._admin_ids):
            self._outbox.say(Message(chat_id, escape(line, quote=False)))


def audit(settings: Settings) -> int:
    """Look the whole database through, also while the bot runs; 1 with the first difference, if there is one."""

    def progress(done: int) -> None:
        if done % 500 == 0 and sys.stderr.isatty():
            print(f"\r{done:,} records", end="", file=sys.stderr, flush=True)

    found = look_through(settings.database_path, progress)
    if sys.stderr.isatty():
        print("\r", end="", file=sys.stderr)
    if found.difference is not None:
        print(found.difference, file=sys.stderr)
        return 1
    print(f"{settings.database_path}: {found.hands:,} hands and {found.transfers:,} transfers, all in order")
    return 0


def backup(settings: Settings, target: Path) -> int:
    """Copy the database into a new file, also while the bot runs."""
    size = back_up(settings.database_path, target)
    print(f"{target}: {size:,} bytes, as of {datetime.now(UTC).isoformat(timespec='seconds')}")
    return 0


def restored(settings: Settings, source: Path) -> int:
    """Put a backup where no database is yet."""
    with sole_use(settings.database_path):
        restore(source, settings.database_path)
    print(f"{settings.database_path}: restored from {source}")
    return 0


def arguments(given: list[str] | None) -> argparse.Namespace:
    """The command line. Exits with 2 if it is wrong."""
    parser = argparse.ArgumentParser(prog="python bot.py", description="Without a command: run the bot.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    commands.add_parser("audit", help="check every coin and every record; exit 1 with the first difference")
    copy = commands.add_parser("backup", help="copy the database, also while the bot runs")
    copy.add_argument("file", type=Path, metavar="FILE", help="a new file")
    back = commands.add_parser("restore", help="put a backup at DATABASE_PATH, where there must be nothing yet")
    back.add_argument("file", type=Path, metavar="FILE", help="a backup")
    return parser.parse_args(given)


def main(given: list[str] | None = None) -> int:
    """Returns the exit status: 0 done, or stopped as told; 1 cannot be done; 2 a setting is wrong."""
    wanted = arguments(given)
    try:
        settings = load_settings()
    except SettingsError as error:
        print(error, file=sys.stderr)
        return 2
    try:
        match wanted.command:
            case "audit":
                return audit(settings)
            case "backup":
                return backup(settings, wanted.file)
            case "restore":
                return restored(settings, wanted.file)
    except (Refused, StoreError) as error:
        print(error, file=sys.stderr)
        return 1
    if settings.telegram_bot_token is None:
        print(NO_TOKEN, file=sys.stderr)
        return 2
    set_up_logging(settings)
    # Flood waits as timedelta; as numbers they come with a warning (PTB 22, RetryAfter).
    os.environ.setdefault("PTB_TIMEDELTA", "true")
    try:
        asyncio.run(run(settings))
    except (Refused, StoreError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
