"""What people read stands in the catalogues, and everything in the catalogues is used."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

ROOT = Path(__file__).parent.parent
SPEAKING = [*sorted((ROOT / "handlers").rglob("*.py")), ROOT / "bot.py"]
DRAWN = (ROOT / "render/art", ROOT / "render/script.py")
"""The faces of tiles and the signs of the atlas: drawings of characters, which are no text."""

PROBES = {"一", "鿿", "庄", "庄0A"}
"""What is measured to know how high a font's characters are, and the bounds of a range; nobody reads it."""

SILENT = [
    path
    for room in ("render", "data", "operate", "mahjong")
    for path in sorted((ROOT / room).rglob("*.py"))
    if not any(path.is_relative_to(drawn) for drawn in DRAWN)
]
"""What says nothing of its own: it gets its words from elsewhere."""

SHOWN = {"Button": 0, "Message": 1, "say": 0, "send_message": 1, "answer": 1, "Html": 0, "BotCommand": 1}
"""Calls that show people a text, and which argument it is."""

CHINESE = re.compile(r"[\u3400-\u9fff]")


def literals(path: Path) -> Iterator[tuple[int, str]]:
    """All string literals of a file but docstrings, with their lines; of an f-string the fixed parts."""
    tree = ast.parse(path.read_text("utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.lineno, node.value


@cache
def keys() -> set[str]:
    """All keys of the default catalogue."""
    with (ROOT / "data/texts/zh_Hans.po").open("rb") as file:
        # A text with plural forms has two ids, which are the same here.
        return {message.id if isinstance(message.id, str) else message.id[0] for message in read_po(file) if message.id}


@pytest.mark.parametrize("path", [*SPEAKING, *SILENT], ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_chinese_text_stands_in_code(path: Path) -> None:
    for line, text in literals(path):
        assert text in PROBES or not CHINESE.search(text), f"{path.name}:{line}: {text!r} belongs in a catalogue"


@pytest.mark.parametrize("path", [*SPEAKING, *SILENT], ids=lambda path: path.relative_to(ROOT).as_posix())
def test_nothing_is_shown_to_people_that_stands_in_code(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        at = SHOWN.get(called)
        shown = [*node.args[at : at + 1]] if at is not None else []
        shown += [word.value for word in node.keywords if word.arg in ("text", "caption")]
        for one in shown:
            if isinstance(one, ast.Constant) and isinstance(one.value, str) and one.value not in keys():
                assert not re.search(r"[A-Za-z\u3400-\u9fff]{2}", one.value), f"{path.name}:{one.lineno}: {one.value!r}"


def test_every_text_is_used_and_every_key_in_code_is_there() -> None:
    known = keys()
    said = {text for path in SPEAKING for _, text in literals(path)}
    # Keys put together in code: "tile." + name, "toast." + verb, key + "_gain" …
    fronts = {text for text in said if re.fullmatch(r"[a-z_]+(\.[a-z_]+)*\.", text)}
    backs = {text for text in said if re.fullmatch(r"_[a-z]+", text)}
    unused = {
        key
        for key in known
        if key not in said
        and not any(key.startswith(front) for front in fronts)
        and not any(key.removesuffix(back) in said for back in backs)
    }
    assert not unused
    groups = {key.partition(".")[0] for key in known}
    for text in said:
        if re.fullmatch(r"[a-z_]+(\.[a-z_0-9]+)+", text) and text.partition(".")[0] in groups:
            assert text in known or any(key.startswith(text) for key in known), f"no text {text}"
