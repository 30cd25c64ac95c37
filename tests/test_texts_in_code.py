"""What people read stands in the catalogues, and everything in the catalogues is used."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

ROOT = Path(__file__).parent.parent
SPEAKING = [*sorted((ROOT / "handlers").rglob("*.py")), ROOT / "bot.py"]
CHINESE = re.compile(r"[\u3400-\u9fff]")


def literals(path: Path) -> Iterator[tuple[int, str]]:
    """All string literals of a file but docstrings, with their lines; of an f-string the fixed parts."""
    tree = ast.parse(path.read_text("utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.lineno, node.value


def keys() -> set[str]:
    """All keys of the default catalogue."""
    with (ROOT / "data/texts/zh_Hans.po").open("rb") as file:
        return {str(message.id) for message in read_po(file) if message.id}


@pytest.mark.parametrize("path", SPEAKING, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_chinese_text_stands_in_code(path: Path) -> None:
    for line, text in literals(path):
        assert not CHINESE.search(text), f"{path.name}:{line}: {text!r} belongs in a catalogue"


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
