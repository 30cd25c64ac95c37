"""An anonymous admin's command is answered with how to go on; the button carries the real person."""

from __future__ import annotations

import asyncio

import pytest

from handlers.commands import COMMANDS
from tests.support.stories import table_of, text_of
from tests.support.town import Town
from tests.test_faults.conftest import Tell


@pytest.mark.parametrize("name", sorted(command.name for command in COMMANDS if command.group))
def test_every_command_of_an_anonymous_admin(tell: Tell, name: str) -> None:
    async def story(town: Town) -> None:
        admin = town.people[0]
        for person in town.people:
            town.world.crowd.start(person)
        await asyncio.sleep(5)
        before = len(town.messages(town.group_id))
        people = await town.store.persons(range(1, 20))
        town.world.crowd.say(admin, town.group_id, f"/{name}", anonymous=True)
        await asyncio.sleep(8)
        assert len(town.messages(town.group_id)) == before + 1, "it is answered"
        assert await town.store.persons(range(1, 20)) == people, "Telegram's stand-in becomes nobody"
        for table in town.house._tables.values():
            assert not table.state.persons

    tell(story, seated=False)


def test_the_explanation_names_the_button_and_the_button_works(tell: Tell) -> None:
    async def story(town: Town) -> None:
        admin, other = town.people[0], town.people[1]
        for person in town.people:
            town.world.crowd.start(person)
        await asyncio.sleep(5)
        town.world.crowd.say(other, town.group_id, "/newgame")
        await asyncio.sleep(5)
        town.world.crowd.say(admin, town.group_id, "/join", anonymous=True)
        await asyncio.sleep(8)
        assert "匿名" in text_of(town, town.group_id)
        await town.press(admin, town.group_id, r"\|sit$")
        seated = [town.house.people.known(one) for one in table_of(town).state.persons]
        assert {person.telegram_id for person in seated if person is not None} == {admin, other}

    tell(story, seated=False)
