"""Statements on the way of every move and every hand, written out once and given straight to the driver.

SQLAlchemy spends some 50 µs on a statement that it has compiled before, SQLite 3 to 20 on running it; and a hand is
settled by twenty. What the driver raises is made plain in ``data.database`` like SQLAlchemy's own errors.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from sqlalchemy import Connection, Dialect, Executable
from sqlalchemy.sql import ClauseElement
from sqlalchemy.sql.compiler import SQLCompiler

Values = Mapping[str, Any]


class Prepared:
    """A statement whose parameters are named; a parameter that is not given has the statement's own value.

    ``columns``: those that an INSERT without values writes. Rows come back as SQLite has them: no types of the
    schema's are applied, so that JSON is text and a time is no ``datetime``.
    """

    def __init__(self, statement: Executable, *columns: str) -> None:
        self._statement = cast(ClauseElement, statement)
        self._columns = columns or None
        self._sql = ""
        self._parameters: list[tuple[str, Any, Callable[[Any], Any] | None]] = []

    def run(self, connection: Connection, values: Values) -> sqlite3.Cursor:
        """Run it once, within the connection's transaction."""
        return _driver(connection).execute(self._text(connection.dialect), self._row(values))

    def many(self, connection: Connection, rows: Iterable[Values]) -> None:
        """Run it for each row."""
        text = self._text(connection.dialect)
        _driver(connection).executemany(text, [self._row(row) for row in rows])

    def _text(self, dialect: Dialect) -> str:
        if not self._sql:
            compiled = cast(SQLCompiler, self._statement.compile(dialect=dialect, column_keys=self._columns))
            for name in compiled.positiontup or ():
                kind = compiled.binds[name].type.dialect_impl(dialect)
                self._parameters.append((name, compiled.params[name], kind.bind_processor(dialect)))
            self._sql = compiled.string
        return self._sql

    def _row(self, values: Values) -> tuple[Any, ...]:
        given = ((values.get(name, own), process) for name, own, process in self._parameters)
        return tuple(value if process is None else process(value) for value, process in given)


def _driver(connection: Connection) -> sqlite3.Connection:
    return cast(sqlite3.Connection, connection.connection.driver_connection)
