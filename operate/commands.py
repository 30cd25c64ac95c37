"""What an operator does on the command line beside running the bot. Each returns the exit status."""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime
from pathlib import Path

from data.settings import Settings
from data.texts import Texts
from data.upkeep import back_up, look_through, restorable, restore
from data.voice import File, readings, survey
from operate.ask import ask
from operate.check import check
from operate.logs import quiet
from operate.place import sole_use


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
    hands = f"{found.hands:,} hand{'s' if found.hands != 1 else ''}"
    transfers = f"{found.transfers:,} transfer{'s' if found.transfers != 1 else ''}"
    print(f"{settings.database_path}: {hands} and {transfers}, all in order")
    return 0


def backup(settings: Settings, target: Path) -> int:
    """Copy the database into a new file, also while the bot runs."""
    size = back_up(settings.database_path, target)
    print(f"{target}: {size:,} bytes, as of {datetime.now(UTC).isoformat(timespec='seconds')}")
    return 0


def restored(settings: Settings, source: Path) -> int:
    """Put a backup where no database is yet."""
    # Refused, it leaves nothing behind.
    restorable(source, settings.database_path)
    with sole_use(settings.database_path):
        restore(source, settings.database_path)
    print(f"{settings.database_path}: restored from {source}")
    return 0


def checked(settings: Settings) -> int:
    """Look everything over, a line each; 1 if anything is wrong."""

    quiet()

    async def look() -> int:
        status = 0
        async for finding in check(settings):
            print(finding, flush=True)
            status |= not finding.fine
        return status

    return asyncio.run(look())


def healthy(settings: Settings) -> int:
    """Ask the running bot how it is: 1 if it is not well, or not there."""
    if settings.metrics_port is not None:
        address, port = settings.metrics_listen, settings.metrics_port
    elif settings.webhook_url is not None:
        address, port = settings.webhook_listen, settings.port
    else:
        print("the bot tells its health where METRICS_PORT is set, or WEBHOOK_URL", file=sys.stderr)
        return 1
    return ask(address, port)


def voices() -> int:
    """List every call that can be recorded, how it is read, and what is there; 1 if a file is broken."""
    texts, read, broken = Texts.load().get("zh_Hant"), readings(), 0
    for file in survey():
        reading = read[file.call].tailo if file.tongue == "zhangzhou" else read[file.call].pinyin
        path = f"data/voice/{file.tongue}/{file.call}.ogg"
        print(f"{path}\t{texts(f'shout.{file.call}')}\t{reading}\t{_state(file)}")
        broken += file.wrong is not None
    if broken:
        print(f"{broken} broken: mono Opus in OGG is wanted, as Telegram's own voice notes are", file=sys.stderr)
    return 1 if broken else 0


def _state(file: File) -> str:
    """What there is for a call, in a word or two."""
    if file.wrong is not None:
        return f"broken: {file.wrong}"
    if file.path is None:
        return "missing: said in words"
    return f"{'yours' if file.own else 'comes with the bot'}, {file.seconds:.1f} s"
