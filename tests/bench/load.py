"""The whole bot under load: its own process and database, the playground with people at human pace in another one.

Tables are not opened by way of the chats but written into the database in mid-hand (`tests.bench.tables`).
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.bench.course import Course, courses
from tests.bench.figures import Figure, at_most, median, p99
from tests.bench.usage import Usage, family, usage

ROOT = Path(__file__).resolve().parents[2]
SIZES = {1: 20.0, 10: 30.0, 60: 40.0, 100: 40.0, 300: 40.0}
"""Tables, and seconds for which they are watched."""
HAND = 30
"""Discards of a typical hand (telegram.md, *At the table*)."""
PICTURES = ("editMessageMedia", "sendPhoto")
FREE = ("answerCallbackQuery", "deleteMessage")
"""Methods that no budget counts."""
SETTLING = 8.0
"""Seconds of play before one looks, after the messages were brought up to date."""
CALLS = 24.0
"""Calls a second at which they are brought up to date, about."""
MINUTE = 60.0
GIGABYTE = 1 << 30
OPEN = 1_000
PROBED = 20
"""At the start with ``OPEN`` tables somebody at one of so many presses a button."""


@dataclass(frozen=True, slots=True)
class Bot:
    """``python bot.py`` on a playground."""

    process: subprocess.Popen[bytes]

    @classmethod
    def start(cls, address: str, token: str, database: Path, small: bool = False) -> Bot:
        """``small``: as on a machine of one core and 1 GB."""
        environment = {
            **os.environ,
            "TELEGRAM_BOT_TOKEN": token,
            "TELEGRAM_API_URL": address,
            "DATABASE_PATH": str(database),
            "LOG_LEVEL": "ERROR",
        }
        environment.pop("RENDER_PROCESSES", None)
        command = [sys.executable, "bot.py"]
        if small:
            environment["RENDER_PROCESSES"] = "0"
            command = ["taskset", "--cpu-list", "0", "prlimit", f"--as={GIGABYTE}", *command]
        return cls(subprocess.Popen(command, cwd=ROOT, env=environment))

    def usage(self) -> tuple[Usage, Usage]:
        """Of the bot's own process, and of those that draw for it."""
        return usage(self.process.pid), usage(*family(self.process.pid))

    def stop(self) -> float:
        """Returns the seconds that it took to end."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(20)
        return time.monotonic() - began


class Town:
    """The process of `tests.bench.town`."""

    def __init__(self, database: Path, tables: int, *options: str) -> None:
        arguments = ["-m", "tests.bench.town", str(database), "--tables", str(tables), *options]
        self.process = subprocess.Popen(
            [sys.executable, *arguments], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.address, self.token = self._line()

    def _line(self) -> Any:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the playground has ended")
        return json.loads(line)

    def do(self, name: str, *arguments: Any) -> Any:
        """Have something done there; returns the answer."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps([name, *arguments]).encode() + b"\n")
        self.process.stdin.flush()
        return self._line()

    def until_polled(self) -> None:
        """Wait until a bot takes updates."""
        while not self.do("polled"):
            time.sleep(0.1)

    def stop(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(20)
        self.process.stdout.close()


@dataclass(frozen=True, slots=True)
class Watched:
    """What was seen between two moments (Unix seconds), and what the bot and what draws for it used by then."""

    since: float
    until: float
    seen: dict[str, Any]
    own: Usage
    drawing: Usage

    @property
    def seconds(self) -> float:
        return self.until - self.since

    def latencies(self, without: int | None = None) -> list[float]:
        """From the offer of a press to its answer, in ms; ``without`` one person's."""
        return [
            (answered - offered) * 1000
            for person, offered, answered in self.seen["presses"]
            if self.since <= offered and person != without
        ]


def load(tables: int, seconds: float, floods: bool, small: bool = False) -> list[Figure]:
    """All figures of so many tables watched for so many seconds. ``small``: the bot has one core and 1 GB."""
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "mahjong.sqlite3"
        town = Town(database, tables)
        bot = Bot.start(town.address, town.token, database, small)
        try:
            town.until_polled()
            time.sleep(6 * tables / CALLS + SETTLING)
            calm = _watch(town, bot, seconds, Path(folder))
            flooded = None
            if floods:
                person = town.do("flood", True)
                time.sleep(2)
                flooded = _watch(town, bot, seconds / 2, Path(folder)).latencies(person)
                town.do("flood", False)
            stopped = bot.stop()
        finally:
            bot.process.kill()
            town.stop()
        at = {place["table"]: place for place in calm.seen["tables"]}
        course = asyncio.run(courses(database, list(at)))
    figures = list(_figures(tables, calm, course, flooded))
    return [*figures, at_most(f"{_tables(tables)}: told to stop → ended", stopped, "s", 5)]


def _tables(tables: int) -> str:
    return f"{tables} {'table' if tables == 1 else 'tables'}"


def _watch(town: Town, bot: Bot, seconds: float, folder: Path) -> Watched:
    """What is seen for so many seconds."""
    before = bot.usage()
    since = town.do("start")
    time.sleep(seconds)
    until = town.do("write", str(folder / "seen.json"))
    after = bot.usage()
    seen = json.loads((folder / "seen.json").read_text("utf-8"))
    own, drawing = (Usage(b.seconds - a.seconds, b.megabytes) for a, b in zip(before, after, strict=True))
    return Watched(since, until, seen, own, drawing)


def _figures(
    tables: int,
    watched: Watched,
    course: dict[int, Course],
    flooded: list[float] | None,
) -> Iterator[Figure]:
    def name(what: str) -> str:
        return f"{_tables(tables)}: {what}"

    many = tables > 60
    answers = watched.latencies()
    yield at_most(name("press → answer, median"), median(answers), "ms", None if many else 50)
    yield Figure(name("press → answer, p99"), p99(answers), "ms")
    if flooded is not None:
        yield at_most(name("the same while one floods, median"), median(flooded), "ms", 50)
        yield Figure(name("the same while one floods, p99"), p99(flooded), "ms")
    pictures = [gap * 1000 for gap in _next_pictures(watched, course)]
    yield at_most(name("window → next picture, median"), median(pictures), "ms", None if many else 150)
    yield Figure(name("window → next picture, p99"), p99(pictures), "ms")
    stale = _staleness(watched, course)
    yield Figure(name("group's picture behind, median"), median(stale), "s")
    yield Figure(name("group's picture behind, p99"), p99(stale), "s")

    made = [call for call in watched.seen["calls"] if watched.since <= call[0] < watched.until]
    discards = sum(watched.since <= at < watched.until for one in course.values() for at in one.discards)
    asked = sum(watched.since <= at < watched.until for one in course.values() for at in one.asked)
    yield Figure(name("discards a minute and table"), discards / watched.seconds * MINUTE / tables, "")
    counted = [call for call in made if call[1] not in FREE]
    yield Figure(name("calls a second, within budgets"), len(counted) / watched.seconds, "")
    if discards:
        # One to ask, one when it is answered; at 100 tables and more the newest states replace those not yet sent.
        yield at_most(
            name("private messages a turn or claim, in hands"), sum(call[4] for call in counted) / asked, "", 2
        )
        yield Figure(name("private messages a discard, all"), sum(call[2] > 0 for call in counted) / discards, "")
        yield Figure(name(f"calls a hand of {HAND} discards"), len(made) / discards * HAND, "")
        for method, times in Counter(call[1] for call in made).most_common():
            yield Figure(name(f"  {method}"), times / discards * HAND, "")
    yield at_most(name("group messages a minute, most"), _most_in_a_minute(counted), "", 18)
    yield at_most(name("answers 429"), watched.seen["refused"], "", 0)
    yield at_most(name("presses not answered"), watched.seen["unanswered"], "", 0)
    share = watched.own.seconds / watched.seconds * 100
    yield Figure(name("processor, bot"), share, "%")
    yield Figure(name("processor, bot, a table"), share / tables, "%")
    yield Figure(name("processor, drawing"), watched.drawing.seconds / watched.seconds * 100, "%")
    yield Figure(name("memory, bot"), watched.own.megabytes, "MB")
    yield Figure(name("memory, bot and drawing"), watched.own.megabytes + watched.drawing.megabytes, "MB")


def _next_pictures(watched: Watched, course: dict[int, Course]) -> Iterator[float]:
    """Seconds from the close of each window that began a turn to the call with the player's picture."""
    pictures = _times(watched, PICTURES)
    for place in watched.seen["tables"]:
        for at, seat in course[place["table"]].turns:
            person = place["people"][seat] if isinstance(seat, int) else 0
            times = pictures.get(person, [])
            after = bisect_left(times, at)
            if watched.since <= at < watched.until - 5 and after < len(times):
                yield times[after] - at


def _staleness(watched: Watched, course: dict[int, Course]) -> list[float]:
    """At each call that edits a group's picture: seconds since the table first differed from what was shown."""
    pictures = _times(watched, PICTURES)
    found = []
    for place in watched.seen["tables"]:
        changes = course[place["table"]].changes
        times = pictures.get(place["chat"], [])
        for before, now in pairwise(times):
            first = bisect_left(changes, before)
            if first < len(changes) and changes[first] < now:
                found.append(now - changes[first])
    return found


def _times(watched: Watched, methods: tuple[str, ...]) -> dict[int, list[float]]:
    """When calls of these methods came in, by chat."""
    times: dict[int, list[float]] = defaultdict(list)
    for at, method, chat, status, _ in watched.seen["calls"]:
        if method in methods and status == 200:
            times[chat].append(at)
    return times


def _most_in_a_minute(calls: list[list[Any]]) -> float | None:
    """The most calls that any group had within a minute."""
    times: dict[int, list[float]] = defaultdict(list)
    for at, _, chat, *_ in calls:
        if chat is not None and chat < 0:
            times[chat].append(at)
    most = [bisect_left(of, at + MINUTE) - start for of in times.values() for start, at in enumerate(of)]
    return max(most, default=None)


def start_up() -> Iterator[Figure]:
    """The start after a kill with ``OPEN`` tables in mid-hand."""
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "mahjong.sqlite3"
        town = Town(database, OPEN, "--killed", "--idle")
        town.do("press", PROBED)
        town.do("start")
        began = time.time()
        bot = Bot.start(town.address, town.token, database)
        try:
            answered: list[float] = []
            while len(answered) < OPEN // PROBED and time.time() < began + MINUTE:
                time.sleep(0.1)
                answered = town.do("answered")
            time.sleep(5)
            own, drawing = bot.usage()
            bot.stop()
        finally:
            bot.process.kill()
            town.stop()
    first = answered[0] - began if answered else None
    last = answered[-1] - began if len(answered) == OPEN // PROBED else None
    yield at_most(f"start with {OPEN} tables: first press answered", first, "s", 5)
    yield at_most(f"start with {OPEN} tables: {OPEN // PROBED} presses answered", last, "s", 5)
    yield Figure(f"start with {OPEN} tables: memory, bot and drawing", own.megabytes + drawing.megabytes, "MB")
