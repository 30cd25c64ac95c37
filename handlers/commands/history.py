"""/history: the last hands of this group, each opens its sheet, and who has won how much from whom at this table.

In private: one's own hands wherever they were, and the groups in which one plays.
"""

from __future__ import annotations

from dataclasses import dataclass

from data.model import Group, HandPage, Person
from data.texts import Html, Words
from handlers import replay
from handlers.answers import SILENT, Answer
from handlers.calls import Call, Command
from handlers.finished import players_among
from handlers.house import House
from handlers.outbox import Keyboard, Message, Priority
from handlers.presses import PagePress
from handlers.pressing import Pressing
from handlers.screens import history as screen
from handlers.screens.history import MINE, PERIODS
from handlers.screens.seating import person_name
from handlers.seating import may_look_into


@dataclass(frozen=True, slots=True)
class Reader:
    """Who looks: ``person`` None: an anonymous admin. ``private``: nobody else sees it."""

    house: House
    person: Person | None
    words: Words
    private: bool


async def run(call: Call) -> None:
    """The newest page."""
    reader = Reader(call.house, call.person, call.words, call.group is None)
    shown = await _hands(reader, call.group, 0)
    if shown is not None:
        call.say(*shown)


async def press(pressing: Pressing, pressed: PagePress) -> Answer:
    """A button of a page: ``i|GROUP|hands|FIRST`` (the hand that it begins with), ``i|GROUP|flows|PERIOD``.

    GROUP is ``me`` for one's own hands. In a group only its own pages can be had, in private those of one's groups.
    """
    if len(pressed.fields) != 3:
        return Answer("toast.forged")
    scope, what, choice = pressed.fields
    house = pressing.house
    group = None
    words = pressing.words
    if scope == MINE and what != "hands":
        return Answer("toast.forged")
    if scope != MINE or not pressing.private:
        found = await _group(pressing, pressed.number(0))
        if isinstance(found, Answer):
            return found
        group = found
        words = words if pressing.private else house.texts.get(group.language)
    reader = Reader(house, pressing.person, words, pressing.private)
    shown: tuple[Html, Keyboard] | None = None
    if what == "hands" and (first := pressed.number(2)) is not None:
        shown = await _hands(reader, group, first)
    elif what == "flows" and choice in PERIODS and group is not None:
        shown = await _flows(reader, group, choice)
    if shown is None:
        return Answer("toast.forged")
    _show(pressing, *shown)
    return SILENT


async def _group(pressing: Pressing, group_id: int | None) -> Group | Answer:
    """The group of a button, if who pressed may look into it there; else what they are told."""
    group = await pressing.house.store.group(group_id) if group_id is not None else None
    if group is None:
        return Answer("toast.forged")
    if not pressing.private:
        here = await pressing.house.people.group(pressing.chat) if pressing.chat is not None else None
        if here is None or here.id != group.id:
            return Answer("toast.forged")
        # What stood in a group stays there when it becomes a supergroup with another id.
        return group if group.telegram_id == pressing.chat_id else Answer("toast.moved")
    if not await may_look_into(pressing.house, group, pressing.person, pressing.user_id):
        return Answer("history.stranger", alert=True)
    return group


def _show(pressing: Pressing, text: Html, keyboard: Keyboard) -> None:
    """Turn the pressed message into this page; where that is no page of ours any more, send one."""
    message = Message(pressing.chat_id, text, keyboard, silent=True, thread_id=pressing.thread)
    pressing.house.outbox.want(pressing.answer_key(COMMAND.name), message, Priority.CHATTER)


async def _hands(reader: Reader, group: Group | None, first: int) -> tuple[Html, Keyboard] | None:
    """A page of a group's hands, or in private (``group`` None) of the reader's; None: there is no such page."""
    house, person, words = reader.house, reader.person, reader.words
    groups: dict[int, str] | None = None
    page: HandPage | None
    if group is not None:
        page = await house.store.hands_of_group(group.id, first)
        groups = {} if reader.private else None
    else:
        assert person is not None
        page = await house.store.hands_of_person(person.id, first)
        ids = dict.fromkeys(line.group_id for line in page.lines if line.group_id is not None) if page else {}
        known = await house.store.groups(ids)
        groups = {group_id: known[group_id].title for group_id in ids if group_id in known}
    if page is None:
        return None
    players = {line.id: line.seats for line in page.lines}
    await house.people.load({owner for seats in players.values() for owner in seats if isinstance(owner, int)})
    text = screen.history_text(
        page,
        {hand: players_among(house, seats) for hand, seats in players.items()},
        words,
        house.clock.now(),
        house.timezone,
        group=group.title if group is not None else None,
        reader=person.id if group is None and person is not None else None,
        groups=groups,
    )
    return text, screen.history_keyboard(page, group.id if group is not None else MINE, first, words, groups=groups)


async def _flows(reader: Reader, group: Group, period: str) -> tuple[Html, Keyboard]:
    """同桌流水 of a group: today, this month, or since its first hand."""
    house, person = reader.house, reader.person
    assert person is not None
    day = house.day(house.clock.now())
    flows = await house.store.flows(group.id, {"day": day, "month": f"{day[:7]}-01", "all": None}[period])
    persons = {one for flow in flows for one in (flow.winner, flow.loser) if one is not None}
    await house.people.load(persons)
    names = {}
    for one in persons | {person.id}:
        known = house.people.known(one)
        names[one] = person_name(known.name if known is not None else "", reader.words)
    text = screen.flows_text(
        flows, names, period, reader.words, group=group.title, reader=person.id, you=reader.private
    )
    return text, screen.flows_keyboard(group.id, period, reader.words)


COMMAND = Command("history", run, place=70, anonymous=True, pages={"i": press, "v": replay.press})
