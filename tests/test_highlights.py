"""What is worth telling: the film of a special win, in the group once and in private for whoever passes it on."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from data.texts import Words
from mahjong.moves import Move
from mahjong.notation import read_move
from playground.chats import Message
from tests.support.evening import check, run_virtual
from tests.support.stories import newcomer
from tests.support.town import Town
from tests.test_specials import CASES, RULES, Script, press_move

LANGUAGES = ("zh_Hans", "zh_Hant", "en")


def house_words(town: Town, language: str) -> Words:
    return town.house.texts.get(language)


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
        # What stands below it is in the reader's own language, in private.
        foreign = town.people[3]
        assert not await town.press(foreign, foreign, best)
        await asyncio.sleep(10)
        (mine,) = films(town, foreign)
        english = {"double_you": "Double Youjin", "three_gold": "Three golds", "rob_kong": "Robbing a kong"}
        assert english[row.result["by"]] in mine.content.text
        assert len(town.renderer.films) == uploads(town) == 1
        await check(town)
        await town.close()

    run_virtual(story())


def test_many_press_at_once_and_it_is_drawn_once_and_comes_again_when_deleted(tmp_path: Path) -> None:
    async def story() -> None:
        town = await town_after("zz-rob-added", tmp_path)
        row = (await town.hands())[0]
        best = rf"^v\|{row.id}\|best$"
        said = await asyncio.gather(*(town.press(person, town.group_id, best) for person in town.people))
        assert set(said) <= {house_words(town, language)("replay.filming") for language in LANGUAGES}
        await asyncio.sleep(20)
        (film,) = films(town, town.group_id)
        assert len(town.renderer.films) == uploads(town) == 1
        # An admin takes it away: it does not come again at once, but after five minutes.
        town.world.crowd.delete(town.people[0], town.group_id, film.id)
        await asyncio.sleep(5)
        assert await town.press(town.people[1], town.group_id, best) == "高光已经发在群里了"
        await asyncio.sleep(300)
        await town.kill()
        await town.open()
        await asyncio.sleep(3)
        for person in town.people:
            await town.press(person, town.group_id, best)
        await asyncio.sleep(20)
        assert len(films(town, town.group_id)) == 1
        assert len(town.renderer.films) == uploads(town) == 1
        await town.close()

    run_virtual(story())


def test_a_film_that_fails_tells_who_pressed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        town = await town_after("zz-rob-added", tmp_path)
        row = (await town.hands())[0]
        person = town.people[0]

        async def broken(*given: object) -> bytes:
            raise MemoryError

        with monkeypatch.context() as patch:
            patch.setattr(town.house.renderer, "film", broken)
            await town.press(person, town.group_id, rf"^v\|{row.id}\|best$")
            await asyncio.sleep(10)
        assert "动画没做成" in town.messages(person)[-1].content.text
        # Then it can be tried again.
        await town.press(person, town.group_id, rf"^v\|{row.id}\|best$")
        await asyncio.sleep(15)
        assert len(films(town, town.group_id)) == 1
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
