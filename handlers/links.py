"""Addresses on t.me: the deep link that opens the bot with a purpose, a message of a group."""

from __future__ import annotations

FIRST_SUPERGROUP = -1_000_000_000_000
"""Chat ids of supergroups count down from here (Bot API: ``-100`` before the id that links bear)."""


def start_link(username: str, table: int, token: str, intent: str = "sit") -> str:
    """The deep link whose START seats a person at a table; or has them wait for a seat (``intent`` ``queue``), or be
    called there when players are missing (``callme``)."""
    return f"https://t.me/{username}?start={intent}_{table}_{token}"


def hand_link(username: str, what: str, hand: int) -> str:
    """The deep link whose START shows something of a hand that is over (``handlers.replay.SHOWN``)."""
    return f"https://t.me/{username}?start={what}_{hand}"


def message_link(chat_id: int, thread: int | None, message_id: int) -> str | None:
    """Where a message of a supergroup is found by its members; None for other groups, which have no links.

    >>> message_link(-1001234, 5, 77), message_link(-1234, None, 77)
    ('https://t.me/c/1234/5/77', None)
    """
    if chat_id >= FIRST_SUPERGROUP:
        return None
    number = FIRST_SUPERGROUP - chat_id
    return (
        f"https://t.me/c/{number}/{message_id}" if thread is None else f"https://t.me/c/{number}/{thread}/{message_id}"
    )
