"""/me: one's own card, in private everywhere; all of one's data; and to be forgotten for good."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mahjong.records import Record, play
from playground.chats import Message
from tests.support.evening import check_seals, excused, line_of, run_virtual
from tests.support.stories import (
    Story,
    Tell,
    dealt,
    newcomer,
    newest,
    open_table,
    person_of,
    photos,
    played_out,
    practise,
    seen,
    table_of,
    text_of,
)
from tests.support.town import START, Town, label_of

CARD = "的战绩"
ANEW = 1_500


def told(path: Path) -> Tell:
    """Stories from the start, after which the books are in order, though not everybody is there any more."""

    async def whole(story: Story) -> None:
        town = Town(path, 5)
        await town.open()
        await story(town)
        wrong = [call for call in town.calls if call.status != 200 and call.fault is None and not excused(call)]
        assert [line_of(call) for call in wrong] == []
        assert await town.store.audit() is None
        check_seals(town)
        for row in await town.hands():
            if row.record is not None:
                assert play(Record.from_json(row.record)) == row.result
        await town.close()

    return lambda story: run_virtual(whole(story))


@pytest.fixture
def tell_it(tmp_path: Path) -> Tell:
    return told(tmp_path / "story.sqlite3")


async def card(town: Town, person: int, command: str = "/me") -> Message:
    town.world.crowd.say(person, person, command)
    await asyncio.sleep(5)
    return await seen(town, person, CARD)


async def after_a_hand(town: Town) -> None:
    """Everybody has played one hand for coins, and left the table."""
    await town.seat_all()
    await dealt(town)
    await played_out(town)
    for person in town.people:
        town.world.crowd.say(person, town.group_id, "/leave")
        await asyncio.sleep(20)
    assert not town.house.tables_with(await town.store.person(1))  # type: ignore[arg-type]


async def forget(town: Town, person: int) -> str | None:
    await card(town, person)
    assert await town.press(person, person, r"^y\|forget$") == ""
    await seen(town, person, "要把你忘掉吗")
    return await town.press(person, person, r"^y\|forget\|now$")


def everywhere(path: Path) -> bytes:
    """All that the database's files hold."""
    return b"".join(file.read_bytes() for file in sorted(path.parent.glob(f"{path.name}*")))


def test_the_card_tells_what_was_played(tell_it: Tell) -> None:
    async def story(town: Town) -> None:
        await after_a_hand(town)
        (hand,) = await town.hands()
        assert hand.result is not None
        for seat, owner in enumerate(hand.seats):
            person = await town.store.person(int(owner))
            assert person is not None
            assert person.telegram_id is not None
            if person.language != "zh_Hans":
                continue
            message = await card(town, person.telegram_id)
            text = message.content.text
            wallet = await town.store.wallet(person.id)
            won = int(hand.result["winner"] == seat)
            assert f"我的币：{wallet.balance:,}" in text
            assert f"打了 1 局，胡 {won} 局（{100 * won}%）" in text
            assert "周末麻将：第 " in text
            assert ("最大一局" in text) == bool(won)
            assert message.content.media is not None
            assert label_of(message.content.media.data)["kind"] == "profile"

    tell_it(story)


def test_the_card_of_who_has_played_nothing(tell_it: Tell) -> None:
    async def story(town: Town) -> None:
        message = await card(town, town.people[0])
        assert "还没有打完的局" in message.content.text
        assert "1,500" in message.content.text

    tell_it(story)


def test_friendly_hands_are_told_apart(tell_it: Tell) -> None:
    async def story(town: Town) -> None:
        await open_table(town, town.people[0])
        await town.press(town.people[0], town.group_id, r"\|game_0$")
        await town.press(town.people[0], town.group_id, r"\|start$")
        await played_out(town, but=town.people[1:])
        message = await card(town, town.people[0])
        assert "只打过友谊场" in message.content.text
        assert "打了 1 局" in message.content.text
        assert "1,500" in message.content.text

    tell_it(story)


