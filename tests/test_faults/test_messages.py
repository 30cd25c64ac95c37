"""A message to edit that is gone, not modified, or too old to edit; a press from a message with date 0."""

from __future__ import annotations

import asyncio
import re

import pytest

from playground.faults import Fault
from tests.support.stories import table_of
from tests.support.town import Town
from tests.test_faults.conftest import Tell
from tests.test_faults.test_presses import state_of, throw, turn


async def living(town: Town, chat: int, above: int = 0) -> int:
    """The one message with a picture that stands in a chat, once there is one above that number and no other."""
    for _ in range(300):
        found = [message.id for message in town.messages(chat) if message.content.media is not None]
        if len(found) == 1 and found[0] > above:
            return found[0]
        await asyncio.sleep(0.2)
    raise AssertionError(found)


@pytest.mark.parametrize("where", ["group", "private"])
def test_a_message_that_was_deleted_is_sent_anew(tell: Tell, where: str) -> None:
    async def story(town: Town) -> None:
        _, chat = await turn(town)
        there = town.group_id if where == "group" else chat
        message = await living(town, there)
        buttons = town.buttons(chat)
        town.world.crowd.delete(town.people[0] if where == "group" else chat, there, message)
        await throw(town, buttons)
        await living(town, there, above=message)

    tell(story)


@pytest.mark.parametrize("where", ["group", "private"])
def test_a_message_that_cannot_be_edited_any_more_is_replaced(tell: Tell, where: str) -> None:
    async def story(town: Town) -> None:
        _, chat = await turn(town)
        there = town.group_id if where == "group" else chat
        message = await living(town, there)
        too_old = "Bad Request: message can't be edited"
        town.world.faults.add(Fault("error", "editMessageMedia", there, code=400, description=too_old))
        await throw(town)
        await living(town, there, above=message)

    tell(story)


def test_an_edit_whose_answer_was_lost_is_made_again_and_not_modified_ignored(tell: Tell) -> None:
    async def story(town: Town) -> None:
        for person in town.people[2:]:
            town.world.crowd.start(person)
        await town.seat_all(town.people[:2])
        host = town.people[0]
        message = town.messages(host)[-1]
        town.world.faults.add(Fault("lose", "editMessageText", host))
        start = len(town.calls)
        await town.press(town.people[2], town.group_id, r"\|sit$")
        await asyncio.sleep(15)
        said = [call.description or "" for call in town.calls[start:] if call.chat_id == host]
        assert len(said) == 2
        assert "message is not modified" in said[1]
        assert town.messages(host)[-1] is message
        assert "3/4" in message.content.text

    tell(story, seated=False)


@pytest.mark.parametrize("where", ["private", "group", "lobby"])
def test_a_press_from_an_inaccessible_message_counts(tell: Tell, where: str) -> None:
    """Telegram gives such a message with date 0 and no content: the callback data alone is enough."""

    async def story(town: Town) -> None:
        if where == "lobby":
            town.world.crowd.start(town.people[3])
            await town.seat_all(town.people[:3])
            found = town.find(town.group_id, r"\|leave$")
            assert found is not None
            before = len(table_of(town).state.persons)
            press = town.world.crowd.press(
                town.people[2], town.group_id, found[0].id, found[1]["callback_data"], inaccessible=True
            )
            await asyncio.sleep(1)
            assert press.status == "answered"
            assert len(table_of(town).state.persons) == before - 1
            return
        _, chat = await turn(town)
        if where == "group":
            found = town.find(town.group_id, r"\|hand$")
            assert found is not None
            press = town.world.crowd.press(
                chat, town.group_id, found[0].id, found[1]["callback_data"], inaccessible=True
            )
            await asyncio.sleep(4)
            assert press.status == "answered"
            assert press.alert or town.chat(town.group_id).ephemeral
            return
        table = table_of(town)
        before_state = await state_of(town, table)
        for message, button in [b for b in town.buttons(chat) if re.match(r"m\|.*\|d", b[1]["callback_data"])]:
            press = town.world.crowd.press(
                chat, chat, message.id, button["callback_data"], force=True, inaccessible=True
            )
            await asyncio.sleep(0.6)
            assert press.status == "answered"
            if (await state_of(town, table))[0] != before_state[0]:
                break
        assert (await state_of(town, table))[0] != before_state[0]

    tell(story, seated=where != "lobby")
