"""Rankings of a group, from sums by person and day that each settled hand adds to."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from sqlalchemy import Connection, Select, Table, case, delete, func, select
from sqlalchemy.dialects.sqlite import insert as upsert

from data.model import Json, Rank, RankingPage, SeatOwner
from data.prepared import Prepared
from data.schema import daily, hand_seats, hands, standings, telegram_users

_SUMS: Final = ("hands", "wins", "net", "friendly")


def _adding(table: Table) -> Prepared:
    row = upsert(table)
    sums = {name: table.c[name] + row.excluded[name] for name in _SUMS}
    return Prepared(row.on_conflict_do_update(index_elements=list(table.primary_key), set_=sums))


_ADD_DAY: Final = _adding(daily)
_ADD: Final = _adding(standings)


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
    if rows:
        _ADD_DAY.many(connection, rows)
        _ADD.many(connection, rows)


def join(connection: Connection, lost: int, kept: int) -> None:
    """Add one group's sums to another's."""
    for table, adding in ((daily, _ADD_DAY), (standings, _ADD)):
        rows = connection.execute(select(table).where(table.c.group_id == lost)).mappings().all()
        if rows:
            adding.many(connection, [{**row, "group_id": kept} for row in rows])
        connection.execute(delete(table).where(table.c.group_id == lost))


def ranking(connection: Connection, group_id: int, since_day: str | None, limit: int, offset: int) -> list[Rank]:
    """``Store.ranking``."""
    places = _places(group_id, since_day).subquery()
    page = select(places).order_by(places.c.place, places.c.person_id).limit(limit).offset(offset).subquery()
    return _named(connection, select(page))


def has_played(connection: Connection, group_id: int, person_id: int) -> bool:
    """``Store.has_played``."""
    own = select(standings.c.hands).where(standings.c.group_id == group_id, standings.c.person_id == person_id)
    return connection.execute(own).first() is not None


def rank_of(connection: Connection, group_id: int, person_id: int, since_day: str | None) -> Rank | None:
    """``Store.rank_of``."""
    places = _places(group_id, since_day).subquery()
    return next(iter(_named(connection, select(places).where(places.c.person_id == person_id))), None)


def page(
    connection: Connection,
    group_id: int,
    person_id: int | None,
    today: str,
    since_day: str | None,
    limit: int,
    offset: int,
) -> RankingPage:
    """``Store.ranking_page``: the sums are read once, for the page and for one's own row."""
    sums = connection.execute(_summed(group_id, since_day)).all()
    by_worth = sorted((-net, -wins, person, played) for person, played, wins, net in sums)
    shown, place, before = [], 0, None
    for at, (net, wins, person, played) in enumerate(by_worth):
        if (net, wins) != before:
            place, before = at + 1, (net, wins)
        if offset <= at < offset + limit or person == person_id:
            shown.append((at, place, person, played, -wins, -net))
    ids = {person for _, _, person, *_ in shown}
    named = select(telegram_users.c.person_id, telegram_users.c.name).where(telegram_users.c.person_id.in_(ids))
    names = dict(connection.execute(named).all())
    rows, own = [], None
    for at, place, person, played, wins, net in shown:
        rank = Rank(place, len(sums), person, names.get(person, ""), played, wins, net)
        if offset <= at < offset + limit:
            rows.append(rank)
        if person == person_id:
            own = rank
    won = select(daily.c.person_id, daily.c.net).where(
        daily.c.group_id == group_id, daily.c.day == today, daily.c.person_id.in_(ids), daily.c.hands > 0
    )
    return RankingPage(tuple(rows), own, len(sums), dict(connection.execute(won).all()))


def groups_of(connection: Connection, person_id: int) -> dict[int, Rank]:
    """``Store.ranked_in``."""
    played = select(standings.c.group_id).where(standings.c.person_id == person_id, standings.c.hands > 0)
    ids = connection.execute(played.order_by(standings.c.hands.desc(), standings.c.group_id)).scalars().all()
    found = {group_id: rank_of(connection, group_id, person_id, None) for group_id in ids}
    return {group_id: rank for group_id, rank in found.items() if rank is not None}


def places(connection: Connection, group_id: int, person_id: int, most: int) -> list[tuple[str, int]]:
    """``Store.places``."""
    played = select(daily.c.day).where(daily.c.group_id == group_id, daily.c.person_id == person_id, daily.c.hands > 0)
    days = connection.execute(played.order_by(daily.c.day.desc()).limit(most)).scalars().all()
    if not days:
        return []
    # Of who has played friendly hands alone there are sums, too, but no place.
    now = connection.execute(_summed(group_id, None)).all()
    worth = {person: (net, wins) for person, _, wins, net in now}
    hands = {person: number for person, number, _, _ in now}
    since = select(daily.c.day, daily.c.person_id, daily.c.hands, daily.c.wins, daily.c.net).where(
        daily.c.group_id == group_id, daily.c.day >= days[-1], daily.c.hands > 0
    )
    found: list[tuple[str, int]] = []
    # From what holds now back, so that only these days are read.
    for day, of_day in groupby(connection.execute(since.order_by(daily.c.day.desc())).all(), itemgetter(0)):
        if day in days:
            mine = worth[person_id]
            found.append((day, 1 + sum(one > mine for one in worth.values())))
        for _, person, number, wins, net in of_day:
            total, won = worth[person]
            hands[person] -= number
            if hands[person]:
                worth[person] = total - net, won - wins
            else:
                del worth[person]
    return found[::-1]


def _summed(group_id: int, since_day: str | None) -> Select[Any]:
    """Person, hands, wins, net of all who have played for coins since then."""
    if since_day is None:
        whole = select(standings.c.person_id, standings.c.hands, standings.c.wins, standings.c.net)
        return whole.where(standings.c.group_id == group_id, standings.c.hands > 0)
    days = select(daily.c.person_id, *(func.sum(daily.c[name]).label(name) for name in ("hands", "wins", "net")))
    since = days.where(daily.c.group_id == group_id, daily.c.day >= since_day)
    return since.group_by(daily.c.person_id).having(func.sum(daily.c.hands) > 0)


def _places(group_id: int, since_day: str | None) -> Select[Any]:
    """Place, how many there are, person, hands, wins, net."""
    sums = _summed(group_id, since_day).subquery()
    place = func.rank().over(order_by=(sums.c.net.desc(), sums.c.wins.desc())).label("place")
    of = func.count().over().label("of")
    return select(place, of, sums.c.person_id, sums.c.hands, sums.c.wins, sums.c.net)


def _named(connection: Connection, rows: Select[Any]) -> list[Rank]:
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
    if kept:
        return f"the sums of group, day, person {min(kept)} have no hands"
    key = (daily.c.group_id, daily.c.person_id)
    days = select(*key, *(func.sum(daily.c[name]) for name in _SUMS)).group_by(*key)
    by_day = {tuple(row[:2]): tuple(row[2:]) for row in connection.execute(days)}
    for row in connection.execute(select(standings)):
        if by_day.pop(tuple(row[:2]), None) != tuple(row[2:]):
            return f"the sums of group, person {tuple(row[:2])} are not those of the days"
    return f"the sums of group, person {min(by_day)} are not kept" if by_day else None
