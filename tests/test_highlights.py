"""What is worth telling: the film of a special win, in the group once and in private for whoever passes it on."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from mahjong.moves import Move
from mahjong.notation import read_move
from playground.chats import Message
from tests.support.evening import check, run_virtual
from tests.support.stories import newcomer
from tests.support.town import Town
from tests.test_specials import CASES, RULES, Script, press_move


def case(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((CASES / f"{name}.json").read_text("utf-8"))
    return found


async def town_after(name: str, folder: Path) -> Town:
    """A town in whose group this hand has just been played."""
    told = case(name)
    # The hand that follows is another such.
    script = Script([told, told])
    town = Town(folder / "highlights.sqlite3", 11, dealing=script)
    await town.open()
    await town.seat_all(game=RULES.index(told["record"]["rules"]))
    for _ in range(600):
        if script.number == 0:
            break
        await asyncio.sleep(0.1)
    table = next(iter(town.house._tables.values()))
    chats = []
    for seat in table.state.players:
        person = await town.store.person(seat.person or 0)
        assert person is not None
        chats.append(person.telegram_id or 0)
    for action in told["record"]["actions"]:
        move = read_move(action)
        seat = (move.seat + script.turned[0]) % 4
        await press_move(town, chats[seat], Move(seat, move.verb, move.tiles))
    for _ in range(1200):
        if table.state.phase == "between":
            break
        await asyncio.sleep(0.1)
    await asyncio.sleep(10)
    return town


def films(town: Town, chat: int) -> list[Message]:
    return [message for message in town.messages(chat) if message.content.kind == "animation"]


def uploads(town: Town) -> int:
    """How often an animation was uploaded, and not sent by its id."""
    return sum(bool(call.files) for call in town.calls if call.method == "sendAnimation")


@pytest.mark.parametrize("name", ["zz-double-you-upgrade", "zz-three-gold-later", "zz-rob-added"])
def test_a_special_win_has_a_film_that_is_made_once(name: str, tmp_path: Path) -> None:
    async def story() -> None:
        town = await town_after(name, tmp_path)
        row = (await town.hands())[0]
        assert row.result is not None
        winner = await town.store.person(int(row.seats[row.result["winner"]]))
        assert winner is not None
        person, other = town.people[0], town.people[1]
        best = rf"^v\|{row.id}\|best$"
        assert await town.press(person, town.group_id, best) == "正在做动画，几秒就好"
        await asyncio.sleep(15)
        (film,) = films(town, town.group_id)
        assert winner.name in film.content.text
        assert f"t.me/{town.house.username}" in film.content.text
        assert not film.protected
        ((_, seconds),) = town.renderer.films
        assert seconds <= 8
        # Once in the group; in private by its id, also after a restart.
        assert await town.press(other, town.group_id, best) == "高光已经发在群里了"
        await town.kill()
        await town.open()
        await asyncio.sleep(3)
        assert await town.press(other, town.group_id, best) == "高光已经发在群里了"
        assert not await town.press(other, other, best)
        await asyncio.sleep(10)
        assert len(films(town, other)) == len(films(town, town.group_id)) == 1
        assert len(town.renderer.films) == uploads(town) == 1
        await check(town)
        await town.close()

    run_virtual(story())


def test_an_ordinary_win_has_none(tmp_path: Path) -> None:
    async def story() -> None:
        town = await town_after("zz-discard-win", tmp_path)
        row = (await town.hands())[0]
        assert town.find(town.group_id, rf"^v\|{row.id}\|replay$") is not None
        assert town.find(town.group_id, r"\|best$") is None
        sheet = town.find(town.group_id, rf"^v\|{row.id}\|replay$")
        assert sheet is not None
        person = town.people[0]
        forged = f"v|{row.id}|best"
        assert await town.press_data(person, town.group_id, sheet[0].id, forged, force=True) == "这个按钮不能用"
        await town.close()

    run_virtual(story())


def test_discards_of_a_dark_game_lie_open_once_it_is_over(tmp_path: Path) -> None:
    async def story() -> None:
        town = await town_after("pta-self-draw-suanhua", tmp_path)
        row = (await town.hands())[0]
        watcher = await newcomer(town)
        assert await town.press(watcher, town.group_id, rf"^v\|{row.id}\|replay$") == "已发到你的私聊"
        await asyncio.sleep(5)
        said = []
        for _ in range(4):
            await town.press(watcher, watcher, r"\|go\|on\|")
            await asyncio.sleep(3)
            said.append(town.messages(watcher)[-1].content.text)
        happened = "\n".join(text.split("👉")[0] for text in said)
        assert "打七万" in happened
        assert "打二万" in happened
        await town.close()

    run_virtual(story())
