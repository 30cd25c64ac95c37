"""Three computers and a hand at once: what the link and the button *play against computers* come to."""

from __future__ import annotations

from data.model import Person
from handlers import lobby, seating
from handlers.answers import SILENT, Answer
from handlers.draft import Draft
from handlers.house import House
from handlers.table import Table

PAYLOAD = "practice"
"""Of the deep link ``https://t.me/BOT?start=practice``."""


async def play(house: House, person: Person) -> Answer:
    """Deal at once at the person's own table: the game that they practised last, against as strong computers.

    A table of their own that waits for a press goes on; a hand that is under way comes to the bottom of the chat. Who
    sits at a group's live table is told so, and keeps what is played there at the bottom.
    """
    async with house.seating(person):
        if (why := seating.kept_from_own(house, person)) is not None:
            return why
        own = await seating.practice_table(house, person)
        if own is None:
            await house.new_table(None, person, deal=True)
            return SILENT
    if own.state.phase == "paused":
        answer = await seating.resume(house, own, person)
    else:
        answer = await own.do(lambda draft: _go_on(draft, own, person))
    # The cards that come say it all.
    return SILENT if answer.key in ("toast.ready", "toast.resumed") else answer


def _go_on(draft: Draft, table: Table, person: Person) -> Answer:
    """A lobby is started, a sheet is answered with *ready*; where cards are on the table, they come to the bottom."""
    match draft.state.phase:
        case "lobby":
            return lobby.start(draft, person.id)
        case "between":
            return lobby.ready(draft, person.id, draft.state.hand)
    table.showing.bring_hand_down(person)
    return SILENT
