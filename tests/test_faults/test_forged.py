"""Forged callback data: refused and logged; who may press is checked against the store, never against the data."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from random import Random

import pytest

from handlers.table import Table
from tests.support.stories import dealt, newest, played_out, table_of
from tests.support.town import Town
from tests.test_faults.conftest import Tell
from tests.test_faults.test_presses import data_in, force, state_of, turn

WRITTEN = Path(__file__).with_name("forged.txt").read_text("utf-8").splitlines()
GARBAGE = [*WRITTEN, " ", "\x00", "m|1|1|1|d1m\x00", "m|1|1|1|d1m\u200b", "\u202em|1|1|1|d1m", "m" * 64, "中" * 21]


def test_garbage_is_refused_and_changes_nothing(tell: Tell, caplog: pytest.LogCaptureFixture) -> None:
    async def story(town: Town) -> None:
        table = table_of(town)
        seat, chat = await turn(town)
        for deadline in table.state.deadlines:
            table.state.deadlines[deadline] = "2026-05-02T00:00:00+00:00"
        table._arm()
        before = await state_of(town, table)
        warned = 0
        for data in GARBAGE:
            for person, there in ((chat, chat), (chat, town.group_id), (town.people[3], town.people[3])):
                message = town.messages(there)[-1].id
                caplog.clear()
                said = await force(town, person, there, message, data)
                assert said, data
                warned += any("forged" in record.getMessage() for record in caplog.records)
                assert await state_of(town, table) == before, data
        assert warned > len(GARBAGE)
        assert seat in (table.hand.questions if table.hand is not None else ())

    with caplog.at_level(logging.WARNING):
        tell(story)


def test_another_groups_table_is_out_of_reach(tell: Tell) -> None:
    """Neither by its id in one's own group (whose admin one may be), nor in private."""

    async def story(town: Town) -> None:
        crowd = town.world.crowd
        hosts = [crowd.add_person(name, language_code="zh-hans").id for name in ("甲", "乙")]
        other = crowd.add_group("另一群", hosts).id
        crowd.start(hosts[0])
        await asyncio.sleep(3)
        crowd.say(hosts[0], other, "/newgame")
        await asyncio.sleep(4)
        crowd.say(hosts[1], other, "/help")
        await asyncio.sleep(4)
        ours = table_of_group(town, town.group_id)
        theirs = table_of_group(town, other)
        before = await state_of(town, theirs)
        admin = next(one for one in town.people if town.chat(town.group_id).admin(one))
        pressed = {data.replace(f"|{theirs}|", "|T|") for chat in (other, *hosts) for data in data_in(town, chat)}
        pressed |= {
            f"t|{theirs.id}|{action}" for action in ("stop", "sit", "down", "start", "leave", "reopen", "resume")
        }
        pressed |= {f"m|{theirs.id}|1|1|d1m", f"h|{theirs.id}|1|hand", f"o|{theirs.id}|1|no_chow"}
        for data in sorted(data for data in pressed if not data.startswith("s|")):
            for chat in (town.group_id, admin):
                said = await force(town, admin, chat, town.messages(chat)[-1].id, data)
                assert said or data == "-", data
        assert await state_of(town, theirs) == before
        assert theirs.state.phase == "lobby"
        assert ours.state.phase == "playing"

    tell(story)


def table_of_group(town: Town, chat: int) -> Table:
    return next(t for t in town.house._tables.values() if t.group is not None and t.group.telegram_id == chat)


def test_buttons_changed_at_random_break_nothing(tell: Tell) -> None:
    """Real data with a character changed, added or left out: whatever becomes of it is legal or refused."""

    async def story(town: Town) -> None:
        chance = Random(7)
        alphabet = "0123456789|.-mthosdcpkxyrE中１"
        presses = []
        for _ in range(250):
            chat = chance.choice([town.group_id, *town.people])
            found = town.buttons(chat)
            if not found:
                continue
            message, button = chance.choice(found)
            data = list(button["callback_data"])
            for _ in range(chance.randint(1, 3)):
                at = chance.randrange(len(data) + 1)
                data[at : at + chance.randint(0, 1)] = chance.choice(["", chance.choice(alphabet)])
            text = "".join(data)
            if 1 <= len(text.encode()) <= 64 and "stop" not in text:
                person = chat if chat > 0 else chance.choice(town.people)
                presses.append(town.world.crowd.press(person, chat, message.id, text, force=True))
                await asyncio.sleep(1)
        await asyncio.sleep(10)
        assert len(presses) > 150
        assert [press.data for press in presses if press.status != "answered"] == []

    tell(story)


def test_a_forged_press_deletes_nothing_that_stands_in_the_chat(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        await played_out(town)
        stranger = town.world.crowd.add_person("路人").id
        town.world.crowd.join(town.group_id, stranger)
        before = [message.id for message in town.messages(town.group_id)]
        for number in before:
            for person in (stranger, town.people[0]):
                await town.press_data(person, town.group_id, number, "h|1|1|ready", force=True)
                await town.press_data(person, town.group_id, number, "h|1|1|down", force=True)
        await asyncio.sleep(30)
        kinds = [message.content.kind for message in town.messages(town.group_id)]
        assert {message.id for message in town.messages(town.group_id)} >= set(before[:-1])
        assert kinds.count("dice") == 2
        assert newest(town, town.group_id, "🔏") is not None

    tell(story)
