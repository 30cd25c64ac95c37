"""The outbox's memory: which message stands where, and what it shows."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import fields
from typing import Final

from sqlalchemy import Connection, bindparam, delete, select
from sqlalchemy.dialects.sqlite import insert as upsert

from data.errors import UNREADABLE
from data.model import Sent
from data.schema import sent

log = logging.getLogger(__name__)

_COLUMNS: Final = tuple(field.name for field in fields(Sent))
_ADD: Final = upsert(sent)
_SAVE: Final = _ADD.on_conflict_do_update(
    index_elements=[sent.c.key],
    set_={column.name: _ADD.excluded[column.name] for column in sent.c if not column.primary_key},
)


def sent_messages(connection: Connection) -> list[Sent]:
    """``Store.sent_messages``."""
    try:
        return [Sent(**row) for row in connection.execute(select(sent).order_by(sent.c.key)).mappings()]
    except UNREADABLE:
        # One that cannot be read must not hide the others.
        keys = connection.execute(select(sent.c.key).order_by(sent.c.key)).scalars().all()
        return [row for row in (_readable(connection, key) for key in keys) if row is not None]


def _readable(connection: Connection, key: str) -> Sent | None:
    try:
        return Sent(**connection.execute(select(sent).where(sent.c.key == key)).mappings().one())
    except UNREADABLE as error:
        log.error("what was sent as %s cannot be read (%s)", key, type(error).__name__)
        return None


def save(connection: Connection, messages: Sequence[Sent]) -> None:
    """``Store.save_sent``."""
    connection.execute(_SAVE, [{name: getattr(message, name) for name in _COLUMNS} for message in messages])


def forget(connection: Connection, keys: Sequence[str]) -> None:
    """``Store.forget_sent``."""
    # One by one: thousands would not go into one statement.
    connection.execute(delete(sent).where(sent.c.key == bindparam("gone")), [{"gone": key} for key in keys])
