"""Moves in the notation of record.md: ``0 discard 5m``, ``1 chow 46m``, ``2 pong``, ``3 hu``."""

from __future__ import annotations

from typing import Final, get_args

from mahjong.moves import Move, Verb
from mahjong.tiles import format_tiles, parse_tiles

_VERBS: Final[dict[str, Verb]] = {verb: verb for verb in get_args(Verb)}
_TILES: Final[dict[Verb, tuple[int, ...]]] = {"discard": (1,), "chow": (2,), "kong": (0, 1)}


def write_move(move: Move) -> str:
    """Write a move as an action of a record.

    >>> write_move(Move(1, "chow", (3, 5)))
    '1 chow 46m'
    """
    tiles = f" {format_tiles(move.tiles)}" if move.tiles else ""
    return f"{move.seat} {move.verb}{tiles}"


def read_move(text: str) -> Move:
    """Read an action of a record; tiles come back in ascending order.

    Raises ``ValueError`` that says what is wrong.

    >>> read_move("1 chow 64m")
    Move(seat=1, verb='chow', tiles=(3, 5))
    """
    parts = text.split(" ")
    if len(parts) not in (2, 3) or parts[0] not in ("0", "1", "2", "3"):
        raise ValueError("an action is 'SEAT VERB [TILES]' with a seat from 0 to 3")
    verb = _VERBS.get(parts[1])
    if verb is None:
        raise ValueError(f"a verb is one of {', '.join(_VERBS)}")
    tiles = tuple(sorted(parse_tiles(parts[2]))) if len(parts) == 3 else ()
    allowed = _TILES.get(verb, (0,))
    if len(tiles) not in allowed:
        raise ValueError(f"{verb} takes {' or '.join(map(str, allowed))} tiles, not {len(tiles)}")
    return Move(int(parts[0]), verb, tiles)
