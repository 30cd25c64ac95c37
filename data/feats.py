"""Feats (``mahjong.feats``), counted as hands are settled: each person's first of a kind is kept with its hand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from sqlalchemy import Connection, bindparam, func, select
from sqlalchemy.dialects.sqlite import insert as upsert

from data.model import Feat, HandRow, Settle
from data.prepared import Prepared
from data.schema import daily, feats, hand_seats, hands, transfers
from mahjong.feats import FOR_COINS, HANDS, WINS_A_DAY

HAND: Final = "hand"
WIN: Final = "win"
"""Counted like feats, but nothing to be proud of: every hand for coins in a group, and every one that was won."""

# Statements on the way of every hand are built once.
_NEW: Final = upsert(feats)
_COUNT: Final = Prepared(
    _NEW.on_conflict_do_update(
        index_elements=list(feats.primary_key),
        set_={"count": feats.c.count + 1, "last_hand_id": _NEW.excluded.last_hand_id},
    ).returning(feats.c.count)
)
_WINS_OF_DAY: Final = Prepared(
    select(daily.c.wins).where(
        daily.c.group_id == bindparam("group"),
        daily.c.day == bindparam("day"),
        daily.c.person_id == bindparam("person"),
    )
)
_FEATS: Final = select(feats.c.person_id, feats.c.feat, feats.c.hand_id, feats.c.at, feats.c.count).select_from(feats)
_DEALS: Final = (
    select(hand_seats.c.person_id, hands.c.winner == hands.c.dealer)
    .join_from(hands, hand_seats, (hand_seats.c.hand_id == hands.c.id) & (hand_seats.c.seat == hands.c.dealer))
    .where(hands.c.table_id == bindparam("table"), hands.c.number < bindparam("number"), hands.c.day.is_not(None))
    .order_by(hands.c.number.desc())
    .limit(bindparam("n"))
)


def count(connection: Connection, hand: HandRow, settled: Settle) -> None:
    """Add a group's hand that is settled, after ``rankings.count``: itself, its feats, and those it completes."""
    owners = hand.seats
    persons = [owner for owner in owners if isinstance(owner, int)]
    done: list[tuple[int, str]] = []
    for seat, feat in settled.feats:
        owner = owners[seat]
        if (
            isinstance(owner, int)
            and not (hand.friendly and feat in FOR_COINS)
            and _holds(connection, hand, owner, feat)
        ):
            done.append((owner, feat))
    winner = settled.result.get("winner")
    won = owners[winner] if winner is not None and not hand.friendly else None
    if not hand.friendly:
        done += [(person, HAND) for person in persons]
        if isinstance(won, int):
            assert settled.day is not None
            done.append((won, WIN))
            if _wins_of_day(connection, hand, settled.day, won) == WINS_A_DAY:
                done.append((won, "ten_wins"))
    counts = _add(connection, hand.id, settled, done)
    reached = [(person, HANDS[n]) for (person, feat), n in counts.items() if feat == HAND and n in HANDS]
    reached += [(person, "first_win") for (person, feat), n in counts.items() if feat == WIN and n == 1]
    _add(connection, hand.id, settled, reached)


def _add(
    connection: Connection, hand_id: int, settled: Settle, done: Sequence[tuple[int, str]]
) -> dict[tuple[int, str], int]:
    """Count feats, by person and name; how many there are of each by now."""
    hand = {"hand_id": hand_id, "at": settled.at, "last_hand_id": hand_id, "count": 1}
    counts = {}
    for person, feat in done:
        (counts[person, feat],) = _COUNT.run(connection, {"person_id": person, "feat": feat, **hand}).fetchone()
    return counts


def _wins_of_day(connection: Connection, hand: HandRow, day: str, person_id: int) -> int:
    (wins,) = _WINS_OF_DAY.run(connection, {"group": hand.group_id, "day": day, "person": person_id}).fetchone() or (0,)
    return int(wins)


def _holds(connection: Connection, hand: HandRow, person_id: int, feat: str) -> bool:
    """Whether what a feat says of the time before its hand is true."""
    if feat.startswith("dealer_"):
        run = int(feat.removeprefix("dealer_"))
        values = {"table": hand.table_id, "number": hand.number, "n": min(run, hand.streak - 1)}
        deals = connection.execute(_DEALS, values).all()
        won = list(takewhile(lambda deal: deal == (person_id, True), map(tuple, deals)))
        # Neither the one before was the fifth already, nor is this the sixth.
        return len(won) == run - 1
    if feat == "comeback":
        return _relieved_since(connection, person_id)
    return True


def _relieved_since(connection: Connection, person_id: int) -> bool:
    """Whether relief was given to a person, after their last comeback if there was one."""
    prefix = f"relief:{person_id}:"
    given = select(func.max(transfers.c.at)).where(transfers.c.cause.between(prefix, f"{prefix}~"))
    last = connection.execute(given).scalar()
    before = (
        select(hands.c.ended_at)
        .join_from(feats, hands, feats.c.last_hand_id == hands.c.id)
        .where(feats.c.person_id == person_id, feats.c.feat == "comeback")
    )
    since = connection.execute(before).scalar()
    return last is not None and (since is None or last > since)


def of_person(connection: Connection, person_id: int) -> list[Feat]:
    """``Store.feats_of``."""
    found = _FEATS.where(feats.c.person_id == person_id, feats.c.feat.not_in((HAND, WIN)))
    return [Feat(*row) for row in connection.execute(found)]


def first_in(connection: Connection, hand_id: int) -> list[Feat]:
    """``Store.first_feats``."""
    of_hand = (
        _FEATS.join(hand_seats, feats.c.person_id == hand_seats.c.person_id)
        .where(hand_seats.c.hand_id == hand_id, feats.c.hand_id == hand_id, feats.c.feat.not_in((HAND, WIN)))
        .order_by(hand_seats.c.seat)
    )
    return [Feat(*row) for row in connection.execute(of_hand)]


def first_difference(connection: Connection) -> str | None:
    """What is wrong in the counts, in one line, or None."""
    played = (
        select(hand_seats.c.person_id, func.count(), func.count().filter(hands.c.winner == hand_seats.c.seat))
        .join_from(hands, hand_seats)
        .where(
            hands.c.group_id.is_not(None),
            hands.c.day.is_not(None),
            ~hands.c.friendly,
            hand_seats.c.person_id.is_not(None),
        )
        .group_by(hand_seats.c.person_id)
    )
    counted = select(feats.c.person_id, feats.c.feat, feats.c.count).where(feats.c.feat.in_((HAND, WIN)))
    kept = {(person, feat): n for person, feat, n in connection.execute(counted)}
    for person, number, wins in connection.execute(played):
        for feat, n in ((HAND, number), (WIN, wins)):
            if kept.pop((person, feat), 0) != n:
                return f"person {person}: the count of feat {feat} is not that of the hands: {n}"
    if kept:
        return f"person {min(kept)[0]}: the count of feat {min(kept)[1]} has no hands"
    theirs = select(hand_seats.c.hand_id).where(
        hand_seats.c.hand_id == feats.c.hand_id, hand_seats.c.person_id == feats.c.person_id
    )
    stray = connection.execute(select(feats.c.person_id, feats.c.feat).where(~theirs.exists())).first()
    return f"person {stray[0]}: feat {stray[1]} is from a hand of others" if stray else None
