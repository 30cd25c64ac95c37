"""A restart that an operator has announced: told once at every table where somebody plays, and perhaps no hand begins
from then on."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from data.model import Person
from handlers.answers import Answer
from handlers.draft import Draft
from handlers.names import shown_name
from handlers.outbox import Message, Priority

if TYPE_CHECKING:
    from data.texts import Words
    from handlers.house import House
    from handlers.table import Table

ANNOUNCED: Final = "announce"
CANCELLED: Final = "cancel"
AGAIN: Final = 60.0
"""Seconds after which a deal that was put off is tried again."""
LATE: Final = timedelta(hours=1)
"""How long after its time a restart that was announced is still waited for."""
LIVE: Final = ("lobby", "countdown", "dice", "playing", "between")
KEYS: Final = "upkeep:"
"""Of the announcements, by table: they are messages of their own, which no refresh of a table touches."""


class Upkeep:
    """The announced restart. ``at``: when; None: there is none. ``hold``: no hand begins from then on.

    It is over when the bot starts after that, when it is cancelled, or when it has not come for ``LATE``.
    """

    def __init__(self, house: House) -> None:
        self._house = house
        self.at: datetime | None = None
        self.hold = False

    async def recall(self) -> None:
        """Know what was announced before the start; what has come to pass is told where it was announced."""
        house = self._house
        act = await house.store.last_act(ANNOUNCED, CANCELLED)
        at = datetime.fromisoformat(act.body["at"]) if act is not None and act.act == ANNOUNCED else None
        if act is not None and at is not None and at > house.clock.now():
            self.at, self.hold = at, bool(act.body["hold"])
        else:
            self._put_away("upkeep.over")

    async def announce(self, operator: Person, minutes: int, *, hold: bool) -> datetime:
        """Tell every live table that the bot restarts in so many minutes; a restart announced before is forgotten."""
        house = self._house
        at = house.clock.now() + timedelta(minutes=minutes)
        body = {"at": at.isoformat(), "hold": hold}
        await house.store.note_act(operator.id, ANNOUNCED, body, house.clock.now())
        self.at, self.hold = at, hold
        for table in house.tables:
            self.tell(table)
        return at

    async def cancel(self, operator: Person) -> None:
        """There is no restart after all; whoever was told of it is told that."""
        house = self._house
        if self.at is not None:
            await house.store.note_act(operator.id, CANCELLED, {}, house.clock.now())
            self.at = None
            self._put_away("upkeep.cancelled")

    def tell(self, table: Table) -> None:
        """Tell one table, if it is live: in its group, or in the chat of whoever practises there."""
        state = table.state
        if self.at is None or state.phase not in LIVE or state.days or state.group_lost:
            return
        chat, words, thread = self._chat_of(table)
        if chat is not None:
            key = "upkeep.told_hold" if self.hold else "upkeep.told"
            text = words.html(key, at=self.clock(self.at))
            message = Message(chat, text, silent=True, thread_id=thread)
            self._house.outbox.ring(f"{KEYS}{table.id}", message, Priority.CHATTER)

    def clock(self, at: datetime) -> str:
        """The time of day, as people at these tables say it."""
        return f"{at.astimezone(self._house.timezone):%H:%M}"

    def holds(self, draft: Draft) -> bool:
        """Put the deal off if no hand shall begin any more. Returns whether it waits."""
        if self.at is None or not self.hold or draft.now < self.at or draft.state.days:
            return False
        if draft.now >= self.at + LATE:
            # Whoever announced it has forgotten it; the tables are not to wait for ever.
            self.at = None
            self._put_away("upkeep.cancelled")
            return False
        state = draft.state
        if "start" not in state.deadlines:
            state.waiting = False
            state.deadlines.clear()
            draft.due_in("start", AGAIN)
            draft.note("upkeep")
        return True

    @property
    def answer(self) -> Answer:
        """What somebody is told who wants the next hand."""
        return Answer("toast.upkeep", alert=True)

    def _chat_of(self, table: Table) -> tuple[int | None, Words, int | None]:
        if table.group is not None:
            return table.group.telegram_id, table.showing.words(), table.state.thread
        for person in map(self._house.people.known, table.state.persons):
            if person is not None and person.private_ok:
                return person.telegram_id, self._house.texts.get(person.language), None
        return None, table.showing.words(), None

    def _put_away(self, why: str) -> None:
        """The announcements say what came of it, and live no longer."""
        outbox = self._house.outbox
        for key in outbox.keys(KEYS):
            number = key.removeprefix(KEYS)
            table = self._house.table(int(number)) if number.isdigit() else None
            if table is None:
                outbox.close(key)
            else:
                _, words, _ = self._chat_of(table)
                outbox.close(key, words.html(why))


def name_of(table: Table, words: Words) -> str:
    """A table as an operator reads it: its group's title, or whose practice it is."""
    if table.group is not None:
        return shown_name(table.group.title)
    names = [seat.name for seat in table.state.taken if seat.person is not None]
    return words("admin.practice", name=shown_name(names[0]) if names else "?")
