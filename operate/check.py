"""``python bot.py check``: looks over everything the bot needs, and says what to do about what is wrong."""

from __future__ import annotations

import difflib
import os
import shutil
import socket
import stat
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Final

import httpx
from dotenv import dotenv_values
from PIL import features
from telegram import Bot, WebhookInfo
from telegram.error import Forbidden, InvalidToken, TelegramError

from data import upkeep
from data.database import is_older, plain_errors, schema_fault
from data.errors import StoreError, StoreUnwritable
from data.settings import Settings
from data.texts import Texts
from handlers.wording import signs
from operate.place import cores, drawing_processes, memory, runs
from operate.version import version
from render.pool import Renderer
from render.words import LobbyWords

MEGABYTE: Final = 1_000_000
ROOM: Final = 200 * MEGABYTE
"""Free bytes under which the disk counts as nearly full."""
BOT: Final = 250 * MEGABYTE
DRAWS: Final = 80 * MEGABYTE
"""Memory of the bot that draws itself, and of each process that draws for it, at most (docs/operate.md)."""
SKEW: Final = 5.0
"""Seconds by which the clock may differ from Telegram's."""
PATIENCE: Final = 10.0
LATELY: Final = 3600.0
"""Seconds for which a failure of the webhook is news."""
TELEGRAM: Final = "https://api.telegram.org"
OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


@dataclass(frozen=True, slots=True)
class Finding:
    """One line. ``says``: what was found, and if it is wrong, what to do."""

    fine: bool
    what: str
    says: str

    def __str__(self) -> str:
        return f"{'ok' if self.fine else 'wrong':<6}{self.what:<10}{self.says}"


async def check(settings: Settings) -> AsyncIterator[Finding]:
    """Every finding, as soon as it is there. Changes nothing; a running bot is not disturbed."""
    running = runs(settings.database_path)
    state = "a bot runs on this database" if running else "no bot runs on this database"
    yield Finding(True, "settings", f"as they should be; version {version()}; {state}")
    env_file = Path(".env")
    for finding in (
        _env_file(env_file),
        *_names(env_file),
        *_database(settings.database_path),
        _ports(settings, running),
    ):
        if finding is not None:
            yield finding
    for one in (_memory(settings), *[finding async for finding in _drawing(settings)]):
        yield one
    async for finding in _telegram(settings, running):
        yield finding


def _env_file(path: Path) -> Finding | None:
    """The file with the token is for its owner's eyes."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return None
    if mode & OTHERS:
        return Finding(False, "rights", f"{path} can be read by others, and holds the token: chmod 600 {path}")
    return Finding(True, "rights", f"{path} is for its owner alone")


def _names(path: Path) -> Iterator[Finding]:
    """A name that is almost a setting's is a slip of the pen. Others may be there for other programs."""
    known = [name.upper() for name in Settings.model_fields] + ["PLAYGROUND_PORT", "PLAYGROUND_STATE"]
    for name in dotenv_values(path):
        if name.upper() not in known and (meant := difflib.get_close_matches(name.upper(), known, 1, 0.8)):
            yield Finding(False, "settings", f"{path} sets {name}, which nothing reads: write {meant[0]}")


def _database(path: Path) -> Iterator[Finding]:
    try:
        with plain_errors(path):
            yield from _place(path)
    except StoreError as error:
        yield Finding(False, "database", str(error))


