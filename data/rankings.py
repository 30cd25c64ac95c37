"""Rankings of a group, from sums by person and day that each settled hand adds to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection, Select, case, func, select
from sqlalchemy.dialects.sqlite import insert as upsert

from data.model import Json, Rank, SeatOwner
from data.schema import daily, hand_seats, hands, telegram_users

_ADD: Final = upsert(daily)
_COUNT: Final = _ADD.on_conflict_do_update(
    index_elements=list(daily.primary_key),
    set_={name: daily.c[name] + _ADD.excluded[name] for name in ("hands", "wins", "net", "friendly")},
)


def add(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Add rows of ``daily`` to what is there."""
    if rows:
        connection.execute(_COUNT, rows)


def count(
    connection: Connection, group_id: int, day: str, seats: Sequence[SeatOwner], result: Json, *, friendly: bool
) -> None:
    """Add a hand, by its result (record.md), to the sums of the persons who played it."""
    rows = [
        {
            "group_id": group_id,
            "day": day,
            "person_id": owner,
            "hands": int(not friendly),
            "wins": int(not friendly and result.get("winner") == seat),
            "net": 0 if friendly else result["net"][seat],
            "friendly": int(friendly),
        }
        for seat, owner in enumerate(seats)
        if isinstance(owner, int)
    ]
    add(connection, rows)


def ranking(connection: Connection, group_id: int, since_day: str | None, limit: int, offset: int) -> list[Rank]:
    """``Store.ranking``."""
    places = _places(group_id, since_day).subquery()
    page = select(places).order_by(places.c.place, places.c.person_id).limit(limit).offset(offset).subquery()
    return _named(connection, select(page))


def rank_of(connection: Connection, group_id: int, person_id: int, since_day: str | None) -> Rank | None:
    """``Store.rank_of``."""
    places = _places(group_id, since_day).subquery()
    return next(iter(_named(connection, select(places).where(places.c.person_id == person_id))), None)


def _places(group_id: int, since_day: str | None) -> Select[tuple[int, int, int, int, int, int]]:
    """Place, how many there are, person, hands, wins, net."""
    net, wins = func.sum(daily.c.net), func.sum(daily.c.wins)
    return (
        select(
            func.rank().over(order_by=(net.desc(), wins.desc())).label("place"),
            func.count().over().label("of"),
            daily.c.person_id,
            func.sum(daily.c.hands).label("hands"),
            wins.label("wins"),
            net.label("net"),
        )
        .where(daily.c.group_id == group_id, daily.c.day >= (since_day or ""))
        .group_by(daily.c.person_id)
        .having(func.sum(daily.c.hands) > 0)
    )


def _named(connection: Connection, rows: Select[tuple[int, int, int, int, int, int]]) -> list[Rank]:
    found = rows.subquery()
    named = (
        select(
            found.c.place,
            found.c.of,
            found.c.person_id,
            func.coalesce(telegram_users.c.name, ""),
            found.c.hands,
            found.c.wins,
            found.c.net,
        )
        .join_from(found, telegram_users, found.c.person_id == telegram_users.c.person_id, isouter=True)
        .order_by(found.c.place, found.c.person_id)
    )
    return [Rank(*row) for row in connection.execute(named)]


def first_difference(connection: Connection) -> str | None:
    """What is wrong in the sums, in one line, or None."""
    coins = ~hands.c.friendly
    played = (
        select(
            hands.c.group_id,
            hands.c.day,
            hand_seats.c.person_id,
            func.sum(case((coins, 1), else_=0)).label("hands"),
            func.sum(case((coins & (hands.c.winner == hand_seats.c.seat), 1), else_=0)).label("wins"),
            func.sum(case((coins, hand_seats.c.net), else_=0)).label("net"),
            func.sum(case((coins, 0), else_=1)).label("friendly"),
        )
        .join_from(hands, hand_seats)
        .where(hands.c.group_id.is_not(None), hands.c.day.is_not(None), hand_seats.c.person_id.is_not(None))
        .group_by(hands.c.group_id, hands.c.day, hand_seats.c.person_id)
    )
    kept = {tuple(row[:3]): tuple(row[3:]) for row in connection.execute(select(daily))}
    for row in connection.execute(played):
        key, sums = tuple(row[:3]), tuple(row[3:])
        if kept.pop(key, None) != sums:
            return f"the sums of group, day, person {key} are not those of the hands: {sums}"
    return f"the sums of group, day, person {min(kept)} have no hands" if kept else None
