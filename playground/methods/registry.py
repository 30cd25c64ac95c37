"""How a method is written and entered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from playground.files import Upload

if TYPE_CHECKING:
    from playground.world import World

Args = dict[str, Any]
Uploads = Mapping[str, Upload]
Method = Callable[["World", Args, Uploads], Any]


def entry(methods: dict[str, Method], *names: str) -> Callable[[Method], Method]:
    """Decorator: enters a function under its names in the Bot API."""

    def enter(method: Method) -> Method:
        for name in names:
            methods[name] = method
        return method

    return enter
