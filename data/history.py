"""Ended hands, newest first, a page at a time. A page begins at a hand, so that none costs more than the first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Connection, Select, and_, bindparam, or_, select

from data.hands import VOID
from data.model import HandLine, HandPage
from data.schema import hand_seats, hands

_COLUMNS: Final = [
    hands.c[name]
    for name in (
        "id",
        "table_id",
        "group_id",
        "number",
        "rules",
        "friendly",
        "ended_at",
        "outcome",
        "winner",
        "source",
        "by",
        "result",
    )
]
_SEATS: Final = (
    select(hand_seats.c.hand_id, hand_seats.c.person_id, hand_seats.c.computer, hand_seats.c.net)
    .where(hand_seats.c.hand_id.in_(bindparam("hands", expanding=True)))
    .order_by(hand_seats.c.hand_id, hand_seats.c.seat)
)


def of_group(connection: Connection, group_id: int, first: int, limit: int) -> HandPage | None:
    """``Store.hands_of_group``."""
    ended = hands.c.group_id == group_id, hands.c.ended_at.is_not(None)
    older = select(*_COLUMNS).where(*ended).order_by(hands.c.ended_at.desc(), hands.c.id.desc())
    if not first:
        return _page(connection, older, None, limit)
    at = connection.execute(select(hands.c.ended_at).where(*ended, hands.c.id == first)).scalar()
    if at is None:
        return None
    same = hands.c.ended_at == at
    older = older.where(hands.c.ended_at <= at, ~and_(same, hands.c.id > first))
    newer = select(hands.c.id).where(*ended, hands.c.ended_at >= at, ~and_(same, hands.c.id <= first))
    return _page(connection, older, newer.order_by(hands.c.ended_at, hands.c.id), limit)


def of_person(connection: Connection, person_id: int, first: int, limit: int) -> HandPage | None:
    """``Store.hands_of_person``."""
    counted = or_(hands.c.day.is_not(None), hands.c.outcome == VOID)
    sat = hand_seats.c.person_id == person_id, hands.c.ended_at.is_not(None), counted
    older = select(*_COLUMNS).join_from(hand_seats, hands).where(*sat).order_by(hand_seats.c.hand_id.desc())
    if not first:
        return _page(connection, older, None, limit)
    ids = select(hand_seats.c.hand_id).join_from(hand_seats, hands).where(*sat)
    if connection.execute(ids.where(hand_seats.c.hand_id == first)).first() is None:
        return None
    newer = ids.where(hand_seats.c.hand_id > first).order_by(hand_seats.c.hand_id)
    return _page(connection, older.where(hand_seats.c.hand_id <= first), newer, limit)


def _page(connection: Connection, older: Select[Any], newer: Select[Any] | None, limit: int) -> HandPage:
    """``older``: the hands of this page and after; ``newer``: ids of those before, the nearest first."""
    rows = connection.execute(older.limit(limit + 1)).all()
    before = connection.execute(newer.limit(limit + 1)).scalars().all() if newer is not None else []
    back = None if not before else before[limit - 1] if len(before) > limit else 0
    return HandPage(_lines(connection, rows[:limit]), back, rows[limit].id if len(rows) > limit else None)


def _lines(connection: Connection, rows: Sequence[Any]) -> tuple[HandLine, ...]:
    seats: dict[int, list[tuple[int | str, int | None]]] = defaultdict(list)
    for hand_id, person_id, computer, net in connection.execute(_SEATS, {"hands": [row.id for row in rows]}):
        seats[hand_id].append((person_id if person_id is not None else computer, net))
    return tuple(
        HandLine(
            id=row.id,
            table_id=row.table_id,
            group_id=row.group_id,
            number=row.number,
            rules=row.rules,
            friendly=row.friendly,
            ended_at=row.ended_at,
            outcome=row.outcome,
            winner=row.winner,
            source=row.source,
            by=row.by,
            tile=(row.result or {}).get("tile"),
            seats=tuple(owner for owner, _ in seats[row.id]),
            net=tuple(net for _, net in seats[row.id] if net is not None),
        )
        for row in rows
    )
