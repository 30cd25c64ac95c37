"""What happened at the tables in a while, read from the bot's own journal: when the state changed, and for whom."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from data.model import Entry
from data.store import Store
from handlers.dealing import setup_of
from mahjong.hand import Hand
from mahjong.notation import read_move


@dataclass(slots=True)
class Course:
    """Of one table, in Unix seconds.

    ``turns``: when a window closed and whose turn (which seat's) that began; ``changes``: when the table changed in the
    sight of all; ``asked``: when a person was asked something, a turn or a claim; ``discards``; ``ends``: of hands.
    """

    turns: list[tuple[float, int]] = field(default_factory=list)
    changes: list[float] = field(default_factory=list)
    asked: list[float] = field(default_factory=list)
    discards: list[float] = field(default_factory=list)
    ends: list[float] = field(default_factory=list)


async def courses(database: Path, table_ids: list[int]) -> dict[int, Course]:
    """The course of each table, from a database that no bot runs on any more."""
    store = await Store.open(database)
    found = {}
    for table_id in table_ids:
        found[table_id] = course = Course()
        hands: dict[int, list[Entry]] = {}
        for entry in await store.table_journal(table_id):
            if entry.hand_id is not None:
                hands.setdefault(entry.hand_id, []).append(entry)
        for hand_id, entries in hands.items():
            row = await store.hand(hand_id)
            if row is not None and row.dice is not None:
                deal = (row.rules, row.options, row.dealer, row.streak, row.base, row.coins, row.seed, row.dice)
                _follow(Hand.deal(setup_of(*deal)), entries, course)
    await store.close()
    return found


def _follow(hand: Hand, entries: list[Entry], course: Course) -> None:
    for entry in entries:
        at = entry.at.timestamp()
        before: Any = hand.phase
        number = hand.number
        if entry.kind in ("move", "timeout"):
            move = read_move(entry.body["move"])
            hand.apply(move)
            if before == "turn":
                course.changes.append(at)
                if move.verb == "discard":
                    course.discards.append(at)
        elif entry.kind == "close":
            hand.close()
            course.changes.append(at)
            if hand.turn is not None:
                course.turns.append((at, hand.turn))
        else:
            continue
        if hand.number != number:
            course.asked += [at for question in hand.questions.values() if not question.hopeless]
        if hand.result is not None:
            course.ends.append(at)
