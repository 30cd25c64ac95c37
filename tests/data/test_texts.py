"""Catalogues of texts."""

from __future__ import annotations

import doctest
import logging
from pathlib import Path

import pytest

import data.texts
from data.texts import Html, TextError, Texts, check_catalogues, language_for
from tests.catalogues import in_order

HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: {}\\n"\n\n'
ONE = "nplurals=1; plural=0;"
TWO = "nplurals=2; plural=(n != 1);"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(
        tmp_path, "zh_Hans", ONE, 'msgid "hello"\nmsgstr "你好，{name}"\n', plural("tiles", "{n} 张"), only("win", "胡")
    )
    write(tmp_path, "en", TWO, only("hello", "Hello, {name}"), plural("tiles", "{n} tile", "{n:,} tiles"))
    return tmp_path


def write(folder: Path, language: str, forms: str, *texts: str) -> None:
    (folder / f"{language}.po").write_text(HEADER.format(forms) + "\n".join(texts), "utf-8")


def only(key: str, text: str) -> str:
    return f'msgid "{key}"\nmsgstr "{text}"\n'


def plural(key: str, *forms: str) -> str:
    lines = (f'msgstr[{i}] "{form}"\n' for i, form in enumerate(forms))
    return f'msgid "{key}"\nmsgid_plural "{key}"\n' + "".join(lines)


def test_the_catalogues_agree() -> None:
    assert check_catalogues() == []
    texts = Texts.load(strict=True)
    assert texts.languages[0] == "zh_Hans"
    assert {"zh_Hans", "zh_Hant", "en"} <= set(texts.languages)


def test_the_catalogues_are_in_order() -> None:
    for path in sorted(data.texts.FOLDER.glob("*.po")):
        catalogue = path.read_text("utf-8")
        assert in_order(catalogue) == catalogue, f"{path.name}: `make texts` puts it in order"


def test_the_badges_of_the_computers_at_a_table_differ() -> None:
    every = Texts.load(strict=True)
    for language in every.languages:
        badges = {every.get(language)(f"computer.badge.{number}") for number in (1, 2, 3)}
        assert len(badges) == 3, language


def test_putting_a_catalogue_in_order_leaves_every_entry_as_it_is() -> None:
    entries = [plural("b", "one", "many"), "# Said aloud.\n#, fuzzy\n" + only("c", "x\\n  y"), only("a", "1")]
    head = HEADER.format("nplurals=2; plural=(n != 1);").strip("\n")
    mixed = "\n".join((head, "", *entries))
    assert in_order(mixed) == "\n".join((head, "", entries[2], entries[0], entries[1]))
    for wrong in (mixed + "\n" + only("a", "2"), mixed + "\n#~ gone\n"):
        with pytest.raises(ValueError, match=r"twice|without a key"):
            in_order(wrong)


def test_texts_with_fields_and_plurals(folder: Path) -> None:
    texts = Texts.load(folder, strict=True)
    en, zh = texts.get("en"), texts.get("zh_Hans")
    assert (en.language, zh.language) == ("en", "zh_Hans")
    assert en("hello", name="阿明") == "Hello, 阿明"
    assert [en.n("tiles", n) for n in (0, 1, 1_500)] == ["0 tiles", "1 tile", "1,500 tiles"]
    assert [zh.n("tiles", n) for n in (0, 1, 16)] == ["0 张", "1 张", "16 张"]
    assert en.n("hello", 3, name="x") == "Hello, x"


def test_another_language_falls_back_on_the_default(folder: Path) -> None:
    texts = Texts.load(folder, strict=True)
    assert texts.get("en")("win") == "胡"
    assert texts.get("fr").language == texts.get(None).language == "zh_Hans"
    assert "win" in texts.get("en")
    assert "lose" not in texts.get("en")


