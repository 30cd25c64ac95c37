"""Killed at any instant: an answered press is never lost, and the table goes on where its last move left it."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from collections import Counter
from contextlib import closing
from datetime import datetime
from random import Random

import pytest

from handlers.answers import SILENT, Answer
from handlers.dealing import setup_of
from handlers.draft import Draft
from mahjong.hand import Hand
from playground.chats import Message, Press
from playground.faults import Fault
from playground.world import Call
from tests.support.stories import chat_of, dealt, played_out, table_of
from tests.support.town import Town
from tests.test_faults.conftest import Tell
from tests.test_faults.test_presses import force, turn

RESTARTED = re.compile("重启过|重啟過|was restarted")


class Notary:
    """Looks into the database, from outside, at the moment at which a press is answered."""

    def __init__(self, town: Town) -> None:
        self.town = town
        self.kept = 0
        self._pressed: dict[str, tuple[int, int]] = {}
        town.world.on_call = self._heard

    def note(self, press: Press, seat: int) -> None:
        """A move was pressed by the player of a seat."""
        self._pressed[press.id] = seat, self.moves(seat)

    def moves(self, seat: int) -> int:
        """How many moves of a seat are kept."""
        with closing(sqlite3.connect(self.town.database)) as database:
            query = "SELECT count(*) FROM journal WHERE kind = 'move' AND seat = ?"
            count: int = database.execute(query, (seat,)).fetchone()[0]
        return count

    def _heard(self, call: Call) -> None:
        self.town.calls.append(call)
        if call.method != "answerCallbackQuery" or call.status != 200:
            return
        known = self._pressed.pop(call.params["callback_query_id"], None)
        if known is not None and re.match("打 |You throw|已收到|Got it", call.params.get("text", "")):
            assert self.moves(known[0]) > known[1], "answered, and not kept"
            self.kept += 1


async def press_something(town: Town, notary: Notary, chance: Random) -> bool:
    """Somebody who is asked presses a move."""
    table = table_of(town)
    for seat in sorted(table.hand.questions if table.hand is not None else ()):
        chat = chat_of(town, seat)
        found = [entry for entry in town.buttons(chat) if entry[1]["callback_data"].startswith("m|")]
        if found:
            message, button = chance.choice(found)
            press = town.world.crowd.press(chat, chat, message.id, button["callback_data"], force=True)
            notary.note(press, seat)
            return True
    return False


@pytest.mark.parametrize("seed", range(3))
def test_a_whole_hand_with_a_kill_at_every_press(tell: Tell, seed: int) -> None:
    async def story(town: Town) -> None:
        chance, notary = Random(seed), Notary(town)
        (row,) = await town.hands()
        kills = 0
        while row.ended_at is None:
            if kills < 60 and await press_something(town, notary, chance):
                town.life.strike_in(chance.choice([*range(12), *range(12, 200, 7)]))
                await asyncio.sleep(chance.choice([0.3, 1.0, 3.0]))
                await town.kill()
                kills += 1
                await asyncio.sleep(chance.choice([0, 0, 60]))
                await town.open()
                row = (await town.hands())[0]
                if row.ended_at is None:
                    hand = table_of(town).hand
                    assert hand is not None
                    moves = [e for e in await town.store.journal(row.id) if e.kind in ("move", "timeout", "close")]
                    assert len(moves) >= sum(notary.moves(seat) for seat in range(4))
            await asyncio.sleep(8)
            row = (await town.hands())[0]
        assert kills > 20
        assert notary.kept > 10
        await asyncio.sleep(60)
        lines = [m for m in town.messages(town.group_id) if RESTARTED.search(m.content.text)]
        assert len(lines) == 1

    tell(story, dealing=setup_of)


async def after_a_kill(town: Town, down: float = 1800.0) -> None:
    await town.kill()
    await asyncio.sleep(down)
    await town.open()
    await asyncio.sleep(0)


def test_a_kill_before_the_last_sheet_is_closed_leaves_nobody_waited_for(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        await played_out(town)
        waits = re.compile("等大家准备|等大家準備|Waiting for")
        assert [m for m in town.messages(town.group_id) if waits.search(m.content.text)]
        for method in ("editMessageCaption", "editMessageReplyMarkup", "editMessageMedia"):
            town.world.crowd.order_fault(Fault("drop", method, times=1000))
        for person in town.people:
            await town.press(person, person, r"\|ready$")
        for _ in range(100):
            if table_of(town).state.phase == "dice":
                break
            await asyncio.sleep(0.1)
        await after_a_kill(town, 1)
        town.world.faults.clear()
        await dealt(town)
        await asyncio.sleep(60)
        for chat in (town.group_id, *town.people):
            sheets = [m for m in town.messages(chat) if re.search("第 ?1 ?局|Hand 1", m.content.text)]
            assert sheets
            assert not [m for m in sheets if waits.search(m.content.text)]
            # What a sheet keeps for good leads to its replay and proof, and asks nobody for anything.
            kept = [button["callback_data"] for m in sheets for row in m.keyboard for button in row]
            assert all(data.startswith("v|") for data in kept)

    tell(story)


def test_a_kill_before_the_last_words_leaves_the_names_in_them(tell: Tell) -> None:
    """What is kept of a closed table names nobody: the names are those of whoever is known."""

    async def story(town: Town) -> None:
        await dealt(town)
        await played_out(town)
        table = table_of(town)
        everybody = [seat.name for seat in table.state.players if seat.person is not None]
        names = [name for name in everybody if name in sheet(town).content.text]
        assert names
        for method in ("editMessageText", "editMessageCaption", "editMessageReplyMarkup", "editMessageMedia"):
            town.world.crowd.order_fault(Fault("drop", method, times=1000))
        await table.do(end)
        row = await town.store.table(table.id)
        assert row is not None
        assert row.closed_at is not None
        kept = json.dumps(row.state, ensure_ascii=False)
        assert [name for name in everybody if name in kept] == []
        assert [row.key for row in await town.store.sent_messages() if row.key.startswith(f"t{table.id}:")]
        await after_a_kill(town, 1)
        town.world.faults.clear()
        await asyncio.sleep(60)
        assert not town.house.outbox.keys(f"t{table.id}:")
        assert [name for name in names if name not in sheet(town).content.text] == []

    tell(story)


def test_the_line_that_tells_of_a_restart_lives_no_longer_than_its_table(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        await after_a_kill(town, 60)
        await asyncio.sleep(60)
        table = table_of(town)
        (key,) = town.house.outbox.keys("restart:")
        await table.do(end)
        await asyncio.sleep(60)
        assert not town.house.outbox.keys("restart:")
        assert key not in {row.key for row in await town.store.sent_messages()}
        assert [m for m in town.messages(town.group_id) if RESTARTED.search(m.content.text)]

    tell(story)


def end(draft: Draft) -> Answer:
    draft.end_table("lobby.closed")
    return SILENT


def sheet(town: Town) -> Message:
    """The first hand's, in the group."""
    return [m for m in town.messages(town.group_id) if re.search("第 ?1 ?局|Hand 1", m.content.text)][-1]


