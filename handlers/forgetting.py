"""Forget me: a person leaves every table and list, and nothing personal stays (docs/privacy.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from data.model import Json, Person
from handlers import lobby, waiting
from handlers.answers import Answer
from handlers.draft import Draft

if TYPE_CHECKING:
    from handlers.house import House
    from handlers.table import Table

PLAYED = ("dice", "playing")


async def obstacle(house: House, person: Person) -> Answer | None:
    """Why somebody cannot be forgotten just now: a hand of theirs runs, or holds coins of theirs; or None."""
    for table in house.tables:
        state = table.state
        plays = state.seat_of(person.id) is not None or any(seat.person == person.id for seat in state.players)
        if plays and state.phase in PLAYED:
            return Answer("toast.forget_playing", alert=True)
    wallet = await house.store.wallet(person.id)
    return Answer("toast.forget_held", alert=True) if wallet.held else None


async def forget(house: House, person: Person) -> Answer:
    """Forget a person: first they leave all tables, then the store forgets, then everybody's memory."""
    async with house.seating(person):
        refused = await obstacle(house, person)
        if refused is not None:
            return refused
        await house.awake(person, None)
        for table in house.tables_with(person):
            await table.do(lambda draft: lobby.leave(draft, person.id))
        for table in house.tables:
            if concerns(table, person):
                await table.do(lambda draft: taken_out(draft, person))
        refused = await obstacle(house, person)
        if refused is not None or person.telegram_id is None:
            return refused or Answer("toast.gone")
        house.recorder.forget(person.id)
        # The file that they took along is theirs.
        house.outbox.close(export_key(person))
        asked = [key for key in house.outbox.keys("say:") if f":{person.telegram_id}:" in key]
        await house.outbox.forget_chat(person.telegram_id, asked)
        groups = await house.people.forget(person, lambda state: without(state, person))
        # Nobody finds their chat from now on; what a table still wanted to tell them meanwhile goes as well.
        await house.outbox.forget_chat(person.telegram_id)
        await house.store.forget_messages(person.telegram_id)
    for group in groups:
        await house.group_changed(group)
    return Answer("toast.forgotten_you", alert=True)


def export_key(person: Person) -> str:
    """The outbox's key of the file with a person's data."""
    return f"export:p{person.id}"


def concerns(table: Table, person: Person) -> bool:
    """Whether a table's document tells of a person."""
    return without(table.state.to_json(), person) is not None or table.state.place_of(person.id) is not None


def taken_out(draft: Draft, person: Person) -> Answer:
    """A person's name goes out of a table's document, they wait for no seat there, and nobody calls them."""
    waiting.forget(draft, person.id)
    state = draft.state
    for seat in state.named:
        if seat.person == person.id:
            seat.name = ""
    draft.note("forgotten", person=person.id)
    return Answer()


def without(document: Json, person: Person) -> Json | None:
    """A table's document without what is personal about somebody; None if it has nothing of it."""
    found = False
    changed: dict[str, Any] = {}
    for part in ("seats", "players", "queue", "note_of"):
        changed[part] = kept = []
        for one in document.get(part, []):
            if one is not None and one.get("person") == person.id and one.get("name"):
                one, found = {**one, "name": ""}, True
            kept.append(one)
    # A remark of an older version names people without saying who they are.
    if document.get("note_names"):
        changed["note_names"], found = [], True
    return {**document, **changed} if found else None
