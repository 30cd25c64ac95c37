"""Addresses that a bot or a browser gives, taken apart with care."""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit


def split(url: str) -> SplitResult | None:
    """The parts of a URL; None if it is none: no scheme, white space, brackets that do not match."""
    if any(char.isspace() for char in url):
        return None
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    return parts if parts.scheme else None
