"""Who is asked at a table, and how each is called: when slow, at once, or never (telegram.md, *Ringing*)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from data.model import Person
from handlers.clock import Timer
from handlers.preferences import Preferences
from handlers.quiet import awake_after, is_quiet

if TYPE_CHECKING:
    from handlers.table import Table

CALL_AGAIN = 12
"""Seconds in which one call is enough for a person: what else presses them only changes the message."""
NUDGE_AGAIN = 20
"""Seconds in which one nudge is enough for a table."""


@dataclass(slots=True)
class _Asked:
    """One question put to one person.

    ``since``: the question's number and when it was asked. ``due``: the time its reader sees. ``urging``: a catalogue
    key of the line that stands in the message since somebody or something pressed for an answer. ``called``: when
    the message was last sent anew.
    """

    since: tuple[int, str]
    due: str | None
    ring: Timer | None = None
    reminder: Timer | None = None
    urging: str | None = None
    called: datetime | None = None

    def cancel(self) -> None:
        for timer in (self.ring, self.reminder):
            if timer is not None:
                timer.cancel()


class Ringing:
    """The calls of one table. Kept in memory alone: after a restart whoever is asked is called as if asked anew."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._asked: dict[int, _Asked] = {}
        self._nudged: datetime | None = None

    def refresh(self) -> set[int]:
        """Arrange calls for whoever is asked now, and leave in peace who has answered.

        Returns the persons whose message is to be sent anew at once.
        """
        table = self._table
        now = self._asked_now()
        for person_id, asked in list(self._asked.items()):
            if person_id not in now or asked.since != now[person_id]:
                asked.cancel()
                del self._asked[person_id]
                for kind in ("hand", "sheet"):
                    table.house.outbox.hush(f"t{table.id}:p{person_id}:{kind}")
        at_once = set()
        for person_id, since in now.items():
            known = self._asked.get(person_id)
            if known is None:
                known = self._asked[person_id] = _Asked(since, None)
                if table.state.phase == "between" and table.state.waiting:
                    known.urging = "between.urged"
                if self._arrange_ring(person_id, known):
                    at_once.add(person_id)
                    known.called = table.house.clock.now()
            if known.due != table.state.answer_by:
                known.due = table.state.answer_by
                self._arrange_reminder(person_id, known)
        return at_once

    def sounds(self, person: Person) -> bool:
        """Whether a message to this person may sound now: their own wish, the group's, the nights of long games."""
        table = self._table
        quiet = table.state.days and is_quiet(table.house.clock.now(), table.house.timezone)
        return table.state.sound and Preferences.of(person).ring != "never" and not quiet

    def noticed(self, person_id: int) -> None:
        """A person has looked at the message: whatever asked them needs no call for being overlooked."""
        asked = self._asked.get(person_id)
        if asked is not None and asked.ring is not None:
            asked.ring.cancel()

    def urging(self, person_id: int) -> str | None:
        """The catalogue key of a line that presses a person for an answer, if there is reason to."""
        asked = self._asked.get(person_id)
        return asked.urging if asked is not None else None

    def nudge(self, by: int) -> bool:
        """Somebody who waits calls whoever is asked; False if that was done a moment ago.

        What it returns does not depend on whether anybody is asked: it must tell nothing.
        """
        now = self._table.house.clock.now()
        if self._nudged is not None and now - self._nudged < timedelta(seconds=NUDGE_AGAIN):
            return False
        self._nudged = now
        for person_id, asked in self._asked.items():
            if person_id != by:
                person = self._table.house.people.known(person_id)
                if asked.ring is not None and person is not None and self.sounds(person):
                    # Called now, and not once more a moment later.
                    asked.ring.cancel()
                self._call(person_id, asked.since, "hand.nudged")
        return True

    def stop(self) -> None:
        """No more calls."""
        for asked in self._asked.values():
            asked.cancel()
        self._asked.clear()

    def _asked_now(self) -> dict[int, tuple[int, str]]:
        """Whoever has to answer themselves now, with the question's number and when it was asked."""
        table = self._table
        state, hand = table.state, table.hand
        if state.phase == "between" and not state.alone:
            # Who keeps the others waiting; once more when these are asked whether the seat shall be taken.
            stage = (state.hand, "missing" if state.waiting else "ready")
            return {seat.person: stage for seat in state.taken if seat.person is not None and not seat.ready}
        if state.phase != "playing" or hand is None or state.asked_at is None:
            return {}
        found = {}
        for seat in hand.questions:
            owner = state.seats[seat]
            if owner is not None and owner.person is not None and not owner.auto:
                found[owner.person] = (hand.number, state.asked_at)
        return found

    def _arrange_ring(self, person_id: int, asked: _Asked) -> bool:
        """Set the time at which a person is called; True if that is now."""
        table = self._table
        state, hand, person = table.state, table.hand, table.house.people.known(person_id)
        if person is None or Preferences.of(person).ring == "never":
            return False
        now, urging = table.house.clock.now(), None
        if state.phase == "between":
            since, urging = now, "between.urged"
            wait = 0 if state.days or state.waiting else state.pace.ready // 2
        else:
            assert hand is not None
            since = datetime.fromisoformat(asked.since[1])
            wait = state.pace.turn_ring if hand.phase == "turn" else state.pace.claim_ring
        if Preferences.of(person).ring == "always":
            wait = 0
        when = self._awake(since + timedelta(seconds=wait))
        if when <= now:
            return True
        asked.ring = table.house.clock.at(when, partial(self._call, person_id, asked.since, urging))
        return False

    def _arrange_reminder(self, person_id: int, asked: _Asked) -> None:
        """Set the time of the one reminder before the time is up."""
        table = self._table
        state, hand = table.state, table.hand
        assert hand is not None
        if asked.reminder is not None:
            asked.reminder.cancel()
        before = state.pace.turn_remind if hand.phase == "turn" else state.pace.claim_remind
        if not before or asked.due is None:
            return
        due = datetime.fromisoformat(asked.due)
        when = self._awake(due - timedelta(seconds=before))
        if table.house.clock.now() < when < due:
            asked.reminder = table.house.clock.at(when, partial(self._call, person_id, asked.since, "hand.hurry"))

    def _awake(self, when: datetime) -> datetime:
        """The instant, or in the nights of long games the morning after."""
        return awake_after(when, self._table.house.timezone) if self._table.state.days else when

    def _call(self, person_id: int, since: tuple[int, str], urging: str | None = None) -> None:
        """Send a person's message anew, if the question is still open."""
        asked, person = self._asked.get(person_id), self._table.house.people.known(person_id)
        if asked is None or asked.since != since or person is None or Preferences.of(person).ring == "never":
            return
        asked.urging = urging or asked.urging
        now = self._table.house.clock.now()
        if asked.called is not None and now - asked.called < timedelta(seconds=CALL_AGAIN):
            self._table.showing.refresh_soon()
            return
        asked.called = now
        self._table.showing.call(person)
