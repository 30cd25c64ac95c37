"""What must hold of the place as a whole, at every moment."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from data import audit
from data import tables as table_rows
from data.model import Change
from handlers.presses import MovePress, read_press
from handlers.table_state import TableState
from mahjong.hand import Hand
from mahjong.tiles import NAMES
from playground.chats import Press
from tests.simulate.place import Place
from tests.simulate.wrong import Wrong
from tests.support.town import texts

DAYS_TABLES = 5
OVERDUE = 120.0
"""Seconds by which a deadline may have passed while the bot runs in peace."""
ANSWERED = 5.0
"""Seconds within which a press is answered in peace, whatever others do: two ways and a long poll; and a picture in a
group for one pair of eyes may take its time before it is told in words."""


class Steady:
    """Looks at store and tables now and then, and at each answer to a press."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._thrown: Counter[tuple[int, int, int, str]] = Counter()
        self._before: dict[int, tuple[int, str]] = {}
        self._changes = 0
        self._words = {
            texts().get(language)("toast.discard", tile=texts().get(language)(f"tile.{name}")): name
            for language in ("zh_Hans", "zh_Hant", "en")
            for name in NAMES
        }
        place.on_press_end.append(self._answered)
        place.on_commit.append(self._committed)
        place.on_death = self._died
        place.on_birth = self._born

    # Tables and coins

    def look(self) -> None:
        """Raises `Wrong` unless seats, coins and deadlines are in order."""
        if difference := self._place.look(audit.first_difference):
            raise Wrong(f"the store does not add up: {difference}")
        self._seats()
        self._deadlines()

    def _seats(self) -> None:
        live: Counter[int] = Counter()
        days: Counter[int] = Counter()
        for row in self._place.look(table_rows.open_tables):
            state = TableState.from_json(row.state)
            if sorted(state.persons) != sorted(row.seated):
                raise Wrong(f"table {row.id}: {state.persons} sit there, the store has {row.seated}")
            if len(set(state.persons)) < len(state.persons):
                raise Wrong(f"table {row.id}: somebody sits there twice: {state.persons}")
            if state.group is not None:
                (days if state.days else live).update(person for person in state.persons if state.live or state.days)
        for person, tables in live.items():
            if tables > 1:
                raise Wrong(f"person {person} sits at {tables} live tables")
        for person, tables in days.items():
            if tables > DAYS_TABLES:
                raise Wrong(f"person {person} sits at {tables} long games")

    def _deadlines(self) -> None:
        place = self._place
        if place.clock.time() - place.troubled_at < OVERDUE:
            return
        now = place.clock.now()
        for table in place.tables():
            due = table.state.next_deadline()
            if due is not None and (now - due[0]).total_seconds() > OVERDUE:
                raise Wrong(f"table {table.id}: {due[1]} was due at {due[0]}, now is {now}")

    def _committed(self, change: Change) -> None:
        if change.entries and change.entries[0].kind == "resumed":
            # By then the table has taken up the change.
            asyncio.get_running_loop().call_later(0.0005, self._awake, change.table_id, context=self._place.outside)
        self._changes += 1
        if self._changes % 50 == 0:
            try:
                self._seats()
                self._deadlines()
            except Wrong as error:
                self._place.fail(str(error))

    # A kill changes nothing

    def _died(self) -> None:
        """Note how each running hand stands that was committed whole."""
        place = self._place
        self._before = {}
        kept = {row.id: row.seq for row in place.look(table_rows.open_tables)}
        for table in place.house._tables.values() if place.up else ():
            if table.hand is not None and not table.asleep and kept.get(table.id) == table._seq:
                self._before[table.id] = table._seq, stands(table.hand)

    def _born(self) -> None:
        try:
            self.look()
        except Wrong as error:
            self._place.fail(str(error))

    def _awake(self, table_id: int) -> None:
        """After a start every hand is as it was after its last committed move."""
        place = self._place
        table = place.house.table(table_id)
        if table_id not in self._before or table is None or table.hand is None:
            return
        seq, stood = self._before.pop(table_id)
        later = place.look(table_rows.journal_of_table, table_id, seq)
        if all(entry.kind == "resumed" for entry in later) and stands(table.hand) != stood:
            place.fail(f"table {table_id}: its hand was {stood} before the kill, now it is {stands(table.hand)}")

    # Presses

    def _answered(self, press: Press) -> None:
        place = self._place
        took = place.world.now() - press.time
        if place.disturbed or place.clock.time() - place.floods.get(press.person_id, -1e9) < 60:
            pass
        elif press.status != "answered" or took > ANSWERED:
            place.fail(f"a press was {press.status} after {took:.1f} s: {press}")
        pressed = read_press(press.data)
        tile = self._words.get(press.text)
        if isinstance(pressed, MovePress) and tile is not None and pressed.move.verb == "discard":
            if [NAMES[one] for one in pressed.move.tiles] != [tile]:
                place.fail(f"another tile was thrown than was pressed: {press}")
            self._thrown[pressed.table, pressed.hand, press.person_id, tile] += 1

    def kept(self) -> None:
        """Raises `Wrong` if a discard whose press was answered is not in the journal: an answered press is never
        lost."""
        for (table, hand, person, tile), times in self._thrown.items():
            found = self._place.look(_discards, table, hand, person, tile)
            if found < times:
                where = f"hand {hand} of table {table}"
                raise Wrong(f"{times} times {person} was told to have thrown {tile} in {where}, kept: {found}")


def stands(hand: Hand) -> str:
    """A hand in words: what matters of how it stands."""
    tiles = ["".join(NAMES[tile] for tile in seat.held()) for seat in hand.seats]
    asked = sorted(hand.questions)
    return f"{hand.phase} {hand.number} asked {asked} answered {sorted(hand.answered)} {tiles} wall {len(hand.wall)}"


def _discards(connection: Any, table: int, number: int, telegram_id: int, tile: str) -> int:
    """How often a person's seat has thrown a tile in a table's hand of a number, by its journal."""
    rows = connection.exec_driver_sql(
        "SELECT journal.seat, json_extract(journal.body, '$.move') FROM journal"
        " JOIN hands ON hands.id = journal.hand_id"
        " JOIN hand_seats ON hand_seats.hand_id = hands.id AND hand_seats.seat = journal.seat"
        " JOIN telegram_users ON telegram_users.person_id = hand_seats.person_id"
        " WHERE hands.table_id = ? AND hands.number = ? AND telegram_users.telegram_id = ? AND journal.kind = 'move'",
        (table, number, telegram_id),
    ).all()
    return sum(move == f"{seat} discard {tile}" for seat, move in rows)
