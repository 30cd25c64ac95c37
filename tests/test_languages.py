"""Languages: one's own by /lang, the group's by /settings; and one more is one more file."""

from __future__ import annotations

import re
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

import data.texts
from data.texts import Texts, catalogue_for, check_catalogues, language_for, menu_languages
from handlers.application import set_menu
from handlers.commands import COMMANDS
from playground.methods.identity import commands_for
from tests.support import town as towns
from tests.support.evening import excused, line_of, run_virtual
from tests.support.stories import arrived, last_message
from tests.support.town import Town

Story = Callable[[Town], Awaitable[None]]
Tell = Callable[[Story], None]


@pytest.fixture
def tell(tmp_path: Path) -> Tell:
    """Runs a story in a town where nobody has spoken yet."""

    async def whole(story: Story) -> None:
        town = Town(tmp_path / "languages.sqlite3", 3)
        await town.open()
        await story(town)
        wrong = [call for call in town.calls if call.status != 200 and not excused(call)]
        assert not wrong, line_of(wrong[0])
        await town.close()

    return lambda story: run_virtual(whole(story))


@pytest.fixture
def two_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two more languages, each a file and nothing else: one with a two-letter code, one that the CLDR does not know."""
    folder = tmp_path / "texts"
    shutil.copytree(data.texts.FOLDER, folder)
    english = (folder / "en.po").read_text("utf-8")
    for code, name, hello in (("ms", "Bahasa Melayu", "Tetapan saya"), ("nan", "Bân-lâm-gú", "Góa ê siat-tēng")):
        text = english.replace('msgstr "English"', f'msgstr "{name}"').replace("Language: en", f"Language: {code}")
        text = text.replace("⚙️ My settings", f"⚙️ {hello}").replace("Choose your language", f"{name}?")
        (folder / f"{code}.po").write_text(text, "utf-8")
    monkeypatch.setattr(data.texts, "FOLDER", folder)
    read = Texts.load(strict=True)
    monkeypatch.setattr(towns, "texts", lambda: read)


def labels(town: Town, chat: int) -> list[str]:
    """The words on the buttons of a chat's last_message message."""
    return [button["text"] for row in last_message(town, chat).keyboard for button in row]


def names_of(town: Town) -> list[str]:
    """How the languages that there are call themselves, in their order."""
    return [town.house.texts.get(language)("language.name") for language in town.house.texts.languages]


def test_a_language_more_is_one_file(tell: Tell, two_more: None) -> None:
    assert check_catalogues(data.texts.FOLDER) == []
    assert [language_for(code) for code in ("ms", "ms-SG", "nan", "nan-TW", "zh-TW")] == [
        "ms", "ms", "nan", "nan", "zh_Hant",
    ]  # fmt: skip

    async def story(town: Town) -> None:
        person, other, *_ = town.people
        crowd = town.world.crowd
        crowd.start(person)
        await arrived()
        assert labels(town, person) == names_of(town)
        assert {"Bahasa Melayu", "Bân-lâm-gú"} <= set(names_of(town))
        assert "Bahasa Melayu?" in last_message(town, person).content.text, "and it is asked in all of them"
        await town.press(person, person, r"hello\|ms")
        crowd.say(person, person, "/settings")
        await arrived()
        assert "Tetapan saya" in last_message(town, person).content.text
        assert "✅ Bahasa Melayu" in labels(town, person)
        await town.press(person, person, r"language\|nan")
        await arrived()
        assert "Góa ê siat-tēng" in last_message(town, person).content.text
        for command in ("/score", "/history", "/me", "/daily"):
            crowd.say(person, person, command)
            await arrived()
        assert "Góa ê siat-tēng" not in last_message(town, person).content.text

        crowd.say(person, person, "/lang")
        await arrived()
        assert "✅ Bân-lâm-gú" in labels(town, person)
        crowd.say(other, town.group_id, "/settings")
        await arrived()
        await town.press(town.people[0], town.group_id, r"g\|language$")
        await arrived()
        assert {"简体中文", "Bahasa Melayu"} <= {label.removeprefix("✅ ") for label in labels(town, town.group_id)}
        await town.press(town.people[0], town.group_id, r"g\|language\|ms$")
        await arrived()
        assert "🌐 Language: <b>Bahasa Melayu</b>" in last_message(town, town.group_id).content.text or (
            "🌐 Language: Bahasa Melayu" in last_message(town, town.group_id).content.text
        )
        await set_menu(town.house)
        menus = {language for _, language in town.world.commands}
        assert menus == {code or "" for code in menu_languages(town.house.texts.languages)}
        assert "ms" in menus
        assert "nan" not in menus, "Telegram keeps menus for two-letter codes"

    tell(story)


