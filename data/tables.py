"""Tables, who sits at them, and their journals."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, LargeBinary, Row, bindparam, cast, delete, insert, select, update
from sqlalchemy.exc import DBAPIError

from data.errors import UNREADABLE, Conflict
from data.model import Change, Entry, Json, Remains, TableRow
from data.prepared import Prepared
from data.schema import hands, journal, seats, tables

log = logging.getLogger(__name__)

# Statements on the way of every move are built once.
_SEATED: Final = select(seats).order_by(seats.c.table_id, seats.c.person_id)
_SEATED_AT: Final = _SEATED.where(seats.c.table_id == bindparam("table"))
_BY_ID: Final = select(tables).where(tables.c.id == bindparam("table"))
_RUNNING: Final = select(hands.c.id).where(hands.c.table_id == bindparam("table"), hands.c.ended_at.is_(None))
_WRITE: Final = Prepared(insert(journal), *journal.c.keys())
_GOING: Final = update(tables).where(tables.c.id == bindparam("table"), tables.c.closed_at.is_(None))
_FOLLOWING: Final = _GOING.where(tables.c.seq == bindparam("before")).values(seq=bindparam("last"))
_GO_ON: Final = {
    # (entries?, state?); with nothing new the row is still touched: the table must be open
    (True, True): Prepared(_FOLLOWING.values(state=bindparam("news"))),
    (True, False): Prepared(_FOLLOWING),
    (False, True): Prepared(_GOING.values(state=bindparam("news"))),
    (False, False): Prepared(_GOING.values(seq=tables.c.seq)),
}


def create_table(
    connection: Connection, group_id: int | None, state: Json, now: datetime, seated: Iterable[int]
) -> TableRow:
    """``Store.create_table``."""
    if group_id is not None and table_of_group(connection, group_id):
        raise Conflict(f"group {group_id} has an open table already")
    row = connection.execute(
        insert(tables).values(group_id=group_id, state=state, seq=0, created_at=now).returning(*tables.c)
    ).one()
    sit(connection, row.id, seated)
    return _table(row, _seated(connection, [row.id]))


def table(connection: Connection, table_id: int) -> TableRow | None:
    """``Store.table``."""
    row = connection.execute(_BY_ID, {"table": table_id}).first()
    return None if row is None else _table(row, _seated(connection, [row.id]))


def table_of_group(connection: Connection, group_id: int) -> TableRow | None:
    """``Store.table_of_group``."""
    return next(iter(_tables(connection, tables.c.group_id == group_id, tables.c.closed_at.is_(None))), None)


def open_tables(connection: Connection) -> list[TableRow]:
    """``Store.open_tables``."""
    try:
        return _tables(connection, tables.c.closed_at.is_(None))
    except (*UNREADABLE, DBAPIError):
        # One that cannot be read must not hide the others.
        rows = (_readable(connection, table_id) for table_id in open_ids(connection))
        return [row for row in rows if row is not None]


def _readable(connection: Connection, table_id: int) -> TableRow | None:
    try:
        return table(connection, table_id)
    except (*UNREADABLE, DBAPIError) as error:
        if isinstance(error, DBAPIError) and hasattr(error.orig, "sqlite_errorcode"):
            # SQLite's own trouble with the file, and not what stands in the row.
            raise
        log.error("table %d cannot be read (%s)", table_id, type(error).__name__)
        return None


def open_ids(connection: Connection) -> list[int]:
    """``Store.open_ids``."""
    return list(
        connection.execute(select(tables.c.id).where(tables.c.closed_at.is_(None)).order_by(tables.c.id)).scalars()
    )


def remains(connection: Connection, table_id: int) -> Remains | None:
    """``Store.remains``."""
    # As bytes, since text that is none cannot even be fetched.
    query = select(tables.c.group_id, tables.c.seq, cast(tables.c.state, LargeBinary).label("state"))
    row = connection.execute(query.where(tables.c.id == table_id, tables.c.closed_at.is_(None))).first()
    if row is None:
        return None
    try:
        state = json.loads(row.state)
    except UNREADABLE:
        state = None
    return Remains(
        id=table_id,
        group_id=row.group_id,
        state=state if isinstance(state, dict) else {},
        seq=row.seq,
        seated=_seated(connection, [table_id]).get(table_id, ()),
        hand_id=connection.execute(_RUNNING, {"table": table_id}).scalar(),
    )


def tables_of(connection: Connection, person_id: int) -> list[TableRow]:
    """``Store.tables_of``."""
    theirs = select(seats.c.table_id).where(seats.c.person_id == person_id)
    return _tables(connection, tables.c.id.in_(theirs))


def sit(connection: Connection, table_id: int, seated: Iterable[int]) -> None:
    """Make these, and no others, the persons who sit at a table."""
    wanted = set(seated)
    known = {person for persons in _seated(connection, [table_id]).values() for person in persons}
    if gone := known - wanted:
        connection.execute(delete(seats).where(seats.c.table_id == table_id, seats.c.person_id.in_(gone)))
    if new := wanted - known:
        connection.execute(insert(seats), [{"table_id": table_id, "person_id": person_id} for person_id in sorted(new)])


def go_on(connection: Connection, change: Change) -> None:
    """Give a table its new state and count its entries; ``Conflict`` unless it is open and they follow on its last."""
    numbers = [entry.seq for entry in change.entries]
    first, last = (numbers[0], numbers[-1]) if numbers else (None, None)
    if first is not None and numbers != list(range(first, first + len(numbers))):
        raise Conflict(f"the journal numbers {numbers} of table {change.table_id} leave gaps")
    values: Json = {"table": change.table_id}
    if first is not None and last is not None:
        values |= {"before": first - 1, "last": last}
    if change.state is not None:
        values["news"] = change.state
    written = _GO_ON[first is not None, change.state is not None].run(connection, values)
    if not written.rowcount:
        raise Conflict(_why_not(connection, change.table_id, first))


def _why_not(connection: Connection, table_id: int, first: int | None) -> str:
    query = select(tables.c.seq, tables.c.closed_at.is_not(None).label("closed")).where(tables.c.id == table_id)
    row = connection.execute(query).first()
    if row is None:
        return f"there is no table {table_id}"
    if row.closed:
        return f"table {table_id} is closed"
    return f"the journal of table {table_id} is at {row.seq}: entry {first} does not follow"


def write(connection: Connection, table_id: int, entries: Iterable[Entry]) -> None:
    """Add entries to a table's journal."""
    rows = [
        {
            "table_id": table_id,
            "seq": entry.seq,
            "hand_id": entry.hand_id,
            "at": entry.at,
            "kind": entry.kind,
            "seat": entry.seat,
            "body": entry.body,
        }
        for entry in entries
    ]
    if rows:
        _WRITE.many(connection, rows)


