"""The lobby in a whole town, in virtual time: timers, several tables, the queue, the call for players."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from data.model import Wallet
from handlers import voiding
from handlers.answers import SILENT, Answer
from handlers.dealing import setup_of
from handlers.draft import Draft
from tests.support.evening import check, run_virtual
from tests.support.stories import (
    Tell,
    dealt,
    newcomer,
    newest,
    open_table,
    person_of,
    played_out,
    practise,
    seat_of,
    seen,
    sits,
    sounded,
    table_of,
    teller,
    text_of,
)
from tests.support.town import Town


def test_a_lobby_chooses_its_timer_and_shows_it(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        one, two, *_ = town.people
        table = await open_table(town, one, two)
        assert "40 秒" in text_of(town, town.group_id)
        await town.press(two, town.group_id, r"\|options$")
        await asyncio.sleep(4)
        assert await town.press(town.people[3], town.group_id, r"\|timer_0$") == "You don't sit at this table"
        await town.press(two, town.group_id, r"\|timer_3$")
        await asyncio.sleep(4)
        assert table.state.days
        assert "12 小时" in text_of(town, town.group_id)
        assert not [button for _, button in town.buttons(town.group_id) if not button["text"].strip()]
        await town.press(two, town.group_id, r"\|timer_0$")
        await asyncio.sleep(4)
        assert table.state.timer == "fast"
        forged = newest(town, town.group_id, "漳州")
        assert forged is not None
        await town.press_data(one, town.group_id, forged.id, f"t|{table.id}|timer_9", force=True)
        assert table.state.timer == "fast"

    tell_from_the_start(story)


def test_alone_with_computers_nobody_is_hurried(tmp_path: Path) -> None:
    async def story(town: Town) -> None:
        one, *_ = town.people
        town.world.crowd.start(one)
        await practise(town, one)
        await asyncio.sleep(3600)
        table = table_of(town)
        assert table.state.phase == "playing"
        assert not seat_of(town, one).auto

    teller(tmp_path, seated=False, dealing=setup_of)(story)


def test_one_live_table_and_five_long_games_a_person(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        one, two, *_ = town.people
        for person in (one, two):
            town.world.crowd.start(person)
        groups = [town.world.crowd.add_group(f"群 {n}", [two, one]).id for n in range(7)]
        for group in groups:
            town.world.crowd.say(two, group, "/newgame")
            await asyncio.sleep(4)
        tables = list(town.house._tables.values())
        # Who opens a second live table does not sit there.
        assert [len(table.state.persons) for table in tables] == [1, 0, 0, 0, 0, 0, 0]
        assert await town.press(one, groups[6], r"\|sit$") == "坐下了，等开局"
        assert await town.press(one, groups[0], r"\|sit$") == "你还坐在「群 6」那桌，先离开那一桌"
        for table in tables[:6]:
            await table.do(lambda draft: set_timer(draft, "days"))
        await asyncio.sleep(4)
        toasts = [await town.press(one, group, r"\|sit$") for group in groups[:6]]
        assert toasts == ["坐下了，等开局"] * 5 + ["「一天一步」你已经坐了 5 桌，打完一桌再来"]
        # One sits at a live table, too: a long game cannot become another.
        await town.press(two, groups[0], r"\|options$")
        await asyncio.sleep(4)
        assert await town.press(two, groups[0], r"\|timer_1$") == "阿明 别的桌还没打完，坐不了这种桌"
        await town.press(one, groups[6], r"\|leave$")
        await town.press(two, groups[0], r"\|timer_1$")
        assert tables[0].state.timer == "normal"

    tell_from_the_start(story)


def set_timer(draft: Draft, timer: str) -> Answer:
    """A step that changes the timer of a table at which nobody sits yet."""
    draft.state.timer = timer
    draft.note("timer", timer=timer)
    return SILENT


def test_who_comes_to_a_full_table_waits_and_gets_the_first_free_seat(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        first, second = await newcomer(town), await newcomer(town, "阿强")
        assert (await town.press(first, town.group_id, r"\|queue_0$") or "").startswith("你排第 1")
        await asyncio.sleep(8)
        assert (await town.press(second, town.group_id, r"\|queue_1$") or "").startswith("你排第 2")
        await asyncio.sleep(8)
        assert newest(town, town.group_id, "漳州") is not None
        assert town.find(town.group_id, "排队等位（2）")
        leaver = town.people[1]
        town.world.crowd.say(leaver, town.group_id, "/leave")
        await played_out(town)
        table = table_of(town)
        assert table.state.phase == "lobby"
        # A minute each, with a sound; then the next is asked, and the seat is nobody else's meanwhile.
        assert sounded(town, first, "有空位了") == [True]
        assert sounded(town, second, "有空位了") == []
        assert "阿福、阿强" in text_of(town, town.group_id)
        assert not town.find(town.group_id, r"\|sit$")
        await asyncio.sleep(60)
        assert newest(town, first, "有空位了") is None
        assert newest(town, first, "位子没坐下") is not None
        assert sounded(town, second, "有空位了") == [True]
        assert await town.press(second, second, r"\|take$") == "坐下了，等开局"
        await asyncio.sleep(2)
        assert newest(town, second, "有空位了") is None
        await dealt(town)
        assert len(table.state.persons) == 4
        assert table.state.seat_of(person_of(town, leaver)) is None

    tell(story)


def test_leaving_the_queue_by_command_and_by_blocking_the_bot(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        first, second = await newcomer(town), await newcomer(town, "阿强")
        for person in (first, second):
            town.world.crowd.say(person, town.group_id, "/join")
            await asyncio.sleep(6)
        table = table_of(town)
        assert [waiting.name for waiting in table.state.queue] == ["阿福", "阿强"]
        town.world.crowd.say(first, town.group_id, "/leave")
        await asyncio.sleep(6)
        assert [waiting.name for waiting in table.state.queue] == ["阿强"]
        town.world.crowd.block(second)
        await asyncio.sleep(6)
        assert not table.state.queue

    tell(story)


def test_a_stranger_to_the_bot_waits_by_the_deep_link(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        person = await newcomer(town, started=False)
        message, button = town.find(town.group_id, r"\|queue_0$") or pytest.fail("no queue")
        press = town.world.crowd.press(person, town.group_id, message.id, button["callback_data"])
        await asyncio.sleep(3)
        assert press.url is not None
        town.world.crowd.start(person, press.url.partition("start=")[2])
        await asyncio.sleep(4)
        assert [waiting.name for waiting in table_of(town).state.queue] == ["阿福"]
        assert newest(town, person, "你排第 1") is not None

    tell(story)


def test_an_offer_survives_a_kill_and_sounds_once(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        person = await newcomer(town)
        await town.press(person, town.group_id, r"\|queue_0$")
        town.world.crowd.say(town.people[1], town.group_id, "/leave")
        await played_out(town)
        await town.kill()
        await town.open()
        await asyncio.sleep(10)
        assert sounded(town, person, "有空位了") == [True]
        assert await town.press(person, person, r"\|take$") == "坐下了，等开局"
        await dealt(town)

    tell(story)


def test_players_are_called_in_private_and_the_call_goes_when_the_lobby_fills(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        one, two, three, four = town.people
        caller, silent = await newcomer(town), await newcomer(town, "阿强", started=False)
        table = await open_table(town, one, two)
        for person in (three, four):
            town.world.crowd.start(person)
        await asyncio.sleep(4)
        assert await town.press(one, town.group_id, r"\|call$") == (
            "还没有人按过「缺人叫我」。按过的人，缺人时我会私聊叫他"
        )
        assert await town.press(caller, town.group_id, r"\|callme$") == "好，这个群缺人就私聊叫你"
        await town.press(two, town.group_id, r"\|callme$")
        message, button = town.find(town.group_id, r"\|callme$") or pytest.fail("no button")
        press = town.world.crowd.press(silent, town.group_id, message.id, button["callback_data"])
        await asyncio.sleep(3)
        town.world.crowd.start(silent, (press.url or "").partition("start=")[2])
        await asyncio.sleep(4)
        assert newest(town, silent, "我在这里叫你") is not None
        assert await town.press(silent, silent, r"\|uncall_") == "好，不再叫你"
        await asyncio.sleep(4)
        assert newest(town, silent, "我在这里叫你") is None
        assert await town.press(one, town.group_id, r"\|call$") == "喊了 1 个人"
        await asyncio.sleep(4)
        assert sounded(town, caller, "缺人！.*还差 2 人") == [True]
        assert not sounded(town, two, "缺人！|三缺一！")
        assert not town.find(town.group_id, r"\|call$")
        assert await town.press(three, town.group_id, r"\|sit$") is not None
        await asyncio.sleep(4)
        assert newest(town, caller, "三缺一！") is not None
        await town.press(four, town.group_id, r"\|sit$")
        await asyncio.sleep(4)
        assert newest(town, caller, "缺人！|三缺一！") is None
        assert await town.press_data(caller, caller, 1, f"t|{table.id}|take", force=True) == "这一步已经过了"

    tell_from_the_start(story)


def test_who_is_called_sits_down_from_the_private_chat(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        one, two, three, _ = town.people
        caller = await newcomer(town)
        table = await open_table(town, one, two, three)
        await town.press(caller, town.group_id, r"\|callme$")
        await town.press(one, town.group_id, r"\|call$")
        await asyncio.sleep(4)
        assert await town.press(caller, caller, r"\|take$") == "坐下了，等开局"
        await dealt(town)
        assert len(table.state.persons) == 4

    tell_from_the_start(story)


def test_a_lobby_that_lies_still_closes_and_says_so(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        one, *_ = town.people
        caller = await newcomer(town)
        await open_table(town, one)
        await town.press(caller, town.group_id, r"\|callme$")
        await town.press(one, town.group_id, r"\|call$")
        await asyncio.sleep(14 * 60)
        assert town.house._tables
        await asyncio.sleep(3 * 60)
        assert not town.house._tables
        assert "15 分钟没坐满，这一桌散了" in text_of(town, town.group_id)
        assert newest(town, caller, "缺人！|三缺一！") is None
        assert not town.find(town.group_id, r"^t\|[1-9]")

    tell_from_the_start(story)


def test_a_lobby_of_a_long_game_waits_a_day_and_says_so(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        one, two, *_ = town.people
        table = await open_table(town, one, two)
        await town.press(one, town.group_id, r"\|options$")
        await asyncio.sleep(8)
        await town.press(one, town.group_id, r"\|timer_3$")
        await asyncio.sleep(23 * 3600)
        assert table.state.phase == "lobby"
        await asyncio.sleep(3700)
        assert table.state.phase == "closed"
        assert not town.house._tables
        assert newest(town, town.group_id, "一天没坐满，这一桌散了") is not None
        assert not town.find(town.group_id, r"^t\|[1-9]")

    tell_from_the_start(story)


def test_seats_are_drawn_at_random_when_the_first_hand_begins(tmp_path: Path) -> None:
    drawn = set()
    for seed in range(6):

        async def story(town: Town) -> None:
            await dealt(town)
            drawn.add((tuple(table_of(town).state.persons), table_of(town).state.dealer))

        folder = tmp_path / str(seed)
        folder.mkdir()
        teller(folder, seed=seed)(story)
    assert len(drawn) >= 4


def test_everybody_together_voids_a_running_hand(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        host, *others = town.people
        town.world.crowd.say(others[0], town.group_id, "/stop")
        await seen(town, town.group_id, "桌上的人都要按群里的「作废」")
        assert not table_of(town).state.stopping
        town.world.crowd.say(host, town.group_id, "/stop")
        await asyncio.sleep(6)
        assert table_of(town).state.stopping
        held = [(await town.store.wallet(number)).held for number in (1, 2, 3, 4)]
        assert all(held)
        for person in town.people:
            await town.press(person, town.group_id, r"\|void_")
            await asyncio.sleep(6)
        await asyncio.sleep(20)
        assert not town.house._tables
        (row,) = await town.hands()
        assert row.outcome == "void"
        assert [(await town.store.wallet(number)).held for number in (1, 2, 3, 4)] == [0] * 4
        assert newest(town, town.group_id, "这一局作废") is not None
        # What was said of the end of the hand is no news any more, also where the group's budget had kept it back.
        assert newest(town, town.group_id, "打完这一局就散桌") is None
        assert all(newest(town, person, "这一局作废|這一局作廢|hand is void") is not None for person in town.people)
        assert not [
            button for person in town.people for _, button in town.buttons(person) if "|d" in button["callback_data"]
        ]

    tell(story)


def test_votes_to_void_a_hand_outlive_a_kill(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        town.world.crowd.say(town.people[1], town.group_id, "/stop")
        await seen(town, town.group_id, "桌上的人都要按群里的「作废」")
        for person in town.people:
            await town.press(person, town.group_id, r"\|void_")
            if person == town.people[-1]:
                break
            await town.kill()
            await town.open()
            await asyncio.sleep(10)
            (row,) = await town.hands()
            assert row.outcome is None
            assert len(table_of(town).state.void_votes) == town.people.index(person) + 1
        await town.kill()
        await town.open()
        await asyncio.sleep(20)
        assert not town.house._tables
        (row,) = await town.hands()
        assert row.outcome == "void"
        assert [await town.store.wallet(number) for number in (1, 2, 3, 4)] == [Wallet(1500, 0)] * 4
        await seen(town, town.group_id, "这一局作废")

    tell(story)


@pytest.mark.parametrize("end", ["played", "void"])
def test_the_ledger_is_right_after_a_hand_with_computers_for_coins(tmp_path: Path, end: str) -> None:
    async def whole() -> None:
        town = Town(tmp_path / "coins.sqlite3", 4)
        await town.open()
        one, two, *_ = town.people
        table = await open_table(town, one, two)
        assert table.group is not None
        settings = {"computers_for_coins": True}
        await town.house.group_changed(await town.house.people.set_group_settings(table.group, settings))
        await town.press(one, town.group_id, r"\|start$")
        await dealt(town)
        assert not table.state.friendly
        assert [(await town.store.wallet(number)).held for number in (1, 2)] == [1500, 1500]
        if end == "played":
            await town.kill()
            await town.open()
            await played_out(town)
        else:
            town.world.crowd.say(one, town.group_id, "/stop")
            town.world.crowd.say(two, town.group_id, "/stop")
            await asyncio.sleep(8)
            # The computers would lose what they might have won: only an operator voids such a hand.
            assert town.find(town.group_id, r"\|void_") is None
            assert "这一局不能作废" in text_of(town, town.group_id)
            await table.do(lambda draft: voiding.annul(draft, draft.state.hand))
        (row,) = (await town.hands())[:1]
        assert (row.outcome == "void") == (end == "void")
        assert not row.friendly
        wallets = [await town.store.wallet(number) for number in (1, 2)]
        nets = [0, 0]
        if end == "played":
            assert row.result is not None
            nets = [row.result["net"][row.seats.index(number)] for number in (1, 2)]
        assert [wallet.balance - 1500 for wallet in wallets] == nets
        # Whatever the two lost or won, the house paid it or was paid; the audit of every account agrees.
        await check(town, sum(wallet.balance for wallet in wallets))
        await town.close()

    run_virtual(whole())


def test_an_operator_voids_a_hand_alone(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        operator = await newcomer(town, "机主")
        town.house.operators = frozenset({operator})
        town.world.crowd.say(operator, town.group_id, "/stop")
        await seen(town, town.group_id, "机主也可以马上作废")
        assert await town.press(town.people[0], town.group_id, r"\|annul$") == "只有机主能按"
        assert table_of(town).state.phase == "playing"
        await town.press(operator, town.group_id, r"\|annul$")
        await asyncio.sleep(10)
        (row,) = await town.hands()
        assert row.outcome == "void"

    tell(story)


def test_commands_in_private_ask_which_table(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        one, *_ = town.people
        town.world.crowd.start(one)
        groups = [town.world.crowd.add_group(f"群 {n}", [one]).id for n in range(2)]
        for group in groups:
            town.world.crowd.say(one, group, "/newgame")
            await asyncio.sleep(4)
            for table in town.house._tables.values():
                await table.do(lambda draft: set_timer(draft, "days"))
        first, second = town.house._tables.values()
        await town.press(one, groups[1], r"\|sit$")
        await asyncio.sleep(4)
        town.world.crowd.say(one, one, "/hand")
        await asyncio.sleep(6)
        assert [len([m for m in town.messages(one) if f"「群 {n}」" in m.content.text]) for n in (0, 1)] == [1, 1]
        lobbies = len([c for c in town.calls if c.method == "sendMessage" and "你坐在" in c.params["text"]])
        assert lobbies == 4
        town.world.crowd.say(one, one, "/leave")
        await asyncio.sleep(6)
        assert newest(town, one, "离开哪一桌？") is not None
        assert town.find(one, "群 0 · 漳州麻将")
        assert await town.press(one, one, "群 0 · 漳州麻将") == "你离开了"
        await asyncio.sleep(4)
        assert first.state.phase == "closed"
        assert second.state.seat_of(person_of(town, one)) is not None
        town.world.crowd.say(one, one, "/stop")
        await asyncio.sleep(6)
        assert not town.house._tables

    tell_from_the_start(story)


@pytest.mark.parametrize(("command", "said"), [("/leave", "你离开了"), ("/stop", "这一桌散了")])
def test_practice_ends_at_once_and_in_words(tell_from_the_start: Tell, command: str, said: str) -> None:
    async def story(town: Town) -> None:
        one, *_ = town.people
        town.world.crowd.start(one)
        await practise(town, one)
        await asyncio.sleep(5)
        town.world.crowd.say(one, one, command)
        await asyncio.sleep(5)
        assert not town.house._tables
        assert newest(town, one, said) is not None
        assert not [m for m in town.messages(one) if m.content.media is not None]

    tell_from_the_start(story)


def test_the_host_sends_somebody_away_by_buttons_or_in_reply(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        host, two, three, _ = town.people
        await open_table(town, host, two, three)
        await town.press(host, town.group_id, r"\|options$")
        await asyncio.sleep(4)
        assert await town.press(two, town.group_id, r"\|kicking$") == "只有桌主和群管理员能请人离开"
        await town.press(host, town.group_id, r"\|kicking$")
        await asyncio.sleep(4)
        assert await town.press(host, town.group_id, "🚫 阿珍") == "已请 阿珍 离开"
        await asyncio.sleep(4)
        assert sits(town, host, three)
        assert "阿珍 被请离了" in text_of(town, town.group_id)
        assert newest(town, two, "你被请离了牌桌") is not None
        assert await town.press(two, town.group_id, r"\|sit$") == "桌主请你离开了，这一桌不能再坐"
        words = town.world.crowd.say(three, town.group_id, "/join")
        town.world.crowd.say(host, town.group_id, "/kick", reply_to=words.id)
        await seen(town, town.group_id, "已请 老林 离开")
        assert sits(town, host)
        town.world.crowd.say(host, town.group_id, "/kick")
        await seen(town, town.group_id, "桌上没有别人")

    tell_from_the_start(story)


def test_a_banned_person_plays_the_hand_out_and_never_sits_again(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        admin, banned, *_ = town.people
        words = town.world.crowd.say(banned, town.group_id, "/hand")
        town.world.crowd.say(town.people[2], town.group_id, "/ban", reply_to=words.id)
        await seen(town, town.group_id, "只有群主和管理员能这样做")
        town.world.crowd.say(admin, town.group_id, "/ban", reply_to=words.id)
        await seen(town, town.group_id, "阿珍 不能再上这个群的牌桌")
        await seen(town, banned, "打完这一局你就离桌")
        table = table_of(town)
        assert not seat_of(town, banned).auto
        await played_out(town)
        assert table.state.seat_of(person_of(town, banned)) is None
        assert await town.press(banned, town.group_id, r"\|sit$") == "管理员不让你上这个群的牌桌"
        town.world.crowd.say(banned, town.group_id, "/newgame")
        await seen(town, town.group_id, "管理员不让你上这个群的牌桌")
        town.world.crowd.say(admin, town.group_id, "/unban")
        await seen(town, town.group_id, "让谁再上牌桌？")
        assert await town.press(banned, town.group_id, "阿珍") == "只有群主和管理员能这样做"
        assert await town.press(admin, town.group_id, "阿珍") == "阿珍 又能上桌了"
        assert await town.press(banned, town.group_id, r"\|sit$") == "坐下了，等开局"

    tell(story)


def test_an_admin_chooses_whom_to_ban_among_those_known(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        admin, *_ = town.people
        waiter = await newcomer(town)
        await town.press(waiter, town.group_id, r"\|queue_0$")
        town.world.crowd.say(admin, town.group_id, "/ban")
        await seen(town, town.group_id, "不让谁上牌桌？")
        assert not town.find(town.group_id, rf"\|ban_{person_of(town, admin)}$")
        assert await town.press(admin, town.group_id, "阿福") == "阿福 不能再上这个群的牌桌"
        assert not table_of(town).state.queue

    tell(story)


def test_what_a_command_comes_to_is_said_in_the_group_by_name(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        one, two, *_ = town.people
        guest = await newcomer(town)
        stranger = await newcomer(town, "阿强", started=False)
        said = (
            (guest, "/join", "^阿福 排第 1，有空位就私聊叫"),
            (guest, "/join", "^阿福 排第 1，有空位就私聊叫"),
            (two, "/join", "^阿珍 已经坐下了"),
            (guest, "/leave", "^阿福 不排了"),
            (guest, "/leave", "^阿福，你不在这一桌"),
            (guest, "/stop", "^阿福，只有桌主和群管理员能散桌"),
            (guest, "/ban", "^阿福，只有群主和管理员能这样做"),
            (stranger, "/join", "^阿强，先跟我打个招呼"),
            (two, "/leave", "^阿珍 打完这一局就离桌"),
            (two, "/join", "^阿珍 不走了，接着打"),
            (one, "/stop", "^打完这一局就散桌"),
        )
        for person, command, answer in said:
            town.world.crowd.say(person, town.group_id, command)
            await seen(town, town.group_id, answer)
        words = town.world.crowd.say(guest, town.group_id, "/hand")
        town.world.crowd.say(guest, town.group_id, "/kick", reply_to=words.id)
        await seen(town, town.group_id, "^阿福，只有桌主和群管理员能请人离开")

    tell(story)
