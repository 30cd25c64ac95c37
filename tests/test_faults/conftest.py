"""Stories of what goes wrong, told at a table where a hand has just been dealt."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.evening import check, run_virtual
from tests.support.stories import Story, dealt
from tests.support.town import Town

Tell = Callable[..., None]


@pytest.fixture
def tell(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Tell:
    """Tells a story, then checks what must always hold: coins, records, pictures, calls, and no error in the log.

    Options: ``playing``: a hand has been dealt; ``errors``: regular errors that the log may show; others go to
    ``Town``.
    """

    async def whole(story: Story, playing: bool, options: dict[str, object]) -> None:
        town = Town(tmp_path / "faults.sqlite3", 3, **options)  # type: ignore[arg-type]
        await town.open()
        await town.seat_all()
        if playing:
            await dealt(town)
        await story(town)
        town.world.faults.clear()
        await check(town)
        await town.close()

    def told(story: Story, *, playing: bool = True, errors: tuple[str, ...] = (), **options: object) -> None:
        run_virtual(whole(story, playing, options))
        loud = [record for record in caplog.records if record.levelno >= logging.ERROR]
        wrong = [record for record in loud if not any(one in record.getMessage() for one in errors)]
        assert not wrong, wrong[0].getMessage()

    return told
