"""Updates missed while the bot was down, delivered twice, or out of order: each counts once, and none is dropped."""

from __future__ import annotations

import asyncio
import re

import pytest

from playground.faults import Fault
from tests.support.stories import chat_of, played_out, table_of, text_of
from tests.support.town import Town
from tests.test_faults.conftest import Tell
from tests.test_faults.test_presses import turn


def test_what_was_pressed_and_said_while_the_bot_was_down_counts(tell: Tell) -> None:
    async def story(town: Town) -> None:
        seat, chat = await turn(town)
        table = table_of(town)
        journal = len(await town.store.table_journal(table.id))
        await town.kill()
        presses = []
        for message, button in [b for b in town.buttons(chat) if re.match(r"m\|.*\|d", b[1]["callback_data"])][-1:]:
            presses.append(town.world.crowd.press(chat, chat, message.id, button["callback_data"]))
        other = chat_of(town, (seat + 1) % 4)
        town.world.crowd.say(other, other, "/rules")
        town.world.crowd.say(other, town.group_id, "/leave")
        await asyncio.sleep(20 * 3600)
        await town.open()
        await asyncio.sleep(10)
        assert len(await town.store.table_journal(table.id)) > journal + 1
        assert [press.status for press in presses] == ["expired"], "too late for a toast, not for the move"
        hand = table_of(town).hand
        assert hand is not None
        thrown = [event for event in hand.events if event.kind == "discarded" and event.seat == seat]
        warned = any(message.content.text for message in town.messages(chat))
        assert thrown or warned
        assert table_of(town).state.seats[(seat + 1) % 4].leaving  # type: ignore[union-attr]
        assert len(text_of(town, other)) > 0

    tell(story)


@pytest.mark.parametrize("kind", ["duplicate", "reorder"])
def test_a_hand_whose_updates_all_come_twice_or_in_the_wrong_order(tell: Tell, kind: str) -> None:
    async def story(town: Town) -> None:
        town.world.faults.add(Fault(kind, times=10_000))  # type: ignore[arg-type]
        await played_out(town, at_random=True)
        (row,) = await town.hands()
        assert row.outcome != "void"
        moves = [entry.body["move"] for entry in await town.store.journal(row.id) if entry.kind == "move"]
        assert len(moves) > 20
        assert len(table_of(town).state.persons) == 4

    tell(story)


@pytest.mark.parametrize("kind", ["duplicate", "reorder"])
def test_a_lobby_whose_updates_come_twice_or_in_the_wrong_order(tell: Tell, kind: str) -> None:
    async def story(town: Town) -> None:
        town.world.faults.add(Fault(kind, times=10_000))  # type: ignore[arg-type]
        for person in town.people:
            town.world.crowd.start(person)
        await asyncio.sleep(5)
        town.world.crowd.say(town.people[0], town.group_id, "/newgame")
        town.world.crowd.say(town.people[1], town.group_id, "/newgame")
        await asyncio.sleep(8)
        assert len(town.house._tables) == 1
        found = town.find(town.group_id, r"\|sit$")
        assert found is not None
        for person in town.people:
            for _ in range(2):
                town.world.crowd.press(person, town.group_id, found[0].id, found[1]["callback_data"], force=True)
        await asyncio.sleep(2)
        assert sorted(table_of(town).state.persons) == [1, 2, 3, 4]

    tell(story, seated=False)


def test_start_and_stop_of_one_person_keep_their_order(tell: Tell) -> None:
    """Blocked and unblocked while the bot was down: the last word counts, also if it is told first."""

    async def story(town: Town) -> None:
        person = town.people[2]
        await town.kill()
        town.world.crowd.block(person)
        town.world.crowd.unblock(person)
        await asyncio.sleep(60)
        await town.open()
        await asyncio.sleep(10)
        known = town.house.people.by_chat(person)
        assert known is not None
        assert known.private_ok

    tell(story)
