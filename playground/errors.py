"""How the Bot API says no."""

from __future__ import annotations

from typing import Any


class ApiError(Exception):
    """A call that is answered with ``{"ok": false, …}``; ``description`` as Telegram words it."""

    def __init__(self, code: int, description: str, parameters: dict[str, Any] | None = None) -> None:
        super().__init__(f"{code} {description}")
        self.code = code
        self.description = description
        self.parameters = parameters


class ControlError(Exception):
    """A wish at the control interface that cannot be granted; ``status`` as in HTTP."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def bad_request(text: str) -> ApiError:
    """400, as Telegram words it."""
    return ApiError(400, f"Bad Request: {text}")


def forbidden(text: str) -> ApiError:
    """403, likewise."""
    return ApiError(403, f"Forbidden: {text}")


def too_many(seconds: int) -> ApiError:
    """429, with the seconds to wait."""
    return ApiError(429, f"Too Many Requests: retry after {seconds}", {"retry_after": seconds})
