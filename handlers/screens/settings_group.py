"""A group's settings: a page that says all of them, and a page for each that has several values."""

from __future__ import annotations

import re
from collections.abc import Sequence

from data.model import Group, Person
from data.texts import Html, Words
from handlers.names import shown_name
from handlers.outbox import Button, Keyboard, Message
from handlers.preferences import GROUP_MENU, OF_GROUP, GroupSettings, is_switch
from handlers.presses import setting_data
from handlers.screens.choices import fitting
from handlers.screens.seating import joined, lines
from handlers.screens.settings import choice, language_word, said
from handlers.wording import option_word
from mahjong.rulesets import RULESETS

PAGES = ("main", *(item for row in GROUP_MENU for item in row if not is_switch(OF_GROUP, item)))
NAMES_A_PAGE = 8

Row = tuple[Button, ...]


def group_menu(
    group: Group, page: str, words: Words, banned: Sequence[Person], number: int = 0, thread: int | None = None
) -> Message:
    """A page of the group's menu, one of ``PAGES``. ``banned``: who is; ``number``: which page of them, from 0."""
    settings = GroupSettings.of(group)
    if page == "main":
        text, rows = _main(settings, group, words, len(banned))
    elif page == "game":
        text, rows = _game(settings, words)
    elif page == "banned":
        text, rows = _banned(words, banned, number)
    else:
        text, rows = _one_of(page, settings, group, words)
    if page != "main":
        rows += ((Button(words("button.settings_back"), setting_data("g", "main")),),)
    return Message(group.telegram_id, text, rows, silent=True, thread_id=thread)


def now(words: Words, item: str, chosen: str | None) -> str:
    """What holds after a press: 「⏱ 快慢：快」."""
    if item == "option" and chosen is not None and (found := read_option(chosen)) is not None:
        rules, name, value = found
        return words("settings.now", name=words(f"game.{rules}"), value=option_word(words, name, value))
    return words("settings.now", name=words(f"setting.{item}"), value=_word(words, item, chosen))


def option_data(rules: str, number: int, value: int) -> str:
    """Callback data that gives a game's option of this number its value of that number."""
    return setting_data("g", "option", f"{rules}_{number}_{value}")


def read_option(chosen: str) -> tuple[str, str, int | bool] | None:
    """The game, the option's name and its value that ``option_data`` wrote; None for anything else."""
    rules, *numbers = chosen.rsplit("_", 2)
    if rules not in RULESETS or len(numbers) != 2 or not all(re.fullmatch(r"[0-9]{1,2}", text) for text in numbers):
        return None
    specs, (number, value) = RULESETS[rules].table_options, map(int, numbers)
    if number >= len(specs) or value >= len(specs[number].values):
        return None
    return rules, specs[number].name, specs[number].values[value]


def _main(settings: GroupSettings, group: Group, words: Words, banned: int) -> tuple[Html, Keyboard]:
    chosen = settings.options[settings.game]
    changed = [
        option_word(words, spec.name, chosen[spec.name])
        for spec in RULESETS[settings.game].table_options
        if chosen.get(spec.name, spec.default) != spec.default
    ]
    game = words(f"game.{settings.game}")
    text = lines(
        words.html("settings.group"),
        _line(words, "game", joined(words, [game, *changed])),
        *(_line(words, item, _word(words, item, _value(item, settings, group))) for item in _ITEMS),
        _line(words, "banned", words("setting.banned.count", n=banned) if banned else words("setting.banned.none")),
        words.html("settings.group_hint"),
    )

    def opens(item: str) -> Button:
        return Button(words(f"setting.{item}"), setting_data("g", item))

    def switch(item: str) -> Button:
        holds = _value(item, settings, group)
        text = words("settings.now", name=words(f"setting.{item}"), value=words(f"switch.{holds}"))
        return Button(text, setting_data("g", item, said(holds == "off")))

    rows = (
        *(tuple(switch(item) if is_switch(OF_GROUP, item) else opens(item) for item in row) for row in GROUP_MENU),
        (Button(words("button.settings_close"), setting_data("g", "close")),),
    )
    return text, rows


_ITEMS = (*OF_GROUP, "language")


def _value(item: str, settings: GroupSettings, group: Group) -> str:
    """A setting's value as a choice."""
    if item == "language":
        return group.language
    return said(getattr(settings, item))


def _word(words: Words, item: str, value: str | None) -> str:
    """A value as it is called; games and timers have their names elsewhere."""
    if item == "language" and value is not None:
        return language_word(words, value)
    return words(f"{_NAMED_BY.get(item, f'setting.{item}')}.{value}")


_NAMED_BY = {"voices": "setting.voice", "game": "game", "timer": "timer.short", "level": "level"}


def _line(words: Words, item: str, value: str) -> Html:
    return words.html("settings.line", name=words(f"setting.{item}"), value=value)


def _game(settings: GroupSettings, words: Words) -> tuple[Html, Keyboard]:
    """The games side by side; below, each option as it stands, which a press gives its next value."""
    games = fitting(
        choice(words, words(f"game.short.{rules}"), rules == settings.game, setting_data("g", "game", rules))
        for rules in RULESETS
    )
    rows: list[Row] = [*games]
    chosen = settings.options[settings.game]
    for number, spec in enumerate(RULESETS[settings.game].table_options):
        value = chosen.get(spec.name, spec.default)
        following = (spec.values.index(value) + 1) % len(spec.values)
        rows.append((Button(option_word(words, spec.name, value), option_data(settings.game, number, following)),))
    text = lines(_line(words, "game", words(f"game.{settings.game}")), words.html("setting.game.hint"))
    return text, tuple(rows)


def _one_of(page: str, settings: GroupSettings, group: Group, words: Words) -> tuple[Html, Keyboard]:
    """One setting with all its values, and what each means."""
    values = tuple(words.every) if page == "language" else tuple(map(said, OF_GROUP[page]))
    held = _value(page, settings, group)
    text = lines(
        _line(words, page, _word(words, page, held)),
        words.html(f"timer.{held}") if page == "timer" else None,
        *(words.html(key) for key in (f"setting.{page}.hint", f"setting.{page}.group_hint") if key in words),
    )
    rows = tuple(
        (choice(words, _word(words, page, value), value == held, setting_data("g", page, value)),) for value in values
    )
    return text, rows


def _banned(words: Words, banned: Sequence[Person], number: int) -> tuple[Html, Keyboard]:
    """Who may not sit here, by name; a press lets one in again."""
    last = max(0, (len(banned) - 1) // NAMES_A_PAGE)
    number = min(number, last)
    shown = banned[number * NAMES_A_PAGE : (number + 1) * NAMES_A_PAGE]
    count = words("setting.banned.count", n=len(banned)) if banned else words("setting.banned.none")
    rows: list[Row] = [
        (Button(words("button.unban", name=shown_name(person.name)), setting_data("g", "unban", str(person.id))),)
        for person in shown
    ]
    if last:
        turns = [
            (at, key) for at, key in ((number - 1, "button.newer"), (number + 1, "button.older")) if 0 <= at <= last
        ]
        rows.append(tuple(Button(words(key), setting_data("g", "banned", str(at))) for at, key in turns))
    return lines(_line(words, "banned", count), words.html("setting.banned.hint")), tuple(rows)
