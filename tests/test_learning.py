"""Learn in three minutes: the pages, and the hand with a coach, at the buttons."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from handlers.coach import EXPLAINED
from handlers.dealing import setup_of
from handlers.screens.learning import PAGES
from handlers.table import Table
from mahjong import lessons
from mahjong.proof import verify
from mahjong.records import Record
from playground.chats import Message
from tests import lessons as search
from tests.support.evening import check
from tests.support.stories import Tell, met, newest, open_table, person_of, table_of, teller, text_of
from tests.support.town import Town, texts

ADVICE = "👉"
NEW = "🎓"
CAPTION = 1024
SHORT = 120
"""Characters that a coach takes at most, in Chinese."""


@pytest.fixture
def tell_from_the_start(tmp_path: Path) -> Tell:
    """Lessons are chosen among the hands that are dealt to everybody."""
    return teller(tmp_path, seated=False, dealing=setup_of)


async def begin(town: Town, person: int) -> Table:
    """By the link to the first page, and from there straight to the hand."""
    town.world.crowd.start(person, "learn")
    await asyncio.sleep(4)
    await town.press(person, person, r"^l\|deal$")
    await asyncio.sleep(2)
    return table_of(town)


def meant(town: Town, person: int) -> tuple[Message, dict[str, Any]] | None:
    """The move that the coach means: the one move button in colour."""
    found = [
        (message, button)
        for message, button in town.buttons(person)
        if re.match(r"m\|", button["callback_data"]) and button.get("style")
    ]
    assert len(found) <= 1, "one piece of advice at a time"
    return found[0] if found else None


def coached(text: str) -> list[str]:
    """The lines of a caption that are the coach's."""
    return [line for line in text.split("\n") if line.startswith((NEW, ADVICE, "🎯"))]


async def follow(town: Town, person: int, presses: int = 100) -> list[str]:
    """Press what the coach means until the sheet is there, or so often; returns what the coach said at each press."""
    heard: list[str] = []
    pressed = None
    for _ in range(600):
        if ended(town, person) or len(heard) == presses:
            break
        found = meant(town, person)
        # The message changes within the chat's budget; nobody presses the same twice.
        if found is not None and found[1]["callback_data"] != pressed:
            message, button = found
            pressed = button["callback_data"]
            heard.append("\n".join(coached(message.content.text)))
            await town.press_data(person, person, message.id, button["callback_data"])
        await asyncio.sleep(1)
    return heard


def ended(town: Town, person: int) -> bool:
    return newest(town, person, "▲|▪️") is not None


def explained(heard: list[str]) -> Counter[str]:
    """How often each thing was explained, by its catalogue key."""
    words = texts().get("zh_Hans")
    fronts = {topic: words(f"coach.new.{topic}", gold="\0").split("\0")[0] for topic in EXPLAINED}
    return Counter(topic for said in heard for topic, front in fronts.items() if front in said)


@pytest.mark.parametrize("number", lessons.NUMBERS)
def test_each_arranged_hand_teaches_and_is_won_by_whoever_follows_the_advice(number: int) -> None:
    assert search.promising(number)
    assert search.teaches(search.played(number))


@pytest.mark.parametrize("lesson", range(len(lessons.NUMBERS)))
def test_who_follows_the_coach_wins_and_has_everything_explained_once(tell_from_the_start: Tell, lesson: int) -> None:
    async def story(town: Town) -> None:
        person = town.people[0]
        known = await met(town, person)
        await town.house.people.set_prefs(known, {"lessons": lesson})
        await begin(town, person)
        heard = await follow(town, person)
        await asyncio.sleep(3)
        played = search.played(lessons.NUMBERS[lesson])
        assert len(heard) == len(played.told), "as often as the same hand asks without Telegram"
        told = explained(heard)
        assert set(told) >= {"turn", "gold", "chow", "pong", "ready", "flowers", "win"}
        assert set(told.values()) == {1}
        assert all(ADVICE in said and len(said) <= SHORT for said in heard)
        sheet = newest(town, person, "🎉 你胡了")
        assert sheet is not None
        assert "每家付" in sheet.content.text
        assert "付双倍" in sheet.content.text
        assert "为学牌排好的" in sheet.content.text
        assert "🔓" not in text_of(town, person)
        assert [m.id for m in town.messages(person)][-1:] == [sheet.id], "nothing else is left of it"
        assert not town.house.tables

    tell_from_the_start(story)


