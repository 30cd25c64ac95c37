"""The time of `make fuzz` is for all entrances alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz import entrances


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = [item for item in items if Path(__file__).parent in item.path.parents]
    entrances.share = entrances.MINUTES * 60 / max(1, len(here))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if entrances.MINUTES:
        for name, number in entrances.tried.items():
            terminalreporter.write_line(f"{number:>8,}  {name}")
