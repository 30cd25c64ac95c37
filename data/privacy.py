"""What is kept about one person: all of it in one document, and what goes when they are forgotten (docs/privacy.md)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, Text, case, delete, exists, func, literal, or_, select, update

from data import careers, feats, ledger, people
from data.errors import Conflict
from data.model import Career, Group, Json
from data.schema import (
    accounts,
    daily,
    groups,
    hand_seats,
    hands,
    persons,
    postings,
    seats,
    sent,
    standings,
    tables,
    telegram_chats,
    telegram_users,
    transfers,
)

LISTS: Final = ("callers", "banned")
"""Settings of a group that name persons."""

Scrub = Callable[[Json], Json | None]
"""Takes a person out of a table's document: the new one, or None if they are not in it."""


def export(connection: Connection, person_id: int, now: datetime) -> Json:
    """``Store.export``."""
    person = people.person(connection, person_id)
    if person is None:
        raise Conflict(f"there is no person {person_id}")
    since = connection.execute(select(persons.c.created_at).where(persons.c.id == person_id)).scalar_one()
    purse = ledger.wallet(connection, person_id)
    summed = careers.careers_of(connection, person_id)
    at_tables = select(seats.c.table_id).where(seats.c.person_id == person_id)
    messages = select(sent.c.message_id, sent.c.sent_at).where(
        sent.c.chat_id == person.telegram_id, sent.c.message_id > 0
    )
    return {
        "exported_at": now.isoformat(),
        "person": {
            "id": person.id,
            "telegram_id": person.telegram_id,
            "name": person.name,
            "username": person.username,
            "language": person.language,
            "language_chosen": person.language_chosen,
            "may_be_written_to": person.private_ok,
            "preferences": person.prefs,
            "known_since": since.isoformat(),
        },
        "wallet": {"balance": purse.balance, "held": purse.held, "transfers": _transfers(connection, person_id)},
        "groups": _groups(connection, person_id),
        "days": _rows(connection, daily, person_id),
        "sums": {"for_coins": _career(summed.for_coins), "friendly": _career(summed.friendly)},
        "feats": [
            {"feat": feat.feat, "first_hand": feat.hand_id, "at": feat.at.isoformat(), "count": feat.count}
            for feat in feats.of_person(connection, person_id)
        ],
        "hands": _hands(connection, person_id),
        "sits_at_tables": list(connection.execute(at_tables).scalars()),
        "messages_in_private_chat": [
            {"message_id": row.message_id, "sent_at": row.sent_at.isoformat()} for row in connection.execute(messages)
        ],
    }


def _rows(connection: Connection, table: Any, person_id: int) -> list[Json]:
    rows = connection.execute(select(table).where(table.c.person_id == person_id)).mappings()
    return [{name: value for name, value in row.items() if name != "person_id"} for row in rows]


def _groups(connection: Connection, person_id: int) -> list[Json]:
    """Where they have played, or stand on a list."""
    sums = {row.pop("group_id"): row for row in _rows(connection, standings, person_id)}
    rows = connection.execute(
        select(groups.c.id, groups.c.settings, telegram_chats.c.title)
        .join_from(groups, telegram_chats)
        .where(telegram_chats.c.current, or_(groups.c.id.in_(sums), _listing(person_id)))
        .order_by(groups.c.id)
    )
    found = []
    for row in rows:
        lists = [name for name in LISTS if person_id in row.settings.get(name, ())]
        found.append({"id": row.id, "title": row.title, "lists": lists, **sums.get(row.id, {})})
    return found


def _listing(person_id: int) -> ColumnElement[bool]:
    """Which groups have a person on a list; found without reading the others' settings here."""
    # Settings that cannot be read list nobody.
    settings = case((func.json_valid(groups.c.settings) == 1, groups.c.settings), else_=literal("{}", Text))
    named = (func.json_each(settings, f"$.{name}").table_valued("value") for name in LISTS)
    return or_(*(exists().select_from(each).where(each.c.value == person_id) for each in named))


def _career(career: Career) -> Json:
    return {
        "hands": career.hands,
        "wins": career.wins,
        "dealt_in": career.dealt_in,
        "net": career.net,
        "longest_run": career.longest_run,
        "longest_deal": career.longest_deal,
        "best_hand": career.best_hand,
        "best_net": career.best_net,
        "won": [{"rules": rules, "by": by, "wins": wins} for rules, by, wins in career.won],
    }