def test_fields_in_html_are_escaped_once(folder: Path) -> None:
    en = Texts.load(folder, strict=True).get("en")
    name = en.html("hello", name='<b>&"')
    assert name == 'Hello, &lt;b&gt;&amp;"'
    assert en.html("hello", name=name) == f"Hello, {name}"
    assert en.html("hello", name=Html("<b>x</b>")) == "Hello, <b>x</b>"
    assert en("hello", name="<b>") == "Hello, <b>"


def test_a_field_cannot_smuggle_fields(folder: Path) -> None:
    assert Texts.load(folder, strict=True).get("en")("hello", name="{name}{0}") == "Hello, {name}{0}"


def test_what_is_missing_raises_in_tests_and_is_logged_in_play(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    strict, lenient = Texts.load(folder, strict=True).get("en"), Texts.load(folder).get("en")
    with pytest.raises(TextError, match="no text lose"):
        strict("lose")
    with pytest.raises(TextError, match=r"hello cannot be filled.*name"):
        strict("hello", nam="x")
    with caplog.at_level(logging.ERROR):
        assert lenient("lose") == "lose"
        assert lenient("hello") == "Hello, {name}"
    assert len(caplog.records) == 2


@pytest.mark.parametrize(
    ("texts", "problem"),
    [
        ([only("hello", "Hi")], "en: hello names [], zh_Hans ['name']"),
        ([only("hello", "{name}{more}")], "en: hello names ['more', 'name'], zh_Hans ['name']"),
        ([], "en: hello is missing"),
        ([only("hello", "{name}"), only("extra", "x")], "en: extra is not in zh_Hans"),
        ([only("hello", "")], "en: hello is empty"),
        (["#, fuzzy\n" + only("hello", "{name}")], "en: hello is marked fuzzy"),
        ([only("hello", "{name")], "en: hello: expected '}' before end of string"),
        ([only("hello", "{}{name}")], "en: hello: a field must be a plain name: ''"),
        ([only("hello", "{name.x}")], "en: hello: a field must be a plain name: 'name.x'"),
        ([only("hello", "{name}"), only("win", "x"), only("win", "y")], "en: win is there 2 times"),
        ([only("hello", "{name}"), only("tiles", "{n}")], "en: tiles has plural forms in one of en and zh_Hans only"),
        ([plural("tiles", "{n} tile")], "en: tiles is empty"),
        ([plural("tiles", "{n} tile", "{n} tiles", "x")], "en.po cannot be read"),
        (["msgid hello"], "en.po cannot be read"),
    ],
)
def test_what_is_wrong_in_a_catalogue_is_named(folder: Path, texts: list[str], problem: str) -> None:
    write(folder, "en", TWO, *texts)
    found = check_catalogues(folder)
    assert [line for line in found if line.startswith(problem)], found


def test_catalogues_that_cannot_be_read(folder: Path, tmp_path: Path) -> None:
    (folder / "en.po").write_bytes(b'msgid ""\nmsgstr "\xff"\n')
    with pytest.raises(TextError, match=r"en\.po cannot be read"):
        Texts.load(folder)
    (folder / "zh_Hans.po").unlink()
    with pytest.raises(TextError, match=r"no catalogue zh_Hans\.po"):
        Texts.load(folder)


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("zh-hans", "zh_Hans"),
        ("zh-CN", "zh_Hans"),
        ("zh", "zh_Hans"),
        ("zh_SG", "zh_Hans"),
        ("zh-Hans-HK", "zh_Hans"),
        ("zh-TW", "zh_Hant"),
        ("ZH-HANT", "zh_Hant"),
        ("zh-Hant-CN", "zh_Hant"),
        ("zh-hk", "zh_Hant"),
        ("nan-TW", "zh_Hant"),
        ("cpx", "zh_Hans"),
        ("en", "en"),
        ("en-GB", "en"),
        ("id", "en"),
        ("?", "en"),
        ("", "zh_Hans"),
        (None, "zh_Hans"),
    ],
)
def test_the_catalogue_for_a_language_code(code: str | None, language: str) -> None:
    assert language_for(code) == language


def test_examples() -> None:
    assert doctest.testmod(data.texts).failed == 0
