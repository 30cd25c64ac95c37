"""What the bot uses of the Bot API exists there, what is newer than PTB stands in one place, and older servers do."""

from __future__ import annotations

import ast
import asyncio
import inspect
import re
from pathlib import Path
from typing import Any

import pytest
import telegram
from telegram import Bot
from telegram.constants import BOT_API_VERSION

from handlers.application import set_menu
from handlers.newer_calls import NEWER
from playground import versions
from playground.schema import ARRAY, schema
from tests.support import contract
from tests.support.evening import check, run_virtual
from tests.support.town import Town
from tests.test_conduct import chat_of, dealt, played_out

ROOT = Path(__file__).parent.parent
LISTED = contract.read()
ENTRIES = sorted(contract.listed(LISTED))


def kinds_of(types: list[str]) -> list[str]:
    """The object types that a field may hold, lists and unions taken apart."""
    plain = [kind.replace(ARRAY, "") for kind in types]
    return [leaf for kind in plain if kind in schema().types for leaf in schema().leaves(kind)]


def owners(method: str, name: str) -> list[str]:
    """The object types in which the last field of a path within a parameter is looked for; [] for a parameter."""
    first, *path = name.split(".")
    kinds = kinds_of(schema().methods[method]["fields"][first]["types"]) if path else []
    for field in path[:-1]:
        fields = [schema().types[kind].get("fields", {}).get(field) for kind in kinds]
        kinds = [leaf for found in fields if found for leaf in kinds_of(found["types"])]
    return kinds


def known_to_ptb(method: str, name: str) -> bool:
    """Whether PTB's method takes the parameter, or one of its classes the field."""
    call: Any = getattr(Bot, re.sub("([A-Z])", r"_\1", method).lower(), None)
    if call is None or not name:
        return call is not None
    first, *path = name.split(".")
    if first not in inspect.signature(call).parameters:
        return False
    if not path:
        return True
    classes = [getattr(telegram, kind, None) for kind in owners(method, name)]
    parent = ".".join([first, *path[:-1]])
    return known_to_ptb(method, parent) and any(
        path[-1] in (*inspect.signature(one).parameters, "type") for one in classes if one is not None
    )


@pytest.mark.parametrize(("method", "name"), ENTRIES)
def test_what_the_bot_uses_is_in_the_bot_api_and_as_old_as_it_is_said_to_be(method: str, name: str) -> None:
    assert method in schema().methods
    first, *path = name.split(".")
    if name:
        assert first in schema().methods[method]["fields"]
    if path:
        assert any(path[-1] in schema().types[kind].get("fields", {}) for kind in owners(method, name))
    assert LISTED[method][name] == contract.version_of(method, name)
    assert known_to_ptb(method, name) == (LISTED[method][name] == BOT_API_VERSION)


def test_what_is_listed_as_newer_than_the_library_is_newer_used_and_told_what_becomes_of_it() -> None:
    for newer in NEWER:
        assert versions.read_version(newer.since) > versions.read_version(BOT_API_VERSION)
        assert newer.older
        if newer.method != "getUpdates":
            assert (newer.method, newer.field or "") in ENTRIES


def test_what_is_newer_than_the_library_is_called_in_one_place() -> None:
    """Only there are PTB's ways around itself used; elsewhere for keyboards alone, which it knows."""
    for path in sorted([ROOT / "bot.py", *(ROOT / "handlers").rglob("*.py")]):
        if path.name == "newer_calls.py":
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            assert not (isinstance(node, ast.Attribute) and node.attr == "do_api_request"), path
            given = node.value if isinstance(node, ast.keyword) and node.arg == "api_kwargs" else None
            if isinstance(node, ast.Dict):
                names = zip(node.keys, node.values, strict=True)
                given = next((value for key, value in names if getattr(key, "value", "") == "api_kwargs"), None)
            if given is not None:
                assert ast.unparse(given).startswith("markup("), f"{path}:{given.lineno}"


@pytest.mark.parametrize("version", [BOT_API_VERSION, "10.1", "10.2"])
def test_a_whole_hand_is_played_on_an_older_server(tmp_path: Path, version: str) -> None:
    async def story() -> None:
        town = Town(tmp_path / "older.sqlite3", 7, version=version)
        await town.open()
        await set_menu(town.house)
        await town.seat_all()
        await dealt(town)
        town.world.crowd.say(chat_of(town, 1), town.group_id, "/hand")
        await asyncio.sleep(10)
        await played_out(town, at_random=True)
        await check(town)
        # Only the question whether the server has such messages is refused: by one that does not know it, or in words.
        refused = {(call.method, call.status) for call in town.calls if call.status != 200}
        assert refused == {("deleteEphemeralMessage", 404 if version != "10.2" else 400)}
        own = [m for m in town.world.chats[town.group_id].ephemeral.values() if m.sender == town.world.bot.id]
        assert not own
        await town.close()

    run_virtual(story())


def test_a_use_that_is_not_listed_is_named_and_one_that_is_gone_only_when_all_has_run() -> None:
    used = set(ENTRIES)
    assert contract.differences(used, whole=True) == []
    more = contract.differences(used | {("sendPhoto", "has_spoiler")}, whole=False)
    assert more == ["the bot uses has_spoiler of sendPhoto, which tests/contract.json does not list"]
    fewer = used - {("sendDice", "")}
    assert contract.differences(fewer, whole=False) == []
    assert contract.differences(fewer, whole=True) == ["tests/contract.json lists sendDice, which no test uses"]
