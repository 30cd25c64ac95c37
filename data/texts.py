"""The catalogues of texts: one gettext ``.po`` file a language, read at start with Babel.

Message ids are symbolic (``lobby.title``); fields are named (``{name}``, with Python's format specs: ``{coins:,}``).
A new language is one more file in ``data/texts/``: it is offered wherever languages are, by its own ``language.name``.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from gettext import c2py
from html import escape
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import Any, Final

from babel.messages.catalog import Catalog
from babel.messages.pofile import PoFileError, read_po

FOLDER: Final = Path(__file__).parent / "texts"
DEFAULT: Final = "zh_Hans"
"""The catalogue that stands in where another lacks a text, and that the others are held against."""

ENGLISH: Final = "en"
_CHINESE: Final = frozenset({"zh", "cmn", "nan", "cpx", "cdo", "hak", "yue", "wuu"})
_TRADITIONAL: Final = frozenset({"hant", "tw", "hk", "mo"})

log = logging.getLogger(__name__)


class TextError(Exception):
    """A catalogue that cannot be read, or (strict) a text that is missing or lacks a field."""


class Html(str):
    """Text that is HTML already: ``Words.html`` puts it in as it is."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class _Message:
    """The forms of one text (one, or a plural's) in the language whose rule picks among them."""

    forms: tuple[str, ...]
    form_of: Callable[[int], int]
    plural: bool


_Messages = Mapping[str, _Message]


class Words:
    """The texts of one language: ``words("lobby.title", name="阿明")``."""

    def __init__(
        self, language: str, chain: tuple[_Messages, ...], strict: bool, every: Mapping[str, Words] | None = None
    ) -> None:
        self.language = language
        self.every: Mapping[str, Words] = every if every is not None else {language: self}
        """The words of all languages there are, these among them; the default's first."""
        self._chain = chain
        self._strict = strict

    def __call__(self, key: str, /, **fields: Any) -> str:
        """A text with its fields put in, as plain text (buttons, toasts, pictures)."""
        return self._fill(key, None, fields)

    def n(self, key: str, n: int, /, **fields: Any) -> str:
        """The form of a text that goes with the number ``n``, which it may name as ``{n}``."""
        return self._fill(key, n, {"n": n, **fields})

    def html(self, key: str, /, **fields: Any) -> Html:
        """A text that holds HTML, its fields escaped unless they are ``Html`` themselves (message texts, captions)."""
        return Html(self._fill(key, None, _escaped(fields)))

    def html_n(self, key: str, n: int, /, **fields: Any) -> Html:
        """As ``html``, the form that goes with the number ``n``, which it may name as ``{n}``."""
        return Html(self._fill(key, n, {"n": n, **_escaped(fields)}))

    def __contains__(self, key: object) -> bool:
        return any(key in messages for messages in self._chain)

    def _fill(self, key: str, n: int | None, fields: Mapping[str, Any]) -> str:
        for messages in self._chain:
            if message := messages.get(key):
                form = message.forms[message.form_of(n) if n is not None else 0]
                if message.plural and n is None:
                    return self._wrong(f"{self.language}: {key} has forms for numbers, and is given none", form)
                try:
                    return form.format_map(fields)
                except (KeyError, IndexError, ValueError, TypeError) as error:
                    return self._wrong(f"{self.language}: {key} cannot be filled: {error!r}", form)
        return self._wrong(f"{self.language}: no text {key}", key)

    def _wrong(self, problem: str, instead: str) -> str:
        if self._strict:
            raise TextError(problem)
        # Someone is in the middle of a game: a bare text is better than none.
        log.error(problem)
        return instead


def _escaped(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: escape(value, quote=False) if isinstance(value, str) and not isinstance(value, Html) else value
        for name, value in fields.items()
    }


