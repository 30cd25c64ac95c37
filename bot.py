"""The bot: settings and wiring. ``python bot.py`` runs it until it is told to stop."""

from __future__ import annotations

import argparse
import asyncio
import atexit
import contextlib
import logging
import os
import signal
import sys
from functools import partial
from html import escape
from pathlib import Path
from typing import NoReturn

from telegram import Bot, Update
from telegram.error import BadRequest, Forbidden, InvalidToken, TelegramError
from telegram.ext import Application, ApplicationBuilder

from data.database import refuse_foreign
from data.errors import StoreError
from data.settings import Settings, SettingsError, load_settings
from data.store import Store
from data.texts import Texts
from handlers.application import ALLOWED_UPDATES, Updates, set_menu
from handlers.clock import Clock
from handlers.house import House
from handlers.outbox import Message, Outbox
from operate.check import Finding
from operate.commands import audit, backup, checked, healthy, restored, voices
from operate.health import Health
from operate.logs import set_up_logging
from operate.metrics import ErrorCount, MeteredDatabase, MeteredRequest, MeteredUpdates, Metrics
from operate.place import Refused, drawing_processes, listening, sole_use
from operate.version import version
from operate.web import Door, serve_figures, serve_webhook
from render.pool import Renderer

log = logging.getLogger("bot")

NO_TOKEN = (
    "TELEGRAM_BOT_TOKEN is not set. Get a token from @BotFather and put TELEGRAM_BOT_TOKEN=… into .env, "
    "or try the bot without one: make run"
)
CONNECTIONS = 40
"""Calls under way at once; answers to presses are not held back by budgets."""
POLLS = 2
"""Connections for getUpdates: at the end one is cut off, which httpcore now and then takes for used for ever, and
another call says what was received."""
REACH_ATTEMPTS = 5
WRONG_SETTING = 2
"""Exit status: to start again puts nothing right."""
GRACE = 2.5
"""Seconds in which the bot puts everything away in order; five are asked, and a busy machine takes its part of them."""
FLUSH = 2.0
"""Seconds of them in which what is still to be said may go out."""
PUSH = 0.1
"""After them every step of putting away is cut off that takes longer."""
LAST = 3.5
"""Seconds after which the process ends at once, whatever holds it up: what was answered is kept since before."""
STOPS = (signal.SIGINT, signal.SIGTERM)
HOUR = 3600.0


def build_application(settings: Settings, metrics: Metrics) -> Application:  # type: ignore[type-arg]
    """PTB's application: updates side by side, no rate limiter and no job queue (telegram.md says why)."""
    assert settings.telegram_bot_token is not None
    builder = (
        ApplicationBuilder()
        .token(settings.telegram_bot_token.get_secret_value())
        .concurrent_updates(MeteredUpdates(metrics))
        .job_queue(None)
        .request(MeteredRequest(CONNECTIONS, metrics))
        .get_updates_request(MeteredRequest(POLLS, metrics))
    )
    if settings.telegram_api_url is not None:
        builder = builder.base_url(f"{settings.telegram_api_url}/bot")
        builder = builder.base_file_url(f"{settings.telegram_api_url}/file/bot")
    return builder.build()


async def reach_telegram(application: Application, server: str | None) -> Bot:  # type: ignore[type-arg]
    """Initialize the bot (getMe). ``server``: another one than Telegram's own.

    Raises ``Refused`` for a wrong token, or when Telegram stays out of reach.
    """
    for attempt in range(1, REACH_ATTEMPTS + 1):
        try:
            await application.initialize()
            bot: Bot = application.bot
            return bot
        except (InvalidToken, Forbidden):
            who = "Telegram" if server is None else f"TELEGRAM_API_URL={server}"
            line = f"{who} refuses TELEGRAM_BOT_TOKEN: copy it again from @BotFather into .env"
            raise Refused(line, WRONG_SETTING) from None
        except TelegramError as error:
            if attempt == REACH_ATTEMPTS:
                raise Refused(f"Telegram cannot be reached ({error}): check the network and TELEGRAM_API_URL") from None
            log.warning("Telegram cannot be reached (%s); trying again", error)
            await asyncio.sleep(attempt)
    raise AssertionError


async def poll(application: Application, stack: contextlib.AsyncExitStack) -> None:  # type: ignore[type-arg]
    """Begin to fetch updates, those that waited while the bot was down included. Raises ``Refused``."""
    updater = application.updater
    assert updater is not None
    try:
        await updater.start_polling(
            allowed_updates=ALLOWED_UPDATES, error_callback=polling_failed, bootstrap_retries=REACH_ATTEMPTS
        )
    except TelegramError as error:
        raise Refused(f"Telegram does not let updates be fetched ({error}): try again later") from None
    stack.push_async_callback(updater.stop)


async def open_door(
    application: Application,  # type: ignore[type-arg]
    settings: Settings,
    health: Health,
    stack: contextlib.AsyncExitStack,
) -> None:
    """Have updates brought, those that waited while the bot was down included. Raises ``Refused``."""
    assert settings.webhook_url is not None
    assert settings.webhook_secret is not None
    secret = settings.webhook_secret.get_secret_value()
    open_to_all = True

    def take(update: Update) -> bool:
        if open_to_all:
            application.update_queue.put_nowait(update)
        return open_to_all

    def shut() -> None:
        # Telegram keeps the webhook, and delivers what comes meanwhile after the next start.
        nonlocal open_to_all
        open_to_all = False
        server.stop()

    door = Door(settings.webhook_url, secret, application.bot, take)
    with listening("PORT", settings.port):
        server = serve_webhook(door, health, settings.webhook_listen, settings.port)
    stack.callback(shut)
    for attempt in range(1, REACH_ATTEMPTS + 1):
        try:
            await application.bot.set_webhook(
                settings.webhook_url, secret_token=secret, allowed_updates=ALLOWED_UPDATES
            )
            return
        except TelegramError as error:
            if attempt == REACH_ATTEMPTS or isinstance(error, BadRequest):
                raise Refused(f"Telegram does not take WEBHOOK_URL ({error}): it must be reachable by HTTPS") from None
            await asyncio.sleep(attempt)


