"""No button of a table that gathers, or of the settings, is cut on a phone of 360 points, in any language."""

from __future__ import annotations

import pytest

from data.model import Group
from data.texts import Texts
from handlers.outbox import Button, Keyboard
from handlers.screens.choices import WIDTHS, columns, fitting
from handlers.screens.lobby import lobby_keyboard
from handlers.screens.settings_group import PAGES, group_menu
from mahjong.rulesets import RULESETS
from tests.handlers.test_lobby import table_with

TEXTS = Texts.load(strict=True)
PLAIN = {1: 32.0, 2: 15.0, 3: 10.0}
"""Columns that so many buttons in a row show, where none is ticked."""


def cut(keyboard: Keyboard) -> list[str]:
    """The buttons that are not shown whole."""
    found = []
    for row in keyboard:
        ticked = any(button.text.startswith("✅") for button in row)
        room = dict(WIDTHS).get(len(row), PLAIN[1] - 3) if ticked else PLAIN.get(len(row), PLAIN[3])
        found += [button.text for button in row if columns(button.text) > room]
    return found


@pytest.mark.parametrize("language", TEXTS.languages)
@pytest.mark.parametrize("game", RULESETS)
@pytest.mark.parametrize("choosing", [False, True])
def test_no_button_of_a_lobby_is_cut(language: str, game: str, choosing: bool) -> None:
    state = table_with(1, 2)
    state.rules, state.choosing = game, choosing
    state.options = {spec.name: spec.default for spec in RULESETS[game].options}
    for spec in RULESETS[game].table_options:
        for value in spec.values:
            state.options = {**state.options, spec.name: value}
            assert cut(lobby_keyboard(state, TEXTS.get(language))) == []


@pytest.mark.parametrize("language", TEXTS.languages)
@pytest.mark.parametrize("page", PAGES)
def test_no_button_of_a_groups_settings_is_cut(language: str, page: str) -> None:
    for game in RULESETS:
        group = Group(1, -100_000, "周末麻将", False, language, {"game": game})
        assert cut(group_menu(group, page, TEXTS.get(language), (), 0).keyboard) == []


@pytest.mark.parametrize(
    ("texts", "rows"),
    [
        (("✅ 慢了才响", "每次都响", "不响"), (3,)),
        (("🔇 Off", "✅ 🔊 Mandarin", "🔊 Zhangzhou"), (2, 1)),
        (("简体中文", "繁體中文", "English", "✅ Melayu"), (3, 1)),
        (("✅ Indonesia", "English"), (2,)),
        (("Português brasileiro", "English"), (1, 1)),
    ],
)
def test_choices_stand_side_by_side_as_far_as_none_is_cut(texts: tuple[str, ...], rows: tuple[int, ...]) -> None:
    assert tuple(len(row) for row in fitting(Button(text, "-") for text in texts)) == rows
