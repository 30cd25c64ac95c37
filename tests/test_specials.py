"""The conformance hands played through Telegram: every move is a press of a button in the right private chat.

The walls are chosen by the house's ``dealing``, which only tests give; the four seats of a case are turned so that its
dealer is the one drawn by lot.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from mahjong.hand import Setup
from mahjong.moves import Move
from mahjong.notation import read_move
from mahjong.records import Record
from mahjong.rulesets import RULESETS
from mahjong.tiles import NAMES
from mahjong.views import view
from tests.support.evening import check, run_virtual
from tests.support.town import Town

CASES = Path(__file__).parent / "conformance"
RULES = list(RULESETS)
LONGEST = 15
LONG = {"zz-liability", "zz-last-four-forced"}
CODES = {"discard": "d", "chow": "c", "pong": "p", "kong": "k", "hu": "h", "pass": "x", "rob": "r"}


def cases(rules: str) -> list[dict[str, Any]]:
    """The finished hands of a game that are short enough to be played here, and two long ones."""
    found = []
    for path in sorted(CASES.glob("*.json")):
        case = json.loads(path.read_text("utf-8"))
        record, ended = case["record"], case["expect"].get("outcome") in ("win", "draw", "false_win")
        short = len(record.get("actions", ())) <= LONGEST or case["id"] in LONG
        if record.get("rules") == rules and ended and short:
            found.append(case)
    return found


class Script:
    """Deals the hands of a list of cases one after the other, turned to the dealer of the moment."""

    def __init__(self, chosen: list[dict[str, Any]]) -> None:
        self.records = [Record.from_json(case["record"]) for case in chosen]
        self.number = -1
        self.turned: list[int] = []

    def __call__(
        self,
        rules: str,
        options: Mapping[str, Any],
        dealer: int,
        streak: int,
        base: int,
        coins: tuple[int, ...],
        seed: bytes,
        dice: tuple[int, ...],
    ) -> Setup:
        self.number += 1
        setup = self.records[self.number].setup
        turn = (dealer - setup.dealer) % 4
        self.turned.append(turn)
        given = [setup.coins[(seat - turn) % 4] for seat in range(4)]
        return Setup(
            setup.rules,
            setup.options,
            dealer,
            setup.streak,
            setup.base,
            (given[0], given[1], given[2], given[3]),
            setup.wall,
            setup.gold_dice,
        )


async def press_move(town: Town, chat: int, move: Move) -> None:
    """Press a move's button as soon as it is there, and again where the first press only warns."""
    tiles = "".join(NAMES[tile] for tile in move.tiles)
    either = {tiles, "".join(NAMES[tile] for tile in reversed(move.tiles))}
    pattern = re.compile(rf"^m\|\d+\|\d+\|[\d.]+\|{CODES[move.verb]}({'|'.join(either)})$")

    def there() -> tuple[Any, Any] | None:
        found = [(m, b) for m, b in town.buttons(chat) if pattern.match(b["callback_data"])]
        return found[-1] if found else None

    for _ in range(1200):
        if there() is not None:
            break
        await asyncio.sleep(0.1)
    else:
        raise AssertionError(f"{move} was never offered in chat {chat}")
    message, button = there() or (None, None)
    toast = await town.press_data(chat, chat, message.id, button["callback_data"])
    if toast and ("再按" in toast or "again" in toast):
        await asyncio.sleep(1)
        await town.press_data(chat, chat, message.id, button["callback_data"])


async def play_case(town: Town, script: Script, case: dict[str, Any], number: int) -> None:
    """Play one case from its deal to its sheet, and compare the result."""
    for _ in range(600):
        if script.number == number:
            break
        await asyncio.sleep(0.1)
    table = next(iter(town.house._tables.values()))
    turn = script.turned[number]
    chats = []
    for seat in table.state.players:
        person = await town.store.person(seat.person or 0)
        assert person is not None
        chats.append(person.telegram_id or 0)
    for action in case["record"]["actions"]:
        move = read_move(action)
        seat = (move.seat + turn) % 4
        await press_move(town, chats[seat], Move(seat, move.verb, move.tiles))
    for _ in range(1200):
        if table.state.phase == "between":
            break
        await asyncio.sleep(0.1)
    assert table.state.phase == "between", f"{case['id']}: {table.state.phase}"
    row = (await town.hands())[-1]
    assert row.result is not None
    assert table.hand is not None
    assert view(table.hand, None).phase == "ended"
    expect = case["expect"]
    for key in ("outcome", "by", "tile", "fenbing"):
        if key in expect:
            assert row.result[key] == expect[key], (case["id"], key)
    for key in ("net", "points", "coins"):
        if key in expect:
            assert row.result[key] == [expect[key][(seat - turn) % 4] for seat in range(4)], (case["id"], key)
    for key in ("winner", "from"):
        if expect.get(key) is not None:
            assert row.result[key] == (expect[key] + turn) % 4, (case["id"], key)
    await asyncio.sleep(8)
    for chat in chats:
        await town.press(chat, chat, r"\|ready$")


async def seated_rich(town: Town, game: int) -> None:
    """Everybody sits down to a game, with coins for many hands."""
    await town.open()
    for person in town.people:
        town.world.crowd.start(person)
    await asyncio.sleep(5)
    for number in range(1, 5):
        await town.store.grant(number, 50_000, "refund", f"test:{number}", town.clock.now())
    await town.seat_all(game=game)


async def play_all(folder: Path, rules: str) -> None:
    """All cases of a game at one table, hand after hand."""
    chosen = cases(rules)
    script = Script(chosen)
    town = Town(folder / "specials.sqlite3", 11, dealing=script)
    await seated_rich(town, RULES.index(rules))
    for number, case in enumerate(chosen):
        await play_case(town, script, case, number)
        if number == len(chosen) - 2:
            # No hand follows the last one.
            script.records.append(script.records[-1])
    await check(town, coins=4 * 51_500)
    await town.kill()


@pytest.mark.parametrize("rules", RULES)
def test_conformance_hands_can_be_played_by_their_buttons(rules: str, tmp_path: Path) -> None:
    run_virtual(play_all(tmp_path, rules))
