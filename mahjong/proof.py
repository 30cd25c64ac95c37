"""Checking that a deal was fair: the wall from seed and dice, the result from the moves (telegram.md)."""

from __future__ import annotations

from typing import Any

from mahjong.moves import IllegalRecord
from mahjong.records import Record, play
from mahjong.wall import commitment, shuffle


def verify(record: Record) -> dict[str, Any]:
    """What a record's seed, dice and moves come to, and whether it says the same.

    Returns ``commitment`` (to be compared with the one published before the deal), ``wall`` and ``gold_dice`` (bool),
    and ``result`` (bool, None if the record has none). Raises ``IllegalRecord`` if seed or dice are missing or
    malformed, or the moves cannot be.
    """
    text, dice = record.free.get("seed"), record.free.get("dice", [])
    try:
        seed = bytes.fromhex(text) if isinstance(text, str) else b""
    except ValueError:
        seed = b""
    if len(seed) != 32:
        raise IllegalRecord("seed: 64 hexadecimal digits")
    if not isinstance(dice, list) or not all(type(die) is int for die in dice):
        raise IllegalRecord("dice: a list of two values from 1 to 6, or of none")
    setup = record.setup
    try:
        made = shuffle(seed, tuple(dice), setup.rules, setup.dealer)
    except ValueError as error:
        raise IllegalRecord(f"dice: {error}") from None
    result = record.free.get("result")
    return {
        "commitment": commitment(seed),
        "wall": made.wall == setup.wall,
        "gold_dice": made.gold_dice == setup.gold_dice,
        "result": None if result is None else result == play(record),
    }
