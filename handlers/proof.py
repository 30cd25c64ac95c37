"""The proof that a hand was dealt fairly: its record, and a page that checks it with no network (docs/fair-deal.md)."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from data.model import HandRow, Person
from handlers.answers import SILENT, Answer
from handlers.house import House
from handlers.outbox import Message, Picture, Priority
from handlers.retold import Told
from handlers.screens.proof import proof_page
from handlers.screens.seating import seat_names

AGAIN = 20.0
"""Seconds in which the same files are not sent to the same person twice."""


def record_of(row: HandRow) -> dict[str, Any]:
    """The record of a finished hand as record.md has it, with its result and what was published before its deal."""
    assert row.record is not None
    return {**row.record, "note": {"commitment": row.commitment}, "result": row.result}


def send(house: House, person: Person, told: Told) -> Answer:
    """Send a person the record and the page, in private."""
    if not house.retold.may_send(person.id, ("proof", told.row.id), house.clock.time(), AGAIN):
        return Answer("proof.just_sent")
    words = house.texts.get(person.language)
    _send(house, person, told, "page")
    _send(house, person, told, "record", words.html("proof.record", n=told.row.number))
    return SILENT


def send_record(house: House, person: Person, told: Told) -> Answer:
    """Send a person the record alone."""
    if not house.retold.may_send(person.id, ("record", told.row.id), house.clock.time(), AGAIN):
        return Answer("proof.just_sent")
    words = house.texts.get(person.language)
    _send(house, person, told, "record", words.html("proof.record", n=told.row.number))
    return SILENT


def _send(house: House, person: Person, told: Told, what: str, text: str = "") -> None:
    words, row = house.texts.get(person.language), told.row
    if what == "page":
        names = seat_names(told.hand.players, words, plain=True)
        file = proof_page(record_of(row), row.commitment, names, words, practice=row.group_id is None).encode()
        name = f"mahjong-{row.id}.html"
        text = words.html("proof.page", n=row.number)
    else:
        file = (json.dumps(record_of(row), ensure_ascii=False) + "\n").encode()
        name = f"mahjong-{row.id}.json"

    async def made() -> bytes:
        return file

    picture = Picture(hashlib.sha256(file).hexdigest(), made, "document", name)
    house.outbox.say(Message(person.telegram_id or 0, text, picture=picture, silent=True), Priority.RESULT)