def left(town: Town) -> dict[str, float]:
    """Seconds until each deadline of the table."""
    now = town.clock.now()
    return {
        name: (datetime.fromisoformat(at) - now).total_seconds() for name, at in table_of(town).state.deadlines.items()
    }


def hand_of(town: Town) -> Hand:
    hand = table_of(town).hand
    assert hand is not None
    return hand


def test_in_a_turn_everything_is_as_it_was_and_the_clock_begins_anew(tell: Tell) -> None:
    async def story(town: Town) -> None:
        _, chat = await turn(town)
        found = town.find(chat, r"^m\|.*\|d")
        assert found is not None
        hand = hand_of(town)
        before = (hand.number, hand.questions, hand.events)
        await asyncio.sleep(30)
        await after_a_kill(town)
        await asyncio.sleep(1)
        hand = hand_of(town)
        assert (hand.number, hand.questions, hand.events) == before
        assert left(town)["turn"] > table_of(town).state.pace.turn - 5  # type: ignore[operator]
        await asyncio.sleep(12)
        (line,) = [m for m in town.messages(town.group_id) if RESTARTED.search(m.content.text)]
        assert line.silent
        number = hand.number
        for _, button in [b for b in town.buttons(chat) if re.match(r"m\|.*\|d", b[1]["callback_data"])]:
            await force(town, chat, chat, found[0].id, button["callback_data"])
            if hand_of(town).number != number:
                break
        assert hand_of(town).number != number, "the old message's buttons work"
        await asyncio.sleep(2)
        counts = Counter(chat for chat in town.people for m in town.messages(chat) if m.content.media is not None)
        assert set(counts.values()) == {1}, "one living hand in each private chat"

    tell(story)


