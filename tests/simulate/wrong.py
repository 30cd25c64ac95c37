"""What a simulation finds."""

from __future__ import annotations


class Wrong(Exception):
    """Something that must not be; the text says what."""
