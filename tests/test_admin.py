"""/admin, in virtual time: what operators see and do, and that for everybody else it is not there."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path

import pytest

from handlers.answers import SILENT, Answer
from handlers.draft import Draft
from handlers.screens.admin import MINUTES, PHASES
from playground.chats import Message
from tests.support.evening import check, run_virtual
from tests.support.stories import (
    dealt,
    newest,
    open_table,
    person_of,
    played_out,
    practise,
    seats_of,
    seen,
    sits,
    table_of,
    text_of,
)
from tests.support.town import START, Town, texts

OPERATOR = 5_000_000_001
"""阿明."""
Story = Callable[[Town], Awaitable[None]]


@pytest.fixture
def tell(tmp_path: Path) -> Callable[..., None]:
    """Tells a story in a town whose first person is the operator."""

    async def whole(story: Story, seated: bool, coins: int | None) -> None:
        town = Town(tmp_path / "x.sqlite3", 3, admins=[OPERATOR])
        await town.open()
        if seated:
            await town.seat_all()
        await story(town)
        await check(town, coins)
        await town.close()

    return lambda story, seated=True, coins=None: run_virtual(whole(story, seated, coins))


Tell = Callable[..., None]


async def admin(town: Town, argument: str = "") -> Message:
    """The operator sends /admin; what stands there then."""
    town.world.crowd.say(OPERATOR, OPERATOR, f"/admin {argument}".strip())
    await asyncio.sleep(4)
    return town.messages(OPERATOR)[-1]


def says(town: Town, chat: int, key: str) -> str:
    """A text in the language of whoever this chat is with."""
    person = town.house.people.by_chat(chat)
    assert person is not None
    return texts().get(person.language)(key)


async def acts(town: Town) -> list[tuple[str, dict[str, object]]]:
    """All that was written down, newest last."""

    def read(connection: object) -> list[tuple[str, dict[str, object]]]:
        rows = connection.exec_driver_sql("SELECT act, json(body) FROM acts ORDER BY id")  # type: ignore[attr-defined]
        return [(row[0], json.loads(row[1])) for row in rows]

    return await town.store._database.read(read)


def test_for_others_there_is_no_such_command(tell: Tell) -> None:
    async def story(town: Town) -> None:
        other = town.people[1]
        for person in (OPERATOR, other):
            town.world.crowd.start(person)
        await asyncio.sleep(8)
        said = []
        for text in ("/admin", "/nosuchcommand"):
            town.world.crowd.say(other, other, text)
            await asyncio.sleep(8)
            said.append([(m.content.text, m.keyboard) for m in town.messages(other)])
        # One answer lives for a person and command: the second came in the place of the first.
        assert said[0] == said[1]
        assert says(town, other, "help.text")[3:6] in str(said[0])
        for person in (OPERATOR, other):
            town.world.crowd.say(person, town.group_id, "/admin")
        await asyncio.sleep(20)
        assert not town.messages(town.group_id)

    tell(story, seated=False)


def test_the_pages_tell_of_load_and_tables_and_of_no_tile(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        page = await admin(town)
        assert re.search(r"牌桌 1 · 在打 1\n在座 4 人\n待发 \d+", page.content.text)
        assert re.search(r"内存 \d+ MB", page.content.text)
        texts = [page.content.text]
        for pattern in (r"^a\|tables\|0$", r"^a\|table\|1$", r"^a\|close\|1$"):
            await town.press(OPERATOR, OPERATOR, pattern)
            await asyncio.sleep(3)
            texts.append(town.chat(OPERATOR).messages[page.id].content.text)
        assert "第 1 局" in texts[1]
        assert all(name in texts[2] for name in ("阿明", "阿珍"))
        assert "作废" in texts[3]
        assert not re.search(r"[一二三四五六七八九][万筒索]|金：", "\n".join(texts))

    tell(story)


FORGED = (
    *("a|main", "a|tables|0", "a|table|1", "a|close|1|1", "a|ban|1|now", "a|bans|0", "a|unban|5000000002"),
    *("a|upkeep|1", "a|announce|5|1", "a|cancel", "a|x", "a|close|1|1|1", "a|announce|7|1", "a|tables|x"),
)


def test_forged_pages_of_others_do_nothing_and_show_nothing(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        table, other = table_of(town), town.people[1]
        for data in FORGED:
            before = [m.content.text for m in town.messages(other)]
            said = await town.press_data(other, other, town.messages(other)[-1].id, data, force=True)
            assert said == says(town, other, "toast.forged")
            # Nor does the operator's own button do anything in front of others.
            said = await town.press_data(OPERATOR, town.group_id, town.messages(town.group_id)[-1].id, data, force=True)
            assert said == says(town, OPERATOR, "toast.forged")
            await asyncio.sleep(3)
            assert [m.content.text for m in town.messages(other)] == before
        assert table.state.phase == "playing"
        assert await acts(town) == []
        assert town.house.upkeep.at is None
        assert not town.house.banned

    tell(story)


def test_a_table_is_closed_after_a_question_and_every_coin_goes_back(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        table = table_of(town)
        assert (await town.store.wallet(1)).held == 1500
        await admin(town)
        for pattern in (r"^a\|tables\|0$", r"^a\|table\|1$", r"^a\|close\|1$"):
            await town.press(OPERATOR, OPERATOR, pattern)
            await asyncio.sleep(3)
        # The question was about another hand.
        page = town.messages(OPERATOR)[-1].id
        assert "过" in (await town.press_data(OPERATOR, OPERATOR, page, "a|close|1|2", force=True) or "")
        assert table.state.phase == "playing"
        assert await town.press(OPERATOR, OPERATOR, r"^a\|close\|1\|1$") == "已散桌"
        await asyncio.sleep(30)
        assert not town.house.tables
        wallets = await town.store.wallets(range(1, 5))
        assert [(wallet.balance, wallet.held) for wallet in wallets.values()] == [(1500, 0)] * 4
        (hand,) = await town.hands()
        assert hand.outcome == "void"
        assert "机主把这一局作废了" in text_of(town, town.group_id)
        for person in town.people:
            assert says(town, person, "lobby.annulled") in text_of(town, person)
        entries = await town.store.table_journal(1)
        assert [entry.body for entry in entries if entry.kind == "operator_closed"] == [{"person": 1}]
        assert await acts(town) == [("close", {"table": 1, "group": 1, "hand": 1})]
        assert not await town.press(OPERATOR, OPERATOR, r"^a\|main$")

    tell(story)


def test_an_announced_restart_is_said_once_at_every_live_table_and_silently(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        await admin(town)
        await town.press(OPERATOR, OPERATOR, r"^a\|upkeep\|1$")
        await asyncio.sleep(3)
        await town.press(OPERATOR, OPERATOR, r"^a\|upkeep\|0$")
        await asyncio.sleep(3)
        assert re.fullmatch(
            r"已通知：\d\d:\d\d 重启", await town.press(OPERATOR, OPERATOR, r"^a\|announce\|10\|0$") or ""
        )
        told = await seen(town, town.group_id, "🔧")
        at = f"{town.clock.now().astimezone(town.house.timezone) + timedelta(minutes=10):%H:%M}"
        assert re.search(r"🔧 机器人 \d\d:\d\d 重启，几秒钟就好", told.content.text)
        assert abs(int(at[3:]) - int(told.content.text[9:11])) <= 1
        calls = [call for call in town.calls if call.chat_id == town.group_id and "🔧" in call.params.get("text", "")]
        assert [call.params.get("disable_notification") for call in calls] == [True]
        # Nobody in private who sits in a group.
        assert not any("🔧 机器人" in text_of(town, person) for person in town.people[1:])
        # Another time takes the place of the first, in a message at the bottom; then there is none at all.
        await town.press(OPERATOR, OPERATOR, r"^a\|announce\|30\|0$")
        await asyncio.sleep(20)
        assert text_of(town, town.group_id).count("🔧") == 1
        assert await town.press(OPERATOR, OPERATOR, r"^a\|cancel$") == "已取消，大家都看得到"
        await asyncio.sleep(20)
        assert "🔧 不重启了" in text_of(town, town.group_id)
        assert text_of(town, town.group_id).count("🔧") == 1
        assert [act for act, _ in await acts(town)] == ["announce", "announce", "cancel"]

    tell(story)


def test_tables_that_open_meanwhile_hear_of_it_and_games_of_days_do_not(tell: Tell) -> None:
    async def story(town: Town) -> None:
        one, two, *_ = town.people
        await admin(town)
        await town.press(OPERATOR, OPERATOR, r"^a\|upkeep\|1$")
        await asyncio.sleep(3)
        await town.press(OPERATOR, OPERATOR, r"^a\|announce\|60\|1$")
        table = await open_table(town, one)
        await seen(town, town.group_id, "🔧 机器人")
        town.world.crowd.start(two)
        await asyncio.sleep(5)
        town.world.crowd.say(two, two, "/newgame")
        await seen(town, two, "🔧")
        await town.press(OPERATOR, OPERATOR, r"^a\|cancel$")
        await seen(town, town.group_id, "🔧 不重启了")
        # Whoever plays a move a day does not notice.
        await table.do(days)
        await asyncio.sleep(10)
        await town.press(OPERATOR, OPERATOR, r"^a\|announce\|60\|1$")
        await asyncio.sleep(30)
        assert text_of(town, town.group_id).count("🔧") == 1

    tell(story, seated=False)


def days(draft: Draft) -> Answer:
    """A step that gives a table the timer of a move a day."""
    draft.state.timer = "days"
    draft.note("timer")
    return SILENT


def test_no_hand_begins_after_the_time_until_the_bot_is_back(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        await admin(town)
        await town.press(OPERATOR, OPERATOR, r"^a\|upkeep\|1$")
        await asyncio.sleep(3)
        await town.press(OPERATOR, OPERATOR, r"^a\|announce\|5\|1$")
        await asyncio.sleep(300)
        await played_out(town)
        for person in town.people[:3]:
            await town.press(person, person, r"\|ready$")
        said = await town.press(town.people[3], town.people[3], r"\|ready$")
        assert said == says(town, town.people[3], "toast.upkeep")
        await asyncio.sleep(180)
        assert table_of(town).state.phase == "between"
        # A kill and a start: the hand is dealt by itself, and the announcement says that it is over.
        await town.kill()
        await town.open()
        await dealt(town)
        assert table_of(town).state.hand == 2
        await asyncio.sleep(30)
        assert "🔧 重启好了" in text_of(town, town.group_id)

    tell(story)


def test_an_announcement_outlasts_a_kill_before_its_time(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await admin(town)
        await town.press(OPERATOR, OPERATOR, r"^a\|upkeep\|1$")
        await asyncio.sleep(3)
        await town.press(OPERATOR, OPERATOR, r"^a\|announce\|60\|1$")
        await asyncio.sleep(20)
        await town.kill()
        await town.open()
        assert town.house.upkeep.at is not None
        assert town.house.upkeep.at > START
        assert town.house.upkeep.hold
        await asyncio.sleep(20)
        assert text_of(town, town.group_id).count("🔧") == 1

    tell(story)


def test_a_restart_that_never_comes_is_not_waited_for_for_ever(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await admin(town)
        await town.press(OPERATOR, OPERATOR, r"^a\|upkeep\|1$")
        await asyncio.sleep(3)
        await town.press(OPERATOR, OPERATOR, r"^a\|announce\|5\|1$")
        table = table_of(town)
        await played_out(town)
        await asyncio.sleep(600)
        for person in town.people:
            await town.press(person, person, r"\|ready$")
        await asyncio.sleep(300)
        assert table.state.phase == "between", "no hand begins"
        await asyncio.sleep(3600)
        assert town.house.upkeep.at is None
        assert table.state.phase in ("dice", "playing") or table.state.hand > 1
        assert "🔧 不重启了" in text_of(town, town.group_id)

    tell(story)


def test_a_ban_takes_every_seat_and_outlasts_a_start_and_being_forgotten(tell: Tell) -> None:
    async def story(town: Town) -> None:
        one, two, three, _ = town.people
        table = await open_table(town, one, two, three)
        await admin(town)
        for pattern in (r"^a\|tables\|0$", r"^a\|table\|1$", rf"^a\|ban\|{person_of(town, two)}$"):
            await town.press(OPERATOR, OPERATOR, pattern)
            await asyncio.sleep(3)
        assert sits(town, one, two, three)
        assert await town.press(OPERATOR, OPERATOR, r"\|now$") == "阿珍 已封禁"
        await asyncio.sleep(10)
        assert sits(town, one, three)
        assert "机主暂时不让你上桌，你的位子空出来了" in text_of(town, two)
        refused = "机主暂时不让你上桌。有疑问请找机主。"
        assert await town.press(two, town.group_id, r"\|sit$") == refused
        await town.kill()
        await town.open()
        assert await town.press(two, town.group_id, r"\|sit$") == refused
        town.world.crowd.say(two, two, "/newgame")
        await asyncio.sleep(5)
        assert newest(town, two, refused) is not None
        town.world.crowd.say(two, two, "/me")
        await asyncio.sleep(5)
        await town.press(two, two, r"^y\|forget$")
        await asyncio.sleep(5)
        await town.press(two, two, r"^y\|forget\|now$")
        await asyncio.sleep(5)
        town.world.crowd.start(two)
        await asyncio.sleep(5)
        assert await town.press(two, town.group_id, r"\|sit$") == refused
        # Let in again by the page of names.
        await admin(town)
        await town.press(OPERATOR, OPERATOR, r"^a\|bans\|0$")
        await asyncio.sleep(3)
        assert await town.press(OPERATOR, OPERATOR, rf"^a\|unban\|{two}$") == "阿珍 已解封"
        await town.press(two, town.group_id, r"\|sit$")
        await asyncio.sleep(3)
        assert person_of(town, two) in table_of(town).state.persons
        assert [act for act, _ in await acts(town)] == ["ban", "unban"]
        assert table.id == 1

    # The wallet that was forgotten is the house's again.
    tell(story, seated=False, coins=4500)


def test_who_plays_is_banned_after_the_hand_which_counts(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        two = town.people[1]
        assert "阿珍 已封禁" in (await admin(town, f"ban {two}")).content.text
        await asyncio.sleep(5)
        assert "打完这一局你就离桌" in text_of(town, two)
        assert table_of(town).state.phase == "playing"
        await played_out(town)
        await asyncio.sleep(10)
        assert all(seat.person != person_of(town, two) for seat in seats_of(town))
        assert (await town.hands())[0].outcome in ("win", "draw")

    tell(story)


def test_a_practice_ends_with_a_ban_and_names_are_found_in_any_case(tell: Tell) -> None:
    async def story(town: Town) -> None:
        guest = town.world.crowd.add_person("阿福", language_code="zh-hans", username="AhFu").id
        town.world.crowd.start(guest)
        town.people.append(guest)
        await asyncio.sleep(3)
        await practise(town, guest)
        await asyncio.sleep(10)
        assert len(town.house.tables) == 1
        assert "没有这个人" in (await admin(town, "ban @nobody")).content.text
        assert "没有这个人" in (await admin(town, "ban 99")).content.text
        assert "阿福 已封禁" in (await admin(town, "ban @ahfu")).content.text
        await asyncio.sleep(5)
        assert not town.house.tables
        assert "阿福 已解封" in (await admin(town, "unban @AHFU")).content.text
        for nobody in (guest, 99):
            assert (await admin(town, f"unban {nobody}")).content.text == "没有封过这个人"
        # An operator cannot lock themselves out.
        await admin(town, f"ban {OPERATOR}")
        assert not town.house.banned

    tell(story, seated=False)


def test_every_phase_and_choice_has_its_words() -> None:
    for language in ("zh_Hans", "zh_Hant", "en"):
        words = texts().get(language)
        assert all(words(f"admin.phase.{phase}") for phase in (*PHASES, "closed"))
    assert sorted(MINUTES) == list(MINUTES)
