"""The page that checks a hand offline: one HTML file that asks nothing of any server."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import data
from data.texts import Words
from mahjong.tiles import NAMES
from render.words import FourWords

FOLDER = Path(data.__file__).parent / "proof"
TEXTS = (
    "title", "what", "not", "good", "bad", "published", "open", "record",
    "form", "commitment", "wall", "gold", "moves", "end", "sums", "net", "coins",
    "unreadable", "dealt", "steps", "result", "dice", "no_dice", "file",
    "discard", "chow", "pong", "kong", "hu", "rob", "draws", "replaces", "flower", "turned", "no_pay",
)  # fmt: skip


PRACTISED = ("what", "published")
"""What is said otherwise of a hand whose seal stood in no group."""


def proof_page(
    record: Mapping[str, Any], commitment: str, names: FourWords, words: Words, *, practice: bool = False
) -> str:
    """The page for one record. ``commitment``: as it was published before the deal; ``names``: of the players.

    ``practice``: a hand of no group, whose seal was published nowhere.
    """
    texts = {name: words(f"proof.page.{name}") for name in TEXTS}
    if practice:
        texts |= {name: words(f"proof.page.{name}_practice") for name in PRACTISED}
    given = {
        "record": record,
        "commitment": commitment,
        "names": names,
        "tiles": {name: words(f"tile.{name}") for name in NAMES},
        "texts": texts,
    }
    # In a script, a "<" could end it.
    data_ = json.dumps(given, ensure_ascii=False).replace("<", "\\u003c").replace("\u2028", "\\u2028")
    page = _file("page", "html")
    parts = {
        "LANGUAGE": words.language.replace("_", "-"),
        "TITLE": escape(words("proof.page.title")),
        "STYLE": _file("page", "css"),
        "CHECK": _file("check", "js"),
        "SHOW": _file("show", "js"),
        "GIVEN": data_,
    }
    for name, text in parts.items():
        page = page.replace(f"@{name}@", text, 1)
    return page


@cache
def _file(name: str, kind: str) -> str:
    return (FOLDER / f"{name}.{kind}").read_text("utf-8")
