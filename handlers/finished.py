"""A hand that was played to its end, as its record tells it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from data.model import Feat, Group, HandRow, SeatOwner
from handlers.preferences import GroupSettings
from handlers.table_state import Seat, TableState
from mahjong.hand import Hand
from mahjong.records import Record, replay
from mahjong.views import SheetView, sheet

if TYPE_CHECKING:
    from handlers.house import House


@dataclass(frozen=True, slots=True)
class Finished:
    """``state``: a table at which this hand has just ended, as far as the hand's screens look at it.

    ``group``: where it was played; None at a private table. ``first_feats``: what somebody did for the first time in
    it.
    """

    row: HandRow
    hand: Hand
    sheet: SheetView
    state: TableState
    group: Group | None = None
    first_feats: Sequence[Feat] = ()

    @property
    def players(self) -> list[Seat]:
        """The four who played, by seat."""
        return self.state.players


async def finished(house: House, row: HandRow, known: Finished | None = None) -> Finished:
    """Play the record of an ended hand again. Raises ``ValueError`` if it has none: it was void, or is not over.

    ``known``: the same as of an earlier moment; only what may have changed since is looked up, such as names.
    """
    if row.record is None:
        raise ValueError(f"hand {row.id} has no record")
    if known is not None:
        hand, shown, feats = known.hand, known.sheet, known.first_feats
    else:
        hand = replay(Record.from_json(row.record))
        shown, feats = sheet(hand), await house.store.first_feats(row.id)
    await house.people.load(owner for owner in row.seats if isinstance(owner, int))
    group = await house.store.group(row.group_id) if row.group_id is not None else None
    state = TableState(
        table=row.table_id,
        group=row.group_id,
        rules=row.rules,
        options=dict(row.options),
        phase="closed",
        dealer=row.dealer,
        streak=row.streak,
        base=row.base,
        hand=row.number,
        hand_id=row.id,
        players=players_among(house, row.seats),
        dice=list(row.dice or ()),
        for_coins=not row.friendly,
        hinting=_hints_after(group, row),
    )
    return Finished(row, hand, shown, state, group, feats)


def _hints_after(group: Group | None, row: HandRow) -> bool:
    """Whether who played an ended hand may have it reviewed, by what the group has chosen now."""
    hints = GroupSettings.of(group).hints if group is not None else "all"
    return hints == "all" or (hints == "friendly" and row.friendly)


def players_among(house: House, owners: Iterable[SeatOwner]) -> list[Seat]:
    """Who sat at a hand's seats, as people that are known are called by now."""
    players = []
    for owner in owners:
        person = house.people.known(owner) if isinstance(owner, int) else None
        computer = owner if isinstance(owner, str) else None
        players.append(
            Seat(person.id if person is not None else None, computer, person.name if person is not None else "")
        )
    return players