def test_in_a_group_nothing_of_it_is_said(tell_it: Tell) -> None:
    async def story(town: Town) -> None:
        a, b, *_ = town.people
        town.world.crowd.start(a)
        await asyncio.sleep(3)
        for person in (a, b):
            town.world.crowd.say(person, town.group_id, "/me")
            await asyncio.sleep(10)
        assert newest(town, a, CARD) is not None
        in_group = text_of(town, town.group_id)
        assert "发到我们的私聊里了" in in_group
        assert "点下面的按钮到私聊里看" in in_group
        assert "1,500" not in in_group
        assert photos(town, town.group_id) == []
        # The button leads to the private chat, and there to the card.
        link = next(message for message in town.messages(town.group_id) if message.keyboard).keyboard[0][0]
        assert link["url"].endswith("?start=me")
        town.world.crowd.start(b, "me")
        await seen(town, b, CARD)

    tell_it(story)


def test_forged_presses_of_a_card(tell_it: Tell) -> None:
    async def story(town: Town) -> None:
        a, *_ = town.people
        message = await card(town, a)
        for data in ("y|x", "y|forget|later", "y|export|2", "y|card|2"):
            assert await town.press_data(a, a, message.id, data, force=True) == "这个按钮不能用", data
            await asyncio.sleep(1)
        town.world.crowd.say(a, town.group_id, "/help")
        shown = await seen(town, town.group_id, "/newgame")
        for data in ("y|card", "y|export", "y|forget", "y|forget|now"):
            assert await town.press_data(a, town.group_id, shown.id, data, force=True) == "这个按钮不能用", data
            await asyncio.sleep(1)
        assert person_of(town, a) == 1

    tell_it(story)


def test_all_of_ones_data_comes_as_a_file(tell_it: Tell) -> None:
    async def story(town: Town) -> None:
        await after_a_hand(town)
        a = town.people[0]
        await card(town, a)
        assert await town.press(a, a, r"^y\|export$") == "发到下面了"
        message = await seen(town, a, "关于你的全部数据")
        media = message.content.media
        assert media is not None
        assert media.file_name == "mahjong-my-data.json"
        kept: dict[str, Any] = json.loads(media.data)
        assert kept["person"]["telegram_id"] == a
        assert kept["person"]["name"] == town.world.people[a].name
        assert sum(line["amount"] for line in kept["wallet"]["transfers"]) == kept["wallet"]["balance"]
        (group,) = kept["groups"]
        assert (group["title"], group["hands"]) == ("周末麻将", 1)
        (hand,) = kept["hands"]
        assert hand["net"] == group["net"] == kept["sums"]["for_coins"]["net"]
        assert kept["wallet"]["balance"] == ANEW + hand["net"]
        assert kept["messages_in_private_chat"]
        # Nothing of anybody else.
        for other in town.people[1:]:
            assert town.world.people[other].name not in media.data.decode()
            assert str(other) not in media.data.decode()
        # Who is forgotten afterwards keeps the file.
        assert "都忘了" in (await forget(town, a) or "")
        await asyncio.sleep(60)
        assert newest(town, a, "关于你的全部数据") is not None
        assert newest(town, a, CARD) is None
        assert newest(town, a, "要把你忘掉吗") is None
        documented = (Path(__file__).parents[1] / "docs/privacy.md").read_text("utf-8")
        assert [name for name in kept if f"`{name}`" not in documented] == []

    tell_it(story)


def test_who_is_in_a_hand_is_not_forgotten(tell_it: Tell) -> None:
    async def story(town: Town) -> None:
        await town.seat_all()
        await dealt(town)
        a = town.people[0]
        await card(town, a)
        assert "还在打一局" in (await town.press(a, a, r"^y\|forget$") or "")
        assert "还在打一局" in (await town.press_data(a, a, 1, "y|forget|now", force=True) or "")
        # Leaving in mid-hand changes nothing: the hand is theirs to its end.
        town.world.crowd.say(a, town.group_id, "/leave")
        await asyncio.sleep(5)
        assert "还在打一局" in (await town.press(a, a, r"^y\|forget$") or "")
        assert person_of(town, a) == 1
        assert await town.store.person(1) is not None
        assert (await town.store.person(1)).telegram_id == a  # type: ignore[union-attr]

    tell_it(story)


def test_it_is_asked_first_and_may_be_taken_back(tell_it: Tell) -> None:
    async def story(town: Town) -> None:
        a = town.people[0]
        await card(town, a)
        assert await town.press(a, a, r"^y\|forget$") == ""
        question = await seen(town, a, "要把你忘掉吗")
        assert [row[0]["text"] for row in question.keyboard] == ["不，留着", "是的，忘了我"]
        assert await town.press(a, a, "不，留着") == ""
        await seen(town, a, CARD)
        assert (await town.store.person(1)).telegram_id == a  # type: ignore[union-attr]

    tell_it(story)


