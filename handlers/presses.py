"""What a button says when it is pressed: callback data, written and read (Bot API: 1–64 bytes).

Callback data names what it acts on and nothing that its reader may not know; who may press is checked
against the store, never against the data. Forms, fields parted by ``|``:

- ``m|TABLE|HAND|NUMBER|MOVE``: a move of a hand; NUMBER with ``.STEP`` where the step is not 0; MOVE as a letter for
  the verb and the tiles
- ``t|TABLE|ACTION``: an action at a table, such as ``sit`` or ``start``
- ``h|TABLE|HAND|ACTION``: an action that belongs to one hand, such as ``ready``
- ``o|TABLE|HAND|ORDER``: a toggle or standing order for one hand (``handlers.orders``)
- ``s|SCOPE|ITEM`` or ``s|SCOPE|ITEM|CHOICE``: a setting, of the presser (``p``) or of the group pressed in (``g``)
- ``LETTER|FIELD|…``: a page of something that can be looked through; its own module reads the fields, and its
  command says which letter is its own (``Command.pages``)
- ``-``: a blank button, which keeps a row aligned
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from mahjong.moves import Move, Verb
from mahjong.tiles import NAMES, parse_tiles

BLANK: Final = "-"

PAGE_LETTER = re.compile("(?![mthos])[a-z]")
"""What may begin the buttons of a page; the other letters are the forms above."""
_CODES: dict[Verb, str] = {
    "discard": "d",
    "chow": "c",
    "pong": "p",
    "kong": "k",
    "hu": "h",
    "pass": "x",
    "rob": "r",
}
_DECLARED = "y"
_ORDER = re.compile(r"[a-z_]{1,10}(:[0-9][mpsz])?")
_ACTION = re.compile(r"([a-z]+(?:_[a-z]+)*)(?:_([0-9]+))?")
_PLAIN = re.compile(r"[A-Za-z0-9_-]{1,40}")
_VERBS: dict[str, Verb] = {**{code: verb for verb, code in _CODES.items()}, _DECLARED: "discard"}


@dataclass(frozen=True, slots=True)
class MovePress:
    """A move pressed under a hand's picture; ``move.seat`` is -1, since the presser's seat is not the data's to say.

    ``declared``: the button named the 游金 that the discard makes; a tile of the grid only names the tile.
    """

    table: int
    hand: int
    number: int
    move: Move
    step: int = 0
    declared: bool = False


@dataclass(frozen=True, slots=True)
class TablePress:
    """An action pressed at a table; ``hand`` is None where it does not belong to one hand.

    ``number``: which one of several, None where the data say none (``game_2``, ``sit``).
    """

    table: int
    action: str
    hand: int | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class OrderPress:
    """A toggle or standing order pressed; ``order`` as in ``handlers.orders``."""

    table: int
    hand: int
    order: str


@dataclass(frozen=True, slots=True)
class SettingPress:
    """A button of a settings menu. ``scope``: ``p``, the presser's own, or ``g``, those of the group pressed in.

    ``item``: the setting or page; ``choice``: the value chosen, None where the button only opens something.
    """

    scope: str
    item: str
    choice: str | None = None


@dataclass(frozen=True, slots=True)
class PagePress:
    """A button of a message that shows one page of something: ``kind`` is the letter that is its own."""

    kind: str
    fields: tuple[str, ...]

    def number(self, at: int) -> int | None:
        """A field as a number of at most 15 digits; None if it is none, or not there."""
        try:
            return _number(self.fields[at])
        except (IndexError, ValueError):
            return None


Press = PagePress | MovePress | TablePress | OrderPress | SettingPress | Literal["-"]


def move_data(table: int, hand: int, number: int, move: Move, step: int = 0, *, declared: bool = False) -> str:
    """Callback data of a move button: the table's id, the hand's number there, the question's number and step.

    The step tells the questions of an opening apart, so that a double tap on *pass* declines one of them, not two.
    """
    asked = f"{number}.{step}" if step else str(number)
    code = _DECLARED if declared else _CODES[move.verb]
    return f"m|{table}|{hand}|{asked}|{code}{''.join(NAMES[tile] for tile in move.tiles)}"


def table_data(table: int, action: str, hand: int | None = None) -> str:
    """Callback data of an action button."""
    return f"t|{table}|{action}" if hand is None else f"h|{table}|{hand}|{action}"


def order_data(table: int, hand: int, order: str) -> str:
    """Callback data of a toggle or standing order."""
    return f"o|{table}|{hand}|{order}"


def setting_data(scope: str, item: str, choice: str | None = None) -> str:
    """Callback data of a button in a settings menu."""
    return f"s|{scope}|{item}" if choice is None else f"s|{scope}|{item}|{choice}"


def page_data(kind: str, *fields: str | int) -> str:
    """Callback data of a button that shows a page, or does something about one."""
    return "|".join((kind, *map(str, fields)))


def read_press(data: str) -> Press | None:
    """Read callback data; ``BLANK`` as itself, None if it is none of ours or forged."""
    if data == BLANK:
        return BLANK
    try:
        kind, *fields = data.split("|")
        if kind == "m" and len(fields) == 4:
            table, hand = _number(fields[0]), _number(fields[1])
            number, _, step = fields[2].partition(".")
            code = fields[3]
            move = Move(-1, _VERBS[code[:1]], tuple(parse_tiles(code[1:])))
            declared = code[:1] == _DECLARED
            return MovePress(table, hand, _number(number), move, _number(step) if step else 0, declared)
        if kind == "t" and len(fields) == 2:
            return TablePress(_number(fields[0]), *_action(fields[1], None))
        if kind == "h" and len(fields) == 3:
            return TablePress(_number(fields[0]), *_action(fields[2], _number(fields[1])))
        if kind == "o" and len(fields) == 3 and _ORDER.fullmatch(fields[2]):
            return OrderPress(_number(fields[0]), _number(fields[1]), fields[2])
        if (
            kind == "s"
            and len(fields) in (2, 3)
            and fields[0] in ("p", "g")
            and all(_PLAIN.fullmatch(f) for f in fields)
        ):
            return SettingPress(*fields)
        if PAGE_LETTER.fullmatch(kind) and 1 <= len(fields) <= 6 and all(_PLAIN.fullmatch(f) for f in fields):
            return PagePress(kind, tuple(fields))
    except (KeyError, ValueError):
        pass
    return None


def _action(text: str, hand: int | None) -> tuple[str, int | None, int | None]:
    """An action with its hand and number: ``game_2``, ``absent_wait``."""
    found = _ACTION.fullmatch(text)
    if found is None:
        raise ValueError(text)
    return found[1], hand, _number(found[2]) if found[2] else None


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 15):
        raise ValueError(text)
    return int(text)
