"""A person's own settings, and the first contact in private: language first (telegram.md)."""

from __future__ import annotations

from typing import get_args

from data.model import Person
from data.texts import Words
from handlers.names import shown_name
from handlers.outbox import Button, Keyboard, Message
from handlers.preferences import Preferences, Ring
from handlers.presses import setting_data, table_data
from handlers.screens.seating import lines
from render.tiles import TILE_SETS

LANGUAGES = ("zh_Hans", "zh_Hant", "en")
FOLLOW = "auto"
"""The choice of language that follows Telegram's."""


def own_menu(chat_id: int, person: Person, words: Words) -> Message:
    """A person's settings: what holds now in words, and a button for each choice."""
    mine = Preferences.of(person)
    language = person.language if person.language_chosen else FOLLOW
    text = lines(
        words.html("settings.own"),
        words.html(
            "settings.line_hint",
            name=words("setting.ring"),
            value=words(f"setting.ring.{mine.ring}"),
            hint=words(f"setting.ring.{mine.ring}.hint"),
        ),
        words.html(
            "settings.line_hint",
            name=words("setting.confirm"),
            value=words(f"setting.confirm.{on_off(mine.confirm)}"),
            hint=words(f"setting.confirm.{on_off(mine.confirm)}.hint"),
        ),
        words.html(
            "settings.line_hint",
            name=words("setting.tiles"),
            value=words(f"setting.tiles.{mine.tiles}"),
            hint=words(f"setting.tiles.{mine.tiles}.hint"),
        ),
        words.html("settings.line", name=words("setting.language"), value=words(f"setting.language.{language}")),
    )
    keyboard = (
        tuple(
            choice(words, words(f"setting.ring.{ring}"), ring == mine.ring, setting_data("p", "ring", ring))
            for ring in get_args(Ring)
        ),
        (
            Button(
                words("settings.now", name=words("setting.confirm"), value=words(f"switch.{on_off(mine.confirm)}")),
                setting_data("p", "confirm", on_off(not mine.confirm)),
            ),
        ),
        tuple(
            choice(words, words(f"setting.tiles.{tiles}"), tiles == mine.tiles, setting_data("p", "tiles", tiles))
            for tiles in TILE_SETS
        ),
        tuple(
            choice(words, words(f"setting.language.{name}"), name == language, setting_data("p", "language", name))
            for name in LANGUAGES
        ),
        (
            choice(
                words, words(f"setting.language.{FOLLOW}"), language == FOLLOW, setting_data("p", "language", FOLLOW)
            ),
        ),
        (Button(words("button.settings_close"), setting_data("p", "close")),),
    )
    return Message(chat_id, text, keyboard, silent=True)


def languages(chat_id: int, words: Words) -> Message:
    """The first thing anybody sees: which language to go on in, asked in all of them."""
    keyboard = tuple(
        (Button(words(f"setting.language.{name}"), setting_data("p", "hello", name)),) for name in LANGUAGES
    )
    return Message(chat_id, words.html("start.language"), keyboard, silent=True)


def hello(chat_id: int, person: Person, username: str, words: Words) -> Message:
    """What the bot is for, and the ways on. ``username``: the bot's own, for the link into a group."""
    keyboard: Keyboard = (
        (Button(words("button.practice"), table_data(0, "practice"), style="primary"),),
        (Button(words("button.add_to_group"), url=f"https://t.me/{username}?startgroup=new"),),
        (Button(words("button.settings"), setting_data("p", "open")),),
    )
    return Message(chat_id, words.html("start.hello", name=shown_name(person.name)), keyboard, silent=True)


def choice(words: Words, text: str, chosen: bool, data: str) -> Button:
    """One of several buttons of which one is chosen."""
    return Button(words("button.chosen" if chosen else "button.choice", text=text), data)


def on_off(value: bool) -> str:
    """A switch as its choice in callback data and in keys of the catalogues."""
    return "on" if value else "off"