def test_who_is_forgotten_is_found_nowhere(tell_it: Tell, tmp_path: Path) -> None:
    path = tmp_path / "story.sqlite3"

    async def story(town: Town) -> None:
        a, b, c, d = town.people
        name = "林阿猫九十九"
        town.world.crowd.change_person(a, first_name=name, username="amao_ninetynine")
        await after_a_hand(town)
        # Names stand in an open lobby, its queue and remark, a private table; and somebody is on two lists.
        await open_table(town, b, c)
        await town.press(a, town.group_id, r"\|sit$")
        await asyncio.sleep(5)
        town.world.crowd.say(a, a, "/newgame")
        await asyncio.sleep(5)
        own = person_of(town, a)
        group = await town.store.group_by_telegram(town.group_id, "周末麻将", False, START)
        for listed in ("callers", "banned"):
            group = await town.house.people.set_listed(group, listed, own, True)  # type: ignore[arg-type]
        town.world.crowd.say(a, town.group_id, "/score")
        await asyncio.sleep(10)
        before = everywhere(path)
        for trace in (name.encode(), b"amao_ninetynine", str(a).encode()):
            assert trace in before, trace
        coins = (await town.store.wallet(own)).balance
        assert coins

        assert "都忘了" in (await forget(town, a) or "")
        await asyncio.sleep(60)
        left = everywhere(path)
        for trace in (name.encode(), name[:3].encode(), b"amao_ninetynine", str(a).encode()):
            assert trace not in left, trace
        with closing(sqlite3.connect(path)) as connection:
            dump = "\n".join(connection.iterdump())
        assert str(a) not in re.findall(r"-?\d+", dump)

        # What was played and paid stays, under an id that says nothing.
        somebody = await town.store.person(own)
        assert somebody is not None
        assert (somebody.telegram_id, somebody.name, somebody.prefs) == (None, "", {})
        assert (await town.store.wallet(own)).balance == 0
        assert await town.store.audit() is None
        (row,) = await town.hands()
        assert own in row.seats
        assert own not in table_of(town).state.persons
        fresh = await town.store.group(group.id)
        assert fresh is not None
        assert (fresh.settings["callers"], fresh.settings["banned"]) == ([], [])
        town.world.crowd.say(b, town.group_id, "/score")
        ranking = await seen(town, town.group_id, "总排名")
        assert "已离开的牌友" in ranking.content.text
        assert len(ranking.content.text.splitlines()) == 1 + 4
        assert d != a

        # A kill brings nothing back, and neither do those who press on.
        await town.kill()
        await town.open()
        await asyncio.sleep(30)
        assert name.encode() not in everywhere(path)

        # Whoever comes back is somebody new.
        town.world.crowd.change_person(a, first_name="新人", username=None)
        town.world.crowd.start(a)
        await asyncio.sleep(5)
        again = person_of(town, a)
        assert again != own
        assert (await town.store.wallet(again)).balance == ANEW
        assert (await town.store.careers(again)).for_coins.hands == 0

    tell_it(story)


def test_an_earlier_name_in_a_tables_remark_goes_too(tell_it: Tell, tmp_path: Path) -> None:
    async def story(town: Town) -> None:
        one, *others = town.people
        town.world.crowd.change_person(one, first_name="旧名林阿猫")
        await open_table(town, one, *others[:2])
        town.world.crowd.say(one, town.group_id, "/leave")
        await asyncio.sleep(20)
        assert [seat.name for seat in table_of(town).state.note_of] == ["旧名林阿猫"]
        town.world.crowd.change_person(one, first_name="新名林阿狗")
        town.world.crowd.say(one, town.group_id, "/score")
        await asyncio.sleep(20)
        await forget(town, one)
        await asyncio.sleep(60)
        kept = everywhere(tmp_path / "story.sqlite3")
        assert "旧名林阿猫".encode() not in kept
        assert "新名林阿狗".encode() not in kept

    tell_it(story)


def test_who_is_forgotten_and_blocks_the_bot_stays_forgotten(tell_it: Tell) -> None:
    async def story(town: Town) -> None:
        a = town.people[0]
        assert "都忘了" in (await forget(town, a) or "")
        await asyncio.sleep(10)
        town.world.crowd.block(a)
        town.world.crowd.leave(town.group_id, a)
        await asyncio.sleep(10)
        assert await town.store.known_user(a) is None

    tell_it(story)


