"""A hand with three computers by one press or one link, whatever its player was doing before."""

from __future__ import annotations

import asyncio

import pytest

from handlers.computers import LEVELS, USUAL
from handlers.draft import Draft
from handlers.preferences import Preferences
from handlers.table import Table
from tests.support.evening import check
from tests.support.stories import Tell, met, newest, open_table, person_of, photos, table_of
from tests.support.town import Town


async def link(town: Town, person: int, payload: str = "practice") -> None:
    town.world.crowd.start(person, payload)
    await asyncio.sleep(4)


def own_table(town: Town, person: int) -> Table:
    known = town.house.people.by_chat(person)
    assert known is not None
    table = town.house.practice_of(known)
    assert table is not None
    return table


def test_the_link_deals_at_once_with_what_a_new_lobby_would_offer(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        person = town.people[0]
        await link(town, person)
        table = table_of(town)
        assert table.state.phase == "playing"
        assert (table.state.rules, table.state.options) == ("zhangzhou", {})
        assert [seat.computer for seat in table.state.taken if seat.person is None] == [USUAL] * 3
        assert len(town.messages(person)) == 1, "no lobby, no greeting"
        assert await town.press(person, person, r"\|hint$")

    tell_from_the_start(story)


def test_the_link_deals_what_was_practised_last(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        person = town.people[0]
        known = await met(town, person)
        await town.house.people.set_prefs(known, {"game": "putian-ming", "level": LEVELS[0]})
        await link(town, person)
        table = table_of(town)
        assert table.state.phase == "playing"
        assert table.state.rules == "putian-ming"
        assert table.state.level == LEVELS[0]

    tell_from_the_start(story)


def test_an_open_lobby_is_started_and_a_running_hand_comes_down(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        person = town.people[0]
        town.world.crowd.start(person)
        town.world.crowd.say(person, person, "/newgame")
        await asyncio.sleep(4)
        await link(town, person)
        await asyncio.sleep(4)
        table = table_of(town)
        assert table.state.phase == "playing"
        (hand,) = town.messages(person)[-1:]
        await link(town, person)
        assert table_of(town) is table
        assert town.messages(person)[-1].id > hand.id, "it is at the bottom"
        assert len(photos(town, person)) == 2
        assert table.state.hand == 1

    tell_from_the_start(story)


@pytest.mark.parametrize("paused", [False, True])
def test_a_sheet_that_waits_for_ready_and_a_table_that_pauses_go_on(tell_from_the_start: Tell, paused: bool) -> None:
    async def story(town: Town) -> None:
        person = town.people[0]
        await link(town, person)
        table = table_of(town)

        def over(draft: Draft) -> object:
            assert draft.hand is not None
            # A table at which nobody has pressed anything for a whole hand pauses.
            draft.state.taken[draft.state.seat_of(person_of(town, person)) or 0].present = not paused
            while draft.hand is not None and draft.hand.result is None:
                for seat in list(draft.hand.questions):
                    if draft.hand.result is None and seat in draft.hand.questions:
                        draft.computer_plays(seat)
                if draft.hand.result is None and draft.hand.in_window:
                    draft.close_window()
            return None

        await table.do(over)  # type: ignore[arg-type]
        await asyncio.sleep(3)
        assert table.state.phase == ("paused" if paused else "between")
        await link(town, person)
        assert table_of(town) is table
        assert (table.state.phase, table.state.hand) == ("playing", 2)

    tell_from_the_start(story)


def test_who_sits_in_a_group_is_told_and_no_table_opens(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        one, two, *_ = town.people
        table = await open_table(town, one, two)
        await link(town, one)
        assert table_of(town) is table
        assert newest(town, one, "你还坐在「周末麻将」那桌") is not None

    tell_from_the_start(story)


def test_the_greeting_deals_by_one_press_and_a_hundred_deal_one_hand(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        person = town.people[0]
        town.world.crowd.start(person)
        await asyncio.sleep(3)
        await town.press(person, person, r"hello\|zh_Hans")
        await asyncio.sleep(3)
        hello = town.messages(person)[-1].id
        for _ in range(100):
            town.world.crowd.press(person, person, hello, "t|0|play")
        await asyncio.sleep(30)
        table = table_of(town)
        assert (table.state.phase, table.state.hand) == ("playing", 1)
        assert len(await town.hands()) == 1

    tell_from_the_start(story)


@pytest.mark.parametrize(
    "payload", ["practice_1", "practice_1_0123456789ab", "Practice", "practise", "learn_", "learn-1"]
)
def test_a_payload_that_is_none_of_ours_greets(tell_from_the_start: Tell, payload: str) -> None:
    async def story(town: Town) -> None:
        person = town.people[0]
        await link(town, person, payload)
        assert not town.house.tables
        assert newest(town, person, "选一种语言") is not None

    tell_from_the_start(story)


def test_its_button_forged_into_a_group_does_nothing(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        one, two, *_ = town.people
        table = await open_table(town, one)
        lobby = town.messages(town.group_id)[-1].id
        for action in ("play", "learn"):
            told = await town.press_data(two, town.group_id, lobby, f"t|0|{action}", force=True)
            assert told == "这个按钮不能用"
        assert table_of(town) is table

    tell_from_the_start(story)


def test_a_kill_right_after_the_link_leaves_the_hand_or_nothing(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        person = town.people[0]
        town.world.crowd.start(person, "practice")
        await asyncio.sleep(0.35)
        await town.kill()
        await town.open()
        await asyncio.sleep(5)
        await link(town, person)
        await asyncio.sleep(5)
        table = own_table(town, person)
        assert table.state.phase == "playing"
        assert len(await town.hands()) == 1
        assert Preferences.of(town.house.people.by_chat(person)).game == table.state.rules  # type: ignore[arg-type]
        assert person_of(town, person) in table.state.persons
        await check(town)

    tell_from_the_start(story)
