"""Settings menus: one living message a chat, edited with every press; the toast says what holds now."""

from __future__ import annotations

import logging
from typing import get_args

from data.model import Person
from data.texts import Words
from handlers import settings_group
from handlers.answers import SILENT, Answer
from handlers.house import House
from handlers.outbox import Message
from handlers.preferences import Ring
from handlers.presses import SettingPress
from handlers.pressing import Pressing
from handlers.screens import settings as screen
from render.tiles import TILE_SETS

log = logging.getLogger(__name__)


async def press(pressing: Pressing, pressed: SettingPress) -> Answer:
    """A button of a settings menu: one's own in private, the group's in a group."""
    answer = None
    if pressing.private and pressed.scope == "p":
        answer = await _press_own(pressing, pressed)
    elif not pressing.private and pressed.scope == "g":
        answer = await settings_group.press(pressing, pressed)
    if answer is None:
        log.warning("forged callback data from person %d", pressing.person.id)
        return Answer("toast.forged")
    return answer


def greet(house: House, person: Person, chat_id: int) -> None:
    """The first contact: whoever has not chosen a language is asked for it before anything else."""
    words = house.texts.get(person.language)
    if person.language_chosen:
        message = screen.hello(chat_id, person, house.username, words)
    else:
        message = screen.languages(chat_id, words)
    house.outbox.ring(_hello_key(person), message)


def show_own(house: House, person: Person, chat_id: int) -> None:
    """A person's own settings, at the bottom of the private chat."""
    house.outbox.ring(_own_key(person), _own_menu(house, person, chat_id))


def _hello_key(person: Person) -> str:
    return f"hello:p{person.id}"


def _own_key(person: Person) -> str:
    return f"settings:p{person.id}"


def _own_menu(house: House, person: Person, chat_id: int) -> Message:
    return screen.own_menu(chat_id, person, house.texts.get(person.language))


async def _press_own(pressing: Pressing, pressed: SettingPress) -> Answer | None:
    """Change one of the presser's own settings; None for what no menu of ours offers."""
    house, person = pressing.house, pressing.person
    key = _hello_key(person) if pressed.item in ("hello", "open") else _own_key(person)
    if pressing.message_id is not None:
        house.outbox.pressed(key, pressing.chat_id, pressing.message_id)
    match pressed.item, pressed.choice:
        case "hello", language if language in screen.LANGUAGES:
            person = await house.people.set_language(person, language)
            _speak_anew(house, person)
            words = house.texts.get(person.language)
            house.outbox.want(key, screen.hello(pressing.chat_id, person, house.username, words))
            return now(words, "language", language)
        case "open", None:
            show_own(house, person, pressing.chat_id)
            return SILENT
        case "close", None:
            house.outbox.drop(key)
            return SILENT
        case "ring", ring if ring in get_args(Ring):
            person = await house.people.set_prefs(person, {"ring": ring})
        case "confirm", ("on" | "off") as switch:
            person = await house.people.set_prefs(person, {"confirm": switch == "on"})
        case "tiles", tiles if tiles in TILE_SETS:
            person = await house.people.set_prefs(person, {"tiles": tiles})
        case "language", language if language in (*screen.LANGUAGES, screen.FOLLOW):
            person = await house.people.set_language(person, None if language == screen.FOLLOW else language)
        case _:
            return None
    _speak_anew(house, person)
    house.outbox.want(key, _own_menu(house, person, pressing.chat_id))
    return now(house.texts.get(person.language), pressed.item, pressed.choice)


def _speak_anew(house: House, person: Person) -> None:
    """Whatever a person sees of their tables is shown as they want it from now on."""
    for table in house.tables_with(person):
        table.showing.refresh_soon()


def now(words: Words, item: str, choice: str | None) -> Answer:
    """The toast that says what holds now, in the words given."""
    text = words("settings.now", name=words(f"setting.{item}"), value=words(f"setting.{item}.{choice}"))
    return Answer("alert.text", {"text": text})
