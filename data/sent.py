"""The outbox's memory: which message stands where, and what it shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Final

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.sqlite import insert as upsert

from data.model import Sent
from data.schema import sent

_COLUMNS: Final = tuple(field.name for field in fields(Sent))
_ADD: Final = upsert(sent)
_SAVE: Final = _ADD.on_conflict_do_update(
    index_elements=[sent.c.key],
    set_={column.name: _ADD.excluded[column.name] for column in sent.c if not column.primary_key},
)


def sent_messages(connection: Connection) -> list[Sent]:
    """``Store.sent_messages``."""
    return [Sent(**row) for row in connection.execute(select(sent).order_by(sent.c.key)).mappings()]


def save(connection: Connection, messages: Sequence[Sent]) -> None:
    """``Store.save_sent``."""
    connection.execute(_SAVE, [{name: getattr(message, name) for name in _COLUMNS} for message in messages])


def forget(connection: Connection, keys: Sequence[str]) -> None:
    """``Store.forget_sent``."""
    connection.execute(delete(sent).where(sent.c.key.in_(keys)))
