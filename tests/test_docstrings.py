"""Whatever a file offers others says what it is: every module, class, function and method without an underscore."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("mahjong", "render", "data", "handlers", "operate", "playground")
BY_NAME = (
    "bot",
    *sorted(
        path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        # To import these is to run them.
        if path.name != "__main__.py" and "migrations" not in path.parts
    ),
)


def offered(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """Classes and functions of a module by name, and the methods and properties of its classes."""
    for name, one in vars(module).items():
        if name.startswith("_") or getattr(one, "__module__", None) != module.__name__:
            continue
        if isinstance(one, FunctionType | type):
            yield name, one
        if isinstance(one, type):
            for inner in vars(one):
                if not inner.startswith("_") and callable(getattr(one, inner)) | isinstance(vars(one)[inner], property):
                    yield f"{name}.{inner}", getattr(one, inner)


@pytest.mark.parametrize("name", BY_NAME)
def test_what_a_file_offers_is_described(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__doc__ or module.__file__.endswith("__init__.py")  # type: ignore[union-attr]
    # What stands in for a method of its base is described there.
    assert [known for known, one in offered(module) if not inspect.getdoc(one)] == []
