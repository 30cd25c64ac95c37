"""``python -m mahjong simulate``: records that a later run goes on with, several processes, progress on a terminal."""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, nullcontext, suppress
from itertools import islice
from typing import Any, Final, Self

from mahjong.moves import IllegalRecord
from mahjong.players import PLAYERS
from mahjong.processes import work_for_parent
from mahjong.records import read_json
from mahjong.rulesets import RULESETS
from mahjong.simulate import Plan, Statistics, play_block

Wall = list[dict[str, Any]]
"""The records of the hands on one wall, as JSON."""
HEED: Final = 0.1
"""Seconds after which an interrupt is heeded at the latest, while others play."""


def run(options: argparse.Namespace) -> int:
    """Simulate as the command line says and print what came of it. Returns the exit status.

    Raises ``IllegalRecord`` for what cannot be, records of another run among them.
    """
    plan = _plan(options)
    statistics = Statistics()
    interrupted = False
    with _Records(options.records) if options.records is not None else nullcontext() as records:
        done = 0 if records is None else records.go_on(plan, statistics)
        bar = _Bar(plan.hands, statistics.hands)
        try:
            for wall in _walls(plan, done, options.jobs):
                if records is not None:
                    records.write(wall)
                statistics.add(wall)
                bar.show(statistics.hands)
        except KeyboardInterrupt:
            interrupted = True
        bar.clear()
    _report(plan, statistics, interrupted)
    return 130 if interrupted else 0


def _plan(options: argparse.Namespace) -> Plan:
    if options.rules not in RULESETS:
        raise IllegalRecord(f"--rules: one of {', '.join(RULESETS)}, not {options.rules}")
    named = options.players.split(",")
    if len(named) > 4 or any(name not in PLAYERS for name in named):
        raise IllegalRecord(f"--players: one to four of {', '.join(PLAYERS)}, not {options.players}")
    if options.duplicate and options.hands % 4:
        raise IllegalRecord(f"--hands: a multiple of four with --duplicate, not {options.hands}")
    players = tuple(named[seat % len(named)] for seat in range(4))
    return Plan(options.rules, options.seed, options.hands, players, options.duplicate)


def _report(plan: Plan, statistics: Statistics, interrupted: bool) -> None:
    cut = f" of {plan.hands}, interrupted" if interrupted else ""
    print(f"{plan.rules}: {statistics.hands} hands{cut}, seed {plan.seed}; payments sum to zero")
    if not statistics.hands:
        return
    for outcome in RULESETS[plan.rules].outcomes:
        number = statistics.outcomes[outcome]
        print(f"{outcome:12} {number:8} {number / statistics.hands:8.3%}")
    for player, name in enumerate(plan.players):
        mean, half = statistics.mean(player)
        # Nothing is never less than nothing.
        interval = f" ± {half:.3f}" if math.isfinite(half) else ""
        print(f"player {player} {name:8} {round(mean, 3) + 0.0:+.3f}{interval} base a hand")


# Records of an earlier run


class _Records:
    """The file of ``--records``. What goes wrong with it is an ``IllegalRecord``."""

    def __init__(self, name: str) -> None:
        self.name = name
        with self._faults():
            mode = "r+b" if os.path.isfile(name) else "wb"
            self._file = open(name, mode)  # noqa: SIM115

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # What could not be written is told by ``write``, and not again by the end.
        with suppress(OSError):
            self._file.close()

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise IllegalRecord(f"--records: {self.name}: {error.strerror}") from None

    def write(self, wall: Wall) -> None:
        """Add the records of a wall; they are with the system afterwards."""
        with self._faults():
            self._file.write("".join(json.dumps(record) + "\n" for record in wall).encode())
            self._file.flush()

    def go_on(self, plan: Plan, statistics: Statistics) -> int:
        """Count the hands that the file holds already and cut off what a kill left behind them. Returns their number.

        Raises ``IllegalRecord`` if they are of another run.
        """
        with self._faults():
            return self._go_on(plan, statistics) if self._file.readable() else 0

    def _go_on(self, plan: Plan, statistics: Statistics) -> int:
        expected = (
            (plan.key(block, number) + (f":{turn}" if plan.duplicate else ""), plan.seated(turn))
            for block in range(plan.blocks)
            for number in range(0, plan.hands_of(block), plan.turns)
            for turn in range(plan.turns)
        )
        at = whole = hands = 0
        wall: Wall = []
        for line in self._file:
            at += len(line)
            # More hands than this plan asks for stay where they are.
            if hands == plan.hands:
                return hands
            known, players = next(expected)
            if not line.endswith(b"\n"):
                break
            record = _hand(line, known, players)
            if record is None:
                number = hands + len(wall) + 1
                raise IllegalRecord(f"--records: {self.name}: line {number} is not of this run; name another file")
            wall.append(record)
            if len(wall) == plan.turns:
                statistics.add(wall)
                hands += len(wall)
                whole, wall = at, []
        self._file.seek(whole)
        self._file.truncate()
        return hands


