"""The documents of closed tables name nobody."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

PARTS = ("seats", "players", "queue", "note_of")


def upgrade() -> None:
    connection = op.get_bind()
    closed = connection.execute(sa.text("SELECT id FROM tables WHERE closed_at IS NOT NULL")).scalars().all()
    # One by one: all of them may be more than fits into memory.
    for table_id in closed:
        state = connection.execute(sa.text("SELECT state FROM tables WHERE id = :id"), {"id": table_id}).scalar_one()
        connection.execute(
            sa.text("UPDATE tables SET state = :state WHERE id = :id"), {"id": table_id, "state": _nameless(state)}
        )


def _nameless(state: str) -> str:
    try:
        document = json.loads(state)
        for part in PARTS:
            for one in filter(None, document.get(part, ())):
                one["name"] = ""
        # A remark of an older version has names alone.
        document.pop("note_names", None)
    except (ValueError, TypeError, AttributeError, RecursionError):
        # It cannot be read: nothing of it is of use.
        document = {}
    return _compact(document)


def _compact(document: dict[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))
