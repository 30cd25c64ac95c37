"""A reader of each language meets no other in a hand, its sheet and replay, settings, rules, and what goes wrong."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po

import data.texts
from handlers.commands import COMMANDS
from tests.support.evening import excused, line_of, run_virtual
from tests.support.stories import dealt, played_out
from tests.support.town import Town, texts
from tests.test_glossary import glossary

CODES = {"zh_Hans": "zh-hans", "zh_Hant": "zh-hant", "en": "en"}
LAST = ("join", "leave", "stop", "start")
"""These change what the others are about."""
SENT = sorted(
    (one.name for one in COMMANDS if one.name != "newgame" and not one.operators), key=lambda name: name in LAST
)
LOOKED_THROUGH = re.compile(r"[riyvlwu]\||s\||o\|")
LEFT_ALONE = re.compile(r"forget\|now|language|lang\||hello|\|close|l\|(deal|free)|l\|0\||best|film")
"""What would change the language, delete, deal anew, or draw for long."""

PAGES = 160
HAN = re.compile(r"[\u3400-\u9fff]+")


CHARACTERS = {"zh_Hans": "gb2312", "zh_Hant": "big5", "en": "ascii"}
"""Character sets that hold what is written in a language, and not what is written in the other two."""


@cache
def allowed(language: str) -> tuple[str, ...]:
    """What belongs to no language: how languages call themselves, and in English the Chinese words that it explains."""
    every = texts().get(None).every
    own = {words(key) for words in every.values() for key in ("language.name", "start.language")}
    own |= {"Language · 语言", "another language · 语言"}
    if language == "en":
        own |= {cell for row in glossary() for cell in row[:2]}
    return tuple(sorted(own, key=len, reverse=True))


def foreign(language: str, said: str, names: tuple[str, ...]) -> str:
    """The characters of a text that a reader of this language cannot read."""
    for known in (*names, *allowed(language)):
        said = said.replace(known, "")
    return "".join(sorted({one for one in "".join(HAN.findall(said)) if not _encodes(one, CHARACTERS[language])}))


def _encodes(character: str, codec: str) -> bool:
    try:
        character.encode(codec)
    except UnicodeEncodeError:
        return False
    return True


def strings(thing: Any) -> Iterator[str]:
    """All strings in what a picture is drawn from."""
    if isinstance(thing, str):
        yield thing
    elif is_dataclass(thing):
        for field in fields(thing):
            yield from strings(getattr(thing, field.name))
    elif isinstance(thing, (tuple, list, set, frozenset)):
        for one in thing:
            yield from strings(one)
    elif isinstance(thing, dict):
        for one in (*thing, *thing.values()):
            yield from strings(one)


async def look_through(town: Town, person: int, chat: int) -> None:
    """Press each button of what can be leafed through once."""
    pressed: set[str] = set()
    while len(pressed) < PAGES:
        fresh = [
            (message, button["callback_data"])
            for message, button in reversed(town.buttons(chat))
            if LOOKED_THROUGH.match(button["callback_data"])
            and not LEFT_ALONE.search(button["callback_data"])
            and button["callback_data"] not in pressed
        ]
        if not fresh:
            return
        message, data_ = fresh[0]
        pressed.add(data_)
        await town.press_data(person, chat, message.id, data_, force=True)
        await asyncio.sleep(3)


def test_the_search_for_foreign_characters_finds_them() -> None:
    assert foreign("en", "Press 准备", ()) == "准备"
    assert foreign("zh_Hant", "請按「准备」", ()) == "备"
    assert foreign("zh_Hans", "請按「准备」", ()) == "請"
    assert foreign("zh_Hans", "阿嬤 按 English", ("阿嬤",)) == ""


@pytest.mark.parametrize("language", CODES)
def test_a_catalogue_is_written_in_its_own_characters(language: str) -> None:
    with (data.texts.FOLDER / f"{language}.po").open("rb") as file:
        catalog = read_po(file)
    terms = {cell for row in glossary() for cell in row[:2]}
    for message in catalog:
        for form in (message.string,) if isinstance(message.string, str) else message.string:
            if message.id and message.id != "command.lang":
                own = terms if language == "en" else ()
                assert not foreign(language, form, tuple(sorted(own, key=len, reverse=True))), message.id


@pytest.mark.parametrize(("language", "game"), [("zh_Hans", 1), ("zh_Hant", 0), ("en", 2)])
def test_a_reader_meets_no_other_language(tmp_path: Path, language: str, game: int) -> None:
    async def story() -> None:
        town = Town(tmp_path / "reading.sqlite3", 11)
        for person in town.world.people.values():
            person.language_code = CODES[language]
        drawn: list[Any] = []
        digest = town.renderer.digest

        def noted(kind: Any, view: Any, words: Any) -> str:
            drawn.append(words)
            return digest(kind, view, words)

        town.renderer.digest = noted  # type: ignore[method-assign]
        await town.open()
        one = town.people[0]
        people = town.world.people.values()
        named = [part for person in people for part in (person.first_name, person.last_name) if part]
        names = (*named, town.chat(town.group_id).title or "")
        await town.seat_all(game=game)
        await dealt(town)
        for command in ("/hand", "/table", "/leave", "/join", "/newgame"):
            town.world.crowd.say(one, one, command)
            town.world.crowd.say(one, town.group_id, command)
            await asyncio.sleep(4)
        for chat in (one, town.group_id):
            # What is stale, what is not one's own, and what no button has.
            for data_ in ("m|1|1|1|0|d|1m", "t|1|kick", "t|99|sit", "v|r|99", "s|g|sound|off", "s|p|x|y", "nonsense"):
                who = town.people[1] if chat == town.group_id else one
                await town.press_data(who, chat, town.messages(chat)[-1].id, data_, force=True)
        await played_out(town, at_random=True)
        for command in SENT:
            town.world.crowd.say(one, one, f"/{command}")
            town.world.crowd.say(one, town.group_id, f"/{command}")
            await asyncio.sleep(5)
        for chat in (one, town.group_id):
            await look_through(town, one, chat)
        await town.close()
        wrong = [call for call in town.calls if call.status != 200 and not excused(call)]
        assert not wrong, line_of(wrong[0])

        said = {one for call in town.calls for one in strings(call.params) if not one.startswith(("AgAC", "attach://"))}
        said |= {one for words in drawn for one in strings(words)}
        said |= {toast for _, toast in town.toasts if toast}
        assert len(said) > 400
        told = {text: odd for text in said if (odd := foreign(language, text, names))}
        assert not told

    run_virtual(story())
