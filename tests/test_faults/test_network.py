"""Network down, 5xx, time-outs, lost and late answers, 429: retried with backoff; play goes on; newest states count."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from random import Random
from typing import Any

import pytest
from telegram.error import NetworkError, TimedOut

from playground.faults import Fault
from tests.support.request import Sent
from tests.support.stories import chat_of, played_out, table_of, text_of
from tests.support.town import Town
from tests.test_faults.conftest import Tell
from tests.test_faults.test_kills import hand_of
from tests.test_faults.test_presses import throw, turn


def test_a_minute_without_network(tell: Tell) -> None:
    """What was pressed meanwhile counts; then every chat is brought to its newest state, without a call too many."""

    async def story(town: Town) -> None:
        await turn(town)
        await asyncio.sleep(5)
        town.line.cut()
        hand = hand_of(town)
        number = hand.number
        await asyncio.sleep(100)
        assert hand_of(town).number > number, "the clock of the table does not stop"
        start = len(town.calls)
        town.line.mend()
        await asyncio.sleep(2)
        _, chat = await turn(town)
        for _ in range(300):
            found = town.find(chat, r"^m\|.*\|d")
            if found is not None and f"|{hand_of(town).number}|" in found[1]["callback_data"]:
                break
            await asyncio.sleep(0.1)
        assert found is not None, "whoever is asked has the buttons"
        edits = Counter(call.chat_id for call in town.calls[start:] if "edit" in call.method or "send" in call.method)
        assert max(edits.values()) <= 6

    tell(story, errors=("polling for updates",))


@pytest.mark.parametrize("seed", [1, 2])
def test_a_hand_over_a_bad_line(tell: Tell, seed: int) -> None:
    """Every fifth call fails in one way or another."""

    async def story(town: Town) -> None:
        chance = Random(seed)

        def before(sent: Sent) -> None:
            if chance.random() < 0.08:
                raise chance.choice([NetworkError("the connection was reset"), TimedOut()])

        def after(sent: Sent, status: int, payload: dict[str, Any]) -> None:
            if chance.random() < 0.06:
                raise chance.choice([NetworkError("the connection was reset"), TimedOut()])

        town.line.before, town.line.after = before, after
        for kind, code in (("error", 502), ("error", 500), ("late", 0), ("drop", 0)):
            for _ in range(12):
                fault = Fault(kind, seconds=chance.uniform(2, 14), code=code, skip=chance.randrange(40))  # type: ignore[arg-type]
                town.world.faults.add(fault)
        await played_out(town, at_random=True)
        (row,) = await town.hands()
        assert row.outcome != "void"
        town.line.before = town.line.after = None
        town.world.faults.clear()
        await asyncio.sleep(60)
        for chat in town.people:
            assert re.search("第 1 局|Hand 1", text_of(town, chat))
        assert len(table_of(town).state.persons) == 4

    tell(story)


@pytest.mark.parametrize("where", ["private", "group"])
def test_a_flood_wait_pauses_its_chat_only(tell: Tell, where: str) -> None:
    async def story(town: Town) -> None:
        seat, _ = await turn(town)
        await asyncio.sleep(6)
        there = chat_of(town, (seat + 1) % 4) if where == "private" else town.group_id
        town.world.faults.add(Fault("retry_after", None, there, seconds=25))
        start = len(town.calls)
        await throw(town)
        players = [town.background(town.play_at_random(one)) for one in town.people if one != there]
        await asyncio.sleep(24)
        refused = [call for call in town.calls[start:] if call.status == 429]
        assert len(refused) == 1
        (when,) = [call.time for call in refused]
        later = [call for call in town.calls if call.time > when and call.method != "answerCallbackQuery"]
        assert not [call for call in later if call.chat_id == there and call.time < when + 25]
        others = {call.chat_id for call in later if call.chat_id is not None and call.time < when + 25}
        assert len(others - {there}) >= 2, "the others' messages go on"
        await asyncio.sleep(12)
        assert [call for call in town.calls if call.chat_id == there and call.time >= when + 25]
        for player in players:
            player.cancel()

    tell(story)


def test_a_die_whose_answer_is_lost_is_thrown_again_and_the_last_counts(tell: Tell) -> None:
    async def story(town: Town) -> None:
        town.world.faults.add(Fault("lose", "sendDice", town.group_id))
        for _ in range(900):
            if table_of(town).state.phase == "playing":
                break
            await asyncio.sleep(0.1)
        thrown = [message.content.dice[1] for message in town.messages(town.group_id) if message.content.dice]
        assert len(thrown) == 3
        assert table_of(town).state.dice == thrown[1:]

    tell(story, playing=False)


def test_an_answer_to_a_press_is_tried_again_while_it_is_of_use(tell: Tell) -> None:
    async def story(town: Town) -> None:
        _, chat = await turn(town)
        town.world.faults.add(Fault("error", "answerCallbackQuery", code=502, description="Bad Gateway", times=2))
        assert await town.press(chat, chat, r"\|table$") is not None
        press = list(town.world.presses.values())[-1]
        assert press.status == "answered"

    tell(story)
