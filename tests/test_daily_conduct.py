"""Daily coins and relief, by command and at the table, with the whole bot in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from data.ledger import RELIEF_TO, START_COINS
from data.store import Change
from handlers.application import set_menu
from handlers.table import Table
from tests.data.samples import opening, play, won
from tests.support.evening import run_virtual
from tests.support.stories import newest, open_table, person_of, seen, table_of, text_of
from tests.support.town import Town
from tests.test_held_coins import open_days

Story = Callable[[Town], Awaitable[None]]


@pytest.fixture
def tell(tmp_path: Path) -> Callable[[Story], None]:
    """Stories in a town where everybody has started the bot; at their end the books are right."""

    async def whole(story: Story) -> None:
        town = Town(tmp_path / "daily.sqlite3", 3)
        await town.open()
        for person in town.people:
            town.world.crowd.start(person)
        await asyncio.sleep(5)
        await story(town)
        assert await town.store.audit() is None
        await town.close()

    return lambda story: run_virtual(whole(story))


async def lose(town: Town, person: int, left: int) -> None:
    """A person is left with so few coins, and another has the rest."""
    other = next(one for one in town.people if one != person)
    loser, winner = person_of(town, person), person_of(town, other)
    amount = await town.store.balance(loser) - left
    table = await town.store.create_table(None, {}, town.clock.now())
    hand = opening(town.store, [winner, loser, "easy", "easy"], friendly=False, holds={loser: amount, winner: amount})
    end = won(hand, 0, amount)
    net = [amount, -amount, 0, 0]
    paid = tuple(payment for payment in end.payments if payment.payer == loser)
    await play(town.store, table, hand, replace(end, result={**end.result, "net": net}, payments=paid))
    await town.store.commit(Change(table.id, (), close=town.clock.now()))


async def daily(town: Town, person: int, chat: int) -> str:
    town.world.crowd.say(person, chat, "/daily")
    await asyncio.sleep(6)
    found = newest(town, chat, "🧧")
    assert found is not None
    return found.content.text


async def balance(town: Town, person: int) -> int:
    return await town.store.balance(person_of(town, person))


def test_daily_coins_come_once_a_local_day_and_count_days_in_a_row(tell: Any) -> None:
    async def story(town: Town) -> None:
        person = town.people[0]
        assert "200 币到手" in (first := await daily(town, person, person))
        assert "连领" not in first
        assert "1,700" in first
        again = await daily(town, person, person)
        assert "已经到手" in again
        assert await balance(town, person) == START_COINS + 200
        # 20:00 in Shanghai: midnight there is four hours away.
        await asyncio.sleep(4 * 3600)
        assert "连领 2 天" in await daily(town, person, person)
        await asyncio.sleep(48 * 3600)
        assert "连领" not in await daily(town, person, person)
        assert await balance(town, person) == START_COINS + 600

    tell(story)


def test_daily_coins_that_a_kill_cut_short_are_there_and_not_given_twice(tell: Any) -> None:
    async def story(town: Town) -> None:
        person = town.people[0]
        town.world.crowd.say(person, person, "/daily")
        for _ in range(10_000):
            if await balance(town, person) > START_COINS:
                break
            await asyncio.sleep(0.001)
        await town.kill()
        await town.open()
        await asyncio.sleep(10)
        assert "200" in (await daily(town, person, person))
        assert await balance(town, person) == START_COINS + 200

    tell(story)


def test_relief_fills_up_twice_a_day_and_says_when_there_is_no_more(tell: Any) -> None:
    async def story(town: Town) -> None:
        person = town.people[0]
        await lose(town, person, 100)
        text = await daily(town, person, person)
        assert "救济 400 币" in text
        assert "今天还有 1 次" in text
        assert await balance(town, person) == RELIEF_TO + 200
        await lose(town, person, 159)
        text = await daily(town, person, person)
        assert "救济 341 币" in text
        assert "今天还有" not in text
        await lose(town, person, 0)
        text = await daily(town, person, person)
        assert "救济领完了" in text
        assert await balance(town, person) == 0

    tell(story)


def test_in_a_group_only_who_asks_sees_the_answer_or_it_begins_with_the_name(tell: Any) -> None:
    async def story(town: Town) -> None:
        person = town.people[0]
        text = await daily(town, person, town.group_id)
        known = town.house.people.by_chat(person)
        assert known is not None
        assert text.startswith(known.name)

    tell(story)


def test_who_is_too_poor_to_sit_is_told_what_to_do(tell: Any) -> None:
    async def story(town: Town) -> None:
        host, poor = town.people[:2]
        await lose(town, poor, 10)
        await open_table(town, host)
        toast = await town.press(poor, town.group_id, r"\|sit$")
        assert "/daily" in (toast or "")

    tell(story)


def test_the_lobby_follows_the_coins_of_those_who_sit(tell: Any) -> None:
    async def story(town: Town) -> None:
        host = town.people[0]
        await open_table(town, host)
        assert "底 10 " in text_of(town, town.group_id)
        await daily(town, host, host)
        assert "底 100 " in text_of(town, town.group_id)

    tell(story)


async def at_the_deal(town: Town, *, left: int = 100) -> tuple[Table, int]:
    """All four sit down; one of them loses elsewhere before the deal."""
    poor = town.people[1]
    table = await open_table(town, *town.people[:3])
    await lose(town, poor, left)
    await town.press(town.people[3], town.group_id, r"\|sit$")
    await seen(town, poor, "救济|够坐")
    return table, poor


def test_relief_is_offered_before_the_deal_which_goes_on_once_it_is_taken(tell: Any) -> None:
    async def story(town: Town) -> None:
        table, poor = await at_the_deal(town)
        assert table.state.phase == "countdown"
        assert "领救济" in text_of(town, town.group_id)
        offer = newest(town, poor, "够坐")
        assert offer is not None
        assert "600" in offer.content.text
        toast = await town.press(poor, poor, r"\|relief$")
        assert "600" in (toast or "")
        await asyncio.sleep(20)
        assert table.state.phase == "playing"
        assert len(table.state.persons) == 4
        assert newest(town, poor, "够坐") is None

    tell(story)


def test_who_does_not_answer_is_waited_for_a_minute_at_most(tell: Any) -> None:
    async def story(town: Town) -> None:
        table, poor = await at_the_deal(town)
        await asyncio.sleep(66)
        assert table.state.phase == "lobby"
        assert table.state.seat_of(person_of(town, poor)) is None
        assert len(table.state.persons) == 3
        assert "/daily" in text_of(town, poor)
        assert await balance(town, poor) == 100

    tell(story)


def test_who_declines_gives_the_seat_up_at_once(tell: Any) -> None:
    async def story(town: Town) -> None:
        table, poor = await at_the_deal(town)
        message = newest(town, poor, "够坐")
        assert message is not None
        await town.press_data(poor, poor, message.id, f"t|{table.id}|leave")
        await asyncio.sleep(3)
        assert table.state.phase == "lobby"
        assert not table.state.relief
        assert newest(town, poor, "够坐") is None

    tell(story)


def test_the_command_answers_the_offer_as_well(tell: Any) -> None:
    async def story(town: Town) -> None:
        table, poor = await at_the_deal(town)
        await daily(town, poor, poor)
        await asyncio.sleep(20)
        assert table.state.phase == "playing"

    tell(story)


def test_a_kill_keeps_the_offer_and_gives_a_minute_more(tell: Any) -> None:
    async def story(town: Town) -> None:
        table, poor = await at_the_deal(town)
        await town.kill()
        await asyncio.sleep(120)
        await town.open()
        await asyncio.sleep(20)
        table = table_of(town)
        assert table.state.relief
        await town.press(poor, poor, r"\|relief$")
        await asyncio.sleep(20)
        assert table.state.phase == "playing"

    tell(story)


def test_a_kill_between_the_coins_and_the_deal_is_made_good_by_another_press(tell: Any) -> None:
    async def story(town: Town) -> None:
        table, poor = await at_the_deal(town)
        # What the bot had done when it was killed.
        day = town.house.day(town.clock.now())
        await town.store.relief(person_of(town, poor), day, town.clock.now())
        await town.store.daily(person_of(town, poor), day, town.clock.now())
        assert await town.press(poor, poor, r"\|relief$") == "已经领过了"
        await asyncio.sleep(20)
        assert table.state.phase == "playing"
        assert await balance(town, poor) == RELIEF_TO + 200

    tell(story)


def test_whom_nothing_is_due_to_gives_the_seat_up(tell: Any) -> None:
    async def story(town: Town) -> None:
        person = town.people[1]
        for _ in range(2):
            await lose(town, person, 0)
            await daily(town, person, person)
        table = await open_table(town, *town.people[:3])
        await lose(town, person, 20)
        await town.press(town.people[3], town.group_id, r"\|sit$")
        await asyncio.sleep(8)
        assert table.state.phase == "lobby"
        assert len(table.state.persons) == 3

    tell(story)


def test_a_game_of_days_waits_as_long_as_it_keeps_a_seat(tell: Any) -> None:
    async def story(town: Town) -> None:
        poor = town.people[1]
        table = await open_days(town, town.group_id, *town.people[:3])
        await lose(town, poor, 100)
        await town.press(town.people[3], town.group_id, r"\|sit$")
        await seen(town, poor, "够坐")
        await asyncio.sleep(3600)
        assert table.state.relief
        await town.press(poor, poor, r"\|relief$")
        await asyncio.sleep(30)
        assert table.state.phase == "playing"

    tell(story)


def test_what_one_person_alone_sees_is_in_their_own_language(tell: Any) -> None:
    async def story(town: Town) -> None:
        one, two = town.people[:2]
        await set_menu(town.house)
        town.world.crowd.say(one, one, "/lang en")
        await asyncio.sleep(6)
        for person in (one, two):
            town.world.crowd.say(person, town.group_id, "/daily")
            await asyncio.sleep(6)
        bot = town.world.bot.id
        texts = {m.only_for: m.content.text for m in town.chat(town.group_id).ephemeral.values() if m.sender == bot}
        assert "coins" in texts[one]
        assert "币" in texts[two]

    tell(story)