def _place(path: Path) -> Iterator[Finding]:
    """The database and the disk that it is on. Raises ``StoreError``."""
    folder = next(parent for parent in path.absolute().parents if parent.exists())
    if not os.access(folder, os.W_OK | os.X_OK):
        yield Finding(False, "database", f"{folder} cannot be written: give the bot's user the right to")
        return
    free = shutil.disk_usage(folder).free
    said = f"{free / MEGABYTE:,.0f} MB are free in {folder}"
    yield Finding(free >= ROOM, "disk", said if free >= ROOM else f"only {said}: make room")
    if not path.exists() or (path.is_file() and not path.stat().st_size):
        yield Finding(True, "database", f"{path} will be made")
        return
    fault = schema_fault(path)
    # Somebody else's file may be for all to read.
    if not isinstance(fault, StoreUnwritable) and path.stat().st_mode & OTHERS:
        yield Finding(False, "rights", f"{path} can be read by others, and holds running hands: chmod 600 {path}*")
    if fault is not None:
        raise fault
    upkeep.try_to_write(path)
    if is_older(path):
        yield Finding(True, "database", f"{path} will be brought up to date at the next start, after a copy")
        return
    if (difference := upkeep.first_difference(path)) is not None:
        yield Finding(False, "database", f"{difference}: stop the bot, keep the file, restore a backup")
    else:
        size = path.stat().st_size / MEGABYTE
        yield Finding(True, "database", f"{path}: {size:,.1f} MB, can be written, and all sums are in order")


def _ports(settings: Settings, running: bool) -> Finding | None:
    """Whether the ports can be listened on; those of a running bot are its own."""
    wanted = []
    if settings.webhook_url is not None:
        wanted.append(("PORT", "WEBHOOK_LISTEN", settings.webhook_listen, settings.port))
    if settings.metrics_port is not None:
        wanted.append(("METRICS_PORT", "METRICS_LISTEN", settings.metrics_listen, settings.metrics_port))
    for name, listen, address, port in wanted if not running else ():
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        with socket.socket(family) as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                one.bind((address, port))
            except OSError as error:
                said = f"{address} port {port} cannot be listened on ({error.strerror}): set {name} or {listen}"
                return Finding(False, "ports", said)
    return Finding(True, "ports", " and ".join(f"{one[2]}:{one[3]}" for one in wanted)) if wanted else None


def _memory(settings: Settings) -> Finding:
    there, processes = memory(), drawing_processes(settings)
    need = BOT + processes * DRAWS
    said = f"{there / MEGABYTE:,.0f} MB, {need / MEGABYTE:,.0f} are wanted with {processes} drawing processes"
    return Finding(there >= need, "memory", said if there >= need else f"{said}: set RENDER_PROCESSES=0")


async def _drawing(settings: Settings) -> AsyncIterator[Finding]:
    words = Texts.load().get(None)
    empty = LobbyWords(signs(words, "zhangzhou"), version(), "", (None,) * 4, "")
    processes = drawing_processes(settings)
    renderer = Renderer(processes)
    try:
        await renderer.start()
        began = time.perf_counter()
        await renderer.picture("lobby", None, empty)
        took = (time.perf_counter() - began) * 1000
    except Exception as error:
        yield Finding(False, "drawing", f"no picture can be drawn ({error!r}): install the dependencies anew")
        return
    finally:
        renderer.close()
    where = f"{processes} processes" if processes else "the bot's own process"
    yield Finding(True, "drawing", f"a picture in {took:.0f} ms, in {where}, {cores()} cores")
    if not features.check("fribidi"):
        said = "names in Arabic or Thai are drawn in the wrong order: install libfribidi0"
        yield Finding(False, "drawing", said)


async def _telegram(settings: Settings, running: bool) -> AsyncIterator[Finding]:
    if settings.telegram_bot_token is None:
        yield Finding(False, "token", "TELEGRAM_BOT_TOKEN is not set: get one from @BotFather")
        return
    server = settings.telegram_api_url or TELEGRAM
    bot = Bot(
        settings.telegram_bot_token.get_secret_value(),
        base_url=f"{server}/bot",
        base_file_url=f"{server}/file/bot",
    )
    try:
        me = await bot.get_me()
    except (InvalidToken, Forbidden):
        said = "Telegram" if settings.telegram_api_url is None else f"TELEGRAM_API_URL={server}"
        yield Finding(False, "token", f"{said} refuses it: copy TELEGRAM_BOT_TOKEN again from @BotFather")
        return
    except TelegramError as error:
        yield Finding(False, "token", f"{server} cannot be reached ({error}): check the network and TELEGRAM_API_URL")
        return
    if me.can_join_groups:
        yield Finding(True, "token", f"@{me.username}")
    else:
        yield Finding(False, "token", f"@{me.username} cannot be added to groups: /setjoingroups at @BotFather")
    yield await _clock(server)
    async for finding in _hook(settings, bot, running):
        yield finding
    yield await _operators(settings, bot)


