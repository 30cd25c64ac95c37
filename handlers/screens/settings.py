"""A person's own settings, and the first contact in private: language first (telegram.md)."""

from __future__ import annotations

from data.model import Person
from data.texts import Words
from handlers.names import shown_name
from handlers.outbox import Button, Keyboard, Message
from handlers.preferences import OWN, Preferences, is_switch
from handlers.presses import page_data, setting_data, table_data
from handlers.screens.choices import fitting
from handlers.screens.hearing import PAGE as RECORDINGS
from handlers.screens.seating import lines

FOLLOW = "auto"
"""The choice of language that follows Telegram's."""


def own_menu(chat_id: int, person: Person, words: Words) -> Message:
    """A person's settings: what holds now in words, and a button for each choice."""
    mine = Preferences.of(person)
    chosen: dict[str, str | bool] = {item: getattr(mine, item) for item in OWN}
    language = person.language if person.language_chosen else FOLLOW
    text = lines(
        words.html("settings.own"),
        *(
            words.html(
                "settings.line_hint",
                name=words(f"setting.{item}"),
                value=words(f"setting.{item}.{said(held)}"),
                hint=words(f"setting.{item}.{said(held)}.hint"),
            )
            for item, held in chosen.items()
        ),
        words.html("settings.line", name=words("setting.language"), value=language_word(words, language)),
    )
    keyboard = (
        *(row for item, held in chosen.items() for row in _rows(words, item, held)),
        (Button(words("button.recordings"), page_data(RECORDINGS, "list")),),
        *language_rows(words, language, "language"),
        (Button(words("button.settings_close"), setting_data("p", "close")),),
    )
    return Message(chat_id, text, keyboard, silent=True)


def _rows(words: Words, item: str, held: str | bool) -> Keyboard:
    """The buttons of one setting: what else it may be, or what a switch is now."""
    if is_switch(OWN, item):
        text = words("settings.now", name=words(f"setting.{item}"), value=words(f"switch.{said(held)}"))
        return ((Button(text, setting_data("p", item, said(not held))),),)
    return fitting(
        choice(words, words(_label(item, value)), value == held, setting_data("p", item, said(value)))
        for value in OWN[item]
    )


def _label(item: str, value: str | bool) -> str:
    """The key of what stands on a value's button: sounds are shorter there."""
    if item == "voice":
        return "button.sound.none" if value == "off" else f"button.sound.{value}"
    return f"setting.{item}.{value}"


def languages(chat_id: int, words: Words) -> Message:
    """The first thing anybody sees: which language to go on in, asked in all of them."""
    keyboard = tuple((Button(language_word(words, name), setting_data("p", "hello", name)),) for name in words.every)
    asked = dict.fromkeys(each("start.language") for each in words.every.values())
    text = words.html("list.asked", text=words("list.sep").join(asked))
    return Message(chat_id, text, keyboard, silent=True)


def language_menu(chat_id: int, person: Person, words: Words) -> Message:
    """/lang: what holds now, and a button for each language."""
    language = person.language if person.language_chosen else FOLLOW
    text = words.html("settings.line", name=words("setting.language"), value=language_word(words, language))
    return Message(chat_id, text, language_rows(words, language, "lang"), silent=True)


def language_word(words: Words, language: str) -> str:
    """A language as it calls itself; the choice that follows Telegram's in the reader's words."""
    return words("setting.language.auto") if language == FOLLOW else words.every.get(language, words)("language.name")


def language_rows(words: Words, chosen: str, item: str) -> Keyboard:
    """Every language, side by side as they fit, and the choice that follows Telegram's. ``item``: of the press."""
    buttons = [
        choice(words, language_word(words, name), name == chosen, setting_data("p", item, name))
        for name in (*words.every, FOLLOW)
    ]
    *languages, follow = buttons
    return (*fitting(languages), (follow,))


def hello(chat_id: int, person: Person, username: str, words: Words) -> Message:
    """What the bot is for, and the ways on. ``username``: the bot's own, for the link into a group."""
    keyboard: Keyboard = (
        *ways_to_begin(words),
        (Button(words("button.add_to_group"), url=f"https://t.me/{username}?startgroup=new"),),
        (Button(words("button.settings"), setting_data("p", "open")),),
    )
    return Message(chat_id, words.html("start.hello", name=shown_name(person.name)), keyboard, silent=True)


def ways_to_begin(words: Words) -> Keyboard:
    """To a first hand at once: with three computers, or with a coach."""
    return (
        (Button(words("button.practice"), table_data(0, "play"), style="primary"),),
        (Button(words("button.learn"), table_data(0, "learn"), style="success"),),
    )


def choice(words: Words, text: str, chosen: bool, data: str) -> Button:
    """One of several buttons of which one is chosen."""
    return Button(words("button.chosen" if chosen else "button.choice", text=text), data)


def said(value: str | bool) -> str:
    """A value as its choice in callback data and in keys of the catalogues; a switch is on or off."""
    return value if isinstance(value, str) else "on" if value else "off"
