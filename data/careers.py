"""What a person has played and won in all their hands: sums that each settled hand adds to, for coins and friendly ones
apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import Connection, bindparam, select
from sqlalchemy.dialects.sqlite import insert as upsert

from data.model import Career, Careers, HandRow, Json
from data.prepared import Prepared
from data.schema import career_wins, careers, hand_seats, hands

_SUMS: Final = (
    "hands",
    "wins",
    "dealt_in",
    "net",
    "run",
    "longest_run",
    "longest_deal",
    "best_hand",
    "best_net",
)
_NONE: Final[Mapping[str, Any]] = {**dict.fromkeys(_SUMS, 0), "best_hand": None}

# Statements on the way of every hand are built once.
_OF_PERSON: Final = Prepared(
    select(*(careers.c[name] for name in _SUMS)).where(
        careers.c.person_id == bindparam("person"), careers.c.friendly == bindparam("friendly")
    )
)
_written = upsert(careers)
_KEEP: Final = Prepared(
    _written.on_conflict_do_update(
        index_elements=list(careers.primary_key), set_={name: _written.excluded[name] for name in _SUMS}
    )
)
_ADD_WIN: Final = Prepared(
    upsert(career_wins).on_conflict_do_update(
        index_elements=list(career_wins.primary_key), set_={"wins": career_wins.c.wins + 1}
    )
)


def count(connection: Connection, hand: HandRow, result: Json) -> dict[int, int]:
    """Add a hand, by its result (record.md), to the sums of the persons who played it.

    Returns by seat which of its person's hands of that sort, for coins or friendly, it was, from 1 on.
    """
    persons = {seat: owner for seat, owner in enumerate(hand.seats) if isinstance(owner, int)}
    if not persons:
        return {}
    rows = []
    for seat, person in persons.items():
        kept = _OF_PERSON.run(connection, {"person": person, "friendly": hand.friendly}).fetchone()
        sums = dict(_NONE) if kept is None else dict(zip(_SUMS, kept, strict=True))
        won = _add(
            sums,
            hand_id=hand.id,
            won=result.get("winner") == seat,
            dealt_in=result["outcome"] == "win" and result.get("from") == seat,
            deal=hand.streak if hand.dealer == seat else 0,
            net=result["net"][seat],
        )
        rows.append({**sums, "person_id": person, "friendly": hand.friendly})
        if won:
            win = {"person_id": person, "friendly": hand.friendly, "rules": hand.rules, "by": result["by"], "wins": 1}
            _ADD_WIN.run(connection, win)
    _KEEP.many(connection, rows)
    return {seat: row["hands"] for seat, row in zip(persons, rows, strict=True)}


def _add(sums: dict[str, Any], *, hand_id: int, won: bool, dealt_in: bool, deal: int, net: int) -> bool:
    """Add one hand of a person to their sums; whether it was won."""
    sums["hands"] += 1
    sums["wins"] += won
    sums["dealt_in"] += dealt_in
    sums["net"] += net
    sums["run"] = sums["run"] + 1 if won else 0
    sums["longest_run"] = max(sums["longest_run"], sums["run"])
    sums["longest_deal"] = max(sums["longest_deal"], deal)
    if won and net > sums["best_net"]:
        sums["best_hand"], sums["best_net"] = hand_id, net
    return won


def careers_of(connection: Connection, person_id: int) -> Careers:
    """``Store.careers``."""
    won: dict[bool, list[tuple[str, str, int]]] = {False: [], True: []}
    wins = select(career_wins).where(career_wins.c.person_id == person_id)
    for row in connection.execute(wins.order_by(career_wins.c.wins.desc(), career_wins.c.rules, career_wins.c.by)):
        won[row.friendly].append((row.rules, row.by, row.wins))
    found: dict[bool, Career] = {}
    for kept in connection.execute(select(careers).where(careers.c.person_id == person_id)).mappings():
        sums = {name: kept[name] for name in _SUMS if name != "run"}
        found[kept["friendly"]] = Career(**sums, won=tuple(won[kept["friendly"]]))
    return Careers(for_coins=found.get(False, Career()), friendly=found.get(True, Career()))


def first_difference(connection: Connection) -> str | None:
    """What is wrong in the sums, in one line, or None."""
    played = (
        select(
            hand_seats.c.person_id,
            hands.c.friendly,
            hand_seats.c.nth,
            hands.c.id,
            hand_seats.c.seat,
            hand_seats.c.net,
            hands.c.outcome,
            hands.c.winner,
            hands.c.source,
            hands.c.by,
            hands.c.rules,
            hands.c.dealer,
            hands.c.streak,
        )
        .join_from(hand_seats, hands)
        .where(hands.c.day.is_not(None), hand_seats.c.person_id.is_not(None))
        .order_by(hand_seats.c.person_id, hands.c.friendly, hand_seats.c.nth)
    )
    sums: dict[tuple[int, bool], dict[str, Any]] = {}
    wins: dict[tuple[int, bool, str, str], int] = {}
    for row in connection.execute(played):
        key = (row.person_id, row.friendly)
        known = sums.setdefault(key, dict(_NONE))
        if row.nth != known["hands"] + 1:
            return f"hand {row.id} is number {row.nth} of person {row.person_id}, not {known['hands'] + 1}"
        won = _add(
            known,
            hand_id=row.id,
            won=row.winner == row.seat,
            dealt_in=row.outcome == "win" and row.source == row.seat,
            deal=row.streak if row.dealer == row.seat else 0,
            net=row.net,
        )
        if won:
            win = (*key, row.rules, row.by)
            wins[win] = wins.get(win, 0) + 1
    kept = {
        (row["person_id"], row["friendly"]): {name: row[name] for name in _SUMS}
        for row in connection.execute(select(careers)).mappings()
    }
    if other := _other(sums, kept):
        return f"the sums of person, friendly {other} are not those of the hands"
    kept_wins = {tuple(row[:4]): row.wins for row in connection.execute(select(career_wins))}
    if other := _other(wins, kept_wins):
        return f"the wins of person, friendly, rules, kind {other} are not those of the hands"
    return None


def _other(wanted: Mapping[Any, Any], kept: Mapping[Any, Any]) -> Any:
    """The first key under which two mappings do not have the same."""
    return next((key for key in sorted({*wanted, *kept}) if wanted.get(key) != kept.get(key)), None)
