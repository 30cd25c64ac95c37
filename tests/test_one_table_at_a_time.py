"""Who may sit where, over several tables of one person, with the whole bot in virtual time."""

from __future__ import annotations

import asyncio

import pytest

from handlers.answers import SILENT, Answer
from handlers.draft import Draft
from handlers.table import Table
from handlers.table_state import Seat
from tests.support.stories import Tell, dealt, newcomer, newest, open_table, person_of, practise, seen, text_of
from tests.support.town import Town

DAY = 24 * 3600


def paused(draft: Draft) -> Answer:
    """A step after which a table pauses, as when everybody was away for a hand."""
    draft.state.hand = draft.state.hand or 1
    draft.pause()
    return SILENT


def tables_of(town: Town, person: int) -> list[Table]:
    return [table for table in town.house._tables.values() if table.state.seat_of(person_of(town, person)) is not None]


@pytest.mark.parametrize("how", ["resumed", "timer"])
def test_a_table_that_becomes_live_ends_the_practice_and_the_waiting_of_all_who_sit_there(
    tell_from_the_start: Tell, how: str
) -> None:
    async def story(town: Town) -> None:
        one, two, three, _ = town.people
        table = await open_table(town, one, two, three)
        hosts = [await newcomer(town, name) for name in ("阿福", "阿强", "阿丽", "阿海")]
        other = town.world.crowd.add_group("别的群", [*hosts, two]).id
        town.world.crowd.say(hosts[0], other, "/newgame")
        await asyncio.sleep(4)
        for host in hosts[1:]:
            await town.press(host, other, r"\|sit$")
        (full,) = [there for there in town.house._tables.values() if there is not table]
        await table.do(paused if how == "resumed" else days)
        await asyncio.sleep(15)
        await practise(town, two)
        await town.press(two, other, r"\|queue_0$")
        assert full.state.place_of(person_of(town, two)) == 1
        assert len(tables_of(town, two)) == 2
        if how == "resumed":
            assert await town.press(one, town.group_id, r"\|resume$") == "接着打，等大家准备"
        else:
            await town.press(one, town.group_id, r"\|options$")
            await asyncio.sleep(8)
            await town.press(one, town.group_id, r"\|timer_1$")
        await asyncio.sleep(4)
        assert table.state.live
        assert tables_of(town, two) == [table]
        assert not full.state.queue
        town.world.crowd.say(two, two, "/newgame")
        await seen(town, two, "先离开那一桌|先離開那一桌|leave it first")
        assert tables_of(town, two) == [table]

    tell_from_the_start(story)


def days(draft: Draft) -> Answer:
    """A step that gives a table hours for a turn."""
    draft.state.timer = "days"
    draft.note("timer", timer="days")
    return SILENT


