"""Figures for Prometheus, taken where everything passes: updates in, calls out, commits, the log; the rest is looked at
when somebody asks.

Names follow Prometheus' conventions: seconds, ``_total`` for what only grows. Labels are few and never name a person, a
chat or a table.
"""

from __future__ import annotations

import logging
import time
from collections import Counter as Tally
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from prometheus_client import Counter, GCCollector, Histogram, Info, ProcessCollector, disable_created_metrics
from prometheus_client.exposition import generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector, CollectorRegistry
from sqlalchemy import Connection
from telegram import Update

from data.database import Database
from data.errors import StoreUnwritable
from data.model import Change, Entry
from handlers.application import InOrder
from handlers.house import House
from handlers.requests import Request
from mahjong.notation import read_move
from operate.version import version

P = ParamSpec("P")
T = TypeVar("T")

# When each counter began is of no use to anybody, and half of the page.
disable_created_metrics()  # type: ignore[no-untyped-call]

PRESS_BUCKETS: Final = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 15.0)
CALL_BUCKETS: Final = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
MOVES: Final = ("move", "timeout")
"""Entries of the journal that hold a move."""
WRITE_BUCKETS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1.0, 5.0)
WAITING: Final = 10_000
"""Presses remembered until they are answered; one that never is makes room for others."""
UNANSWERED: Final = "none"
"""The status of a call that nobody answered."""
POLL: Final = "getUpdates"


class Metrics:
    """All figures of one bot. ``latest()`` is the page that Prometheus reads."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.now = now
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        Info("mahjong_build", "The version that runs.", registry=self.registry).info({"version": version()})
        self._updates = Counter("mahjong_updates", "Updates taken up.", ("kind",), registry=self.registry)
        self._presses = Histogram(
            "mahjong_press_answer_seconds",
            "From a button press taken up to Telegram's receipt of the answer.",
            buckets=PRESS_BUCKETS,
            registry=self.registry,
        )
        self._calls = Counter(
            "mahjong_telegram_calls",
            "Calls to the Bot API by method and HTTP status; none: no answer came.",
            ("method", "status"),
            registry=self.registry,
        )
        self._call_seconds = Histogram(
            "mahjong_telegram_call_seconds",
            "How long calls to the Bot API took, getUpdates apart.",
            buckets=CALL_BUCKETS,
            registry=self.registry,
        )
        self._floods = Counter("mahjong_telegram_floods", "Answers 429 of the Bot API.", registry=self.registry)
        self._writes = Histogram(
            "mahjong_store_write_seconds",
            "How long transactions that write took, waiting for their turn included; answers in windows apart.",
            buckets=WRITE_BUCKETS,
            registry=self.registry,
        )
        self._write_failures = Counter(
            "mahjong_store_failures", "Transactions that the database could not keep.", registry=self.registry
        )
        self._moves = Counter(
            "mahjong_moves", "Discards and closed windows, of persons and computers.", registry=self.registry
        )
        self._hands = Counter("mahjong_hands", "Hands ended, by outcome.", ("outcome",), registry=self.registry)
        self._errors = Counter(
            "mahjong_errors", "Lines of the log at ERROR and above, by logger.", ("logger",), registry=self.registry
        )
        self._pressed: OrderedDict[str, float] = OrderedDict()
        self._under_way: dict[int, float] = {}
        self.last_poll = now()
        """When Telegram last answered getUpdates; at first, when counting began."""
        self.last_update = now()
        """When an update last came in; at first, when counting began."""

    # What is told

    def took_up(self, update: object) -> None:
        """An update has come in."""
        self.last_update = self.now()
        self._under_way[id(update)] = self.last_update
        query = update.callback_query if isinstance(update, Update) else None
        if query is not None:
            self._pressed[query.id] = self.last_update
            if len(self._pressed) > WAITING:
                self._pressed.popitem(last=False)
        self._updates.labels(_kind(update)).inc()

    def put_down(self, update: object) -> None:
        """An update has been handled."""
        self._under_way.pop(id(update), None)

    def called(self, method: str, status: int | None, seconds: float, query_id: str | None) -> None:
        """A call to the Bot API has ended. ``status``: of HTTP, None if there was no answer."""
        self._calls.labels(method, UNANSWERED if status is None else str(status)).inc()
        if status == 429:
            self._floods.inc()
        if method == POLL:
            if status == 200:
                self.last_poll = self.now()
            return
        self._call_seconds.observe(seconds)
        since = self._pressed.pop(query_id, None) if query_id is not None and status == 200 else None
        if since is not None:
            self._presses.observe(self.now() - since)

    def wrote(self, seconds: float, change: Change | None) -> None:
        """A transaction is committed.

        Of a window nothing is told but that it has closed: each answer, a pass too, would tell that somebody was asked.
        """
        if change is None or not _answers_alone(change):
            self._writes.observe(seconds)
        if change is not None:
            self._moves.inc(sum(_discard(entry) or entry.kind == "close" for entry in change.entries))
            if change.settle is not None:
                self._hands.labels(str(change.settle.result["outcome"])).inc()
            if change.void is not None:
                self._hands.labels("void").inc()

    def failed_to_write(self) -> None:
        """The database could not be written."""
        self._write_failures.inc()

    def erred(self, logger: str) -> None:
        """Something went wrong that stands in the log."""
        self._errors.labels(logger).inc()

    # What is asked

    @property
    def oldest_update(self) -> float:
        """For how many seconds the update has been worked on that was taken up first; 0: none is."""
        return self.now() - min(self._under_way.values()) if self._under_way else 0.0

    def watch(self, house: House) -> None:
        """From now on the page tells of this house's tables, outbox and drawings as well."""
        self.registry.register(HouseFigures(house))

    def latest(self) -> bytes:
        """The page, in Prometheus' text format."""
        return generate_latest(self.registry)


