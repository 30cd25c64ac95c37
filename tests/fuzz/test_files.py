"""Files that were right once: catalogues, offers, a playground's state, a database. Read, or refused in a line."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import tempfile
from contextlib import closing, redirect_stderr, redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hypothesis import strategies as st

import bot
import data.texts
from data.errors import StoreError
from data.store import Store
from data.texts import DEFAULT, TextError, Texts, check_catalogues
from playground import offers
from playground.state import StateError, StateFile, document_of
from playground.world import World
from tests.data.samples import four
from tests.fuzz.entrances import entrance, perhaps_refused
from tests.fuzz.made_up import bent, damaged

CATALOGUE = (data.texts.FOLDER / "en.po").read_bytes()[:20_000].rpartition(b"\n\n")[0] + b"\n"
OFFERS = json.loads((data.texts.FOLDER / "playground.json").read_text("utf-8"))


@entrance(15, damage=damaged(CATALOGUE))
def test_a_catalogue_is_read_or_refused_by_name(damage: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, f"{DEFAULT}.po").write_bytes(CATALOGUE)
        Path(folder, "en.po").write_bytes(damage)
        for line in check_catalogues(Path(folder)):
            assert line.startswith(("en", DEFAULT)), line
        with perhaps_refused(TextError):
            assert Texts.load(Path(folder)).get("en")("button.join")


@entrance(60, document=bent(OFFERS))
def test_offers_are_read_or_refused_in_a_line(document: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "offers.json")
        file.write_bytes(json.dumps(document).encode())
        with perhaps_refused(offers.OffersError):
            offers.read(str(file))


@entrance(30, damage=damaged(json.dumps(OFFERS).encode()))
def test_offers_of_any_bytes_are_read_or_refused(damage: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "offers.json")
        file.write_bytes(damage)
        with perhaps_refused(offers.OffersError):
            offers.read(str(file))


@cache
def world_document() -> Any:
    """What a playground in which something has been said keeps."""
    world = World(seed=1)
    person, chat = next(iter(world.people)), next(chat.id for chat in world.chats.values() if not chat.private)
    world.crowd.start(person)
    world.crowd.say(person, chat, "/help")
    world.call(world.token, "sendMessage", {"chat_id": person, "text": "x"})
    return json.loads(json.dumps(document_of(world)))


@entrance(40, draw=st.data())
def test_a_world_comes_back_or_is_refused_in_a_line(draw: st.DataObject) -> None:
    document = draw.draw(bent(world_document()))
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "state.sqlite3"))
        StateFile(path).close()
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("INSERT INTO document VALUES (1, ?)", (json.dumps(document),))
        with closing(StateFile(path)) as file, perhaps_refused(StateError):
            file.load(World())


@cache
def database() -> bytes:
    """The file of a store that knows four people."""

    async def make(path: Path) -> None:
        store = await Store.open(path, inline=True)
        await four(store)
        await store.close()

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "store.sqlite3")
        asyncio.run(make(path))
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
        return path.read_bytes()


@entrance(12, draw=st.data())
def test_a_damaged_database_is_looked_through_copied_and_put_back_or_refused(draw: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, copy, back = (Path(folder, name) for name in ("store.sqlite3", "copy.sqlite3", "back.sqlite3"))
        path.write_bytes(draw.draw(damaged(database())))
        for of, command in ((path, ["audit"]), (path, ["backup", str(copy)]), (back, ["restore", str(path)])):
            out, err = StringIO(), StringIO()
            with patch.dict("os.environ", {"DATABASE_PATH": str(of)}), redirect_stdout(out), redirect_stderr(err):
                status = bot.main(command)
            assert status in (0, 1)
            assert len((out if status == 0 else err).getvalue().splitlines()) == 1

        async def opened() -> None:
            with perhaps_refused(StoreError):
                store = await Store.open(path, inline=True)
                await store.close()

        asyncio.run(opened())
