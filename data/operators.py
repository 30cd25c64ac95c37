"""What the bot's operators do (/admin): each act is written down, and whom they keep off all tables."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, delete, func, insert, select

from data.errors import Conflict
from data.model import Act, Json
from data.people import person
from data.schema import acts, bans, journal, tables, telegram_users


def note(connection: Connection, operator_id: int, act: str, body: Json, now: datetime) -> None:
    """``Store.note_act``."""
    connection.execute(insert(acts).values(at=now, person_id=operator_id, act=act, body=body))


def last(connection: Connection, *kinds: str) -> Act | None:
    """``Store.last_act``."""
    row = connection.execute(select(acts).where(acts.c.act.in_(kinds)).order_by(acts.c.id.desc()).limit(1)).first()
    return None if row is None else Act(row.at, row.person_id, row.act, row.body)


def ban(connection: Connection, person_id: int, operator_id: int, now: datetime) -> int:
    """``Store.ban``."""
    found = person(connection, person_id)
    if found is None or found.telegram_id is None:
        raise Conflict(f"there is no person {person_id} to ban")
    if found.telegram_id not in banned(connection):
        connection.execute(insert(bans).values(telegram_id=found.telegram_id, at=now))
        note(connection, operator_id, "ban", {"person": person_id}, now)
    return found.telegram_id


def unban(connection: Connection, telegram_id: int, operator_id: int, now: datetime) -> bool:
    """``Store.unban``."""
    if not connection.execute(delete(bans).where(bans.c.telegram_id == telegram_id)).rowcount:
        return False
    known = select(telegram_users.c.person_id).where(telegram_users.c.telegram_id == telegram_id)
    note(connection, operator_id, "unban", {"person": connection.execute(known).scalar()}, now)
    return True


def banned(connection: Connection) -> dict[int, datetime]:
    """``Store.banned``."""
    rows = connection.execute(select(bans).order_by(bans.c.at.desc(), bans.c.telegram_id))
    return {row.telegram_id: row.at for row in rows}


def last_moves(connection: Connection) -> dict[int, datetime]:
    """``Store.last_moves``."""
    rows = connection.execute(
        select(tables.c.id, func.coalesce(journal.c.at, tables.c.created_at).label("at"))
        .join_from(tables, journal, (journal.c.table_id == tables.c.id) & (journal.c.seq == tables.c.seq), isouter=True)
        .where(tables.c.closed_at.is_(None))
    )
    return {row.id: row.at for row in rows}