def _discard(entry: Entry) -> bool:
    return entry.kind in MOVES and read_move(entry.body["move"]).verb == "discard"


def _answers_alone(change: Change) -> bool:
    """Whether nothing but moves is committed that may answer a window."""
    only = bool(change.entries) and all(entry.kind in MOVES and not _discard(entry) for entry in change.entries)
    return only and change.settle is None


def _kind(update: object) -> str:
    if not isinstance(update, Update):
        return "other"
    if update.callback_query is not None:
        return "press"
    return "message" if update.message is not None else "other"


class HouseFigures(Collector):
    """What is true just now, read when it is asked for."""

    def __init__(self, house: House) -> None:
        self._house = house

    def collect(self) -> Iterator[Metric]:
        """The figures as they are now (prometheus_client, ``Collector``)."""
        house = self._house
        tables = house.tables
        phases = Tally(table.state.phase for table in tables)
        by_phase = GaugeMetricFamily("mahjong_tables", "Open tables by phase.", labels=("phase",))
        for phase in ("lobby", "countdown", "dice", "playing", "between", "paused"):
            by_phase.add_metric((phase,), phases[phase])
        yield by_phase
        persons = {person for table in tables for person in table.state.persons}
        yield GaugeMetricFamily("mahjong_players", "Persons who sit at a table.", len(persons))
        yield GaugeMetricFamily("mahjong_outbox_pending", "Messages and calls that wait.", house.outbox.depth)
        yield GaugeMetricFamily(
            "mahjong_outbox_oldest_seconds", "For how long the oldest of them has waited.", house.outbox.oldest
        )
        yield GaugeMetricFamily(
            "mahjong_drawings_pending", "Pictures being drawn or to be drawn.", house.renderer.pending
        )


class MeteredUpdates(InOrder):
    """``InOrder``, looked at."""

    def __init__(self, metrics: Metrics) -> None:
        super().__init__()
        self._metrics = metrics

    async def do_process_update(self, update: object, coroutine: Awaitable[Any]) -> None:
        """Handle an update, and note how long it took."""
        self._metrics.took_up(update)
        try:
            await super().do_process_update(update, coroutine)
        finally:
            self._metrics.put_down(update)


class MeteredRequest(Request):
    """``Request``, looked at."""

    def __init__(self, connections: int, metrics: Metrics) -> None:
        super().__init__(connections)
        self._metrics = metrics

    async def do_request(self, url: str, method: str, request_data: Any = None, **how: Any) -> tuple[int, bytes]:  # type: ignore[override]
        """See ``BaseRequest.do_request``."""
        name = url.rpartition("/")[2] if "/file/" not in url else "file"
        query = request_data.parameters.get("callback_query_id") if name == "answerCallbackQuery" else None
        began = self._metrics.now()
        status: int | None = None
        try:
            status, payload = await super().do_request(url, method, request_data, **how)
            return status, payload
        finally:
            self._metrics.called(name, status, self._metrics.now() - began, query)


class MeteredDatabase:
    """A database, looked at: how long commits take, and what is played in them."""

    def __init__(self, database: Database, metrics: Metrics) -> None:
        self._database = database
        self._metrics = metrics

    async def read(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """As ``Database.read``, and measured."""
        return await self._database.read(work, *args, **kwargs)

    async def write(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """As ``Database.write``, and measured."""
        began = self._metrics.now()
        try:
            result = await self._database.write(work, *args, **kwargs)
        except StoreUnwritable:
            self._metrics.failed_to_write()
            raise
        change = args[0] if args and isinstance(args[0], Change) else None
        # A hand to settle that had ended already is not settled again.
        self._metrics.wrote(self._metrics.now() - began, change if result is not False else None)
        return result

    async def erase(self) -> None:
        """As ``Database.erase``."""
        await self._database.erase()

    async def close(self) -> None:
        """As ``Database.close``."""
        await self._database.close()


class ErrorCount(logging.Handler):
    """Counts what goes wrong by way of the log, where it all is told."""

    def __init__(self, metrics: Metrics) -> None:
        super().__init__(logging.ERROR)
        self._metrics = metrics

    def emit(self, record: logging.LogRecord) -> None:
        """One more line of that level."""
        self._metrics.erred(record.name)
