"""How strong the computers are: chosen in the lobby, at a practice table and for a group, and said in their names."""

from __future__ import annotations

import asyncio

import pytest

from data.model import Person
from handlers.computers import LEVELS, USUAL
from handlers.preferences import Preferences
from tests.support.stories import Tell, dealt, newest, open_table, person_of, seen, table_of
from tests.support.town import Town, texts

FIRST = LEVELS[0]


def word(level: str) -> str:
    return texts().get("zh_Hans")(f"level.{level}")


def test_a_lobby_seats_the_usual_level_and_one_press_changes_it(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        one, two, *_ = town.people
        table = await open_table(town, one)
        town.world.crowd.start(two)
        await town.press(one, town.group_id, r"\|add_1$")
        await asyncio.sleep(4)
        await seen(town, town.group_id, f"🤖 电脑甲·{word(USUAL)}")
        for _ in range(LEVELS.index(USUAL), len(LEVELS)):
            assert await town.press(two, town.group_id, r"\|level_") == "你不在这一桌"
            await town.press(one, town.group_id, r"\|level_")
            await asyncio.sleep(4)
        assert table.state.level == FIRST
        await seen(town, town.group_id, f"🤖 电脑甲·{word(FIRST)}")
        lobby = newest(town, town.group_id, "电脑甲")
        assert lobby is not None
        forged = await town.press_data(one, town.group_id, lobby.id, f"t|{table.id}|level_{len(LEVELS)}", force=True)
        assert forged == "这个按钮不能用"
        await town.press(one, town.group_id, r"\|start$")
        await dealt(town)
        assert [seat.computer for seat in table.state.taken if seat.person is None] == [FIRST] * 3
        stale = await town.press_data(one, town.group_id, lobby.id, f"t|{table.id}|level_0", force=True)
        assert stale == "这一步已经过了"

    tell_from_the_start(story)


def test_a_table_begins_with_the_level_of_its_group(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        one, *_ = town.people
        town.world.crowd.start(one)
        await asyncio.sleep(3)
        town.world.crowd.say(one, town.group_id, "/settings")
        await asyncio.sleep(5)
        await town.press(one, town.group_id, r"g\|level$")
        await asyncio.sleep(5)
        said = await town.press(one, town.group_id, rf"g\|level\|{FIRST}$")
        assert said == f"🤖 电脑水平：{word(FIRST)}"
        table = await open_table(town, one)
        await town.press(one, town.group_id, r"\|start$")
        await dealt(town)
        assert {seat.computer for seat in table.state.taken} == {None, FIRST}

    tell_from_the_start(story)


def test_practice_is_two_presses_and_remembers_both(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        one, *_ = town.people
        town.world.crowd.start(one)
        town.world.crowd.say(one, one, "/newgame")
        await asyncio.sleep(5)
        await town.press(one, one, rf"\|level_{LEVELS.index(FIRST)}$")
        await asyncio.sleep(3)
        await town.press(one, one, r"\|practice_2$")
        await dealt(town)
        first = table_of(town)
        assert {seat.computer for seat in first.state.taken} == {None, FIRST}
        chosen = Preferences.of(await person(town, one))
        assert (chosen.game, chosen.level) == (first.state.rules, FIRST)
        town.world.crowd.say(one, one, "/leave")
        await asyncio.sleep(5)
        await town.kill()
        await town.open()
        town.world.crowd.say(one, one, "/newgame")
        await asyncio.sleep(5)
        table = table_of(town)
        assert (table.state.rules, table.state.level) == (first.state.rules, FIRST)
        _, button = town.find(one, rf"\|level_{LEVELS.index(FIRST)}$") or pytest.fail("no such button")
        assert button["text"] == f"✅ {word(FIRST)}"
        await town.press(one, one, r"\|practice_2$")
        await dealt(town)
        assert {seat.computer for seat in table.state.taken} == {None, FIRST}

    tell_from_the_start(story)


async def person(town: Town, chat: int) -> Person:
    found = await town.store.person(person_of(town, chat))
    assert found is not None
    return found
