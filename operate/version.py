"""The program's version: it stands in ``pyproject.toml`` and nowhere else."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path


@cache
def version() -> str:
    """Such as ``1.0.0``."""
    with (Path(__file__).parent.parent / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])
