"""Toggles, time-outs of days and tables that pause, with the whole bot in virtual time."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from handlers.draft_table import MORNING
from handlers.table_state import PACES
from tests.support.evening import check, run_virtual
from tests.support.town import Town

Story = Callable[[Town], Awaitable[None]]
DAY = 24 * 3600


@pytest.fixture
def tell(tmp_path: Path) -> Callable[..., None]:
    """Runs a story in a town whose four are seated, with a timer chosen, and checks what must always hold."""

    async def whole(story: Story, timer: str) -> None:
        town = Town(tmp_path / "absence.sqlite3", 11)
        await town.open()
        town.world.crowd.start(town.people[3])
        await town.seat_all(town.people[:3])
        await town.press(town.people[0], town.group_id, r"\|options$")
        await asyncio.sleep(8)
        await town.press(town.people[0], town.group_id, rf"\|timer_{list(PACES).index(timer)}$")
        await town.press(town.people[3], town.group_id, r"\|sit$")
        await story(town)
        await check(town)
        await town.close()

    return lambda story, timer="normal": run_virtual(whole(story, timer))


def table_of(town: Town):  # type: ignore[no-untyped-def]
    (table,) = town.house._tables.values()
    return table


async def until(town: Town, condition: Callable[[], bool], seconds: float = 600, step: float = 1.0) -> None:
    for _ in range(round(seconds / step)):
        if condition():
            return
        await asyncio.sleep(step)
    raise AssertionError(f"never: {table_of(town).state if town.house._tables else 'closed'}")


def phase(town: Town) -> str:
    return str(table_of(town).state.phase)


def text_of(town: Town, chat: int) -> str:
    return "\n".join(message.content.text for message in town.messages(chat))


def test_a_table_where_all_are_away_pauses_and_asks_the_next_day(tell: Callable[..., None]) -> None:
    async def story(town: Town) -> None:
        await until(town, lambda: phase(town) == "paused", 3600)
        await asyncio.sleep(30)
        assert "大家都走开了" in text_of(town, town.group_id)
        for chat in (town.group_id, *town.people):
            assert re.search("第 1 局 ·|Hand 1 ·", text_of(town, chat)), "the hand that was played for them"
        assert "🔓" in text_of(town, town.group_id)
        title = town.chat(town.group_id).title
        for person in town.people:
            said = [call for call in town.calls if call.chat_id == person and "😴" in call.params.get("text", "")]
            assert len(said) == 1, "told once"
            assert said[0].params["disable_notification"]
            assert title in said[0].params["text"]
            last = town.messages(person)[-1]
            assert [button["callback_data"].split("|")[-1] for row in last.keyboard for button in row] == [
                "resume",
                "reopen",
            ], "below the sheet"
        before = town.find(town.group_id, r"\|resume$")
        assert before is not None
        await asyncio.sleep(DAY)
        now = town.clock.now().astimezone(town.house.timezone)
        assert now.time() > MORNING
        assert "上回的桌还在" in text_of(town, town.group_id)
        after = town.find(town.group_id, r"\|resume$")
        assert after is not None
        assert after[0].id > before[0].id, "it came down to where people read"
        assert await town.press(town.people[1], town.group_id, r"\|resume$") == "接着打，等大家准备"
        await asyncio.sleep(20)
        for person in town.people:
            assert town.find(person, r"\|ready$") is not None
            await town.press(person, person, r"\|ready$")
        await until(town, lambda: phase(town) == "playing")
        assert table_of(town).state.hand == 2

    tell(story, "fast")


def test_a_paused_table_lets_its_people_sit_elsewhere_and_can_be_opened_afresh(tell: Callable[..., None]) -> None:
    async def story(town: Town) -> None:
        await until(town, lambda: phase(town) == "paused", 3600)
        await asyncio.sleep(30)
        old = table_of(town).id
        assert not table_of(town).state.live
        await town.press(town.people[2], town.group_id, r"\|reopen$")
        await asyncio.sleep(10)
        assert table_of(town).id != old
        assert table_of(town).state.phase == "lobby"
        assert table_of(town).state.persons == [town.house.people.by_chat(town.people[2]).id]

    tell(story, "fast")


def test_in_a_game_of_days_the_others_decide_about_one_who_is_away(tell: Callable[..., None]) -> None:
    async def story(town: Town) -> None:
        await until(town, lambda: phase(town) == "playing")
        seat = table_of(town).state.dealer
        dealer = town.house.people.known(table_of(town).state.seats[seat].person)
        assert dealer is not None
        gone = dealer.telegram_id
        assert gone is not None
        others = [person for person in town.people if person != gone]
        for _ in range(6 * DAY // (20 * 60)):
            await asyncio.sleep(20 * 60)
            for person in others:
                # Whoever is asked throws or passes at once; the hours are those of the one who is away.
                while (found := town.find(person, r"^m\|.*\|[dxh]")) is not None:
                    await town.press_data(person, person, found[0].id, found[1]["callback_data"])
                    await asyncio.sleep(3)
            if table_of(town).state.absent == seat:
                break
        assert table_of(town).state.absent == seat
        await asyncio.sleep(60)
        assert "两次没出牌" in text_of(town, town.group_id)
        other = others[0]
        assert town.find(other, r"\|absent_computer$") is not None
        assert town.find(gone, r"\|absent_computer$") is None
        title = town.chat(town.group_id).title
        told = [message.content.text for message in town.messages(other) if "两次没出牌" in message.content.text]
        assert len(told) == 1, "asked once, in the hand, which goes with the answer"
        assert f"「{title}」" in told[0], "who sits at several tables sees which is meant"
        assert await town.press(other, other, r"\|absent_computer$") == "先由电脑代打，本人一按就接回来"
        assert table_of(town).state.seats[seat].auto
        await asyncio.sleep(20)
        await town.press(gone, gone, r"\|back$")
        assert not table_of(town).state.seats[seat].auto

    tell(story, "days")


def test_a_toggle_is_shown_and_claims_it_declines_are_not_asked(tell: Callable[..., None]) -> None:
    async def story(town: Town) -> None:
        await until(town, lambda: phase(town) == "playing")
        await asyncio.sleep(8)
        for person in town.people:
            assert await town.press(person, person, r"^o\|.*\|no_chow$") is not None
            await town.press(person, person, r"^o\|.*\|no_meld$")
        assert (town.people[0], "这一局不碰不杠") in town.toasts
        await asyncio.sleep(8)
        assert town.find(town.people[0], "✅ 不碰杠") is not None
        tasks = [town.background(town.play_at_random(person)) for person in town.people]
        await until(town, lambda: phase(town) == "between", 3600)
        for task in tasks:
            task.cancel()
        rows = await town.hands()
        moves = [entry.body["move"] for entry in await town.store.journal(rows[0].id) if entry.kind == "move"]
        assert moves
        assert not [move for move in moves if re.search(r" (chow|pong|kong)( |$)", move) and " kong " not in move]

    tell(story)
