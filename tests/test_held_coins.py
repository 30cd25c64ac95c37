"""Coins that one hand holds while another table wants to deal, with the whole bot in virtual time."""

from __future__ import annotations

import asyncio

import pytest

from handlers.draft import Draft
from handlers.table import Table
from tests.support.stories import Tell, dealt, open_table, person_of, played_out, text_of
from tests.support.town import Town


async def open_days(town: Town, group: int, *seated: int) -> Table:
    """A table of a ``days`` game in a group, its first person its host."""
    known = set(town.house._tables)
    town.world.crowd.say(seated[0], group, "/newgame")
    await asyncio.sleep(6)
    await town.press(seated[0], group, r"\|options$")
    await asyncio.sleep(4)
    await town.press(seated[0], group, r"\|timer_3$")
    await asyncio.sleep(4)
    for person in seated:
        if person not in seats(town, known):
            await town.press(person, group, r"\|sit$")
    (number,) = set(town.house._tables) - known
    return town.house._tables[number]


def seats(town: Town, known: set[int]) -> set[int]:
    """The chats of those who sit at tables opened since."""
    new = [table for number, table in town.house._tables.items() if number not in known]
    persons = [town.house.people.known(person) for table in new for person in table.state.persons]
    return {person.telegram_id or 0 for person in persons if person is not None}


@pytest.mark.parametrize("killed", [False, True])
def test_a_game_of_days_waits_until_a_live_hand_gives_the_coins_back(tell_from_the_start: Tell, killed: bool) -> None:
    async def story(town: Town) -> None:
        other = town.world.crowd.add_group("慢桌", town.people).id
        await open_table(town, *town.people)
        await dealt(town)
        assert (await town.store.wallet(person_of(town, town.people[0]))).available == 0
        table = await open_days(town, other, *town.people)
        await asyncio.sleep(30)
        assert len(table.state.persons) == 4, "nobody is poor"
        assert (table.state.phase, len(table.state.held)) == ("countdown", 4)
        assert "那一桌打完这一局" in text_of(town, other)
        if killed:
            await town.kill()
            await town.open()
            await asyncio.sleep(10)
            table = town.house._tables[table.id]
            assert table.state.phase == "countdown"
        await played_out(town)
        assert table.state.phase == "playing"
        assert not table.state.held
        wallet = await town.store.wallet(person_of(town, town.people[0]))
        assert 0 < wallet.held <= wallet.balance // 4

    tell_from_the_start(story)


def test_between_hands_nobody_loses_a_seat_over_coins_held_elsewhere(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        other = town.world.crowd.add_group("慢桌", town.people).id
        for person in town.people:
            town.world.crowd.start(person)
            await asyncio.sleep(2)
        table = await open_days(town, other, *town.people)
        await asyncio.sleep(20)
        assert table.state.phase == "playing"

        def over(draft: Draft) -> object:
            while draft.settle is None:
                assert draft.hand is not None
                if draft.hand.can_close:
                    draft.close_window()
                else:
                    seat = min(draft.hand.questions)
                    draft.came_back(seat)
                    draft.computer_plays(seat)

        await table.do(over)  # type: ignore[arg-type]
        await asyncio.sleep(30)
        assert table.state.phase == "between"
        streak = table.state.streak, table.state.dealer
        await town.seat_all()
        await asyncio.sleep(30)
        for person in town.people:
            await town.press(person, other, r"\|ready$")
        assert len(table.state.persons) == 4
        assert (table.state.phase, len(table.state.held)) == ("between", 4)
        tasks = [town.background(town.play_at_random(person)) for person in town.people]
        for _ in range(3000):
            if table.state.phase == "playing":
                break
            await asyncio.sleep(1)
        for task in tasks:
            task.cancel()
        assert table.state.phase == "playing"
        assert (table.state.hand, table.state.streak, table.state.dealer) == (2, *streak)

    tell_from_the_start(story)
