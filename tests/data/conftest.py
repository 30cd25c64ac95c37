from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from data.store import Store


@pytest.fixture(params=["aiosqlite", "inline"])
def inline(request: pytest.FixtureRequest) -> bool:
    """Both ways of running the same queries."""
    return bool(request.param == "inline")


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new database, made once: the migrations take longer than most tests."""

    made = tmp_path_factory.mktemp("empty") / "mahjong.sqlite3"

    async def make() -> None:
        await (await Store.open(made)).close()

    asyncio.run(make())
    return made


@pytest.fixture
def path(tmp_path: Path, empty: Path) -> Path:
    """The file of an empty store."""
    return Path(shutil.copy(empty, tmp_path / "mahjong.sqlite3"))


@pytest.fixture
async def store(path: Path, inline: bool) -> AsyncIterator[Store]:
    """An empty store; what a test leaves behind must pass the audit."""
    opened = await Store.open(path, inline=inline)
    yield opened
    if inline:  # what is kept is the same either way
        assert await opened.audit() is None
    await opened.close()
