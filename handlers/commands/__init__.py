"""The commands: each file of this folder says what it is (``Command``), and no other code names it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from handlers.calls import Command, PageHandler
from handlers.presses import PAGE_LETTER


def _found() -> tuple[Command, ...]:
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    commands = {one.name: one for module in modules for one in vars(module).values() if isinstance(one, Command)}
    return tuple(sorted(commands.values(), key=lambda command: (command.place, command.name)))


def pages_of(commands: Iterable[Command]) -> dict[str, PageHandler]:
    """What the buttons of these commands' answers do, by the letter that they begin with.

    Raises ``ValueError`` for a letter that two have, or that no button of a page can begin with.
    """
    pages: dict[str, PageHandler] = {}
    for command in commands:
        if unfit := [letter for letter in command.pages if not PAGE_LETTER.fullmatch(letter)]:
            raise ValueError(f"/{command.name}: {unfit} cannot begin the buttons of a page (handlers/presses.py)")
        if taken := pages.keys() & command.pages.keys():
            raise ValueError(f"/{command.name}: the letters {sorted(taken)} begin the buttons of another command")
        pages.update(command.pages)
    return pages


COMMANDS: Final = _found()
"""In the order of Telegram's menu."""
PAGES: Final[Mapping[str, PageHandler]] = pages_of(COMMANDS)
"""What the buttons of their answers do, by the letter that they begin with."""
