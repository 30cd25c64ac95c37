"""同桌流水: who has won how much from whom at a group's table, from sums that each settled hand adds to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from sqlalchemy import Connection, case, delete, func, select
from sqlalchemy.dialects.sqlite import insert as upsert

from data.model import Flow
from data.prepared import Prepared
from data.schema import accounts, flows, hands, postings, transfers

ALL_DAYS: Final = ""

_NEW: Final = upsert(flows)
_ADD: Final = Prepared(
    _NEW.on_conflict_do_update(index_elements=list(flows.primary_key), set_={"net": flows.c.net + _NEW.excluded.net})
)


def count(connection: Connection, group_id: int, day: str, lines: Iterable[tuple[int, int, int]]) -> None:
    """Add a hand's payments: payer and payee, by account, and amount."""
    net: Counter[tuple[int, int]] = Counter()
    for payer, payee, amount in lines:
        net[min(payer, payee), max(payer, payee)] += amount if payee < payer else -amount
    rows = [
        {"group_id": group_id, "day": when, "low": low, "high": high, "net": won}
        for (low, high), won in net.items()
        if won
        for when in (day, ALL_DAYS)
    ]
    if rows:
        _ADD.many(connection, rows)


def join(connection: Connection, lost: int, kept: int) -> None:
    """Add one group's sums to another's."""
    rows = connection.execute(select(flows).where(flows.c.group_id == lost)).mappings().all()
    if rows:
        _ADD.many(connection, [{**row, "group_id": kept} for row in rows])
    connection.execute(delete(flows).where(flows.c.group_id == lost))


def between(connection: Connection, group_id: int, since_day: str | None) -> list[Flow]:
    """``Store.flows``."""
    low, high = accounts.alias(), accounts.alias()
    net = func.sum(flows.c.net).label("net")
    when = flows.c.day == ALL_DAYS if since_day is None else flows.c.day >= since_day
    rows = connection.execute(
        select(low.c.person_id, high.c.person_id, net)
        .select_from(flows)
        .join(low, flows.c.low == low.c.id)
        .join(high, flows.c.high == high.c.id)
        .where(flows.c.group_id == group_id, when)
        .group_by(flows.c.low, flows.c.high)
        .having(net != 0)
        .order_by(func.abs(net).desc(), flows.c.low, flows.c.high)
    )
    return [Flow(one, other, won) if won > 0 else Flow(other, one, -won) for one, other, won in rows]


def first_difference(connection: Connection) -> str | None:
    """What is wrong in the sums, in one line, or None."""
    low, high = func.min(postings.c.payer, postings.c.payee), func.max(postings.c.payer, postings.c.payee)
    won = func.sum(case((postings.c.payee < postings.c.payer, postings.c.amount), else_=-postings.c.amount))
    paid = (
        select(hands.c.group_id, hands.c.day, low, high, won)
        .select_from(postings)
        .join(transfers, transfers.c.id == postings.c.transfer_id)
        .join(hands, hands.c.id == transfers.c.hand_id)
        .where(hands.c.group_id.is_not(None))
        .group_by(hands.c.group_id, hands.c.day, low, high)
    )
    kept = {tuple(row[:4]): row[4] for row in connection.execute(select(flows))}
    whole: Counter[tuple[int, int, int]] = Counter()
    for group_id, day, one, other, net in connection.execute(paid):
        whole[group_id, one, other] += net
        if kept.pop((group_id, day, one, other), 0) != net:
            return f"the flow of group, day, accounts {(group_id, day, one, other)} is not that of the postings: {net}"
    for (group_id, one, other), net in whole.items():
        if kept.pop((group_id, ALL_DAYS, one, other), 0) != net:
            return f"the flow of group, accounts {(group_id, one, other)} over all days is not {net}"
    stray = next((key for key, net in sorted(kept.items()) if net), None)
    return f"the flow of group, day, accounts {stray} has no postings" if stray else None
