"""Settings menus: within Telegram's limits in every language, and every button of theirs is one that is understood."""

from __future__ import annotations

from typing import Any

import pytest

from data.model import Group, Person
from data.texts import Texts
from handlers import settings_group
from handlers.outbox import Message
from handlers.preferences import GroupSettings, Preferences
from handlers.presses import SettingPress, read_press
from handlers.screens.settings import hello, languages, own_menu
from handlers.screens.settings_group import NAMES_A_PAGE, PAGES, group_menu, read_option
from mahjong.rulesets import RULESETS

TEXTS = Texts.load(strict=True)
LANGUAGES = TEXTS.languages


def person(number: int = 1, name: str = "阿明", **prefs: Any) -> Person:
    return Person(number, 5_000_000_000 + number, name, None, "zh_Hans", True, True, prefs)


def group(**settings: Any) -> Group:
    return Group(1, -100_000, "周末麻将", False, "zh_Hans", settings)


def check(message: Message) -> None:
    """Telegram's limits (Bot API), and buttons that say something."""
    assert len(message.text) <= 4096
    assert message.silent
    for row in message.keyboard:
        assert 1 <= len(row) <= 8
        for button in row:
            assert button.text.strip()
            assert button.url is not None or read_press(button.data or "") is not None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", RULESETS)
@pytest.mark.parametrize("page", PAGES)
def test_every_button_of_a_groups_menu_is_understood(language: str, game: str, page: str) -> None:
    banned = [person(number, "名" * 64) for number in range(2, 30)]
    message = group_menu(group(game=game), page, TEXTS.get(language), banned, 1, 7)
    check(message)
    assert message.thread_id == 7
    for row in message.keyboard:
        for button in row:
            pressed = read_press(button.data or "")
            assert isinstance(pressed, SettingPress)
            assert pressed.scope == "g"
            assert settings_group._page_after(pressed) is not None, button


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ring", ["slow", "always", "never"])
@pytest.mark.parametrize(("confirm", "tiles"), [(True, "plain"), (False, "contrast"), (True, "large")])
def test_ones_own_menu_and_the_first_contact_keep_within_limits(
    language: str, ring: str, confirm: bool, tiles: str
) -> None:
    words = TEXTS.get(language)
    someone = person(name="名" * 64, ring=ring, confirm=confirm, tiles=tiles)
    menu = own_menu(1, someone, words)
    for message in (menu, languages(1, words), hello(1, someone, "some_bot", words)):
        check(message)
    assert sum("✅" in button.text for row in menu.keyboard for button in row) == 4


def data_of(message: Message) -> list[str]:
    return [button.data or "" for row in message.keyboard for button in row]


@pytest.mark.parametrize("game", RULESETS)
def test_pressing_an_option_time_after_time_goes_through_all_its_values(game: str) -> None:
    kept = group(game=game)
    for number, spec in enumerate(RULESETS[game].table_options):
        values = []
        for _ in spec.values:
            menu = group_menu(kept, "game", TEXTS.get(None), ())
            pressed = next(read_press(data) for data in data_of(menu) if f"|{game}_{number}_" in data)
            assert isinstance(pressed, SettingPress)
            change = settings_group._change(pressed)
            assert change is not None
            kept = group(**{**kept.settings, **change(GroupSettings.of(kept))})
            values.append(GroupSettings.of(kept).options[game][spec.name])
        assert sorted(map(str, values)) == sorted(map(str, spec.values))
        assert values[-1] == spec.default


NO_OPTIONS = [
    "", "zhangzhou", "zhangzhou_0", "zhangzhou_0_0_0", "go_0_0", "zhangzhou_-1_0", "zhangzhou_0_9", "zhangzhou_99_0",
    "zhangzhou_x_0", "zhangzhou__", "_0_0",
]  # fmt: skip


@pytest.mark.parametrize("chosen", NO_OPTIONS)
def test_an_option_that_no_game_has_is_none(chosen: str) -> None:
    assert read_option(chosen) is None


def test_a_blacklist_of_many_has_pages() -> None:
    words = TEXTS.get(None)
    banned = [person(number, f"P{number}") for number in range(20)]
    shown = []
    for number in range(3):
        message = group_menu(group(), "banned", words, banned, number)
        names = [row[0].text for row in message.keyboard if "unban" in (row[0].data or "")]
        assert len(names) <= NAMES_A_PAGE
        shown += names
    assert len(set(shown)) == 20
    beyond = group_menu(group(), "banned", words, banned[:8], 2)
    assert len([row for row in beyond.keyboard if "unban" in (row[0].data or "")]) == 8


def test_documents_of_other_versions_read_as_defaults() -> None:
    assert (
        Preferences.of(person(ring="loud", confirm=1, tiles="none", voice="latin", recordings=["x"], muted=3))
        == Preferences()
    )
    odd = GroupSettings.of(
        group(game="go", timer=3, cover=None, options={"zhangzhou": {"x": 1}}, banned=["a", 3, True])
    )
    assert (odd.game, odd.timer, odd.cover, odd.options["zhangzhou"], odd.banned) == (
        "zhangzhou",
        "normal",
        "full",
        {},
        (3,),
    )