class Texts:
    """All catalogues: ``texts.get(person.language)``."""

    def __init__(self, catalogues: Mapping[str, _Messages], *, strict: bool = False) -> None:
        self._words: dict[str, Words] = {}
        for language, messages in catalogues.items():
            chain = (messages, catalogues[DEFAULT])[: 1 if language == DEFAULT else 2]
            self._words[language] = Words(language, chain, strict, self._words)

    @classmethod
    def load(cls, folder: Path | None = None, *, strict: bool = False) -> Texts:
        """Read all catalogues (of ``FOLDER``, else of another). Raises ``TextError`` for a file that is no catalogue.

        ``strict``, for tests: a missing text or field raises ``TextError``; else it is logged and the bare text used.
        """
        folder = folder or FOLDER
        return cls({language: _messages(_read(folder, language)) for language in _languages(folder)}, strict=strict)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages there are, the default first."""
        return tuple(self._words)

    def get(self, language: str | None) -> Words:
        """The words of a language; of the default one if there is no such catalogue."""
        return self._words.get(language or DEFAULT) or self._words[DEFAULT]


def language_for(code: str | None) -> str:
    """The catalogue for a Telegram language code (an IETF tag in any case): ``zh-TW`` → ``zh_Hant``.

    Chinese of any kind without a script or region to tell is simplified; a language without a catalogue is English;
    no code at all is the default.

    >>> [language_for(code) for code in ("zh-hans", "zh-HK", "zh", "nan-TW", "en-GB", "fr", None)]
    ['zh_Hans', 'zh_Hant', 'zh_Hans', 'zh_Hant', 'en', 'en', 'zh_Hans']
    """
    return (catalogue_for(code, _known(FOLDER)) or ENGLISH) if code else DEFAULT


def catalogue_for(code: str, languages: Collection[str]) -> str | None:
    """The one of these catalogues that serves a language code best, or None: the very one, then the same language in
    another region, then, for Chinese of any kind, the one in its script."""
    tag = code.lower().replace("_", "-")
    primary, *rest = tag.split("-")
    tags = {name.lower().replace("_", "-"): name for name in languages}
    if tag in tags:
        return tags[tag]
    # A script says more than a region: zh-Hans-HK is simplified.
    script = "hant" if "hans" not in rest and not _TRADITIONAL.isdisjoint(rest) else "hans"
    served = [name for known, name in tags.items() if known.split("-")[0] == primary]
    if primary in _CHINESE and not (served and primary != "zh"):
        return tags.get(f"zh-{script}")
    return served[0] if served else None


def menu_languages(languages: Iterable[str]) -> dict[str | None, str]:
    """The catalogue for each two-letter code that Telegram keeps a menu of commands for (setMyCommands), the first of
    those that share one; None: for everybody else."""
    menus: dict[str | None, str] = {None: ENGLISH}
    for name in languages:
        primary = name.split("_")[0]
        if len(primary) == 2:
            menus.setdefault(primary, name)
    return menus


def check_catalogues(folder: Path = FOLDER) -> list[str]:
    """What is wrong in the catalogues, a line each: unreadable or badly written texts, texts that are empty, marked
    fuzzy, written twice, missing or unknown against the default catalogue, fields or plural forms that differ."""
    problems: list[str] = []
    fields: dict[str, dict[str, set[str]]] = {}
    plurals: dict[str, set[str]] = {}
    for language in _languages(folder):
        try:
            catalog = _read(folder, language)
        except TextError as error:
            problems.append(str(error))
            continue
        ids = Counter(re.findall(r'^msgid "(.+)"', (folder / f"{language}.po").read_text("utf-8"), re.MULTILINE))
        problems += [f"{language}: {key} is there {times} times" for key, times in ids.items() if times > 1]
        fields[language], plurals[language] = {}, set()
        for key, forms, plural, fuzzy in _texts(catalog):
            if plural:
                plurals[language].add(key)
            if fuzzy:
                problems.append(f"{language}: {key} is marked fuzzy")
            if not all(forms):
                problems.append(f"{language}: {key} is empty")
            try:
                fields[language][key] = set().union(*map(_fields, forms))
            except ValueError as error:
                problems.append(f"{language}: {key}: {error}")
    model = fields.get(DEFAULT, {})
    for language, texts in fields.items():
        problems += [f"{language}: {key} is missing" for key in model if key not in texts]
        problems += [f"{language}: {key} is not in {DEFAULT}" for key in texts if key not in model]
        for key in texts.keys() & model.keys():
            if texts[key] != model[key]:
                problems.append(f"{language}: {key} names {sorted(texts[key])}, {DEFAULT} {sorted(model[key])}")
            if (key in plurals[language]) != (key in plurals[DEFAULT]):
                problems.append(f"{language}: {key} has plural forms in one of {language} and {DEFAULT} only")
    return sorted(problems)


def _fields(text: str) -> set[str]:
    """The names of a text's fields. Raises ``ValueError`` for bad braces and for fields that are not plain names."""
    names = {name for _, name, _, _ in Formatter().parse(text) if name is not None}
    if odd := sorted(name for name in names if not name.isidentifier()):
        raise ValueError(f"a field must be a plain name: {odd[0]!r}")
    return names


def _languages(folder: Path) -> tuple[str, ...]:
    names = sorted(path.stem for path in folder.glob("*.po"))
    if DEFAULT not in names:
        raise TextError(f"no catalogue {DEFAULT}.po in {folder}")
    primary = DEFAULT.split("_")[0]
    # The default, the same language in another script, then the others by their codes.
    return tuple(sorted(names, key=lambda name: (name != DEFAULT, name.split("_")[0] != primary, name)))


@cache
def _known(folder: Path) -> tuple[str, ...]:
    return _languages(folder)


def _read(folder: Path, language: str) -> Catalog:
    path = folder / f"{language}.po"
    try:
        # abort_invalid: else Babel prints to the terminal and reads on.
        catalog = read_po(BytesIO(path.read_bytes()), locale=language, abort_invalid=True)
        # Its rule for plurals must be one, too.
        c2py(catalog.plural_expr)
        return catalog
    except (OSError, PoFileError, ValueError, LookupError) as error:
        raise TextError(f"{path.name} cannot be read: {' '.join(str(error).split())}") from error


def _texts(catalog: Catalog) -> Iterator[tuple[str, tuple[str, ...], bool, bool]]:
    """Key, forms, whether they are a plural's, whether marked fuzzy, of each text (the header is none)."""
    for message in catalog:
        key = message.id if isinstance(message.id, str) else message.id[0]
        forms = (message.string,) if isinstance(message.string, str) else tuple(message.string or ("",))
        if key:
            yield key, forms, bool(message.pluralizable), message.fuzzy


def _messages(catalog: Catalog) -> dict[str, _Message]:
    plural_rule = c2py(catalog.plural_expr)
    return {
        key: _Message(forms, plural_rule if plural else lambda _: 0, plural)
        for key, forms, plural, fuzzy in _texts(catalog)
        if all(forms) and not fuzzy
    }
