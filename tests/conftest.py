"""What holds for all tests."""

from __future__ import annotations

from typing import Any

import pytest

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
