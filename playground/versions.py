"""Older Bot API servers: what one does not know when the playground stands for it.

A server without a method answers 404; a parameter or a field that it does not know it ignores, as Telegram does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Version = tuple[int, int]

METHODS: dict[str, Version] = {
    "editEphemeralMessageText": (10, 2),
    "editEphemeralMessageCaption": (10, 2),
    "editEphemeralMessageMedia": (10, 2),
    "editEphemeralMessageReplyMarkup": (10, 2),
    "deleteEphemeralMessage": (10, 2),
}
# Bot API 10.2 had ``receiver_user_id`` and ``callback_query_id`` in its place.
PARAMETERS: dict[str, Version] = {"ephemeral_message_parameters": (10, 3)}
EPHEMERAL_COMMANDS: Version = (10, 2)


def read_version(text: str) -> Version:
    """ "10.3" as (10, 3). Raises ValueError."""
    major, _, minor = text.partition(".")
    return int(major), int(minor or 0)


def has_method(version: Version, method: str) -> bool:
    """Whether a server of that version has the method."""
    return version >= METHODS.get(method, version)


def understood(version: Version, params: Mapping[str, Any]) -> Mapping[str, Any]:
    """The parameters of a call without those that came later."""
    later = [name for name in params if version < PARAMETERS.get(name, version)]
    return {name: value for name, value in params.items() if name not in later} if later else params
