"""Persons and groups, and the Telegram users and chats behind them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Row, Select, bindparam, delete, func, insert, select, update

from data import flows, ledger, rankings
from data.errors import Conflict
from data.model import Group, Json, Person
from data.schema import groups, hands, persons, sent, tables, telegram_chats, telegram_users
from data.texts import language_for

T = TypeVar("T")

_PERSONS: Final[Select[Any]] = select(
    persons.c.id,
    persons.c.language,
    persons.c.prefs,
    telegram_users.c.telegram_id,
    telegram_users.c.name,
    telegram_users.c.username,
    telegram_users.c.language_code,
    telegram_users.c.private_ok,
).select_from(persons.outerjoin(telegram_users))
_USER: Final = _PERSONS.where(telegram_users.c.telegram_id == bindparam("user"))
_CHAT: Final = select(telegram_chats).where(telegram_chats.c.chat_id == bindparam("chat"))
_GROUPS: Final = (
    select(
        groups.c.id,
        telegram_chats.c.chat_id,
        telegram_chats.c.title,
        telegram_chats.c.is_forum,
        groups.c.language,
        groups.c.settings,
    )
    .join_from(groups, telegram_chats)
    .where(telegram_chats.c.current)
)
_GROUP: Final = _GROUPS.where(groups.c.id == bindparam("group"))


def find_person(
    connection: Connection, telegram_id: int, name: str, username: str | None, language_code: str | None
) -> Person | None:
    """The person behind a Telegram user, if known and nothing told of them has changed: no need to write then."""
    row = connection.execute(_USER, {"user": telegram_id}).first()
    if row is None or (row.name, row.username, row.language_code) != (name, username, language_code):
        return None
    return _person(row)


def user(connection: Connection, telegram_id: int) -> Person | None:
    """``Store.known_user``."""
    row = connection.execute(_USER, {"user": telegram_id}).first()
    return None if row is None else _person(row)


def meet_person(
    connection: Connection,
    telegram_id: int,
    name: str,
    username: str | None,
    language_code: str | None,
    now: datetime,
) -> Person:
    """``Store.person_by_telegram``."""
    told: Json = {"name": name, "username": username, "language_code": language_code}
    known = connection.execute(
        update(telegram_users)
        .where(telegram_users.c.telegram_id == telegram_id)
        .values(told)
        .returning(telegram_users.c.person_id)
    ).scalar()
    if known is None:
        known = connection.execute(
            insert(persons).values(prefs={}, created_at=now).returning(persons.c.id)
        ).scalar_one()
        connection.execute(
            insert(telegram_users).values(telegram_id=telegram_id, person_id=known, private_ok=False, **told)
        )
        ledger.open_wallet(connection, known, now)
    return _must(person(connection, known), f"person {known}")


def person(connection: Connection, person_id: int) -> Person | None:
    """``Store.person``."""
    row = connection.execute(_PERSONS.where(persons.c.id == person_id)).first()
    return None if row is None else _person(row)


def user_named(connection: Connection, username: str) -> Person | None:
    """``Store.user_named``."""
    row = connection.execute(_PERSONS.where(func.lower(telegram_users.c.username) == username.lower())).first()
    return None if row is None else _person(row)


def some_persons(connection: Connection, person_ids: Iterable[int]) -> dict[int, Person]:
    """``Store.persons``."""
    rows = connection.execute(_PERSONS.where(persons.c.id.in_(set(person_ids))).order_by(persons.c.id))
    return {row.id: _person(row) for row in rows}


def set_private_ok(connection: Connection, person_id: int, ok: bool) -> None:
    """``Store.set_private_ok``."""
    connection.execute(update(telegram_users).where(telegram_users.c.person_id == person_id).values(private_ok=ok))


def set_language(connection: Connection, person_id: int, language: str | None) -> None:
    """``Store.set_language``."""
    connection.execute(update(persons).where(persons.c.id == person_id).values(language=language))


def set_prefs(connection: Connection, person_id: int, changes: Mapping[str, Any]) -> Person:
    """``Store.set_prefs``."""
    known = _must(person(connection, person_id), f"person {person_id}")
    connection.execute(update(persons).where(persons.c.id == person_id).values(prefs=_changed(known.prefs, changes)))
    return _must(person(connection, person_id), f"person {person_id}")


def _person(row: Row[Any]) -> Person:
    return Person(
        id=row.id,
        telegram_id=row.telegram_id,
        name=row.name or "",
        username=row.username,
        language=row.language or language_for(row.language_code),
        language_chosen=row.language is not None,
        private_ok=bool(row.private_ok),
        prefs=row.prefs,
    )


def find_group(connection: Connection, chat_id: int, title: str, is_forum: bool) -> Group | None:
    """The group behind a chat, if known and nothing told of it has changed, or if it has left that chat behind."""
    chat = connection.execute(_CHAT, {"chat": chat_id}).first()
    if chat is None or (chat.current and (chat.title, chat.is_forum) != (title, is_forum)):
        return None
    return group(connection, chat.group_id)


def meet_group(connection: Connection, chat_id: int, title: str, is_forum: bool, now: datetime, language: str) -> Group:
    """``Store.group_by_telegram``."""
    chat = connection.execute(_CHAT, {"chat": chat_id}).first()
    if chat is None:
        known = connection.execute(
            insert(groups).values(language=language, settings={}, created_at=now).returning(groups.c.id)
        ).scalar_one()
        connection.execute(
            insert(telegram_chats).values(chat_id=chat_id, group_id=known, title=title, is_forum=is_forum, current=True)
        )
        return _must(group(connection, known), f"group {known}")
    if chat.current:
        connection.execute(
            update(telegram_chats).where(telegram_chats.c.chat_id == chat_id).values(title=title, is_forum=is_forum)
        )
    return _must(group(connection, chat.group_id), f"group {chat.group_id}")


def group(connection: Connection, group_id: int) -> Group | None:
    """``Store.group``."""
    row = connection.execute(_GROUP, {"group": group_id}).first()
    return None if row is None else Group(*row)


def some_groups(connection: Connection, group_ids: Iterable[int]) -> dict[int, Group]:
    """``Store.groups``."""
    rows = connection.execute(_GROUPS.where(groups.c.id.in_(set(group_ids))))
    return {row.id: Group(*row) for row in rows}


def set_group_language(connection: Connection, group_id: int, language: str) -> None:
    """``Store.set_group_language``."""
    connection.execute(update(groups).where(groups.c.id == group_id).values(language=language))


def set_group_settings(connection: Connection, group_id: int, changes: Mapping[str, Any]) -> Group:
    """``Store.set_group_settings``."""
    known = _must(group(connection, group_id), f"group {group_id}")
    connection.execute(update(groups).where(groups.c.id == group_id).values(settings=_changed(known.settings, changes)))
    return _must(group(connection, group_id), f"group {group_id}")


def migrate_group(connection: Connection, old_chat_id: int, new_chat_id: int) -> Group | None:
    """``Store.migrate_group``."""
    chats = {
        row.chat_id: row
        for row in connection.execute(
            select(telegram_chats).where(telegram_chats.c.chat_id.in_((old_chat_id, new_chat_id)))
        )
    }
    old, new = chats.get(old_chat_id), chats.get(new_chat_id)
    if old is None:
        return None if new is None else group(connection, new.group_id)
    if new is None:
        connection.execute(update(telegram_chats).where(telegram_chats.c.chat_id == old_chat_id).values(current=False))
        connection.execute(
            insert(telegram_chats).values(
                chat_id=new_chat_id, group_id=old.group_id, title=old.title, is_forum=False, current=True
            )
        )
    elif new.group_id != old.group_id:
        # Somebody spoke in the supergroup before we were told: what was taken for a new group is the old one.
        _join_groups(connection, new.group_id, old.group_id)
        connection.execute(update(telegram_chats).where(telegram_chats.c.chat_id == old_chat_id).values(current=False))
        connection.execute(
            update(telegram_chats).where(telegram_chats.c.chat_id == new_chat_id).values(group_id=old.group_id)
        )
        connection.execute(delete(groups).where(groups.c.id == new.group_id))
    connection.execute(delete(sent).where(sent.c.chat_id == old_chat_id))
    return group(connection, old.group_id)


def _join_groups(connection: Connection, lost: int, kept: int) -> None:
    """Give all that happened in one group to another. ``Conflict`` if both have an open table."""
    for table in (tables, hands):
        connection.execute(update(table).where(table.c.group_id == lost).values(group_id=kept))
    rankings.join(connection, lost, kept)
    flows.join(connection, lost, kept)


def _changed(document: Json, changes: Mapping[str, Any]) -> Json:
    return {key: value for key, value in {**document, **changes}.items() if value is not None}


def _must(found: T | None, name: str) -> T:
    if found is None:
        raise Conflict(f"there is no {name}")
    return found
