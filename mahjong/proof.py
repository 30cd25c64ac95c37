"""Checking that a deal was fair: the wall from seed and dice, the result from the moves (telegram.md)."""

from __future__ import annotations

from typing import Any

from mahjong.moves import IllegalRecord
from mahjong.records import Record, play
from mahjong.wall import commitment, shuffle


def verify(record: Record) -> dict[str, Any]:
    """What a record's seed, dice and moves come to, and whether it says the same.

    Returns ``commitment`` (to be compared with the one published before the deal), ``wall`` and ``gold_dice`` (bool),
    ``result`` (bool, None if the record has none), and ``differs``, the names of all that does not fit: ``wall``,
    ``gold_dice``, ``actions`` where they cannot be made on that wall, ``result.net`` …, and ``note.commitment`` where
    the record notes another one. Raises ``IllegalRecord`` if seed or dice are missing or
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
    result, note = record.free.get("result"), record.free.get("note")
    wall, gold_dice = made.wall == setup.wall, made.gold_dice == setup.gold_dice
    differs = [name for name, fits in (("wall", wall), ("gold_dice", gold_dice)) if not fits]
    try:
        played = play(record)
    except IllegalRecord:
        if not differs:
            raise
        # On another wall than its own the moves need not be possible.
        differs.append("actions")
    else:
        differs += _differing(result, played) if result is not None else []
    if isinstance(note, dict) and note.get("commitment", commitment(seed)) != commitment(seed):
        differs.append("note.commitment")
    return {
        "commitment": commitment(seed),
        "wall": wall,
        "gold_dice": gold_dice,
        "result": None if result is None else not any(name.startswith(("actions", "result")) for name in differs),
        "differs": differs,
    }


def _differing(told: object, played: dict[str, Any]) -> list[str]:
    """The parts of a result that are not what the moves come to; ``result`` itself if it is none at all."""
    if not isinstance(told, dict):
        return ["result"]
    names = [*played, *(name for name in told if name not in played)]
    nothing = object()
    return [f"result.{name}" for name in names if not _same(told.get(name, nothing), played.get(name, nothing))]


def _same(told: object, played: object) -> bool:
    """Equal, and of the same types throughout: in JSON, ``true`` is no 1 and ``40.0`` no amount of coins."""
    if isinstance(told, dict) and isinstance(played, dict):
        return told.keys() == played.keys() and all(_same(told[name], played[name]) for name in played)
    if isinstance(told, list) and isinstance(played, list):
        return len(told) == len(played) and all(map(_same, told, played))
    return type(told) is type(played) and told == played