async def _clock(server: str) -> Finding:
    """How far the clock is from the server's, to the second."""
    try:
        async with httpx.AsyncClient(timeout=PATIENCE) as http:
            answer = await http.head(server)
        theirs = parsedate_to_datetime(answer.headers["Date"])
    except (httpx.HTTPError, KeyError, ValueError) as error:
        return Finding(True, "clock", f"cannot be compared with {server} ({error!r})")
    skew = (datetime.now(UTC) - theirs).total_seconds()
    if abs(skew) > SKEW:
        return Finding(False, "clock", f"{skew:+.0f} s from Telegram's: have it set by NTP (timedatectl set-ntp true)")
    return Finding(True, "clock", f"within {SKEW:.0f} s of Telegram's")


async def _hook(settings: Settings, bot: Bot, running: bool) -> AsyncIterator[Finding]:
    try:
        info = await bot.get_webhook_info()
    except TelegramError as error:
        yield Finding(False, "updates", f"Telegram cannot be asked how they are delivered ({error})")
        return
    if settings.webhook_url is None:
        if info.url and running:
            said = "a webhook is set while the bot polls: does another program use the same token?"
            yield Finding(False, "updates", said)
        else:
            yield Finding(True, "updates", f"long polling; {info.pending_update_count} are waiting")
        return
    yield _registered(info, settings.webhook_url, running)
    yield await _reached(settings.webhook_url, running)


def _registered(info: WebhookInfo, url: str, running: bool) -> Finding:
    """What Telegram knows of the webhook."""
    if info.url != url:
        if running:
            return Finding(False, "webhook", "Telegram has another address: does another program use the same token?")
        return Finding(True, "webhook", "Telegram will be told at the start")
    at = info.last_error_date
    if at is not None and (datetime.now(UTC) - at).total_seconds() < LATELY:
        return Finding(False, "webhook", f"Telegram could not deliver at {at:%H:%M} UTC: {info.last_error_message}")
    return Finding(True, "webhook", f"Telegram delivers there; {info.pending_update_count} are waiting")


async def _reached(url: str, running: bool) -> Finding:
    """Knock as somebody who does not know the secret: a running bot says 403, a proxy without it something else."""
    try:
        async with httpx.AsyncClient(timeout=PATIENCE) as http:
            status = (await http.post(url, json={})).status_code
    except httpx.HTTPError as error:
        said = f"{url} cannot be reached from here ({error}): check name, certificate and proxy"
        return Finding(False, "webhook", said)
    if running and status != 403:
        said = f"{url} leads elsewhere ({status}): let the proxy pass it to WEBHOOK_LISTEN and PORT"
        return Finding(False, "webhook", said)
    return Finding(True, "webhook", f"{url} leads to the bot" if running else f"{url} is answered ({status})")


async def _operators(settings: Settings, bot: Bot) -> Finding:
    """Whether those who are to be told of trouble can be told."""
    if not settings.admin_ids:
        return Finding(True, "operators", "none: nobody is told of trouble, and nobody has /admin; set ADMIN_IDS")
    unknown = []
    for number in sorted(settings.admin_ids):
        try:
            await bot.get_chat(number)
        except TelegramError:
            unknown.append(str(number))
    if unknown:
        said = f"{', '.join(unknown)} cannot be written to: they must press START, or ADMIN_IDS is wrong"
        return Finding(False, "operators", said)
    return Finding(True, "operators", f"{len(settings.admin_ids)} can be written to")