def test_the_menu_is_in_the_readers_language(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await set_menu(town.house)
        menus = menu_languages(town.house.texts.languages)
        assert menus.items() >= {None: "en", "zh": "zh_Hans", "en": "en"}.items()
        assert all(code is None or len(code) == 2 for code in menus)
        for person in town.people:
            chat = town.world.crowd.chat(person, person)
            listed = {entry["command"]: entry["description"] for entry in commands_for(town.world, chat, person)}
            code = town.world.crowd.person(person).language_code
            words = town.house.texts.get("zh_Hans" if (code or "en").startswith("zh") else "en")
            assert listed == {
                command.name: words(f"command.{command.name}") for command in COMMANDS if command.listed_for("private")
            }

    tell(story)


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("en", "en"), ("EN-GB", "en"), ("english", "en"), ("zh-tw", "zh_Hant"), ("繁體中文", "zh_Hant"),
        ("zh_hans", "zh_Hans"), ("auto", None),
    ],
)  # fmt: skip
def test_lang_with_a_name_chooses_at_once(tell: Tell, said: str, language: str | None) -> None:
    async def story(town: Town) -> None:
        person = town.people[0]
        town.world.crowd.start(person)
        await arrived()
        town.world.crowd.say(person, person, f"/lang {said}")
        await arrived()
        kept = await town.store.person(1)
        assert kept is not None
        assert (kept.language if kept.language_chosen else None) == language
        name = town.house.texts.get(kept.language)("language.name")
        assert name in last_message(town, person).content.text
        town.world.crowd.say(person, person, "/settings")
        await arrived()
        own = town.house.texts.get(kept.language)("settings.own")
        assert re.sub("<[^>]*>", "", own) in last_message(town, person).content.text

    tell(story)


@pytest.mark.parametrize("said", ["/lang", "/lang klingon"])
def test_lang_alone_offers_what_there_is_and_each_press_changes_it(tell: Tell, said: str) -> None:
    async def story(town: Town) -> None:
        person = town.people[0]
        town.world.crowd.say(person, person, said)
        await arrived()
        menu = last_message(town, person)
        assert labels(town, person) == [*names_of(town), "✅ 跟 Telegram 一样"]
        assert "Language: English" in (await town.press(person, person, r"p\|lang\|en") or "")
        await arrived()
        assert last_message(town, person).id == menu.id
        assert "✅ English" in labels(town, person)
        forged = await town.press_data(person, person, menu.id, "s|p|lang|tlh", force=True)
        assert forged == town.house.texts.get("en")("toast.forged")
        await town.press(person, person, r"p\|lang\|auto")
        await arrived()
        assert "✅ 跟 Telegram 一样" in labels(town, person)

    tell(story)


def test_in_a_group_lang_changes_nobody_elses_language(tell: Tell) -> None:
    async def story(town: Town) -> None:
        one, other = town.people[:2]
        for person in (one, other):
            town.world.crowd.start(person)
        town.world.crowd.say(one, town.group_id, "/lang")
        await arrived()
        (button,) = last_message(town, town.group_id).keyboard[0]
        payload = button["url"].partition("start=")[2]
        town.world.crowd.start(one, payload)
        await arrived()
        assert "English" in labels(town, one)
        town.world.crowd.say(one, town.group_id, "/lang en")
        await arrived()
        people = [await town.store.person(number) for number in (1, 2)]
        assert [person.language for person in people if person is not None] == ["en", "zh_Hans"]
        group = await town.store.group(1)
        assert group is not None
        assert group.language == "zh_Hans"

    tell(story)


@pytest.mark.parametrize(
    ("code", "found"),
    [("pt-BR", "pt_BR"), ("pt", "pt_BR"), ("pt-PT", "pt_BR"), ("zh", "zh_Hans"), ("zh-HK", "zh_Hant"),
     ("yue-HK", "zh_Hant"), ("nan-TW", "nan"), ("xx", None), ("", None)],
)  # fmt: skip
def test_the_nearest_catalogue_serves_a_code(code: str, found: str | None) -> None:
    assert catalogue_for(code, ("zh_Hans", "zh_Hant", "en", "nan", "pt_BR")) == found
