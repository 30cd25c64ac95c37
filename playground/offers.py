"""``--offers FILE``: what the page's welcome offers a newcomer to do with the bot (docs/playground.md)."""

from __future__ import annotations

import json
import re
from typing import Any

from playground.reading import read_json
from playground.schema import is_unicode

TEXTS = ("title", "text")
PAYLOAD = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""What Telegram lets a deep link carry."""
MOST = 6


class OffersError(Exception):
    """The file will not do; the text says why, in one line."""


def read(path: str) -> dict[str, Any]:
    """The offers of a file, as the state document carries them. Raises OffersError."""
    try:
        with open(path, encoding="utf-8") as file:
            document = read_json(file.read())
    except OSError as error:
        raise OffersError(f"Cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise OffersError(f"{path} is not JSON: {error}") from None
    if problem := _problem(document):
        raise OffersError(f"{path}: {problem}")
    return dict(document)


def _problem(document: Any) -> str | None:
    """What is wrong with it."""
    if not is_unicode(json.dumps(document, ensure_ascii=False)):
        return "half of a surrogate pair"
    if not isinstance(document, dict) or set(document) != {*TEXTS, "offers"}:
        return "expected an object of title, text and offers"
    offers = document["offers"]
    if not isinstance(offers, list) or not 1 <= len(offers) <= MOST:
        return f"offers is a list of 1 to {MOST}"
    for offer in offers:
        if not isinstance(offer, dict) or set(offer) not in ({*TEXTS, "mark", "start"}, {*TEXTS, "mark", "say"}):
            return "each offer has title, text, mark, and either start or say"
        if not all(isinstance(offer[name], str) and offer[name].strip() for name in offer if name not in TEXTS):
            return "mark, start and say are texts"
        if "start" in offer and not PAYLOAD.fullmatch(offer["start"]):
            return f"start is 1 to 64 of A-Z, a-z, 0-9, _ and -, not {offer['start']!r}"
    for named in (document, *offers):
        for name in TEXTS:
            texts = named[name]
            if not isinstance(texts, dict) or not texts or not all(isinstance(text, str) for text in texts.values()):
                return f"{name} is an object: language to text"
    return None
