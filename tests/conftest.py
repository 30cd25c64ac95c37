"""What holds for all tests."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.support.stories import Tell

SPREAD = "tests/test_simulation.py::"
"""Tests that are long and need nothing of each other."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Over the processes of pytest-xdist: a file's tests stay together, but for those that are to be spread."""
    from xdist.scheduler import LoadFileScheduling

    class ByFile(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return nodeid if nodeid.startswith(SPREAD) else str(super()._split_scope(nodeid))

    return ByFile(config, log)


@pytest.fixture
def tell(tmp_path: Path) -> Tell:
    """Stories that begin with everybody at the table."""
    # Most tests need none of what stories need.
    from tests.support.stories import teller

    return teller(tmp_path)


@pytest.fixture
def tell_from_the_start(tmp_path: Path) -> Tell:
    """Stories in a town where nobody has done anything yet."""
    from tests.support.stories import teller

    return teller(tmp_path, seated=False)