def test_a_queue_place_outlives_practice(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        (table,) = town.house._tables.values()
        waiter = await newcomer(town)
        await town.press(waiter, town.group_id, r"\|queue_0$")
        await practise(town, waiter)
        assert len(tables_of(town, waiter)) == 1
        assert table.state.place_of(person_of(town, waiter)) == 1

    tell(story)


def test_nobody_gets_two_live_tables_by_sitting_down_while_another_resumes(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        one, two, three, four = town.people
        table = await open_table(town, one, two, three)
        await table.do(paused)
        other = town.world.crowd.add_group("别的群", [two, four]).id
        town.world.crowd.start(four)
        await asyncio.sleep(4)
        town.world.crowd.say(four, other, "/newgame")
        await asyncio.sleep(6)

        async def long(draft: Draft) -> Answer:
            await asyncio.sleep(3)
            return SILENT

        # The paused table has much to do when one of its people has it go on and another sits down elsewhere.
        busy = town.background(table.do(long))
        resuming = town.background(town.press(one, town.group_id, r"\|resume$"))
        await asyncio.sleep(1)
        await town.press(two, other, r"\|sit$")
        await asyncio.gather(busy, resuming)
        await asyncio.sleep(4)
        assert [seated.state.live for seated in tables_of(town, two)] == [True]

    tell_from_the_start(story)


def test_who_comes_to_a_table_that_pauses_is_told_so_and_may_wait(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        one, two, three, four = town.people
        table = await open_table(town, one, two, three)
        town.world.crowd.start(four)
        await asyncio.sleep(3)
        lobby, sit = town.find(town.group_id, r"\|sit$") or pytest.fail("no button")
        await table.do(paused)
        await asyncio.sleep(6)
        said = await town.press_data(four, town.group_id, lobby.id, sit["callback_data"], force=True)
        assert said is not None
        assert "pauses" in said
        town.world.crowd.say(four, town.group_id, "/join")
        await asyncio.sleep(6)
        assert table.state.place_of(person_of(town, four)) == 1
        await town.press(one, town.group_id, r"\|resume$")
        await seen(town, four, "有空位了|A seat is free")

    tell_from_the_start(story)


def test_a_game_changed_and_changed_back_keeps_the_house_rules_of_the_group(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        one, two, *_ = town.people
        table = await open_table(town, one, two)
        rules = {"zhangzhou": {"dead_wall_stacks": 13}, "putian-ming": {"discard_win_multiplier": 1}}
        assert table.group is not None
        await town.house.group_changed(await town.house.people.set_group_settings(table.group, {"options": rules}))
        for number, game in ((2, "putian-ming"), (0, "zhangzhou")):
            await town.press(two, town.group_id, rf"\|game_{number}$")
            assert (table.state.rules, table.state.options) == (game, rules[game])
            await asyncio.sleep(8)

    tell_from_the_start(story)


def test_an_operator_ends_one_of_several_tables_by_its_button(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        operator = town.people[1]
        town.house.operators = frozenset({operator})
        town.world.crowd.start(operator)
        other = town.world.crowd.add_group("别的群", [operator]).id
        await asyncio.sleep(4)
        town.world.crowd.say(operator, other, "/newgame")
        await asyncio.sleep(4)
        (first,) = town.house._tables.values()
        await first.do(days)
        await town.seat_all()
        table = next(there for there in town.house._tables.values() if there is not first)
        for _ in range(600):
            if table.state.phase == "playing":
                break
            await asyncio.sleep(0.1)
        town.world.crowd.say(operator, operator, "/stop")
        await asyncio.sleep(6)
        message, button = town.find(operator, rf"^t\|{table.id}\|stop$") or pytest.fail("not asked which table")
        said = await town.press_data(operator, operator, message.id, button["callback_data"])
        assert said in ("打完这一局就散桌", "打完這一局就散桌", "The table closes after this hand")
        assert table.state.stopping
        await asyncio.sleep(4)
        await town.press(operator, operator, r"\|annul$")
        await asyncio.sleep(6)
        (row,) = await town.hands()
        assert row.outcome == "void"

    tell_from_the_start(story)


def test_a_banned_host_who_never_sat_down_is_host_no_longer(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        admin, host, three, four = town.people
        for person in (admin, three, four):
            town.world.crowd.start(person)
        await asyncio.sleep(4)
        words = town.world.crowd.say(host, town.group_id, "/newgame")
        await asyncio.sleep(4)
        (table,) = town.house._tables.values()
        assert table.state.host == person_of(town, host)
        assert not table.state.persons
        town.world.crowd.say(admin, town.group_id, "/ban", reply_to=words.id)
        await asyncio.sleep(6)
        assert await town.press(host, town.group_id, r"\|stop$") not in (None, "这一桌散了。", "This table is closed.")
        assert table.state.phase == "lobby"
        await town.press(three, town.group_id, r"\|sit$")
        assert table.state.host == person_of(town, three)
        # Who is banned opens no table again, either, not by the old button and not by the command.
        await town.press(three, town.group_id, r"\|stop$")
        await asyncio.sleep(4)
        assert not town.house._tables
        for text in ("/newgame", "/join"):
            town.world.crowd.say(host, town.group_id, text)
            await asyncio.sleep(8)
        assert not town.house._tables
        assert newest(town, town.group_id, "管理员不让你上这个群的牌桌") is not None
        assert "已坐" not in text_of(town, town.group_id)

    tell_from_the_start(story)


def test_who_leaves_and_is_banned_is_not_asked_to_stay(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        admin, leaver, *_ = town.people
        words = town.world.crowd.say(leaver, town.group_id, "/leave")
        await asyncio.sleep(6)
        assert town.find(leaver, r"^t\|\d+\|back$") is not None
        town.world.crowd.say(admin, town.group_id, "/ban", reply_to=words.id)
        await seen(town, town.group_id, "不能再上这个群的牌桌")
        await asyncio.sleep(6)
        assert town.find(leaver, r"^t\|\d+\|back$") is None
        assert newest(town, leaver, "打完这一局你就离桌|打完這一局你就離桌|you leave after this hand") is not None

    tell(story)


def test_a_banned_person_may_not_open_a_paused_table_afresh(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        admin, two, three, banned = town.people
        table = await open_table(town, admin, two, three)
        words = town.world.crowd.say(banned, town.group_id, "/hand")
        town.world.crowd.say(admin, town.group_id, "/ban", reply_to=words.id)
        await seen(town, town.group_id, "不能再上这个群的牌桌")
        await table.do(paused)
        await asyncio.sleep(2 * DAY)
        # A day later anybody in the group may, but not this one.
        said = await town.press(banned, town.group_id, r"\|reopen$")
        assert said == "The admins do not let you sit at this group's tables"
        assert list(town.house._tables.values()) == [table]
        assert table.state.phase == "paused"
        assert await town.press(banned, town.group_id, r"\|resume$") == "You don't sit at this table"
        await newcomer(town)
        await town.press(town.people[-1], town.group_id, r"\|reopen$")
        await asyncio.sleep(4)
        assert [len(there.state.persons) for there in town.house._tables.values()] == [1]

    tell_from_the_start(story)


def test_who_opens_afresh_and_may_not_sit_is_told_why(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        one, two, three, _ = town.people
        table = await open_table(town, one, two, three)
        await table.do(paused)
        other = town.world.crowd.add_group("别的群", [two]).id
        town.world.crowd.say(two, other, "/newgame")
        await asyncio.sleep(8)
        assert await town.press(two, town.group_id, r"\|reopen$") == "你还坐在「别的群」那桌，先离开那一桌"
        (fresh,) = [
            there for there in town.house._tables.values() if there.group is not None and not there.state.persons
        ]
        assert fresh.id != table.id

    tell_from_the_start(story)


def test_who_leaves_in_mid_hand_may_sit_elsewhere_and_cannot_come_back_then(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        (first,) = town.house._tables.values()
        leaver = town.people[1]
        town.world.crowd.say(leaver, town.group_id, "/leave")
        await asyncio.sleep(8)
        town.world.crowd.say(leaver, leaver, "/newgame")
        await asyncio.sleep(4)
        assert len(tables_of(town, leaver)) == 2, "practice is open to who has left"
        other = town.world.crowd.add_group("别的群", [leaver]).id
        town.world.crowd.say(leaver, other, "/newgame")
        await asyncio.sleep(8)
        # The hand still holds the coins, and that is what is said.
        assert await town.press(leaver, other, r"\|sit$") == "你的币还押在别的桌上，等那边打完一局再来"
        await town.press(leaver, other, r"\|add_0$")
        (there,) = [table for table in town.house._tables.values() if table.group and table.group.telegram_id == other]
        there.state.seats[3] = Seat(computer="easy")
        await town.press(leaver, other, r"\|sit$")
        await asyncio.sleep(4)
        assert there in tables_of(town, leaver)
        said = await town.press(leaver, leaver, r"^t\|\d+\|back$")
        assert said == "你还坐在「别的群」那桌，先离开那一桌"
        assert not first.state.stays(person_of(town, leaver))

    tell(story)
