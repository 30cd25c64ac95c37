"""Settings in virtual time: one's own, a group's by its admins alone, and what follows from them at the table."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from handlers.blacklist import ban
from handlers.preferences import GroupSettings, Preferences, is_banned
from tests.support.evening import excused, line_of, run_virtual
from tests.support.stories import Tell, arrived, dealt, last_message, person_of, played_out, table_of
from tests.support.town import Town, label_of

Story = Callable[[Town], Awaitable[None]]


@pytest.fixture
def tell(tmp_path: Path) -> Callable[[Story], None]:
    """Runs a story in a town where nobody has spoken yet, and checks at its end what must always hold."""

    async def whole(story: Story) -> None:
        town = Town(tmp_path / "settings.sqlite3", 3)
        await town.open()
        await story(town)
        wrong = [call for call in town.calls if call.status != 200 and not excused(call)]
        assert not wrong, line_of(wrong[0])
        assert await town.store.audit() is None
        await town.close()

    return lambda story: run_virtual(whole(story))


async def settings_of(town: Town) -> GroupSettings:
    group = await town.store.group(1)
    assert group is not None
    return GroupSettings.of(group)


async def press_data(town: Town, person: int, chat: int, data: str) -> str | None:
    """Press a button that is not there."""
    return await town.press_data(person, chat, last_message(town, chat).id, data, force=True)


def test_the_first_contact_asks_for_the_language_and_goes_on_in_it(tell: Callable[[Story], None]) -> None:
    async def story(town: Town) -> None:
        person = town.people[0]
        town.world.crowd.start(person)
        await arrived()
        first = last_message(town, person)
        assert [row[0]["text"] for row in first.keyboard] == ["简体中文", "繁體中文", "English"]
        await town.press(person, person, r"hello\|en")
        await arrived()
        (hello,) = town.messages(person)
        assert hello.id == first.id
        assert "Hello" in hello.content.text
        texts = [row[0]["text"] for row in hello.keyboard]
        assert any("computer" in text for text in texts)
        assert any("url" in row[0] for row in hello.keyboard)
        await town.press(person, person, r"p\|open$")
        await arrived()
        assert "My settings" in last_message(town, person).content.text
        town.world.crowd.start(person)
        await arrived()
        assert "Hello" in last_message(town, person).content.text, "who has chosen is not asked again"

    tell(story)


def test_each_press_changes_one_thing_and_edits_the_one_menu(tell: Callable[[Story], None]) -> None:
    async def story(town: Town) -> None:
        person = town.people[0]
        town.world.crowd.start(person)
        await arrived()
        town.world.crowd.say(person, person, "/settings")
        await arrived()
        menu = last_message(town, person).id
        for pattern, toast, field, value in (
            (r"ring\|always", "每次都响", "ring", "always"),
            (r"ring\|never", "不响", "ring", "never"),
            (r"confirm\|on", "按两次才打", "confirm", True),
            (r"confirm\|off", "按一次就打", "confirm", False),
            (r"p\|tiles\|contrast", "高对比", "tiles", "contrast"),
            (r"p\|tiles\|large", "大字", "tiles", "large"),
        ):
            assert toast in (await town.press(person, person, pattern) or "")
            await arrived()
            assert last_message(town, person).id == menu
            assert toast in last_message(town, person).content.text
            kept = await town.store.person(1)
            assert kept is not None
            assert getattr(Preferences.of(kept), field) == value
            assert town.house.people.known(1) == kept
        assert "Language: English" in (await town.press(person, person, r"language\|en") or "")
        await arrived()
        assert "My settings" in last_message(town, person).content.text
        await town.press(person, person, r"language\|auto")
        await arrived()
        assert "我的设置" in last_message(town, person).content.text
        await town.press(person, person, r"p\|close$")
        await arrived()
        assert all(message.id != menu for message in town.messages(person))

    tell(story)


def test_anybody_sees_a_groups_settings_and_only_admins_change_them(tell: Callable[[Story], None]) -> None:
    async def story(town: Town) -> None:
        admin, other = town.people[:2]
        town.world.crowd.say(other, town.group_id, "/settings")
        await arrived()
        menu = last_message(town, town.group_id)
        assert "漳州麻将" in menu.content.text
        before = menu.content.text
        for data in ("s|g|sound|off", "s|g|timer", "s|g|timer|fast", "s|g|close", "s|g|unban|1"):
            toast = await press_data(town, other, town.group_id, data)
            assert toast == "只有群主和管理员能改"
        await arrived(20)
        assert last_message(town, town.group_id).content.text == before
        assert (await settings_of(town)).sound
        await town.press(admin, town.group_id, r"sound\|off")
        assert not (await settings_of(town)).sound
        town.world.crowd.set_status(town.group_id, other, "administrator")
        await arrived()
        await town.press(other, town.group_id, r"sound\|on")
        assert (await settings_of(town)).sound
        sends = [
            c
            for c in town.calls
            if c.method == "sendMessage" and c.chat_id == town.group_id and "⚙️" in c.params["text"]
        ]
        assert len(sends) == 1, "one message, edited"
        assert all(call.params.get("disable_notification") for call in sends)

    tell(story)


def test_an_anonymous_admin_may_open_the_menu_and_presses_as_a_person(tell: Callable[[Story], None]) -> None:
    async def story(town: Town) -> None:
        admin = town.people[0]
        town.world.crowd.say(admin, town.group_id, "/settings", anonymous=True)
        await arrived()
        await town.press(admin, town.group_id, r"g\|cover$")
        await arrived()
        await town.press(admin, town.group_id, r"cover\|beat")
        assert (await settings_of(town)).cover == "beat"
        await town.press(admin, town.group_id, r"g\|main$")
        await arrived()
        await town.press(admin, town.group_id, r"g\|tiles$")
        await arrived()
        await town.press(admin, town.group_id, r"g\|tiles\|contrast")
        assert (await settings_of(town)).tiles == "contrast"

    tell(story)


def test_a_new_table_opens_as_the_group_has_set_it(tell: Callable[[Story], None]) -> None:
    async def story(town: Town) -> None:
        admin = town.people[0]
        town.world.crowd.start(admin)
        town.world.crowd.say(admin, town.group_id, "/settings")
        await arrived()
        for pattern in (r"g\|game$", r"game\|putian-ming", r"option\|putian-ming_0", r"g\|main", r"g\|timer$",
                        r"timer\|slow", r"g\|main", r"computers_for_coins\|on"):  # fmt: skip
            await town.press(admin, town.group_id, pattern)
            await arrived(10)
        text = last_message(town, town.group_id).content.text
        assert "莆田明胡、点炮不翻倍" in text
        assert "2 分钟" in text
        town.world.crowd.say(admin, town.group_id, "/newgame")
        await arrived(10)
        (table,) = town.house._tables.values()
        state = table.state
        assert (state.rules, state.timer, state.cover, state.sound) == ("putian-ming", "slow", "full", True)
        assert state.options == {"discard_win_multiplier": 1}
        assert state.computers_for_coins

    tell(story)


def test_an_open_table_takes_up_cover_coins_sound_and_language_at_once(tell: Callable[[Story], None]) -> None:
    async def story(town: Town) -> None:
        admin = town.people[0]
        town.world.crowd.start(admin)
        await arrived()
        town.world.crowd.say(admin, town.group_id, "/newgame")
        town.world.crowd.say(admin, town.group_id, "/settings")
        await arrived(20)
        (table,) = town.house._tables.values()
        for data in ("s|g|cover|off", "s|g|computers_for_coins|on", "s|g|sound|off", "s|g|language|en"):
            await press_data(town, admin, town.group_id, data)
        assert "下一桌" in (await press_data(town, admin, town.group_id, "s|g|timer|fast") or "")
        await arrived(30)
        state = table.state
        assert (state.cover, state.computers_for_coins, state.sound) == ("off", True, False)
        assert state.timer == "normal", "the table's own timer is not changed over its head"
        assert any("Zhangzhou" in message.content.text for message in town.messages(town.group_id))
        await town.kill()
        await town.open()
        (table,) = town.house._tables.values()
        assert (table.state.cover, table.state.sound) == ("off", False)

    tell(story)


def test_the_blacklist_names_persons_and_lets_them_in_again(tell: Callable[[Story], None]) -> None:
    async def story(town: Town) -> None:
        admin = town.people[0]
        for person in town.people:
            town.world.crowd.start(person)
            await arrived()
        town.world.crowd.say(admin, town.group_id, "/settings")
        await arrived()
        group = await town.store.group(1)
        assert group is not None
        persons = (await town.store.persons((2, 3))).values()
        await asyncio.gather(*(ban(town.house, group, number) for number in (2, 3, 2)))
        assert sorted((await settings_of(town)).banned) == [2, 3]
        group = await town.store.group(1)
        assert all(is_banned(group, person) for person in persons)
        await town.press(admin, town.group_id, r"g\|banned$")
        await arrived()
        menu = last_message(town, town.group_id)
        assert [row[0]["text"] for row in menu.keyboard] == ["放行 老林", "放行 阿珍", "⬅️ 返回"]
        assert "老林 又能上桌了" in (await town.press(admin, town.group_id, r"unban\|3") or "")
        await arrived()
        assert (await settings_of(town)).banned == (2,)
        assert await press_data(town, admin, town.group_id, "s|g|unban|3") not in (None, "")

    tell(story)


FORGED = [
    "s|g|sound|loud", "s|g|timer|never", "s|g|game|go", "s|g|option|zhangzhou_0_9", "s|g|option|zhangzhou_99_0",
    "s|g|option|x", "s|g|banned|-1", "s|g|banned|x", "s|g|unban", "s|g|unban|x", "s|g|language|fr", "s|g|nothing",
    "s|g|close|now", "s|g|cover_|full", "s|g|ring|always", "s|p|ring|always", "s|p|open", "s|x|main", "s|g",
    "s|g|timer|fast|more", "s||", "s|g|unban|99999999999999999",
]  # fmt: skip


def test_forged_settings_of_a_group_are_refused_and_logged(
    tell: Callable[[Story], None], caplog: pytest.LogCaptureFixture
) -> None:
    async def story(town: Town) -> None:
        admin = town.people[0]
        town.world.crowd.say(admin, town.group_id, "/settings")
        await arrived()
        before = await town.store.group(1)
        for data in FORGED:
            caplog.clear()
            assert await press_data(town, admin, town.group_id, data) == "这个按钮不能用", data
            assert "forged callback data from person 1" in caplog.text, data
        assert await town.store.group(1) == before

    tell(story)


def test_forged_settings_of_ones_own_are_refused_and_logged(
    tell: Callable[[Story], None], caplog: pytest.LogCaptureFixture
) -> None:
    async def story(town: Town) -> None:
        person = town.people[0]
        town.world.crowd.start(person)
        await arrived()
        before = await town.store.person(1)
        for data in ("s|g|sound|off", "s|g|main", "s|p|ring|loud", "s|p|ring", "s|p|confirm|yes", "s|p|language|fr",
                     "s|p|hello|auto", "s|p|hello", "s|p|close|now", "s|p|main", "s|p|open|x"):  # fmt: skip
            caplog.clear()
            assert await press_data(town, person, person, data) == "这个按钮不能用", data
            assert "forged callback data from person 1" in caplog.text, data
        assert await town.store.person(1) == before

    tell(story)


def test_whoever_has_left_sees_the_sheet_of_their_last_hand_as_they_want_it(tell: Tell) -> None:
    async def story(town: Town) -> None:
        one = town.people[3]
        await town.seat_all()
        await dealt(town)
        await played_out(town)
        town.world.crowd.say(one, town.group_id, "/leave")
        await asyncio.sleep(10)
        assert table_of(town).state.phase == "lobby"
        before = sheet_of(town, one)
        town.world.crowd.say(one, one, "/settings")
        await asyncio.sleep(5)
        await town.press(one, one, r"s\|p\|tiles\|contrast")
        await asyncio.sleep(10)
        assert sheet_of(town, one) != before

    tell(story)


def sheet_of(town: Town, chat: int) -> str:
    """Which picture the sheet in a private chat shows."""
    where = town.outbox.where(f"t{table_of(town).id}:p{person_of(town, chat)}:sheet")
    assert where is not None
    media = town.chat(chat).messages[where[1]].content.media
    assert media is not None
    return str(label_of(media.data)["digest"])
