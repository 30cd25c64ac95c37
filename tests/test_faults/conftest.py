"""Stories of what goes wrong, told at a table where a hand has just been dealt."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.evening import check, run_virtual
from tests.support.soon import over_soon
from tests.support.stories import Story, dealt
from tests.support.town import Town

Tell = Callable[..., None]


@pytest.fixture
def tell(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Tell:
    """Tells a story, then checks what must always hold: coins, records, pictures, calls, and no error in the log.

    Options: ``seated``: everybody sits at the group's table; ``playing``: a hand has been dealt; ``errors``: parts of
    errors that the log may show; others go to ``Town``, whose hands are over soon if they say nothing of its
    ``dealing``.
    """

    async def whole(story: Story, seated: bool, playing: bool, options: dict[str, object]) -> None:
        town = Town(tmp_path / "faults.sqlite3", 3, **{"dealing": over_soon, **options})  # type: ignore[arg-type]
        await town.open()
        if seated:
            await town.seat_all()
        if seated and playing:
            await dealt(town)
        await story(town)
        town.world.faults.clear()
        await check(town)
        await town.close()

    def told(
        story: Story, *, seated: bool = True, playing: bool = True, errors: tuple[str, ...] = (), **options: object
    ) -> None:
        run_virtual(whole(story, seated, playing, options))
        # What asyncio says of "pending" tasks is about those of earlier tests.
        said = [record for record in caplog.records if "but it is pending" not in record.getMessage()]
        loud = [record for record in said if record.levelno >= logging.ERROR]
        wrong = [record for record in loud if not any(one in record.getMessage() for one in errors)]
        assert not wrong, wrong[0].getMessage()

    return told