def polling_failed(error: TelegramError) -> None:
    """Fetching updates failed; PTB tries again by itself."""
    log.warning("updates cannot be fetched: %s", error)


async def run(settings: Settings) -> None:
    """Run the bot until SIGINT or SIGTERM, then end soon after ``GRACE`` seconds whatever Telegram does.

    The process ends after ``LAST`` seconds whatever the machine does.

    Raises ``Refused`` or ``StoreError`` if it cannot start.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()

    def told_to_stop(*_: object) -> None:
        # Told again, it has no more time than before.
        for number in STOPS:
            signal.signal(number, signal.SIG_IGN)
        signal.setitimer(signal.ITIMER_REAL, LAST)
        loop.call_soon_threadsafe(stop.set)

    # Not by way of the loop: it may be what holds up the end.
    signal.signal(signal.SIGALRM, lambda *_: os._exit(0))
    for number in STOPS:
        signal.signal(number, told_to_stop)
    running = asyncio.Event()
    work = loop.create_task(serve(settings, running, stop))
    told = loop.create_task(stop.wait())
    await asyncio.wait({work, told}, return_when=asyncio.FIRST_COMPLETED)
    told.cancel()
    if not work.done():
        if running.is_set():
            await asyncio.wait({work}, timeout=GRACE)
        while not work.done():
            # Cancelled once it would go on to the next thing to put away, and wait there as long as it likes.
            work.cancel()
            await asyncio.wait({work}, timeout=PUSH)
    with contextlib.suppress(asyncio.CancelledError):
        await work


async def serve(settings: Settings, running: asyncio.Event, stop: asyncio.Event) -> None:
    """Wire everything, serve until ``stop``, and put everything away. ``running`` is set once updates are taken."""
    async with contextlib.AsyncExitStack() as stack:
        refuse_foreign(settings.database_path)
        stack.enter_context(sole_use(settings.database_path))
        metrics = Metrics()
        errors = ErrorCount(metrics)
        logging.getLogger().addHandler(errors)
        stack.callback(logging.getLogger().removeHandler, errors)
        store = await Store.open(settings.database_path, through=partial(MeteredDatabase, metrics=metrics))
        stack.push_async_callback(store.close)
        application = build_application(settings, metrics)
        bot = await reach_telegram(application, settings.telegram_api_url)
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
            version=version(),
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
        health = Health(store, metrics, bot, settings.webhook_url)
        if settings.metrics_port is not None:
            metrics.watch(house)
            with listening("METRICS_PORT", settings.metrics_port):
                figures = serve_figures(metrics, health, settings.metrics_listen, settings.metrics_port)
            stack.callback(figures.stop)
        if settings.webhook_url is None:
            await poll(application, stack)
        else:
            await open_door(application, settings, health, stack)
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


def arguments(given: list[str] | None) -> argparse.Namespace:
    """The command line. Exits with 2 if it is wrong."""
    parser = argparse.ArgumentParser(prog="mahjong-bot", description="Without a command: run the bot.")
    parser.add_argument("--version", action="version", version=f"%(prog)s {version()}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    commands.add_parser("check", help="look over all that the bot needs, and say what to do; exit 1 if it is wrong")
    commands.add_parser("health", help="ask the running bot how it is; exit 1 if it is not well")
    commands.add_parser("audit", help="check every coin and every record; exit 1 with the first difference")
    copy = commands.add_parser("backup", help="copy the database, also while the bot runs")
    copy.add_argument("file", type=Path, metavar="FILE", help="a new file")
    back = commands.add_parser("restore", help="put a backup at DATABASE_PATH, where there must be nothing yet")
    back.add_argument("file", type=Path, metavar="FILE", help="a backup")
    commands.add_parser("voices", help="list what can be recorded, and check the recordings; exit 1 if broken")
    return parser.parse_args(given)


def main(given: list[str] | None = None) -> int:
    """Returns the exit status: 0 done, or stopped as told; 1 cannot be done; 2 a setting is wrong."""
    wanted = arguments(given)
    if wanted.command == "voices":
        return voices()
    try:
        settings = load_settings()
    except SettingsError as error:
        if wanted.command == "check":
            print(Finding(False, "settings", str(error)))
            return 1
        print(error, file=sys.stderr)
        return WRONG_SETTING
    # What the database holds of running hands and of people is for nobody else on this machine.
    os.umask(0o077)
    try:
        match wanted.command:
            case "check":
                return checked(settings)
            case "health":
                return healthy(settings)
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
        return WRONG_SETTING
    for number in STOPS:
        signal.signal(number, lambda *_: end())
    set_up_logging(settings)
    # Flood waits as timedelta; as numbers they come with a warning (PTB 22, RetryAfter).
    os.environ.setdefault("PTB_TIMEDELTA", "true")
    try:
        asyncio.run(run(settings))
    except Refused as error:
        print(error, file=sys.stderr)
        return error.status
    except StoreError as error:
        print(error, file=sys.stderr)
        return 1
    end()


def end() -> NoReturn:
    """End the process as it was told, and do not take the interpreter apart first: that takes a second on a busy
    machine, in which another Ctrl-C would kill it."""
    atexit._run_exitfuncs()
    with contextlib.suppress(OSError):
        sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main())
