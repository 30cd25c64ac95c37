"""/score: a group's ranking by buttons, and in private one's own groups."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest

from data.model import Change, Entry
from handlers.commands.score import COMMAND
from handlers.presses import page_data
from tests.data.samples import opening, won
from tests.support.evening import line_of, run_virtual
from tests.support.stories import Story, Tell, newcomer, newest, open_table, person_of, played_out, seen, text_of
from tests.support.town import Town

TITLE = "排名"


@pytest.fixture
def tell_it(tmp_path: Path) -> Tell:
    """Stories whose hands were not played: nobody has done anything yet."""

    async def whole(story: Story) -> None:
        town = Town(tmp_path / "story.sqlite3", 3)
        await town.open()
        await story(town)
        assert [line_of(call) for call in town.calls if call.status != 200] == []
        assert await town.store.audit() is None
        await town.close()

    return lambda story: run_virtual(whole(story))


async def won_before(town: Town, winners: dict[int, str], people: list[int] | None = None) -> None:
    """Hands that were played in the group at another table: the winner's seat by number of the hand, and its day."""
    chats = people or town.people[:4]
    for chat in chats:
        town.world.crowd.start(chat)
    await asyncio.sleep(3)
    seats = [person_of(town, chat) for chat in chats]
    group = await town.store.group_by_telegram(town.group_id, town.chat(town.group_id).title or "", False, NOW)
    table = await town.store.create_table(group.id, {"phase": "closed"}, NOW)
    for number, (winner, day) in enumerate(winners.items(), start=1):
        hand = opening(town.store, seats, number, held=300)
        ended = won(hand, winner % 4, 20, day)
        entries = Entry(2 * number - 1, NOW, "open", hand_id=hand.hand_id), Entry(2 * number, NOW, "end")
        await town.store.commit(Change(table.id, entries[:1], open_hand=hand))
        await town.store.commit(Change(table.id, entries[1:], settle=ended))
    await town.store.commit(Change(table.id, close=NOW))


NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
"""A Friday; the town's day begins in Asia/Shanghai."""


async def asked(town: Town, person: int, chat: int) -> None:
    town.world.crowd.say(person, chat, "/score")
    await asyncio.sleep(5)


def test_the_periods_are_chosen_by_buttons_in_place(tell_it: Tell) -> None:
    async def story(town: Town) -> None:
        a, b, *_ = town.people
        await won_before(town, {0: "2026-03-31", 1: "2026-04-26", 5: "2026-04-28", 2: "2026-05-01"})
        await asked(town, a, town.group_id)
        first = await seen(town, town.group_id, "总排名")
        assert first.content.media is not None
        assert first.silent
        periods = [button["text"] for button in first.keyboard[0]]
        assert periods == ["今天", "本周", "本月", "✅ 全部"]
        assert len(first.keyboard) == 1
        for period, title, lines in (
            ("day", "今天排名", ["+60（1 局，胡 1）", "-20（1 局，胡 0）"]),
            ("week", "本周排名", ["+40（2 局，胡 1）", "-40（2 局，胡 0）"]),
            ("month", "本月排名", ["+60（1 局，胡 1）", "-20（1 局，胡 0）"]),
            ("all", "总排名", ["+80（4 局，胡 2）", "\u30000（4 局，胡 1）"]),
        ):
            assert await town.press(b, town.group_id, rf"^r\|\d+\|{period}\|0$") == ""
            await asyncio.sleep(5)
            message = await seen(town, town.group_id, title)
            assert message.id == first.id
            for line in lines:
                assert line in message.content.text, message.content.text
            chosen = [button["text"] for button in message.keyboard[0] if "✅" in button["text"]]
            assert len(chosen) == 1
        assert "币" not in text_of(town, town.group_id)

    tell_it(story)


def test_pages_and_ones_own_row(tell_it: Tell) -> None:
    async def story(town: Town) -> None:
        others = [await newcomer(town, f"牌友{number}") for number in range(10)]
        people = [*town.people[:4], *others]
        for first in range(0, 12, 4):
            await won_before(town, {0: "2026-05-01"}, people[first : first + 4])
        last = people[3]
        await asked(town, last, town.group_id)
        page = await seen(town, town.group_id, TITLE)
        lines = page.content.text.splitlines()
        assert len(lines) == 1 + 10 + 1
        assert lines[-1].startswith(f"4. {town.world.people[last].name}")
        (turning,) = page.keyboard[1:]
        assert [button["text"] for button in turning] == ["1 / 2", "▶"]
        assert await town.press(last, town.group_id, r"\|all\|1$") == ""
        await asyncio.sleep(5)
        page = await seen(town, town.group_id, TITLE)
        assert len(page.content.text.splitlines()) == 1 + 2
        assert [button["text"] for button in page.keyboard[1]] == ["◀", "2 / 2"]
        # Whoever presses sees their own row, the best one ahead of the page.
        assert await town.press(people[0], town.group_id, r"\|all\|0$") == ""
        assert await town.press_data(people[0], town.group_id, page.id, page.keyboard[0][3]["callback_data"]) == ""
        await asyncio.sleep(5)
        assert len((await seen(town, town.group_id, TITLE)).content.text.splitlines()) == 1 + 10

    tell_it(story)


