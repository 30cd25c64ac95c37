"""What holds for all tests."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from tests.support import calls

if TYPE_CHECKING:
    from tests.support.stories import Tell

# The same examples everywhere (`make fuzz` looks for others), however long the machine takes over one.
settings.register_profile("same", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("same")

SPREAD = "tests/test_simulation.py::"
"""Tests that are long and need nothing of each other."""

ORDER = (
    *("mahjong", "data", "handlers", "render"),
    *("", "test_faults"),
    *("test_real_process.py", "test_image.py"),
    *("independent", "fuzz", "playground", "operate", "test_simulation.py"),
)
"""What runs first, by folder or file: parts, stories ("": any other file), what takes longer, longest files first so
that no process is left alone with one. Browsers come last."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One process more than there are cores: some tests wait for programs that they have started."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Over the processes of pytest-xdist: a file's tests stay together, but for those that are to be spread."""
    from xdist.scheduler import LoadFileScheduling

    class ByFile(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return nodeid if nodeid.startswith(SPREAD) else str(super()._split_scope(nodeid))

    return ByFile(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Fast ones first."""
    items.sort(key=_late)


def _late(item: pytest.Item) -> int:
    if item.get_closest_marker("browser"):
        return len(ORDER)
    place = item.path.relative_to(Path(__file__).parent).parts[0]
    return ORDER.index(place) if place in ORDER else ORDER.index("")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-contract", action="store_true", help="list what the bot uses of the Bot API")


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Hold what the bot has used against the list; a process of pytest-xdist hands it to the one that began it."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["calls"] = sorted(calls.seen)
    elif calls.seen:
        _hold_to_contract(session, whole=exitstatus == pytest.ExitCode.OK and _is_whole(session.config))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """A process of pytest-xdist has ended."""
    calls.seen.update((method, name) for method, name in getattr(node, "workeroutput", {}).get("calls", ()))


def _is_whole(config: pytest.Config) -> bool:
    """Whether all tests there are have run, none of them skipped for want of a program."""
    narrow = ("keyword", "markexpr", "deselect", "lf", "maxfail", "ignore", "ignore_glob", "collectonly")
    everything = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter is not None and reporter.stats.get("skipped")
    return everything and not skipped and not any(config.getoption(name, None) for name in narrow)


def _hold_to_contract(session: pytest.Session, *, whole: bool) -> None:
    from tests.support import contract

    if session.config.getoption("--write-contract"):
        contract.write(contract.made_of(calls.seen if whole else calls.seen | contract.listed(contract.read())))
    elif wrong := contract.differences(calls.seen, whole=whole):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        say = session.config.get_terminal_writer()
        say.line()
        for line in wrong:
            say.line(line, red=True)
        say.line("If that is meant: make contract (tests/support/contract.py says more)", red=True)


@pytest.fixture
def tell(tmp_path: Path) -> Tell:
    """Stories that begin with everybody at the table, whose hands are over soon."""
    # Most tests need none of what stories need.
    from tests.support.stories import teller

    return teller(tmp_path)


@pytest.fixture
def tell_from_the_start(tmp_path: Path) -> Tell:
    """Stories in a town where nobody has done anything yet."""
    from tests.support.stories import teller

    return teller(tmp_path, seated=False)


@pytest.fixture
def tell_fairly(tmp_path: Path) -> Tell:
    """Stories that begin with everybody at the table, whose hands are dealt as they are for everybody."""
    from handlers.dealing import setup_of
    from tests.support.stories import teller

    return teller(tmp_path, dealing=setup_of)
