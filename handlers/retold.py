"""The finished hands that somebody looks at just now, and where each person is in one."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from data.model import Group, HandRow
from handlers.finished import Finished, finished
from mahjong.records import Record
from mahjong.review import Slip
from mahjong.steps import Step, steps

if TYPE_CHECKING:
    from handlers.house import House

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
KEPT = 8
"""Hands kept played; a megabyte each at most."""
READERS = 2_000
"""People whose place in a hand is remembered; the others' is what their button says."""


@dataclass(frozen=True, slots=True)
class Told:
    """A finished hand, with the memory that spares working it out again."""

    hand: Finished
    memory: Retold

    @property
    def row(self) -> HandRow:
        """The hand as the store keeps it."""
        return self.hand.row

    @property
    def group(self) -> Group | None:
        """Where it was played; None at a private table."""
        return self.hand.group

    @property
    def steps(self) -> tuple[Step, ...]:
        """The hand move by move."""
        return self.memory.steps_of(self.row)

    def seat_of(self, person_id: int) -> int | None:
        """Where a person sat."""
        return self.row.seats.index(person_id) if person_id in self.row.seats else None


@dataclass(slots=True)
class Filming:
    """A film that is being made: for whom first, and by key or person all who wait for it (``send`` it, or say that it
    ``failed``)."""

    person: int
    send: dict[Hashable, Callable[[bytes], object]]
    failed: dict[Hashable, Callable[[], object]]


class Retold:
    """A memory that may be lost: it only spares work. ``filming``: by digest, the films that are being made;
    ``slips``: by hand and seat, what a review found."""

    def __init__(self) -> None:
        self._hands: OrderedDict[int, Finished] = OrderedDict()
        self._steps: OrderedDict[int, tuple[Step, ...]] = OrderedDict()
        self.slips: OrderedDict[tuple[int, int], tuple[Slip, ...]] = OrderedDict()
        self._places: OrderedDict[int, tuple[int, int]] = OrderedDict()
        self.filming: dict[str, Filming] = {}
        self._sent: OrderedDict[tuple[int, Hashable], float] = OrderedDict()

    async def told(self, house: House, row: HandRow) -> Told:
        """The hand of a row that has a record. Names are what people are called by now."""
        hand = await finished(house, row, self._hands.get(row.id))
        return Told(_kept(self._hands, row.id, hand), self)

    def steps_of(self, row: HandRow) -> tuple[Step, ...]:
        """The steps of a hand that has a record."""
        known = self._steps.get(row.id)
        return _kept(self._steps, row.id, known if known is not None else steps(Record.from_json(row.record)))

    def keep_slips(self, key: tuple[int, int], slips: tuple[Slip, ...]) -> tuple[Slip, ...]:
        """Keep what a review of a hand found for a seat."""
        return _kept(self.slips, key, slips)

    def place(self, person_id: int, hand_id: int) -> int | None:
        """At which step of a hand a person is; None if that is not known."""
        hand, at = self._places.get(person_id, (0, 0))
        return at if hand == hand_id else None

    def go(self, person_id: int, hand_id: int, at: int) -> None:
        """A person is at a step of a hand now."""
        self._places[person_id] = hand_id, at
        self._places.move_to_end(person_id)
        if len(self._places) > READERS:
            self._places.popitem(last=False)

    def may_send(self, person_id: int, what: Hashable, now: float, again: float) -> bool:
        """Whether something was not sent to a person within the last ``again`` seconds; it is now."""
        key = person_id, what
        if now - self._sent.get(key, -again) < again:
            return False
        self._sent[key] = now
        self._sent.move_to_end(key)
        if len(self._sent) > READERS:
            self._sent.popitem(last=False)
        return True


def _kept(memory: OrderedDict[K, T], key: K, value: T) -> T:
    """Keep something of a hand, and let go of what was not looked at for longest."""
    memory[key] = value
    memory.move_to_end(key)
    if len(memory) > KEPT:
        memory.popitem(last=False)
    return value