def _hand(line: bytes, known: str, players: list[str]) -> dict[str, Any] | None:
    """The record in a line, if it is whole and that of the hand that is known by its id and its players."""
    try:
        record = read_json(line.decode())
    except (IllegalRecord, UnicodeDecodeError):
        return None
    if not isinstance(record, dict) or (record.get("id"), record.get("players")) != (known, players):
        return None
    result, base = record.get("result"), record.get("base")
    if not isinstance(result, dict) or type(base) is not int or base < 1:
        return None
    net = result.get("net")
    whole = isinstance(net, list) and [type(coins) for coins in net] == [int] * 4 and sum(net) == 0
    named = isinstance(result.get("outcome"), str) and isinstance(result.get("by", 0), str | None)
    return record if whole and named else None


# Playing


def _walls(plan: Plan, done: int, jobs: int) -> Iterator[Wall]:
    """The records of each wall of a plan in order, but for the first hands; the same however many processes play."""
    if done == plan.hands:
        return iter(())
    per_block = plan.hands_of(0)
    first = done // per_block
    jobs = min(jobs, plan.blocks - first)
    walls = _here(plan, first) if jobs == 1 else _apart(plan, first, jobs)
    return islice(walls, (done - first * per_block) // plan.turns, None)


def _here(plan: Plan, first: int) -> Iterator[Wall]:
    for block in range(first, plan.blocks):
        for records in play_block(plan, block):
            yield [record.to_json() for record in records]


def _apart(plan: Plan, first: int, jobs: int) -> Iterator[Wall]:
    try:
        yield from _by_processes(plan, first, jobs)
    except BrokenProcessPool:
        raise IllegalRecord("--jobs: a process that played was ended from outside") from None
    except OSError as error:
        raise IllegalRecord(f"--jobs: {jobs} processes: {error.strerror}") from None


def _by_processes(plan: Plan, first: int, jobs: int) -> Iterator[Wall]:
    others = multiprocessing.active_children()
    executor = ProcessPoolExecutor(jobs, initializer=work_for_parent)
    blocks = iter(range(first, plan.blocks))
    ahead: deque[Future[list[Wall]]] = deque()
    played = False
    with _interrupts() as interrupts:
        try:
            # A few blocks each are handed out ahead, so that nobody waits, and no more, so that not all lie in memory.
            for block in islice(blocks, 4 * jobs):
                ahead.append(executor.submit(_played, plan, block))
            while ahead:
                for wall in _awaited(ahead.popleft(), interrupts):
                    yield wall
                    _heed(interrupts)
                for block in islice(blocks, 1):
                    ahead.append(executor.submit(_played, plan, block))
            played = True
        finally:
            if not played:
                # Nobody waits for what they are playing.
                for process in multiprocessing.active_children():
                    if process not in others:
                        process.terminate()
            executor.shutdown(cancel_futures=True)


@contextmanager
def _interrupts() -> Iterator[list[int]]:
    """Collects interrupts instead of raising them anywhere: between two steps of the library's locks they would leave
    one taken that nobody holds, or given back twice."""
    seen: list[int] = []
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler or threading.current_thread() is not threading.main_thread():
        yield seen
        return
    signal.signal(signal.SIGINT, lambda number, _: seen.append(number))
    try:
        yield seen
    finally:
        signal.signal(signal.SIGINT, before)


def _heed(interrupts: list[int]) -> None:
    if interrupts:
        raise KeyboardInterrupt


def _awaited(block: Future[list[Wall]], interrupts: list[int]) -> list[Wall]:
    """What a process made of a block. Raises ``KeyboardInterrupt`` soon after an interrupt."""
    while not block.done():
        _heed(interrupts)
        wait([block], timeout=HEED)
    _heed(interrupts)
    return block.result()


def _played(plan: Plan, block: int) -> list[Wall]:
    return [[record.to_json() for record in records] for records in play_block(plan, block)]


class _Bar:
    """A progress bar on standard error, where that is a terminal."""

    def __init__(self, total: int, done: int) -> None:
        self.total = total
        self.done = done
        self.shown = -1
        self.start = time.monotonic()

    def show(self, done: int) -> None:
        parts = 40 * done // self.total
        percent = 100 * done // self.total
        if percent == self.shown or sys.stderr is None or not sys.stderr.isatty():
            return
        self.shown = percent
        rate = (done - self.done) / max(0.001, time.monotonic() - self.start)
        bar = "#" * parts + "." * (40 - parts)
        self._print(f"\r[{bar}] {percent:3}% {done}/{self.total} {rate:.0f}/s ")

    def clear(self) -> None:
        if self.shown >= 0:
            self._print("\r\x1b[K")

    @staticmethod
    def _print(text: str) -> None:
        # A terminal that was closed ends no run.
        with suppress(OSError):
            print(text, end="", file=sys.stderr, flush=True)
