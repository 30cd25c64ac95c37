"""A group's settings: shown to anybody, changed by its admins alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from data.model import Group
from data.texts import Words
from handlers.answers import SILENT, Answer
from handlers.blacklist import unban
from handlers.house import House
from handlers.names import shown_name
from handlers.outbox import Message, Priority
from handlers.people import GROUPS
from handlers.preferences import OF_GROUP, TAKEN_UP, GroupSettings, is_switch, read_choice
from handlers.presses import SettingPress
from handlers.pressing import Pressing
from handlers.screens import settings_group as screen
from handlers.seating import is_admin
from mahjong.rulesets import RULESETS

Change = Callable[[GroupSettings], Mapping[str, Any]]


async def show(house: House, group: Group, thread: int | None) -> None:
    """The menu at the bottom of the group."""
    house.outbox.ring(_key(group), await _menu(house, group, thread, "main"), Priority.CHATTER)


async def press(pressing: Pressing, pressed: SettingPress) -> Answer | None:
    """Change a setting of the group pressed in, or turn a page; None for what no menu of ours offers."""
    house, chat = pressing.house, pressing.chat
    page = _page_after(pressed)
    unknown = pressed.item == "language" and pressed.choice not in (None, *house.texts.languages)
    if chat is None or chat.type not in GROUPS or page is None or unknown:
        return None
    group = await house.people.group(chat)
    if not await is_admin(house, chat.id, pressing.user_id):
        return Answer("toast.admins_only")
    if pressing.message_id is not None:
        house.outbox.pressed(_key(group), chat.id, pressing.message_id)
    if pressed.item == "close":
        house.outbox.drop(_key(group))
        return SILENT
    answer = await _do(pressing, group, pressed)
    group = await house.people.group(chat)
    number = int(pressed.choice) if pressed.item == "banned" and pressed.choice else 0
    house.outbox.want(_key(group), await _menu(house, group, pressing.thread, page, number), Priority.CHATTER)
    return answer


async def _do(pressing: Pressing, group: Group, pressed: SettingPress) -> Answer:
    """Change what the button says, if it changes anything; the answer is in the presser's own words."""
    house, item, choice = pressing.house, pressed.item, pressed.choice
    if item == "unban" and choice is not None:
        return await _unban(pressing, group, int(choice))
    if item == "language" and choice is not None:
        group = await house.people.set_group_language(group, choice)
    elif (change := _change(pressed)) is not None:
        group = await house.people.change_group(group, change)
    else:
        return SILENT
    await house.group_changed(group)
    text = screen.now(pressing.words, item, choice)
    begins = TAKEN_UP.get(item, "at_once")
    if house.table_of(group) is not None and begins != "at_once":
        text = pressing.words(f"settings.{begins}", text=text)
    return Answer("alert.text", {"text": text})


async def _unban(pressing: Pressing, group: Group, person_id: int) -> Answer:
    if person_id not in GroupSettings.of(group).banned:
        return Answer("toast.stale")
    await unban(pressing.house, group, person_id)
    person = pressing.house.people.known(person_id)
    return Answer("toast.unbanned", {"name": shown_name(person.name if person is not None else "")})


def _page_after(pressed: SettingPress) -> str | None:
    """The page that a press leads to; None for what no menu of ours offers."""
    item, choice = pressed.item, pressed.choice
    if _change(pressed) is not None:
        return "main" if is_switch(OF_GROUP, item) else "game" if item == "option" else item
    if choice is None:
        return item if item in (*screen.PAGES, "close") else None
    if item in ("banned", "unban") and choice.isdecimal() and choice.isascii() and len(choice) <= 15:
        return "banned"
    return "language" if item == "language" and choice is not None else None


def _change(pressed: SettingPress) -> Change | None:
    """What a press changes in the group's document, if its value may be chosen."""
    item, choice = pressed.item, pressed.choice or ""
    value = choice if item == "game" and choice in RULESETS else read_choice(OF_GROUP, item, choice)
    if value is not None:
        return lambda settings: {item: value}
    if item == "option" and (found := screen.read_option(choice)) is not None:
        rules, name, wanted = found
        return lambda settings: {
            "options": {**settings.options, rules: {**settings.options.get(rules, {}), name: wanted}}
        }
    return None


def _key(group: Group) -> str:
    return f"settings:g{group.id}"


async def _menu(house: House, group: Group, thread: int | None, page: str, number: int = 0) -> Message:
    words: Words = house.texts.get(group.language)
    banned = GroupSettings.of(group).banned
    if page == "banned":
        await house.people.load(banned)
    persons = [person for person_id in banned if (person := house.people.known(person_id)) is not None]
    return screen.group_menu(group, page, words, persons, number, thread)