def test_forged_presses_of_rankings_are_refused(tell_it: Tell) -> None:
    async def story(town: Town) -> None:
        a, b, *_ = town.people
        await won_before(town, {0: "2026-05-01"})
        elsewhere = town.world.crowd.add_group("别的群", [b, town.people[2]]).id
        await town.store.group_by_telegram(elsewhere, "别的群", False, NOW)
        await asked(town, a, town.group_id)
        message = await seen(town, town.group_id, TITLE)
        calls = len(town.calls)
        refused = {
            "r|2|all|0": "这个按钮不能用",
            "r|1|year|0": "这个按钮不能用",
            "r|1|all|-1": "这个按钮不能用",
            "r|1|all|x": "这个按钮不能用",
            "r|1|all": "这个按钮不能用",
            "r|0|mine|0": "这个按钮不能用",
            "r|999|all|0": "这个按钮不能用",
            "r|1|all|1": "没有这一页",
            "r|1|day|99999999": "没有这一页",
        }
        for data, toast in refused.items():
            assert await town.press_data(a, town.group_id, message.id, data, force=True) == toast, data
            await asyncio.sleep(1)
        for data in ("r|2|all|0", "r|999|all|0", "r|0|all|0"):
            assert await town.press_data(a, a, 1, data, force=True) == "这个按钮不能用", data
            await asyncio.sleep(1)
        await asyncio.sleep(5)
        assert {call.method for call in town.calls[calls:]} <= {"answerCallbackQuery", "getUpdates"}

    tell_it(story)


def test_a_ranking_never_takes_the_place_of_another_message(tell_it: Tell) -> None:
    async def story(town: Town) -> None:
        a, b, *_ = town.people
        await won_before(town, {0: "2026-05-01"})
        await open_table(town, a, b)
        found = town.find(town.group_id, r"^t\|")
        assert found is not None
        lobby, before = found[0], found[0].content.text
        data = page_data("r", 1, "all", 0)
        assert await town.press_data(a, town.group_id, lobby.id, data, force=True) == ""
        page = await seen(town, town.group_id, TITLE)
        assert page.id != lobby.id
        assert town.chat(town.group_id).messages[lobby.id].content.text == before

    tell_it(story)


def test_my_groups_in_private(tell_it: Tell) -> None:
    async def story(town: Town) -> None:
        a, b, *_ = town.people
        await asked(town, a, a)
        assert "还没有在哪个群打过" in text_of(town, a)
        await won_before(town, {0: "2026-05-01", 1: "2026-05-01"})
        await asked(town, a, a)
        mine = await seen(town, a, "我打过的群")
        assert "第 1 名，共 4 人，+40" in mine.content.text
        assert "1,540" in mine.content.text
        assert await town.press(a, a, r"^r\|1\|all\|0$") == ""
        await seen(town, a, "总排名")
        await asyncio.sleep(5)
        assert newest(town, a, "我打过的群") is None
        assert await town.press(a, a, r"^r\|1\|day\|0$") == ""
        await seen(town, a, "今天排名")
        assert await town.press(a, a, "我的群") == ""
        await seen(town, a, "我打过的群")
        # Who has left the group does not see its ranking any more.
        town.world.crowd.leave(town.group_id, a)
        assert await town.press(a, a, r"^r\|1\|all\|0$") == "你已经不在那个群里了"
        stranger = await newcomer(town)
        assert await town.press_data(stranger, stranger, 1, "r|1|all|0", force=True) == "这个按钮不能用"
        assert b != a

    tell_it(story)


def test_friendly_hands_do_not_rank(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        await open_table(town, town.people[0])
        await town.press(town.people[0], town.group_id, r"\|game_0$")
        await town.press(town.people[0], town.group_id, r"\|start$")
        await played_out(town, but=town.people[1:])
        await asked(town, town.people[0], town.group_id)
        message = await seen(town, town.group_id, "友谊场不算排名")
        assert not message.keyboard
        assert message.content.media is None

    tell_from_the_start(story)


def test_only_the_command_opens_it() -> None:
    assert set(COMMAND.pages) == {"r"}
