"""Records of hands (record.md): read strictly, played, written."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

from mahjong.hand import Hand, Setup
from mahjong.moves import IllegalMove, IllegalRecord, Move
from mahjong.notation import read_move, write_move
from mahjong.rulesets import RULESETS
from mahjong.settlement import Ending
from mahjong.tiles import NAMES, format_tiles, parse_tiles

__all__ = ["LONGEST", "IllegalRecord", "Record", "play", "read_json", "record_of", "replay", "result_json"]

LONGEST: Final = 1 << 20
"""Bytes in one JSON line; a record is some thousands long."""
_NEEDED: Final = ("rules", "dealer", "streak", "base", "coins", "wall", "gold_dice", "actions")
_FREE: Final = ("id", "seed", "dice", "players", "note", "result")
_LARGEST: Final = 10**18


def read_json(text: str) -> Any:
    """Parse one JSON value strictly. Raises ``IllegalRecord`` for anything that is not one, in one line."""
    if len(text) > LONGEST:
        raise IllegalRecord(f"too long: {len(text)} characters, at most {LONGEST} are read")

    def constant(name: str) -> NoReturn:
        raise IllegalRecord(f"{name} is not JSON")

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise IllegalRecord(f"{_short(twice)} is there twice")
        return found

    try:
        return json.loads(text, parse_constant=constant, object_pairs_hook=unique)
    except json.JSONDecodeError as error:
        raise IllegalRecord(f"not JSON at character {error.pos + 1}: {error.msg.removesuffix(' at')}") from None
    except RecursionError:
        raise IllegalRecord("not a record: nested too deep") from None
    except IllegalRecord:
        raise
    except ValueError:
        raise IllegalRecord("not a record: a number is too long") from None


@dataclass(frozen=True, slots=True)
class Record:
    """One hand, whole: its set-up, its actions as written, and what is carried through (``id``, ``note`` …)."""

    setup: Setup
    actions: tuple[str, ...]
    free: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def from_json(cls, data: object) -> Record:
        """Read a parsed JSON object. Raises ``IllegalRecord`` naming the field that is wrong."""
        if not isinstance(data, dict):
            raise IllegalRecord("a record is a JSON object")
        for name in data:
            if name not in (*_NEEDED, *_FREE, "options"):
                raise IllegalRecord(f"unknown field {_short(name)}; known: {', '.join((*_NEEDED, 'options', *_FREE))}")
        for name in _NEEDED:
            if name not in data:
                raise IllegalRecord(f"{name}: missing")
        rules = RULESETS.get(data["rules"]) if isinstance(data["rules"], str) else None
        if rules is None:
            raise IllegalRecord(f"rules: one of {', '.join(RULESETS)}, not {_short(data['rules'])}")
        options = data.get("options", {})
        if not isinstance(options, dict):
            raise IllegalRecord(f"options: an object, not {_short(options)}")
        coins = _list("coins", data["coins"])
        if len(coins) != 4:
            raise IllegalRecord(f"coins: four integers, not {len(coins)}")
        amounts = [_integer(f"coins[{seat}]", amount, 0, _LARGEST) for seat, amount in enumerate(coins)]
        if not isinstance(data["wall"], str):
            raise IllegalRecord(f"wall: a text of tiles, not {_short(data['wall'])}")
        try:
            wall = tuple(parse_tiles(data["wall"]))
        except ValueError as error:
            raise IllegalRecord(f"wall: {error}") from None
        throws = _list("gold_dice", data["gold_dice"])
        actions = _list("actions", data["actions"])
        for number, action in enumerate(actions, start=1):
            if not isinstance(action, str):
                raise IllegalRecord(f"action {number}: a text, not {_short(action)}")
        setup = Setup(
            rules=rules,
            options=options,
            dealer=_integer("dealer", data["dealer"], 0, 3),
            streak=_integer("streak", data["streak"], 1, _LARGEST),
            base=_integer("base", data["base"], 1, _LARGEST),
            coins=(amounts[0], amounts[1], amounts[2], amounts[3]),
            wall=wall,
            gold_dice=tuple(_integer(f"gold_dice[{i}]", throw, 2, 12) for i, throw in enumerate(throws)),
        )
        return cls(setup, tuple(actions), {name: data[name] for name in _FREE if name in data})

    def to_json(self) -> dict[str, Any]:
        """The record as a JSON object with the keys of record.md."""
        setup = self.setup
        return {
            "rules": setup.rules.name,
            "options": dict(setup.options),
            "dealer": setup.dealer,
            "streak": setup.streak,
            "base": setup.base,
            "coins": list(setup.coins),
            "wall": format_tiles(setup.wall),
            "gold_dice": list(setup.gold_dice),
            "actions": list(self.actions),
            **self.free,
        }


def _short(value: object) -> str:
    """A value as a message shows it: ASCII, one line, not long."""
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "a list"
    try:
        text = ascii(value)
    except ValueError:
        return "a number with too many digits"
    return text if len(text) <= 60 else f"{text[:57]}..."


def _integer(name: str, value: object, low: int, high: int) -> int:
    if type(value) is not int:
        raise IllegalRecord(f"{name}: an integer, not {_short(value)}")
    if not low <= value <= high:
        raise IllegalRecord(f"{name}: from {low} to {high}, not {_short(value)}")
    return value


def _list(name: str, value: object) -> list[Any]:
    if not isinstance(value, list):
        raise IllegalRecord(f"{name}: a list, not {_short(value)}")
    return value


Watch = Callable[[Hand], object]
"""Told of a hand whenever somebody is asked something, and when it is over."""


def replay(record: Record, watch: Watch | None = None) -> Hand:
    """Play the actions of a record and return the hand. Raises ``IllegalRecord`` naming the action that is wrong.

    ``watch`` sees the hand, which it must not change, after the deal, each move and each window's close.

    A window is closed by the first action that is no answer to it, and at the end when it has an answer or nobody is
    left to be asked: who was asked and is not written has passed. A win of the opening ends the hand at once
    (rules-zhangzhou 6: a later question answered means that the earlier ones were declined). Where the actions run out
    in a window and passing by all ends the hand with no further choice, it is over.
    """
    hand = Hand.deal(record.setup)
    see = watch if watch is not None else _nobody
    _settle(hand, see)
    see(hand)
    for number, text in enumerate(record.actions, start=1):
        try:
            move = read_move(text)
        except ValueError as error:
            raise IllegalRecord(f"action {number} {_short(text)}: {error}") from None
        try:
            _act(hand, move, see)
        except IllegalMove as error:
            raise IllegalRecord(f"action {number}: {error}") from None
    if hand.has_answer:
        hand.close()
        _settle(hand, see)
        see(hand)
    if hand.in_window:
        passed = hand.copy()
        passed.close()
        _settle(passed, see)
        if passed.result is not None:
            see(passed)
            return passed
    return hand


def _nobody(hand: Hand) -> None:
    """Nobody watches."""


def _settle(hand: Hand, see: Watch) -> None:
    """Close windows in which nobody is left to be asked."""
    while hand.in_window and not hand.questions and not hand.has_answer:
        see(hand)
        hand.close()


def _act(hand: Hand, move: Move, see: Watch) -> None:
    refusal: IllegalMove | None = None
    while True:
        try:
            opening = hand.phase == "opening"
            hand.apply(move)
        except IllegalMove as error:
            # What was legal is best told of the first moment at which anything was.
            refusal = refusal or (error if hand.questions or not hand.in_window else None)
            if not hand.in_window:
                raise refusal or error from None
            hand.close()
            see(hand)
        else:
            if opening and hand.has_answer:
                hand.close()
            _settle(hand, see)
            see(hand)
            return


def play(record: Record) -> dict[str, Any]:
    """The result of a record as record.md has it, ``unfinished`` with ``legal`` when the actions run out first."""
    return result_json(replay(record))


def result_json(hand: Hand) -> dict[str, Any]:
    """The result of a hand as record.md has it; of one that is not over, what is known so far and ``legal``."""
    result = hand.result
    if result is not None:
        return {
            "outcome": result.outcome,
            "winner": result.winner,
            "by": result.by,
            "from": result.source,
            "tile": None if result.tile is None else NAMES[result.tile],
            "points": list(result.points),
            "fenbing": result.fenbing,
            "payments": [
                {"from": line.payer, "to": line.payee, "item": line.item, "amount": line.paid}
                | ({"shortfall": line.due - line.paid} if line.paid < line.due else {})
                for line in result.lines
            ],
            "net": list(result.net),
            "coins": list(result.coins),
            "next": {"dealer": result.next_dealer, "streak": result.next_streak},
        }
    return {
        "outcome": "unfinished",
        "winner": None,
        "by": None,
        "from": None,
        "tile": None,
        "points": [hand.rules.points(hand, seat, Ending("draw")) for seat in range(4)],
        "fenbing": hand.rules.fenbing(hand),
        "payments": [],
        "net": [0, 0, 0, 0],
        "coins": list(hand.setup.coins),
        "next": None,
        "legal": {str(seat): [write_move(move) for move in hand.legal(seat)] for seat in sorted(hand.questions)},
    }


def record_of(hand: Hand, **free: Any) -> Record:
    """The record of a hand so far, in the written form; ``free`` are the free keys (``id``, ``seed``, ``dice`` …)."""
    if unknown := set(free) - set(_FREE):
        raise ValueError(f"no such fields in a record: {', '.join(sorted(unknown))}")
    return Record(hand.setup, tuple(write_move(move) for move in hand.actions), free)
