"""What the bot uses of the Bot API: gathered while the tests run, held against the list in ``tests/contract.json``.

The list names every method, and for each the parameters and the fields within them, such as
`reply_markup.inline_keyboard.text`, with the version of the Bot API that brought it; for all that PTB knows, PTB's own
version. After a run what is used and not listed fails; after a whole run without a failure also what is listed and not
used.

    make contract

runs all tests and writes the list anew; `python -m pytest --write-contract FILES` adds what those files' tests use.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from telegram.constants import BOT_API_VERSION

from handlers.newer_calls import NEWER

PATH = Path(__file__).parent.parent / "contract.json"
Contract = dict[str, dict[str, str]]
"""By method: by parameter or field (for the method itself the empty name) the version."""


def read() -> Contract:
    """The committed list."""
    contract: Contract = json.loads(PATH.read_text("utf-8"))
    return contract


def write(contract: Contract) -> None:
    """Commit another list."""
    PATH.write_text(json.dumps(contract, indent=1, sort_keys=True) + "\n", "utf-8")


def listed(contract: Contract) -> set[tuple[str, str]]:
    """What a list names."""
    return {(method, name) for method, fields in contract.items() for name in fields}


def made_of(used: Iterable[tuple[str, str]]) -> Contract:
    """The list that names just this."""
    contract: Contract = {}
    for method, name in sorted(used):
        contract.setdefault(method, {})[name] = version_of(method, name)
    return contract


def version_of(method: str, name: str) -> str:
    """The version that brought a method or field: as listed in ``handlers/newer_calls.py``, else PTB's."""
    found = [
        newer.since
        for newer in NEWER
        if newer.method == method and (newer.field is None or name == newer.field or name.startswith(f"{newer.field}."))
    ]
    return found[0] if found else BOT_API_VERSION


def differences(used: set[tuple[str, str]], *, whole: bool) -> list[str]:
    """What is wrong, a line for each; ``whole``: every test has run, so all that is listed should have been used."""
    known = listed(read())
    lines = [f"the bot uses {shown(one)}, which tests/contract.json does not list" for one in sorted(used - known)]
    if whole:
        lines += [f"tests/contract.json lists {shown(one)}, which no test uses" for one in sorted(known - used)]
    return lines


def shown(one: tuple[str, str]) -> str:
    """A method, or a field of one, in words."""
    method, name = one
    return f"{name} of {method}" if name else method