def _transfers(connection: Connection, person_id: int) -> list[Json]:
    own = select(accounts.c.id).where(accounts.c.person_id == person_id).scalar_subquery()
    amount = case((postings.c.payee == own, postings.c.amount), else_=-postings.c.amount)
    rows = connection.execute(
        select(transfers.c.at, transfers.c.kind, transfers.c.hand_id, postings.c.item, amount.label("amount"))
        .join_from(postings, transfers)
        .where(or_(postings.c.payer == own, postings.c.payee == own))
        .order_by(transfers.c.id, postings.c.line)
    )
    return [
        {"at": row.at.isoformat(), "kind": row.kind, "hand": row.hand_id, "item": row.item, "amount": row.amount}
        for row in rows
    ]


def _hands(connection: Connection, person_id: int) -> list[Json]:
    rows = connection.execute(
        select(hands, hand_seats.c.seat, hand_seats.c.coins.label("own_coins"), hand_seats.c.net.label("own_net"))
        .join_from(hand_seats, hands)
        .where(hand_seats.c.person_id == person_id, hands.c.ended_at.is_not(None))
        .order_by(hands.c.id)
    )
    return [_hand(row) for row in rows]


def _hand(row: Row[Any]) -> Json:
    return {
        "id": row.id,
        "table": row.table_id,
        "group": row.group_id,
        "number": row.number,
        "rules": row.rules,
        "friendly": row.friendly,
        "opened_at": row.opened_at.isoformat(),
        "ended_at": row.ended_at.isoformat(),
        "seat": row.seat,
        "dealer": row.dealer == row.seat,
        "coins": row.own_coins,
        "net": row.own_net,
        "outcome": row.outcome,
        "won": row.winner == row.seat,
        "by": row.by,
    }


def forget(connection: Connection, person_id: int, now: datetime, scrub: Scrub) -> list[Group]:
    """``Store.forget``."""
    person = people.person(connection, person_id)
    if person is None or person.telegram_id is None:
        raise Conflict(f"there is no person {person_id} to forget")
    # From the few hands that run, not from the many that the person has played.
    plays = exists().where(hand_seats.c.hand_id == hands.c.id, hand_seats.c.person_id == person_id)
    running = select(hands.c.id).where(hands.c.ended_at.is_(None), plays)
    if hand_id := connection.execute(running).scalar():
        raise Conflict(f"person {person_id} plays hand {hand_id}")
    ledger.give_back(connection, person_id, ledger.FORGOTTEN, f"{ledger.FORGOTTEN}:{person_id}", now)
    connection.execute(delete(seats).where(seats.c.person_id == person_id))
    # A closed one's names nobody.
    still_open = select(tables.c.id).where(tables.c.closed_at.is_(None))
    for table_id in connection.execute(still_open).scalars().all():
        this = tables.c.id == table_id
        scrubbed = scrub(connection.execute(select(tables.c.state).where(this)).scalar_one())
        if scrubbed is not None:
            connection.execute(update(tables).where(this).values(state=scrubbed))
    changed = _off_the_lists(connection, person_id)
    forget_messages(connection, person.telegram_id)
    connection.execute(delete(telegram_users).where(telegram_users.c.person_id == person_id))
    connection.execute(update(persons).where(persons.c.id == person_id).values(language=None, prefs={}))
    return changed


def forget_messages(connection: Connection, telegram_id: int) -> None:
    """``Store.forget_messages``."""
    # Keys of answers in groups end in who asked and what (``say:GROUP:USER:COMMAND``).
    theirs = (sent.c.chat_id == telegram_id, sent.c.key.like(f"say:%:{telegram_id}:%"))
    for_their_eyes = sent.c.digest.like(f'%"for":{telegram_id}}}%')
    connection.execute(delete(sent).where(or_(*theirs, for_their_eyes)))


def _off_the_lists(connection: Connection, person_id: int) -> list[Group]:
    """Take a person off every group's lists; the groups that had them."""
    changed = []
    for row in connection.execute(select(groups.c.id, groups.c.settings).where(_listing(person_id))).all():
        listed = [name for name in LISTS if person_id in row.settings.get(name, ())]
        left = {name: [number for number in row.settings[name] if number != person_id] for name in listed}
        changed.append(people.set_group_settings(connection, row.id, left))
    return changed
