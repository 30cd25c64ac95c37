"""The methods and fields of the Bot API that the bot uses while the tests of this process run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

seen: set[tuple[str, str]] = set()
"""By method and field; the method itself with the empty name, fields within fields as `media.type`."""


def note(method: str, params: Mapping[str, Any]) -> None:
    """Remember one call of the bot."""
    seen.add((method, ""))
    for name, value in params.items():
        _note(method, name, value)


def _note(method: str, name: str, value: Any) -> None:
    if isinstance(value, Mapping):
        seen.add((method, name))
        for field, inner in value.items():
            _note(method, f"{name}.{field}", inner)
    elif isinstance(value, list | tuple):
        seen.add((method, name))
        for inner in value:
            _note(method, name, inner)
    else:
        seen.add((method, name))
