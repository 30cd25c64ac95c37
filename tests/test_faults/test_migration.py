"""A group becomes a supergroup in mid-hand: table, settings, ranking follow, however the bot hears of it."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from typing import Any

import pytest

from data.model import Group
from playground.faults import Fault
from tests.support.stories import chat_of, dealt, newcomer, open_table, played_out, table_of, text_of
from tests.support.town import Town
from tests.test_faults.conftest import Tell
from tests.test_faults.test_disk import ERRORS, locked


async def old_group(town: Town) -> None:
    """Everybody plays in a group of the old kind; the first hand is over, the second has been dealt."""
    town.group_id = town.world.crowd.add_group("老群", town.people, type="group").id
    await town.seat_all()
    await dealt(town)
    await played_out(town)
    for seat in range(4):
        chat = chat_of(town, seat)
        await town.press(chat, chat, r"\|ready$")
    await dealt(town)


def hear(town: Town, how: str) -> int:
    """Migrate, and let the bot hear of it in this way; the new chat."""
    pending = town.world.updates._pending
    seen = len(pending)
    if how == "from, then to":
        town.world.faults.add(Fault("reorder"))
    elif how == "twice":
        town.world.faults.add(Fault("duplicate"))
    new = town.world.crowd.migrate(town.group_id).id
    if how == "to alone":
        pending[seen:] = [one for one in pending[seen:] if "migrate_to_chat_id" in one[1]["message"]]
    elif how == "from alone":
        pending[seen:] = [one for one in pending[seen:] if "migrate_from_chat_id" in one[1]["message"]]
    elif how == "by a refused call":
        del pending[seen:]
    return new


HOWS = ["to, then from", "from, then to", "to alone", "from alone", "twice", "by a refused call"]


@pytest.mark.parametrize("how", HOWS)
def test_the_table_goes_on_in_the_new_group(tell: Tell, how: str) -> None:
    async def story(town: Town) -> None:
        await old_group(town)
        table = table_of(town)
        group = table.group
        assert group is not None
        ranking = await town.store.ranking(group.id)
        assert sum(row.hands for row in ranking) == 4
        old, town.group_id = town.group_id, hear(town, how)
        await played_out_second(town)
        assert table.group is not None
        assert (table.group.id, table.group.telegram_id) == (group.id, town.group_id)
        assert sum(row.hands for row in await town.store.ranking(group.id)) == 8
        assert "第 2 局" in text_of(town, town.group_id)
        late = [call for call in town.calls if call.chat_id == old and call.time > town.world.now() - 60]
        assert not late, "nothing more is sent to the old group"
        refused = [call for call in town.calls if call.chat_id == old and call.status != 200]
        assert len(refused) <= 1
        town.calls[:] = [call for call in town.calls if call not in refused]
        town.world.crowd.say(town.people[0], town.group_id, "/score")
        await asyncio.sleep(10)
        assert "1." in text_of(town, town.group_id)

    tell(story, seated=False)


def test_a_migration_that_cannot_be_kept_is_kept_later(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await old_group(town)
        table = table_of(town)
        with locked(town):
            town.group_id = hear(town, "to, then from")
            await asyncio.sleep(20)
            assert table.group is not None
            assert table.group.telegram_id != town.group_id
        await asyncio.sleep(30)
        assert table_of(town).group.telegram_id == town.group_id  # type: ignore[union-attr]
        await played_out_second(town)
        town.calls[:] = [call for call in town.calls if call.status == 200]

    tell(story, seated=False, errors=ERRORS)


async def played_out_second(town: Town) -> None:
    players = [town.background(town.play_to_win(one)) for one in town.people]
    for _ in range(3000):
        rows = await town.hands()
        if rows[1].ended_at is not None:
            break
        await asyncio.sleep(1)
    for player in players:
        player.cancel()
    assert (await town.hands())[1].ended_at is not None
    await asyncio.sleep(30)


def test_it_is_known_after_a_kill_that_came_at_once(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await old_group(town)
        await town.kill()
        town.group_id = hear(town, "to, then from")
        await asyncio.sleep(60)
        await town.open()
        await played_out_second(town)
        assert table_of(town).group is not None
        assert "第 2 局" in text_of(town, town.group_id)

    tell(story, seated=False)


def test_settings_and_language_follow(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await old_group(town)
        group = table_of(town).group
        assert group is not None
        town.world.crowd.say(town.people[0], town.group_id, "/lang")
        before = await town.store.group(group.id)
        town.group_id = hear(town, "to, then from")
        await asyncio.sleep(20)
        after = await town.store.group(group.id)
        assert before is not None
        assert after is not None
        assert (after.settings, after.language, after.title) == (before.settings, before.language, before.title)
        assert after.telegram_id == town.group_id
        town.world.crowd.say(town.people[0], town.group_id, "/table")
        await asyncio.sleep(20)
        assert town.find(town.group_id, r"\|down$"), "commands in the new group find the table"

    tell(story, seated=False)


def test_a_button_left_behind_in_the_old_chat_says_where_to_press(tell: Tell, caplog: pytest.LogCaptureFixture) -> None:
    async def story(town: Town) -> None:
        await old_group(town)
        old = town.group_id
        for _ in range(60):
            # A group hears no more than its budget lets through.
            if town.find(old, r"\|hand$"):
                break
            await asyncio.sleep(1)
        message, button = town.find(old, r"\|hand$") or pytest.fail("no button")
        town.group_id = hear(town, "to, then from")
        await asyncio.sleep(20)
        said = await town.press_data(town.people[0], old, message.id, button["callback_data"], force=True)
        assert any(text in (said or "") for text in ("升级过", "upgraded"))
        assert "forged" not in caplog.text

    tell(story, seated=False)


def test_a_table_opened_in_the_new_group_before_the_bot_knew_gives_way(tell: Tell) -> None:
    async def story(town: Town) -> None:
        crowd = town.world.crowd
        old = town.group_id = crowd.add_group("老群", town.people, type="group").id
        await town.seat_all(town.people[:3])
        crowd.start(town.people[3])
        table = table_of(town)
        await asyncio.sleep(30)
        pending = town.world.updates._pending
        seen = len(pending)
        new = crowd.migrate(old).id
        notices = pending[seen:]
        del pending[seen:]
        crowd.say(town.people[3], new, "/newgame")
        await asyncio.sleep(5)
        assert len(town.house._tables) == 2
        for _, late in notices:
            town.world.updates.add("message", late["message"], town.world.now())
        await asyncio.sleep(30)
        assert table_of(town) is table
        assert table.group is not None
        assert table.group.telegram_id == new
        assert "this one is closed" in text_of(town, new)
        await town.press(town.people[3], new, r"\|sit$")
        town.group_id = new
        await dealt(town)
        await played_out(town)

    tell(story, seated=False)


def unheard(town: Town) -> tuple[int, list[dict[str, Any]]]:
    """Migrate without that the bot hears of it; the new chat, and what it shall be told later."""
    pending = town.world.updates._pending
    seen = len(pending)
    new = town.world.crowd.migrate(town.group_id).id
    notices = [late["message"] for _, late in pending[seen:]]
    del pending[seen:]
    return new, notices


def hear_late(town: Town, notices: list[dict[str, Any]]) -> None:
    for message in notices:
        town.world.updates.add("message", message, town.world.now())


async def known_group(town: Town) -> tuple[Group, int, list[dict[str, Any]]]:
    """A group of the old kind that the bot knows, and that became a supergroup unheard."""
    crowd = town.world.crowd
    town.group_id = crowd.add_group("老群", town.people, type="group").id
    for person in town.people:
        crowd.start(person)
        await asyncio.sleep(1)
    crowd.say(town.people[0], town.group_id, "/score")
    await asyncio.sleep(5)
    group = await town.store.group(town.house.people._groups[town.group_id].id)
    assert group is not None
    new, notices = unheard(town)
    return group, new, notices


def test_a_table_opened_before_the_bot_knew_belongs_to_the_group_from_then_on(tell: Tell) -> None:
    async def story(town: Town) -> None:
        crowd = town.world.crowd
        group, town.group_id, notices = await known_group(town)
        crowd.say(town.people[0], town.group_id, "/newgame")
        await asyncio.sleep(5)
        table = table_of(town)
        assert table.state.group != group.id
        hear_late(town, notices)
        await asyncio.sleep(10)
        for _ in range(2):
            table = table_of(town)
            assert table.group is not None
            assert (table.group.id, table.group.telegram_id) == (group.id, town.group_id)
            assert table.state.group == group.id
            assert town.house.table_of(table.group) is table
            # Whoever wants a table finds this one.
            crowd.say(town.people[1], town.group_id, "/newgame")
            await asyncio.sleep(20)
            assert table_of(town) is table
            await town.kill()
            await town.open()
            await asyncio.sleep(10)
        table = table_of(town)
        for person in town.people[1:]:
            await town.press(person, town.group_id, r"\|sit$")
        await dealt(town)
        await played_out(town)
        assert sum(row.hands for row in await town.store.ranking(group.id)) == 4
        crowd.say(town.people[0], town.group_id, "/stop")
        await asyncio.sleep(20)
        assert not town.house._tables

    tell(story, seated=False)


def test_a_table_in_mid_hand_goes_on_rather_than_one_that_waits(tell: Tell) -> None:
    async def story(town: Town) -> None:
        crowd = town.world.crowd
        town.group_id = crowd.add_group("老群", town.people, type="group").id
        others = [await newcomer(town, name) for name in ("阿福", "阿禄", "阿寿", "阿喜")]
        await open_table(town, others[0])
        waiting = table_of(town)
        group = waiting.group
        assert group is not None
        old = town.group_id
        town.group_id, notices = unheard(town)
        for person in town.people[:4]:
            crowd.start(person)
            await asyncio.sleep(1)
        crowd.say(town.people[0], town.group_id, "/newgame")
        await asyncio.sleep(5)
        for person in town.people[1:4]:
            await town.press(person, town.group_id, r"\|sit$")
        (playing,) = {table for table in town.house._tables.values() if table is not waiting}
        for _ in range(60):
            await asyncio.sleep(1)
            if playing.state.phase == "playing":
                break
        assert playing.state.phase == "playing"
        hear_late(town, notices)
        await asyncio.sleep(30)
        assert table_of(town) is playing
        assert playing.group is not None
        assert (playing.group.id, playing.group.telegram_id) == (group.id, town.group_id)
        assert playing.state.phase == "playing"
        assert "群升级后开的那一桌正打着" in text_of(town, others[0])
        assert "群升级前开的那一桌" not in text_of(town, others[0])
        await played_out(town, but=others)
        assert sum(row.hands for row in await town.store.ranking(group.id)) == 4
        town.calls[:] = [call for call in town.calls if call.chat_id != old]

    tell(story, seated=False)


def test_a_table_too_many_that_cannot_be_closed_is_closed_later(tell: Tell) -> None:
    async def story(town: Town) -> None:
        crowd = town.world.crowd
        town.group_id = crowd.add_group("老群", town.people, type="group").id
        await town.seat_all(town.people[:3])
        crowd.start(town.people[3])
        table = table_of(town)
        await asyncio.sleep(30)
        town.group_id, notices = unheard(town)
        crowd.say(town.people[3], town.group_id, "/newgame")
        await asyncio.sleep(5)
        assert len(town.house._tables) == 2
        spare = max(town.house._tables.values(), key=lambda table: table.id)
        lock = ExitStack()
        lock.enter_context(locked(town))
        told = town.house._on_trouble

        def unlock(line: str) -> None:
            """The table could not be closed; that the groups become one could be kept now."""
            lock.close()
            assert told is not None
            told(line)

        town.house._on_trouble = unlock
        hear_late(town, notices[:1])
        await asyncio.sleep(3)
        assert town.troubles
        assert len(town.house._tables) == 2
        await asyncio.sleep(30)
        assert spare.state.phase == "closed"
        assert table_of(town) is table
        assert table.group is not None
        assert table.group.telegram_id == town.group_id
        await town.press(town.people[3], town.group_id, r"\|sit$")
        await dealt(town)
        town.calls[:] = [call for call in town.calls if call.status == 200]

    tell(story, seated=False, errors=ERRORS)
