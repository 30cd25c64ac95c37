"""Settings menus: one living message a chat, edited with every press; the toast says what holds now."""

from __future__ import annotations

from typing import get_args

from data.model import Person
from data.texts import Words
from handlers import settings_group
from handlers.answers import SILENT, Answer
from handlers.house import House
from handlers.outbox import Message
from handlers.preferences import OWN, HeardIn, Preferences, read_choice
from handlers.presses import SettingPress
from handlers.pressing import Pressing
from handlers.screens import settings as screen


async def press(pressing: Pressing, pressed: SettingPress) -> Answer:
    """A button of a settings menu: one's own in private, the group's in a group."""
    answer = None
    if pressing.private and pressed.scope == "p":
        answer = await _press_own(pressing, pressed)
    elif not pressing.private and pressed.scope == "g":
        answer = await settings_group.press(pressing, pressed)
    return answer if answer is not None else Answer("toast.forged")


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


def show_languages(house: House, person: Person, chat_id: int) -> None:
    """The languages to choose from, at the bottom of the private chat."""
    house.outbox.ring(_lang_key(person), _lang_menu(house, person, chat_id))


async def speak(house: House, person: Person, language: str) -> Person:
    """Speak this language with a person from now on (``screen.FOLLOW``: Telegram's), also at their tables."""
    person = await house.people.set_language(person, None if language == screen.FOLLOW else language)
    _speak_anew(house, person)
    return person


def _hello_key(person: Person) -> str:
    return f"hello:p{person.id}"


def _own_key(person: Person) -> str:
    return f"settings:p{person.id}"


def _lang_key(person: Person) -> str:
    return f"lang:p{person.id}"


def _lang_menu(house: House, person: Person, chat_id: int) -> Message:
    return screen.language_menu(chat_id, person, house.texts.get(person.language))


def _own_menu(house: House, person: Person, chat_id: int) -> Message:
    return screen.own_menu(chat_id, person, house.texts.get(person.language))


async def _press_own(pressing: Pressing, pressed: SettingPress) -> Answer | None:
    """Change one of the presser's own settings; None for what no menu of ours offers."""
    house, person = pressing.house, pressing.person
    key = {"hello": _hello_key, "open": _hello_key, "lang": _lang_key}.get(pressed.item, _own_key)(person)
    if pressing.message_id is not None:
        house.outbox.pressed(key, pressing.chat_id, pressing.message_id)
    languages = house.texts.languages
    match pressed.item, pressed.choice:
        case "hello", language if language in languages:
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
        case "voice", voice if voice in get_args(HeardIn):
            person = await hear(house, person, str(voice))
        case item, choice if (value := read_choice(OWN, item, choice)) is not None:
            person = await house.people.set_prefs(person, {item: value})
        case (("language" | "lang"), str(language)) if language in (*languages, screen.FOLLOW):
            person = await speak(house, person, language)
        case _:
            return None
    _speak_anew(house, person)
    menu = _lang_menu if pressed.item == "lang" else _own_menu
    house.outbox.want(key, menu(house, person, pressing.chat_id))
    item = "language" if pressed.item == "lang" else pressed.item
    return now(house.texts.get(person.language), item, pressed.choice)


async def hear(house: House, person: Person, voice: str) -> Person:
    """Hear calls in this tongue from now on (``HeardIn``), or none; voice notes are tried again."""
    return await house.people.set_prefs(person, {"voice": voice if voice != "off" else None, "voice_refused": None})


async def next_voice(house: House, person: Person) -> Answer:
    """The 🔊 button: off, Mandarin, Zhangzhou, off; what holds from now on."""
    tongues = get_args(HeardIn)
    voice = tongues[(tongues.index(Preferences.of(person).voice) + 1) % len(tongues)]
    person = await hear(house, person, voice)
    _speak_anew(house, person)
    return Answer(f"toast.sound.{voice}")


def _speak_anew(house: House, person: Person) -> None:
    """Whatever a person sees of their tables is shown as they want it from now on."""
    for table in house.tables_showing(person):
        table.showing.refresh_soon()


def now(words: Words, item: str, choice: str | None) -> Answer:
    """The toast that says what holds now, in the words given."""
    value = screen.language_word(words, choice or "") if item == "language" else words(f"setting.{item}.{choice}")
    text = words("settings.now", name=words(f"setting.{item}"), value=value)
    return Answer("alert.text", {"text": text})
