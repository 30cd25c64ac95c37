"""A group becomes a supergroup in mid-hand: table, settings, ranking follow, however the bot hears of it."""

from __future__ import annotations

import asyncio

import pytest

from playground.faults import Fault
from tests.support.stories import chat_of, dealt, played_out, table_of, text_of
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
    players = [town.background(town.play_at_random(one)) for one in town.people]
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
