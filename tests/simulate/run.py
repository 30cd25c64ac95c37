"""One seed: a world is made, played in, troubled, left to come to rest, and looked over."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import shutil
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import IO

from data.model import Change
from data.tables import open_tables
from playground.chats import Press
from playground.world import Call
from tests.simulate.delays import Delays, Seen
from tests.simulate.ending import come_to_rest, look_over
from tests.simulate.people import Person, wake
from tests.simulate.place import Place
from tests.simulate.steady import Steady
from tests.simulate.storm import Storm
from tests.simulate.twins import told_apart
from tests.simulate.watch import Watch
from tests.simulate.wrong import Wrong
from tests.support import virtual

CALLS_A_HAND = 1_500
"""So many calls for each hand wanted, and the people have had their time."""
LONGEST = 60 * 24 * 3600.0
TWINS_EVERY = 12
"""Changes of tables from one comparison with a twin to the next."""


@dataclass(slots=True)
class Report:
    """What a seed came to. ``wrong``: why it failed, None if nothing was wrong. ``log``: SHA-256 of its calls."""

    seed: int
    wrong: str | None = None
    hands: int = 0
    kills: int = 0
    faults: int = 0
    calls: int = 0
    days: float = 0.0
    log: str = ""
    seconds: float = 0.0
    """Of the processor's time: all else is the same whenever the seed is played."""
    delays: list[Seen] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"seed {self.seed}: {self.hands} hands, {self.kills} kills, {self.faults} faults, {self.calls:,} calls,"
            f" {self.days * 24:.1f} hours, log {self.log[:16]}"
        )


def again(seed: int, hands: int, tables: int | None, calm: bool) -> str:
    """The command that plays a seed again and writes its log."""
    rest = (f" --tables {tables}" if tables is not None else "") + (" --calm" if calm else "")
    return f"python -m tests.simulate --seed {seed} --hands {hands}{rest} --trace FILE"


def simulate(
    seed: int, hands: int = 3, tables: int | None = None, *, calm: bool = False, trace: Path | None = None
) -> Report:
    """Play a seed until so many hands have ended at all tables together, then to the end of what has begun.

    ``tables``: groups in the world; None: one or two, as the seed has it. ``calm``: nothing goes wrong and nobody errs.
    ``trace``: the log of calls is written there.
    """
    report = Report(seed)
    _freeze()
    began = time.process_time()
    folder = Path(tempfile.mkdtemp(prefix="simulate-", dir=_memory()))
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        log = stack.enter_context(trace.open("w", encoding="utf-8")) if trace is not None else None
        virtual.run(_story(report, folder, hands, tables, calm, log))
    gc.collect()
    report.seconds = time.process_time() - began
    return report


@cache
def _freeze() -> None:
    """What the programs themselves are made of need not be looked through for garbage after each seed."""
    gc.collect()
    gc.freeze()


def _memory() -> Path | None:
    """A file system in memory, if there is one."""
    memory = Path("/dev/shm")
    return memory if memory.is_dir() else None


async def _story(report: Report, folder: Path, hands: int, tables: int | None, calm: bool, log: IO[str] | None) -> None:
    chance = Random(f"simulation {report.seed}")
    tables = tables if tables is not None else chance.choice((1, 1, 1, 2))
    place = Place(folder, report.seed, tables)
    watch = Watch(place, log)
    storm = Storm(place, watch, chance)
    storm.over = calm
    mischief = 0.0 if calm else chance.choice((0.3, 1.0, 1.0, 2.5))
    people = {
        number: Person(place, number, Random(f"person {report.seed} {number}"), mischief * chance.choice((0, 1, 2)))
        for number in place.people
    }
    delays = Delays(place)
    steady = Steady(place)

    def heard(call: Call) -> None:
        watch.heard(call)
        delays.heard(call)
        storm.heard(call)
        wake(people, place, call)

    def answered(press: Press) -> None:
        if press.person_id in people:
            people[press.person_id].answered(press)

    place.world.on_call = heard
    place.on_press_end.append(answered)
    place.on_commit.append(_twins(place, Random(f"twins {report.seed}")))
    try:
        await place.settle()
        place.start()
        await place.running()
        for person in people.values():
            person.begin()
        await _until(place, lambda: place.begun >= hands or watch.calls >= CALLS_A_HAND * hands)
        place.enough = True
        await _until(place, lambda: place.ended >= hands or watch.calls >= CALLS_A_HAND * hands)
        storm.end()
        await come_to_rest(place, people)
        await look_over(place)
        steady.look()
        steady.kept()
        for person in people.values():
            person.stop()
        await place.stop()
    except Wrong as error:
        report.wrong = f"{error}\n{_account(place, watch)}"
    except Exception:
        report.wrong = f"{traceback.format_exc()}\n{_account(place, watch)}"
    finally:
        place.let_go()
        place.life.kill()
        await place.life.unwound()
    report.hands, report.kills, report.calls = place.ended, place.kills, watch.calls
    report.faults = sum(storm.struck.values())
    report.days = asyncio.get_running_loop().time() / 86_400
    report.log = watch.log
    report.delays = delays.seen


async def _until(place: Place, enough: Callable[[], bool]) -> None:
    """Wait until enough has happened, or something is wrong."""
    while not enough() and asyncio.get_running_loop().time() < LONGEST:
        await asyncio.wait([place.wrong], timeout=15)
        if place.wrong.done():
            place.wrong.result()


def _twins(place: Place, chance: Random) -> Callable[[Change], None]:
    """Now and then compare what a reader is shown of a table with what they would be shown of its twin."""
    left = chance.randrange(TWINS_EVERY)

    def compare(table_id: int) -> None:
        table = place.house.table(table_id) if place.up else None
        if table is None or table.hand is None or table.state.phase != "playing":
            return
        reader = chance.choice((None, 0, 1, 2, 3))
        if reader is None:
            chat = table.group.telegram_id if table.group is not None else None
        else:
            seat = table.state.seats[reader]
            person = place.house.people.known(seat.person) if seat is not None else None
            chat = person.telegram_id if person is not None else None
        if chat is None:
            return
        if difference := told_apart(table, reader, chat, chance):
            place.fail(f"table {table_id} tells reader {reader} of what is hidden: {difference}")

    def committed(change: Change) -> None:
        nonlocal left
        left -= 1
        if left <= 0:
            left = 1 + chance.randrange(2 * TWINS_EVERY)
            # By then the table has taken up the change.
            asyncio.get_running_loop().call_later(0.001, compare, change.table_id, context=place.outside)

    return committed


def _account(place: Place, watch: Watch) -> str:
    """The last calls, and how the tables stand."""
    lines = [*watch.last]
    with contextlib.suppress(Exception):
        for row in place.look(open_tables):
            lines.append(
                f"table {row.id} of group {row.group_id}, seated {row.seated},"
                f" state {json.dumps(row.state, ensure_ascii=False)}\n"
            )
    return "".join(lines)
