"""JSON and numbers from outside, read with care: nothing that breaks later what is done with them."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

DEEPEST = 64
"""Lists and objects within each other; the Bot API needs a dozen."""
DIGITS = 19
"""Of a whole number, at most: those of 64 bits."""


def read_json(source: str | bytes) -> Any:
    """A JSON document. Raises ValueError: it is none, it goes too deep, or a number is endless or none."""
    try:
        document = json.loads(source, parse_int=read_int, parse_float=read_float, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("too deep") from None
    level = [document]
    for _ in range(DEEPEST):
        level = [inner for one in level if isinstance(one, dict | list) for inner in _within(one)]
        if not level:
            return document
    raise ValueError("too deep")


def _within(one: dict[str, Any] | list[Any]) -> list[Any]:
    return [inner for inner in (one.values() if isinstance(one, dict) else one) if isinstance(inner, dict | list)]


def read_int(text: str) -> int:
    """A whole number in decimal. Raises ValueError: it is none, or too large."""
    if not (text.isascii() and text.removeprefix("-").isdigit() and len(text.removeprefix("-")) <= DIGITS):
        raise ValueError(f"not a number of at most {DIGITS} digits")
    return int(text)


def read_float(text: str) -> float:
    """A number. Raises ValueError: it is none, or has no end."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("not a finite number")
    return number


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")
