"""The rules to read: opened for the game and options of a table, leafed through in private."""

from __future__ import annotations

import re

from data.model import Group, Person
from handlers.answers import SILENT, Answer
from handlers.house import House
from handlers.outbox import Priority
from handlers.preferences import GroupSettings, Preferences
from handlers.presses import PagePress
from handlers.pressing import Pressing
from handlers.screens import rules as screen
from handlers.screens.pictures import lobby_base
from handlers.screens.rules_pages import PAGES
from handlers.screens.rules_terms import GAMES, INDEX, OPEN, Terms, read_terms
from handlers.seating import at_live_table
from handlers.table import Table
from handlers.table_state import TableState
from mahjong.rulesets import of_game
from render.tiles import TileSet

PAYLOAD = "rules"
"""Of the deep link ``https://t.me/BOT?start=rules``; with a game and terms after it, ``rules_0_000-0-00-1``, for
these."""
_LINK = re.compile(rf"{PAYLOAD}_([0-9]{{1,2}})_([0-9-]{{1,40}})")

Opened = tuple[str, Terms]
"""A game, and what it is played by."""


def of_table(state: TableState, base: int, group: Group | None) -> Opened:
    """What a table plays; for the other games what its group has chosen."""
    settings = GroupSettings.of(group).options if group is not None else {}
    return state.rules, Terms({**settings, state.rules: state.options}, base)


def of_group(house: House, group: Group) -> Opened:
    """What the group's table plays, or would if it were opened now."""
    table = house.table_of(group)
    if table is not None:
        return of_table(table.state, _base(table), group)
    settings = GroupSettings.of(group)
    return settings.game, Terms(settings.options)


def of_person(house: House, person: Person) -> Opened:
    """What a person plays just now, else what they practised last."""
    table = at_live_table(house, person) or house.practice_of(person)
    if table is not None:
        return of_table(table.state, _base(table), table.group)
    return Preferences.of(person).game, Terms({})


def _base(table: Table) -> int:
    """The stake of the last hand, before the first one what it would be."""
    return table.hand.setup.base if table.hand is not None else lobby_base(table.state)


def link(house: House, opened: Opened) -> str:
    """The deep link that opens the rules of a game in private."""
    rules, terms = opened
    return f"https://t.me/{house.username}?start={PAYLOAD}_{GAMES.index(rules)}_{terms.code()}"


def follow(house: House, person: Person, argument: str) -> bool:
    """Open what a deep link's payload names. Returns False for one that is none of ours."""
    if argument == PAYLOAD:
        show(house, person, of_person(house, person))
        return True
    found = _LINK.fullmatch(argument)
    opened = _read(found[1], found[2]) if found is not None else None
    if opened is not None:
        show(house, person, opened)
    return opened is not None


def _read(game: str, code: str) -> Opened | None:
    number, terms = int(game), read_terms(code)
    return (GAMES[number], terms) if terms is not None and number < len(GAMES) else None


def show(house: House, person: Person, opened: Opened) -> None:
    """The contents, at the bottom of the private chat."""
    if person.telegram_id is not None:
        message = screen.page(
            house.renderer, person.telegram_id, *_at(opened, INDEX), house.texts.get(person.language), _tiles(person)
        )
        house.outbox.ring(_key(person), message, Priority.CHATTER)


async def press(pressing: Pressing, pressed: PagePress) -> Answer:
    """``u|PAGE|GAME|TERMS``: a page in the message pressed on; ``u|open|GAME|TERMS`` opens them in private.

    What a page says is no secret and is decided by these fields alone, so that forged ones show what a table of other
    options would play.
    """
    house, person = pressing.house, pressing.person
    number = pressed.number(1)
    opened = _read(str(number), pressed.fields[2]) if len(pressed.fields) == 3 and number is not None else None
    if opened is None:
        return Answer("toast.forged")
    name = pressed.fields[0]
    if name == OPEN:
        if not pressing.private:
            return Answer(url=link(house, opened))
        show(house, person, opened)
        return SILENT
    if not pressing.private or (name != INDEX and name not in of_game(PAGES, opened[0])):
        return Answer("toast.forged")
    if pressing.message_id is not None and pressing.genuine:
        house.outbox.pressed(_key(person), pressing.chat_id, pressing.message_id)
    message = screen.page(house.renderer, pressing.chat_id, *_at(opened, name), pressing.words, _tiles(person))
    house.outbox.want(_key(person), message, Priority.CHATTER)
    return SILENT


def _at(opened: Opened, name: str) -> tuple[str, str, Terms]:
    return opened[0], name, opened[1]


def _tiles(person: Person) -> TileSet:
    return Preferences.of(person).tiles


def _key(person: Person) -> str:
    return f"rules:p{person.id}"
