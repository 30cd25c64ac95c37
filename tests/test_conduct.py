"""How the bot behaves around a hand, in virtual time: sound, leaving, coming back, strangers, a lost group."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from data.errors import StoreUnwritable
from data.model import Change
from handlers import lobby
from tests.support.evening import check, run_virtual
from tests.support.stories import Tell, chat_of, dealt, photos, played_out, seats_of, text_of
from tests.support.town import Town


def test_the_deal_rings_and_so_does_a_turn_not_taken(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        for chat in town.people:
            (deal,) = photos(town, chat)
            assert not deal.params.get("disable_notification")
        (table,) = town.house._tables.values()
        for _ in range(60):
            if table.hand is not None and table.hand.phase == "turn":
                break
            await asyncio.sleep(0.5)
        assert table.hand is not None
        (seat,) = table.hand.questions
        await asyncio.sleep(17)
        again = photos(town, chat_of(town, seat))
        assert len(again) == 2
        assert not again[1].params.get("disable_notification")
        assert len(town.messages(chat_of(town, seat))) == len(town.messages(chat_of(town, (seat + 1) % 4)))
        group = [call for call in town.calls if call.chat_id == town.group_id and call.method.startswith("send")]
        assert all(call.params.get("disable_notification") for call in group)

    tell(story)


def test_who_leaves_in_mid_hand_can_stay_and_the_sheet_is_shown_to_all(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        leaver, other = chat_of(town, 1), chat_of(town, 2)
        for chat in (leaver, other):
            town.world.crowd.say(chat, town.group_id, "/leave")
        await asyncio.sleep(5)
        assert (
            await town.press(other, other, r"\|back$") == "接回来了，轮到你自己打" or seats_of(town)[2].leaving is False
        )
        await asyncio.sleep(2)
        assert seats_of(town)[1].leaving
        await played_out(town)
        sheets = [m for m in town.messages(town.group_id) if "第 1 局" in m.content.text and "🔓" in m.content.text]
        assert len(sheets) == 1
        for chat in town.people:
            assert re.search("第 1 局|Hand 1", text_of(town, chat)), chat
        (table,) = town.house._tables.values()
        assert len(table.state.persons) == 3
        assert table.state.phase == "lobby"

    tell(story)


def test_two_turns_missed_and_the_computer_plays_until_any_press(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        away = chat_of(town, 0)
        others = [town.background(town.play_at_random(p)) for p in town.people if p != away]
        for _ in range(2000):
            if seats_of(town)[0].auto:
                break
            await asyncio.sleep(1)
        assert seats_of(town)[0].auto
        await asyncio.sleep(8)
        assert not any("|d" in b["callback_data"] for _, b in town.buttons(away)), "buttons that flash by"
        toast = await town.press(away, away, r"\|table$")
        assert toast == "接回来了，轮到你自己打" or "back" in (toast or "").lower() or "接回來" in (toast or "")
        assert not seats_of(town)[0].auto
        for task in others:
            task.cancel()

    tell(story)


def test_a_stranger_cannot_sit_by_a_guessed_or_leaked_link(tmp_path: Path) -> None:
    async def story() -> None:
        town = Town(tmp_path / "strangers.sqlite3", 4)
        await town.open()
        host, *_ = town.people
        town.world.crowd.start(host)
        await asyncio.sleep(3)
        town.world.crowd.say(host, town.group_id, "/newgame")
        await asyncio.sleep(3)
        (table,) = town.house._tables.values()
        stranger = town.world.crowd.add_person("Stranger", language_code="en").id
        town.world.crowd.start(stranger, f"sit_{table.id}")
        await asyncio.sleep(3)
        town.world.crowd.start(stranger, f"sit_{table.id}_{'0' * 12}")
        await asyncio.sleep(3)
        town.world.crowd.start(stranger, f"sit_{table.id}_{table.state.token}")
        await asyncio.sleep(3)
        assert table.state.persons == [1]
        assert "周末麻将" not in text_of(town, stranger)
        await town.press_data(stranger, stranger, town.messages(stranger)[-1].id, f"t|{table.id}|sit", force=True)
        assert table.state.persons == [1]
        await town.close()

    run_virtual(story())


def test_a_bot_removed_from_its_group_closes_the_table_and_nothing_moves(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        town.world.crowd.leave(town.group_id, town.world.bot.id, by=town.people[0])
        await asyncio.sleep(20)
        assert not town.house._tables
        (row,) = await town.hands()
        assert row.outcome == "void"
        for chat in town.people:
            assert re.search("这一桌散了|這一桌散了|table is closed", text_of(town, chat))
        town.world.crowd.say(town.people[0], town.people[0], "/newgame")
        await asyncio.sleep(5)
        assert town.house._tables, "nobody stays bound to the table that is gone"

    tell(story)


def test_the_seal_is_said_again_when_a_kill_came_between_it_and_the_dice(tell: Tell) -> None:
    async def story(town: Town) -> None:
        (table,) = town.house._tables.values()
        for _ in range(600):
            if table.state.phase == "dice":
                break
            await asyncio.sleep(0.05)
        assert table.state.phase == "dice"
        await town.kill()
        await town.open()
        await dealt(town)
        seals = [m for m in town.messages(town.group_id) if "🔏" in m.content.text]
        assert seals

    tell(story)


def test_practice_opens_once_however_often_pressed_and_ends_where_its_player_sits_down(
    tmp_path: Path,
) -> None:
    async def story() -> None:
        town = Town(tmp_path / "practice.sqlite3", 5)
        await town.open()
        person = town.people[0]
        town.world.crowd.start(person)
        await asyncio.sleep(3)
        await town.press(person, person, r"hello\|zh_Hans")
        await asyncio.sleep(3)
        hello = town.messages(person)[-1].id
        for _ in range(3):
            town.world.crowd.press(person, person, hello, "t|0|play")
        await asyncio.sleep(3)
        assert len(town.house._tables) == 1
        town.world.crowd.say(person, town.group_id, "/newgame")
        await asyncio.sleep(3)
        (table,) = town.house._tables.values()
        assert table.group is not None
        assert len(table.state.persons) == 1
        town.world.crowd.say(person, person, "/newgame")
        await asyncio.sleep(3)
        assert "周末麻将" in text_of(town, person)
        assert len(town.house._tables) == 1
        await town.close()

    run_virtual(story())


def test_a_flood_of_commands_costs_the_group_no_more_than_one(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        before = len(town.calls)
        for _ in range(60):
            town.world.crowd.say(town.people[0], town.group_id, "/help")
        await asyncio.sleep(60)
        spent = [call for call in town.calls[before:] if call.method == "sendMessage" and call.chat_id == town.group_id]
        assert len(spent) <= 3

    tell(story)


def test_two_who_stop_the_table_at_once_are_both_answered(tell: Tell) -> None:
    async def story(town: Town) -> None:
        (table,) = town.house._tables.values()
        step = lambda draft: lobby.stop(draft, 1, admin=True)  # noqa: E731
        await asyncio.sleep(0)
        table.state.phase = "lobby"
        table.state.deadlines.clear()
        answers = await asyncio.wait_for(asyncio.gather(*(table.do(step) for _ in range(3))), 5)
        assert [answer.key for answer in answers] == ["lobby.closed", "toast.gone", "toast.gone"]
        assert (await asyncio.wait_for(table.do(step), 5)).key == "toast.gone"

    tell(story)


def test_a_deal_that_cannot_be_kept_is_tried_again(tell: Tell) -> None:
    async def story(town: Town) -> None:
        (table,) = town.house._tables.values()
        keep = town.store.commit
        refused = 0

        async def commit(change: Change) -> bool:
            nonlocal refused
            if change.dice is not None and refused < 3:
                refused += 1
                raise StoreUnwritable("the disk is full")
            return await keep(change)

        town.store.commit = commit  # type: ignore[method-assign]
        await dealt(town)
        assert refused == 3
        assert table.state.phase == "playing"

    tell(story)


def test_a_commit_kept_but_reported_lost_does_not_stick_the_table(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        keep, lied = town.store.commit, False

        async def commit(change: Change) -> bool:
            nonlocal lied
            kept = await keep(change)
            if not lied:
                lied = True
                raise StoreUnwritable("nobody knows")
            return kept

        town.store.commit = commit  # type: ignore[method-assign]
        await played_out(town)
        assert lied

    tell(story)


def test_updates_of_one_person_are_handled_in_their_order(tmp_path: Path) -> None:
    async def story() -> None:
        for seed in range(8):
            town = Town(tmp_path / f"order{seed}.sqlite3", seed)
            await town.open()
            person = town.people[0]
            town.world.crowd.start(person)
            town.world.crowd.say(person, town.group_id, "/newgame")
            await asyncio.sleep(3)
            (table,) = town.house._tables.values()
            assert table.state.persons == [1]
            await town.kill()

    run_virtual(story())


def test_the_longest_names_leave_every_text_within_telegrams_limits(tmp_path: Path) -> None:
    async def story() -> None:
        town = Town(tmp_path / "names.sqlite3", 6)
        for number, person in enumerate(town.people):
            town.world.crowd.change_person(
                person, first_name="e" + "\u0301" * 60, last_name=f"<b>&{number}" + "名" * 50
            )
        await town.open()
        await town.seat_all()
        await dealt(town)
        await played_out(town)
        await check(town)
        await town.close()

    run_virtual(story())


def test_the_last_sheet_is_shown_after_a_kill_that_closed_the_table(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        town.world.crowd.say(town.people[0], town.group_id, "/stop")
        tasks = [town.background(town.play_at_random(person)) for person in town.people]
        for _ in range(30000):
            if not town.house._tables:
                break
            await asyncio.sleep(0.1)
        assert not town.house._tables
        for task in tasks:
            task.cancel()
        await town.kill()
        await town.open()
        await asyncio.sleep(60)
        sheets = [m for m in town.messages(town.group_id) if "🔓" in m.content.text]
        assert len(sheets) == 1
        assert not [key for key in town.outbox.keys("t") if key.endswith(("table", "hand"))]
        assert not [b for _, b in town.buttons(town.group_id) if b["callback_data"].startswith("m|")]

    tell(story)


def test_the_ranking_and_the_lobby_have_their_cards(tell: Tell) -> None:
    async def story(town: Town) -> None:
        lobbies = [call for call in town.calls if call.method == "sendPhoto" and call.chat_id == town.group_id]
        assert lobbies
        await dealt(town)
        await played_out(town)
        before = len(town.calls)
        town.world.crowd.say(town.people[3], town.group_id, "/score")
        await asyncio.sleep(20)
        assert any(call.method == "sendPhoto" and call.chat_id == town.group_id for call in town.calls[before:])
        assert "1." in text_of(town, town.group_id)

    tell(story)