def test_it_counts_nowhere_and_its_record_is_marked_and_true(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        person = town.people[0]
        await begin(town, person)
        await follow(town, person)
        await asyncio.sleep(2)
        number = person_of(town, person)
        careers = await town.store.careers(number)
        assert careers.for_coins.hands == careers.friendly.hands == 0
        assert not await town.store.feats_of(number)
        assert (await town.store.wallet(number)).balance == 1500
        page = await town.store.hands_of_person(number, 0, 5)
        assert page is not None
        assert not page.lines
        (row,) = await town.hands()
        assert row.friendly
        assert row.record is not None
        assert row.record["note"] == {"lesson": 0}
        assert not verify(Record.from_json(row.record))["differs"]
        assert await town.store.audit() is None

    tell_from_the_start(story)


def test_from_the_sheet_on_to_another_hand_to_free_practice_and_into_a_group(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        person = town.people[0]
        await begin(town, person)
        await follow(town, person)
        await asyncio.sleep(2)
        await town.press(person, person, r"^l\|group$")
        await asyncio.sleep(2)
        howto = newest(town, person, "/newgame")
        assert howto is not None
        assert "startgroup" in howto.keyboard[0][0]["url"]
        await town.press(person, person, r"^l\|deal$")
        await asyncio.sleep(3)
        assert table_of(town).state.lesson == 1, "another one"
        await town.press(person, person, r"\|leave$")
        await asyncio.sleep(2)
        assert not town.house.tables
        await town.press(person, person, r"^l\|free$")
        await asyncio.sleep(3)
        state = table_of(town).state
        assert (state.phase, state.lesson) == ("lobby", None)
        # A lobby gives way to the next hand with a coach.
        await town.press(person, person, r"^l\|deal$")
        await asyncio.sleep(3)
        assert table_of(town).state.lesson == 2

    tell_from_the_start(story)


@pytest.mark.parametrize("ask", ["/start practice", "/newgame"])
def test_whoever_asks_for_free_practice_in_the_middle_of_a_lesson_gets_it(tell_from_the_start: Tell, ask: str) -> None:
    async def story(town: Town) -> None:
        person = town.people[0]
        await begin(town, person)
        assert table_of(town).state.lesson == 0
        town.world.crowd.say(person, person, ask)
        await asyncio.sleep(5)
        state = table_of(town).state
        assert (state.phase, state.lesson) == ("lobby" if ask == "/newgame" else "playing", None)
        assert "🎓" not in text_of(town, person), "nothing of the lesson is left"

    tell_from_the_start(story)


@pytest.mark.parametrize("at", [0, 1, 3, 6, 10])
def test_a_kill_in_the_middle_changes_nothing_for_hand_and_coach(tell_from_the_start: Tell, at: int) -> None:
    async def story(town: Town) -> None:
        person = town.people[0]
        await begin(town, person)
        heard = await follow(town, person, at)
        found = None
        for _ in range(100):
            await asyncio.sleep(0.2)
            if (found := meant(town, person)) is not None:
                break
        assert found is not None
        before = coached(found[0].content.text)
        await town.kill()
        await town.open()
        await asyncio.sleep(8)
        after = meant(town, person)
        assert after is not None
        assert coached(after[0].content.text) == before
        heard += await follow(town, person)
        await asyncio.sleep(2)
        assert newest(town, person, "🎉 你胡了") is not None
        assert len(heard) == len(search.played(lessons.NUMBERS[0]).told)
        assert set(explained(heard).values()) == {1}

    tell_from_the_start(story)


@pytest.mark.parametrize("seed", range(6))
def test_who_does_otherwise_is_coached_all_the_same_to_the_end(tell_from_the_start: Tell, seed: int) -> None:
    async def story(town: Town) -> None:
        person, chance = town.people[0], Random(seed)
        await begin(town, person)
        heard: list[str] = []
        for _ in range(1500):
            if ended(town, person):
                break
            if meant(town, person) is not None:
                moves = [one for one in town.buttons(person) if one[1]["callback_data"].startswith("m|")]
                message, button = chance.choice(moves)
                said = coached(message.content.text)
                assert len(message.content.text) <= CAPTION
                assert sum(line.startswith(ADVICE) for line in said) == 1
                if not heard or heard[-1] != "\n".join(said):
                    heard.append("\n".join(said))
                await town.press_data(person, person, message.id, button["callback_data"])
            await asyncio.sleep(1)
        await asyncio.sleep(3)
        sheet = newest(town, person, "▲|▪️")
        assert sheet is not None
        assert "为学牌排好的" in sheet.content.text
        assert town.find(person, r"^l\|deal$") is not None
        assert not town.house.tables
        assert set(explained(heard).values()) == {1}

    tell_from_the_start(story)


def test_the_pages_are_one_message_that_is_leafed_through(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        person = town.people[0]
        town.world.crowd.say(person, person, "/learn")
        await asyncio.sleep(4)
        (page,) = town.messages(person)
        assert page.content.media is not None
        for number in (1, 2, 3, 4, 3, 4):
            await town.press(person, person, rf"^l\|{number}$")
            await asyncio.sleep(4)
            assert [message.id for message in town.messages(person)] == [page.id]
            assert f"{number + 1}/{len(PAGES)}" in newest(town, person, NEW).content.text  # type: ignore[union-attr]
        for data in ("l|5", "l|-1", "l|x", "l|1|2", "l|deal|now", "l|999999999999999"):
            assert await town.press_data(person, person, page.id, data, force=True) == "这个按钮不能用"
        await town.press(person, person, r"^l\|deal$")
        await asyncio.sleep(4)
        assert page.id not in [message.id for message in town.messages(person)], "it has had its day"

    tell_from_the_start(story)


def test_who_has_not_chosen_a_language_can_on_the_first_page(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        person = town.people[0]
        town.world.crowd.start(person, "learn")
        await asyncio.sleep(4)
        (page,) = town.messages(person)
        assert await town.press_data(person, person, page.id, "l|0|fr", force=True) == "这个按钮不能用"
        await town.press(person, person, r"^l\|0\|en$")
        await asyncio.sleep(4)
        assert newest(town, person, "The tiles") is not None
        assert town.find(person, r"^l\|0\|") is None, "it is not asked again"
        await town.press(person, person, r"^l\|1$")
        await asyncio.sleep(4)
        assert newest(town, person, "five sets and a pair") is not None

    tell_from_the_start(story)


def test_in_a_group_it_says_where_and_none_of_its_buttons_works_there(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        one, two, *_ = town.people
        await open_table(town, one)
        town.world.crowd.say(two, town.group_id, "/learn")
        await asyncio.sleep(5)
        said = newest(town, town.group_id, "三分钟")
        assert said is not None
        assert said.keyboard[0][0]["url"].endswith("?start=learn")
        for data in ("l|0", "l|deal", "l|free", "l|group"):
            assert await town.press_data(two, town.group_id, said.id, data, force=True) == "这个按钮不能用"
        assert len(town.house.tables) == 1

    tell_from_the_start(story)


def test_who_plays_elsewhere_finishes_that_first(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        one, two, *_ = town.people
        town.world.crowd.start(one, "learn")
        town.world.crowd.start(two, "learn")
        await asyncio.sleep(4)
        pages = town.messages(one)[-1].id, town.messages(two)[-1].id
        town.world.crowd.start(one, "practice")
        await asyncio.sleep(4)
        table = table_of(town)
        assert "/leave" in (await town.press_data(one, one, pages[0], "l|deal", force=True) or "")
        assert table.state.phase == "playing"
        await open_table_by(town, two)
        assert "周末麻将" in (await town.press_data(two, two, pages[1], "l|deal", force=True) or "")
        assert not any(other.state.lesson is not None for other in town.house.tables)

    tell_from_the_start(story)


async def open_table_by(town: Town, person: int) -> None:
    town.world.crowd.say(person, town.group_id, "/newgame")
    await asyncio.sleep(5)


def test_pressed_again_and_again_one_hand_is_dealt_and_the_running_one_comes_down(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        person = town.people[0]
        town.world.crowd.start(person, "learn")
        await asyncio.sleep(4)
        page = town.messages(person)[-1].id
        for _ in range(8):
            town.world.crowd.press(person, person, page, "l|deal", force=True)
        await asyncio.sleep(10)
        assert len(await town.hands()) == 1
        table = table_of(town)
        assert table.state.lesson == 0
        await follow(town, person, 3)
        before = town.messages(person)[-1].id
        town.world.crowd.start(person, "learn")
        await asyncio.sleep(4)
        await town.press(person, person, r"^l\|deal$")
        await asyncio.sleep(5)
        assert table_of(town) is table
        assert town.messages(person)[-1].id > before
        await check(town)

    tell_from_the_start(story)


def test_every_language_has_all_that_a_coach_may_say() -> None:
    for language in texts().languages:
        words = texts().get(language)
        for topic in EXPLAINED:
            assert words(f"coach.new.{topic}", gold="⭐").startswith(NEW)
        for name, rows in PAGES:
            assert words(f"learn.{name}.title")
            assert words(f"learn.{name}.text")
            assert rows(words)
