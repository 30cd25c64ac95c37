"""Commands as they are found in their folder, and the texts that list them for people."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from data.texts import Texts
from handlers.answers import SILENT, Answer
from handlers.calls import Call, Command
from handlers.commands import COMMANDS, pages_of
from handlers.presses import PagePress
from handlers.pressing import Pressing

TEXTS = Texts.load(strict=True)


async def run(call: Call) -> None:
    """Nothing."""


async def press(pressing: Pressing, pressed: PagePress) -> Answer:
    """Nothing."""
    return SILENT


@pytest.mark.parametrize("letters", ["m", "t", "h", "o", "s", "V", "-", "", "xy"])
def test_a_letter_that_no_page_can_have_is_refused_when_commands_are_found(letters: str) -> None:
    with pytest.raises(ValueError, match="/ping"):
        pages_of([Command("ping", run, pages={letters: press})])


def test_a_letter_is_one_commands_own() -> None:
    taken: Mapping[str, object] = pages_of(COMMANDS)
    assert "v" in taken, "a hand that is over"
    for letter in taken:
        with pytest.raises(ValueError, match=f"/ping.*{letter}"):
            pages_of([*COMMANDS, Command("ping", run, pages={letter: press})])


@pytest.mark.parametrize("language", TEXTS.languages)
def test_help_lists_the_commands_of_the_menus_and_no_other(language: str) -> None:
    listed = {one.name for one in COMMANDS if one.listed_for("private") or one.listed_for("group")}
    named = set(re.findall(r"(?<![\w/<])/([a-z]+)", TEXTS.get(language)("help.text")))
    assert named == listed
