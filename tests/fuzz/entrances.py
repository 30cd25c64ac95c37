"""How an entrance is tried: with a few made-up things in the suite, by `make fuzz` with all there is time for."""

from __future__ import annotations

import inspect
import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, Final

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

MINUTES: Final = float(os.environ.get("FUZZ_MINUTES", "0"))
"""For all entrances together; 0: a few examples each."""
BATCH: Final = 100
"""Examples that grow from one seed."""
share = 0.0
"""Seconds for one entrance: set once it is known how many there are (``conftest.py``)."""
tried: dict[str, int] = {}
"""How many examples each entrance was given."""


def entrance(few: int, **strategies: SearchStrategy[Any]) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """A test that is handed made-up things by name; ``few``: how many times in the suite, always the same ones."""

    def decorate(check: Callable[..., None]) -> Callable[[], None]:
        @wraps(check)
        def counted(**made: Any) -> None:
            tried[check.__name__] = tried.get(check.__name__, 0) + 1
            check(**made)

        def trial(examples: int, number: int) -> None:
            quiet = settings(
                max_examples=examples,
                database=None,
                suppress_health_check=list(HealthCheck),
                print_blob=False,
                # Where few are tried because each takes long, to make one smaller would take for ever.
                phases=[Phase.generate, *([Phase.shrink] if few > BATCH / 5 else [])],
            )
            seed(number)(quiet(given(**strategies)(counted)))()

        @wraps(check)
        def test() -> None:
            if not MINUTES:
                trial(few, 1)
                return
            until, number = time.monotonic() + share, 0
            while time.monotonic() < until:
                number += 1
                trial(min(BATCH, few), number)

        # What it is handed is no fixture.
        test.__signature__ = inspect.Signature()  # type: ignore[attr-defined]
        return test

    return decorate


@contextmanager
def perhaps_refused(kind: type[Exception], *never: str) -> Iterator[None]:
    """What is in it is done, or an exception of this kind says in one line, with none of these texts, what is wrong."""
    try:
        yield
    except kind as error:
        said = str(error)
        if len(said.splitlines()) != 1 or any(text in said for text in never):
            raise AssertionError(said) from error


class _Errors(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(logging.Formatter().format(record))


@contextmanager
def no_error_logged() -> Iterator[None]:
    """Whatever happens in between, nothing is logged as an error."""
    errors = _Errors()
    logging.getLogger().addHandler(errors)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(errors)
    assert errors.lines == []