def close(connection: Connection, table_id: int, at: datetime, *, documented: bool) -> None:
    """End a table and free its seats. Raises ``Conflict`` while a hand runs.

    ``documented``: it has its last document; else the one that it has, which may name people, goes.
    """
    if hand_id := connection.execute(_RUNNING, {"table": table_id}).scalar():
        raise Conflict(f"table {table_id} cannot be closed: hand {hand_id} runs")
    last: Json = {} if documented else {"state": {}}
    connection.execute(update(tables).where(tables.c.id == table_id).values(closed_at=at, **last))
    connection.execute(delete(seats).where(seats.c.table_id == table_id))


def journal_of_hand(connection: Connection, hand_id: int) -> list[Entry]:
    """``Store.journal``."""
    return _entries(connection, journal.c.hand_id == hand_id)


def journal_of_table(connection: Connection, table_id: int, after: int) -> list[Entry]:
    """``Store.table_journal``."""
    return _entries(connection, journal.c.table_id == table_id, journal.c.seq > after)


def _entries(connection: Connection, *where: ColumnElement[bool]) -> list[Entry]:
    columns = (journal.c.seq, journal.c.at, journal.c.kind, journal.c.seat, journal.c.hand_id, journal.c.body)
    return [Entry(*row) for row in connection.execute(select(*columns).where(*where).order_by(journal.c.seq))]


def _tables(connection: Connection, *where: ColumnElement[bool]) -> list[TableRow]:
    rows = connection.execute(select(tables).where(*where).order_by(tables.c.id)).all()
    seated = _seated(connection, [row.id for row in rows])
    return [_table(row, seated) for row in rows]


def _seated(connection: Connection, table_ids: list[int]) -> dict[int, tuple[int, ...]]:
    seated: dict[int, tuple[int, ...]] = {}
    if table_ids:
        # All of them, or one: thousands of ids would not go into one statement.
        rows = (
            connection.execute(_SEATED_AT, {"table": table_ids[0]})
            if len(table_ids) == 1
            else connection.execute(_SEATED)
        )
        for table_id, person_id in rows:
            seated[table_id] = (*seated.get(table_id, ()), person_id)
    return seated


def _table(row: Row[Any], seated: dict[int, tuple[int, ...]]) -> TableRow:
    return TableRow(
        id=row.id,
        group_id=row.group_id,
        state=row.state,
        seq=row.seq,
        seated=seated.get(row.id, ()),
        created_at=row.created_at,
        closed_at=row.closed_at,
    )