def test_in_a_window_the_unanswered_are_still_asked(tell: Tell) -> None:
    async def story(town: Town) -> None:
        table = table_of(town)
        players = [town.background(town.play_at_random(person)) for person in town.people]
        for _ in range(3000):
            if table.hand is not None and table.hand.in_window and table.state.somebody_asked and table.hand.questions:
                break
            await asyncio.sleep(0.1)
        for player in players:
            player.cancel()
        assert table.hand is not None
        asked, number = dict(table.hand.questions), table.hand.number
        await after_a_kill(town)
        await asyncio.sleep(0.5)
        hand = hand_of(town)
        assert (hand.questions, hand.number) == (asked, number)
        assert left(town)["window"] >= table_of(town).state.pace.claim - 5  # type: ignore[operator]
        await played_out(town)

    tell(story)


def test_in_the_lobby_its_seats_and_its_end_are_kept(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await town.press(town.people[3], town.group_id, r"\|leave$") if town.find(town.group_id, r"\|leave$") else None
        town.world.crowd.say(town.people[0], town.group_id, "/stop")
        await played_out(town)
        town.world.crowd.say(town.people[0], town.group_id, "/newgame")
        await asyncio.sleep(5)
        await town.press(town.people[1], town.group_id, r"\|sit$")
        persons = table_of(town).state.persons
        found = town.find(town.group_id, r"\|sit$")
        assert found is not None
        await after_a_kill(town, 3600)
        await asyncio.sleep(1)
        assert table_of(town).state.persons == persons
        assert left(town)["lobby"] > 50
        await town.press_data(town.people[2], town.group_id, found[0].id, found[1]["callback_data"])
        assert len(table_of(town).state.persons) == 3
        await asyncio.sleep(3600)
        assert not town.house._tables, "and it dies in the end"

    tell(story)


@pytest.mark.parametrize("phase", ["countdown", "dice"])
def test_before_the_deal(tell: Tell, phase: str) -> None:
    async def story(town: Town) -> None:
        for _ in range(600):
            if table_of(town).state.phase == phase:
                break
            await asyncio.sleep(0.02)
        assert table_of(town).state.phase == phase
        await after_a_kill(town)
        await dealt(town)
        await played_out(town)

    tell(story, playing=False)


def test_between_two_hands_ready_counts(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await played_out(town)
        table = table_of(town)
        assert table.state.phase == "between"
        one = chat_of(town, 0)
        found = town.find(one, r"\|ready$")
        assert found is not None
        wallets = await town.store.wallets(range(1, 5))
        await after_a_kill(town)
        await asyncio.sleep(1)
        assert await town.store.wallets(range(1, 5)) == wallets
        assert min(left(town).values()) > 50
        assert await force(town, one, one, found[0].id, found[1]["callback_data"])
        for seat in range(1, 4):
            chat = chat_of(town, seat)
            if not table_of(town).state.taken[seat].ready:
                await town.press(chat, chat, r"\|ready$")
        await dealt(town)
        assert table_of(town).state.hand == 2

    tell(story)
