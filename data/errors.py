"""What can go wrong when the store is used. After any of these the database is as it was before the call."""

from __future__ import annotations

from typing import Final

UNREADABLE: Final = (ValueError, TypeError, RecursionError)
"""What reading a column raises in which something else stands than was written: another form, or nested without end."""


class StoreError(Exception):
    """Base of all errors of the store; ``str()`` is one plain line that may be shown to the operator."""


class StoreUnwritable(StoreError):
    """The database cannot be written (or not even read) now: no such folder, read-only, disk full, locked, broken."""


class StoreNewer(StoreError):
    """The database was written by a newer version of this program; nothing was touched."""


class Conflict(StoreError):
    """The change does not fit what is kept: a journal number already used, a closed table, a second open table of one
    group, a second running hand of one table, an unknown id."""


class NotEnough(StoreError):
    """A wallet has fewer free coins than were to be held, or a hand would take more than it holds."""
