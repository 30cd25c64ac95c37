"""Giving memory back: pictures of many sizes leave gaps that glibc keeps for itself."""

from __future__ import annotations

import ctypes
import sys
from typing import Final

_TRIM: Final = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None


def give_back() -> None:
    """Return what is free to the system (malloc_trim(3)); does nothing where there is no glibc."""
    if _TRIM is not None:
        _TRIM(0)
