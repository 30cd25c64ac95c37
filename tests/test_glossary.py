"""The catalogues keep to docs/glossary.md: one word for one thing, and right plurals."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from handlers.draft import BEAT
from handlers.table_state import PACES

ROOT = Path(__file__).parent.parent
COLUMNS = {"zh_Hans": 0, "zh_Hant": 1, "en": 3}
CONVERTED = (
    "信息", "默認", "網絡", "聯網", "數據", "用戶", "軟件", "程序", "服務器", "屏幕", "視頻", "菜單", "激活", "硬盤",
    "打印", "短信", "鏈接", "賬", "水平", "身份", "普通話", "裏", "喫", "臺",
)  # fmt: skip
"""What a simplified text turned into traditional letters would say."""

ENOUGH = {
    "call.text": "one player is call.one",
    "coach.kinds": "fewer are named",
    "daily.row": "said from the second day on",
    "fact.seconds": "s is short for seconds",
    "hand.countdown_words": "s is short for seconds",
    "lobby.title_wanted": "one player is lobby.title_one",
    "toast.many_days": "said at the limit alone",
    "voice.too_long": "said of the limit",
}
"""English texts that name a number and need no plural forms, and why. Coins, tiles of a wall and stacks are many."""


@cache
def texts(language: str) -> dict[str, tuple[str, ...]]:
    """All texts of a catalogue, by key, with their forms."""
    with (ROOT / f"data/texts/{language}.po").open("rb") as file:
        catalog = read_po(file)
    return {
        message.id if isinstance(message.id, str) else message.id[0]: (
            (message.string,) if isinstance(message.string, str) else tuple(message.string)
        )
        for message in catalog
        if message.id
    }


@cache
def glossary() -> tuple[list[str], ...]:
    """The rows of the glossary's table."""
    lines = (ROOT / "docs/glossary.md").read_text("utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    assert all(len(row) == 7 for row in rows)
    return tuple(rows[1:])


def ruled_out(language: str) -> dict[str, str]:
    """The words that the glossary rules out in a language, with the term that stands for them."""
    found = {}
    for row in glossary():
        for part in row[6].split(" · "):
            name, _, words = part.partition(": ")
            if name == language:
                found |= dict.fromkeys(words.split(", "), row[COLUMNS[language]])
    return found


def has(text: str, word: str) -> bool:
    """Whether a text has a word: Latin ones whole, whatever their case."""
    if word.isascii():
        return re.search(rf"(?<![a-z]){re.escape(word)}(?![a-z])", text, re.IGNORECASE) is not None
    return word in text


@pytest.mark.parametrize("language", COLUMNS)
def test_no_text_uses_a_word_that_the_glossary_rules_out(language: str) -> None:
    out = ruled_out(language)
    assert len(out) > 10
    wrong = [
        f"{key}: {word!r} instead of {term!r}"
        for key, forms in texts(language).items()
        for word, term in out.items()
        if any(has(re.sub(r"\{\w+[^}]*\}", "", form), word) for form in forms)
    ]
    assert not wrong


@pytest.mark.parametrize("language", COLUMNS)
def test_every_term_of_the_glossary_is_in_use(language: str) -> None:
    said = "\n".join(form for forms in texts(language).values() for form in forms).lower()
    assert not [row[COLUMNS[language]] for row in glossary() if row[COLUMNS[language]].lower() not in said]


def test_every_kind_of_win_is_in_the_glossary() -> None:
    terms = {row[0]: row for row in glossary()}
    for key, (name,) in texts("zh_Hans").items():
        if key.startswith("win."):
            assert name in terms, key
            row = terms[name]
            assert texts("zh_Hant")[key] == (row[1],)
            assert texts("en")[key][0].lower() == row[3].lower(), key


def test_the_readings_are_those_that_are_called() -> None:
    calls = json.loads((ROOT / "data/voice/calls.json").read_text("utf-8"))
    shouts = {
        forms[0]: key.removeprefix("shout.") for key, forms in texts("zh_Hans").items() if key.startswith("shout.")
    }
    told = {row[0]: row[2] for row in glossary() if row[2] != "–"}
    both = told.keys() & shouts.keys()
    assert len(both) > 15
    assert {term: told[term] for term in both} == {term: calls[shouts[term]]["tailo"] for term in both}


def test_traditional_texts_are_written_and_not_converted() -> None:
    wrong = [
        f"{key}: {word}" for key, forms in texts("zh_Hant").items() for word in CONVERTED if word in "".join(forms)
    ]
    assert not wrong
    bare = re.compile(r"(?<!本)群(?!組)|發 /|一條語音")
    assert not [key for key, forms in texts("zh_Hant").items() if bare.search("".join(forms))]


@pytest.mark.parametrize("language", ["zh_Hans", "zh_Hant"])
def test_chinese_quotes_are_corner_brackets(language: str) -> None:
    assert not [key for key, forms in texts(language).items() if re.search("[“”‘’]", "".join(forms))]


def test_english_texts_that_count_have_a_singular() -> None:
    """「1 tiles」 nowhere: a number before a plural has forms, or a reason."""
    plural = re.compile(r"\{(n|kinds|live|hands|wins)\}(</b>)? [a-z]*s\b")
    one = {key for key, forms in texts("en").items() if len(forms) == 1 and plural.search(forms[0])}
    verbs = {key for key in one if re.search(r"\{n\} (is|s)\b", texts("en")[key][0])}
    option = {key for key in one if key.startswith("rules.option.")}
    assert one - verbs - option == ENOUGH.keys() - verbs
    for key, forms in texts("en").items():
        if len(forms) > 1:
            assert len(set(forms)) == 2, f"{key}: both forms are the same"


@pytest.mark.parametrize("language", COLUMNS)
def test_no_text_has_stray_spaces_or_marks_of_another_language(language: str) -> None:
    stray = re.compile(r"[，。！？；（）]" if language == "en" else r"[\u3400-\u9fff][,;!?]|\.\.\.")
    assert not [key for key, forms in texts(language).items() if any(stray.search(form) for form in forms)]


_NAMED = re.compile(r"feat\.hands_|timer\.|setting\.cover\.hint|admin\.")
"""Texts whose figures are their name, or an operator's example; what a timer's say is held to it below."""


@pytest.mark.parametrize("language", COLUMNS)
def test_coins_and_minutes_that_code_decides_are_fields(language: str) -> None:
    typed = [
        key
        for key, forms in texts(language).items()
        if not _NAMED.match(key)
        if any(re.search(r"\d[\d,]* ?(?:coins|minutes|seconds|金?[币幣]|分[钟鐘]|秒)|\d{3}", form) for form in forms)
    ]
    assert typed == []


@pytest.mark.parametrize("language", COLUMNS)
def test_texts_of_what_takes_seconds_say_how_many(language: str) -> None:
    for timer in ("fast", "normal"):
        pace = PACES[timer]
        assert re.findall(r"\d+", texts(language)[f"timer.{timer}"][0]) == [f"{pace.turn}", f"{pace.claim}"]
        assert re.findall(r"\d+", texts(language)[f"timer.short.{timer}"][0]) == [f"{pace.turn}"]
    assert f" {BEAT} " in texts(language)["setting.cover.hint"][0]
