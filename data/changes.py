"""One move's change of a table, written whole."""

from __future__ import annotations

from sqlalchemy import Connection

from data import hands, tables
from data.model import Change


def commit(connection: Connection, change: Change) -> bool:
    """``Store.commit``."""
    for ending in (change.settle, change.void):
        if ending and hands.has_ended(connection, ending.hand_id):
            return False
    tables.go_on(connection, change)
    if change.open_hand:
        hands.open_hand(connection, change.table_id, change.open_hand)
    if change.dice:
        hands.throw(connection, change.table_id, change.dice)
    tables.write(connection, change.table_id, change.entries)
    if change.settle:
        hands.settle(connection, change.table_id, change.settle)
    if change.void:
        hands.void(connection, change.table_id, change.void)
    if change.seated is not None:
        tables.sit(connection, change.table_id, change.seated)
    if change.close:
        tables.close(connection, change.table_id, change.close, documented=change.state is not None)
    return True