def test_a_blacklist_offers_nobody_who_is_forgotten(tell_it: Tell) -> None:
    async def story(town: Town) -> None:
        await after_a_hand(town)
        a, b, *_ = town.people
        own = person_of(town, a)
        await forget(town, a)
        town.world.crowd.set_status(town.group_id, b, "administrator")
        town.world.crowd.say(b, town.group_id, "/ban")
        asked = await seen(town, town.group_id, "不让谁上牌桌")
        assert len(asked.keyboard) == 2
        assert all(not row[0]["callback_data"].endswith(f"_{own}") for row in asked.keyboard)
        stranger = await newcomer(town)
        assert stranger != a

    tell_it(story)


def persons(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("select count(*) from persons").fetchone()[0])


def test_who_was_forgotten_becomes_nobody_new_by_old_buttons(tell_it: Tell, tmp_path: Path) -> None:
    path = tmp_path / "story.sqlite3"

    async def story(town: Town) -> None:
        await after_a_hand(town)
        a, b, *_ = town.people
        (hand,) = await town.hands()
        await card(town, a)
        await town.press(a, a, r"^y\|forget$")
        asked = await seen(town, a, "要把你忘掉吗")
        town.world.crowd.say(b, town.group_id, "/score")
        await asyncio.sleep(10)
        before = persons(path)
        presses = [town.world.crowd.press(a, a, asked.id, "y|forget|now", force=True) for _ in range(8)]
        await asyncio.sleep(30)
        assert [press.text for press in presses if "都忘了" not in (press.text or "")] == []
        # Whatever else is still pressed in private leads to /start.
        for data in ("y|card", "y|export", "y|forget", f"v|{hand.id}|replay", "r|1|all|0", "i|1|hands|0"):
            assert "/start" in (await town.press_data(a, a, asked.id, data, force=True) or ""), data
        # In the group they may look, as everybody there.
        assert not await town.press(a, town.group_id, r"^r\|.*\|day\|0$")
        await seen(town, town.group_id, "今天排名")
        assert not await town.press(a, town.group_id, rf"^v\|{hand.id}\|replay$")
        town.world.crowd.say(b, town.group_id, "/history")
        await asyncio.sleep(10)
        assert not await town.press(a, town.group_id, r"^v\|\d+\|sheet")
        assert await town.store.known_user(a) is None
        assert persons(path) == before
        assert str(a).encode() not in everywhere(path)

    tell_it(story)


@pytest.mark.parametrize("steps", range(1, 150, 9))
def test_killed_while_it_forgets(tell_it: Tell, tmp_path: Path, steps: int) -> None:
    """The press that was not answered comes again after the restart: it is brought to its end then."""
    path = tmp_path / "story.sqlite3"

    async def story(town: Town) -> None:
        a, b, *_ = town.people
        name = "林阿猫九十九"
        town.world.crowd.change_person(a, first_name=name, username="amao_ninetynine")
        await open_table(town, a, b)
        town.world.crowd.say(a, town.group_id, "/score")
        await card(town, a)
        await town.press(a, a, r"^y\|forget$")
        question = await seen(town, a, "要把你忘掉吗")
        town.world.crowd.press(a, a, question.id, "y|forget|now")
        town.life.strike_in(steps)
        await asyncio.sleep(2)
        await town.kill()
        await town.open()
        await asyncio.sleep(60)
        assert await town.store.known_user(a) is None
        left = everywhere(path)
        assert [trace for trace in (name, "amao_ninetynine", str(a)) if trace.encode() in left] == []

    tell_it(story)


def test_who_practises_leaves_first(tell_it: Tell) -> None:
    async def story(town: Town) -> None:
        a = town.people[0]
        town.world.crowd.start(a)
        await asyncio.sleep(3)
        await practise(town, a)
        await dealt(town)
        await card(town, a)
        assert "/leave" in (await town.press(a, a, r"^y\|forget$") or "")
        town.world.crowd.say(a, a, "/leave")
        await asyncio.sleep(5)
        assert "都忘了" in (await forget(town, a) or "")
        await asyncio.sleep(30)
        assert town.world.people[a].name.encode() not in everywhere(town.database)

    tell_it(story)
