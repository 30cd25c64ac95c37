"""猜谁胡, and the mark of an operator who plays: what those who watch see and do."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from tests.support.evening import check, run_virtual
from tests.support.stories import (
    Tell,
    chat_of,
    dealt,
    newcomer,
    newest,
    open_table,
    person_of,
    played_out,
    seats_of,
    seen,
    table_of,
)
from tests.support.town import Town


async def first_turn_passed(town: Town) -> None:
    """Everybody throws what is drawn until somebody has thrown twice."""
    for _ in range(400):
        if not table_of(town).state.guessing:
            return
        hand = table_of(town).hand
        for seat in sorted(hand.questions if hand is not None else ()):
            chat = chat_of(town, seat)
            found = town.find(chat, r"^m\|.*\|x") or town.find(chat, r"^m\|.*\|d")
            if found is not None:
                await town.press_data(chat, chat, found[0].id, found[1]["callback_data"], force=True)
        await asyncio.sleep(1)
    raise AssertionError("the first round never ended")


def test_who_watches_guesses_until_the_first_round_is_over(tell: Tell) -> None:
    async def story(town: Town) -> None:
        watchers = [await newcomer(town, name) for name in ("阿福", "阿花", "阿伯", "阿婆", "阿姨")]
        for person in watchers:
            town.people.remove(person)
        await dealt(town)
        said = await town.press(watchers[0], town.group_id, "猜谁胡")
        assert said is not None
        assert "第一圈" in said
        await asyncio.sleep(8)
        sent = len([call for call in town.calls if call.method.startswith("send") and call.chat_id == town.group_id])
        for choice, person in enumerate(watchers):
            said = await town.press(person, town.group_id, rf"\|guess_{choice}$")
            name = seats_of(town)[choice].name if choice < 4 else "臭庄"
            assert said is not None
            assert name in said
        # Another thought.
        await town.press(watchers[0], town.group_id, r"\|guess_3$")
        await town.press(watchers[0], town.group_id, r"\|guess_0$")
        players = [await town.press(person, town.group_id, r"\|guess_0$") for person in town.people]
        assert all(re.search("看牌的才能猜|only those who watch", text or "", re.IGNORECASE) for text in players)
        assert newest(town, town.group_id, "人猜了谁胡") is None
        await town.kill()
        await town.open()
        message, button = town.find(town.group_id, r"\|guess_1$") or (None, None)
        assert message is not None
        assert button is not None
        await first_turn_passed(town)
        await seen(town, town.group_id, "5 人猜了谁胡")
        assert town.find(town.group_id, r"\|guess") is None
        late = await town.press_data(watchers[1], town.group_id, message.id, button["callback_data"], force=True)
        assert late is not None
        assert re.search("封盘|closed", late)
        assert table_of(town).state.guesses == {str(person_of(town, p)): n for n, p in enumerate(watchers)}
        restarts = len(
            [m for m in town.messages(town.group_id) if re.search("重启过|重啟過|restarted", m.content.text)]
        )
        now = len([call for call in town.calls if call.method.startswith("send") and call.chat_id == town.group_id])
        assert now - sent == restarts, "a guess costs no message"
        await played_out(town)
        (row,) = await town.hands()
        winner = row.result["winner"] if row.result is not None else None
        right = ("阿福", "阿花", "阿伯", "阿婆", "阿姨")[4 if winner is None else winner]
        sheet = await seen(town, town.group_id, "猜中的")
        assert f"猜中的：{right}" in sheet.content.text
        # The players' own sheets are about the hand alone, and nothing moved for it.
        assert all(newest(town, person, "猜中的|Guessed right") is None for person in town.people)
        wallets = await town.store.wallets([person_of(town, person) for person in watchers])
        assert {wallet.balance for wallet in wallets.values()} == {1500}

    tell(story)


def test_computers_and_people_of_one_name_are_told_apart(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        one, two, *_ = town.people
        for person in (one, two):
            town.world.crowd.change_person(person, first_name="阿明", last_name="")
        await open_table(town, one, two)
        watcher = await newcomer(town)
        await town.press(one, town.group_id, r"\|start$")
        await dealt(town)
        await town.press(watcher, town.group_id, r"\|guesses$")
        await asyncio.sleep(10)
        shown = [button["text"] for _, button in town.buttons(town.group_id) if "|guess_" in button["callback_data"]]
        assert len(shown) == len(set(shown)) == 5
        assert {"阿明", "阿明（2）", "电脑甲", "电脑乙", "臭庄"} == set(shown)
        for choice in range(4):
            said = await town.press(watcher, town.group_id, rf"\|guess_{choice}$")
            assert said is not None
            assert shown[choice] in said

    tell_from_the_start(story)


def test_a_guess_from_elsewhere_is_refused(tell: Tell) -> None:
    async def story(town: Town) -> None:
        watcher = await newcomer(town)
        town.people.remove(watcher)
        await dealt(town)
        table = table_of(town)
        hand = town.find(town.people[0], r"^m\||\|table$")
        assert hand is not None
        for data in (f"h|{table.id}|1|guess_5", f"h|{table.id}|1|guess_99", f"h|{table.id}|2|guess_1"):
            (message, _) = town.find(town.group_id, r"\|guesses$") or (None, None)
            assert message is not None
            said = await town.press_data(watcher, town.group_id, message.id, data, force=True)
            assert said is not None
        said = await town.press_data(town.people[0], town.people[0], hand[0].id, f"h|{table.id}|1|guess_1", force=True)
        assert said is not None
        assert not table.state.guesses

    tell(story)


def test_an_operator_who_plays_is_named_as_one(tmp_path: Path) -> None:
    async def story() -> None:
        town = Town(tmp_path / "story.sqlite3", 3)
        town.admins = frozenset(town.people[1:2])
        await town.open()
        for person in town.people:
            town.world.crowd.start(person)
        await asyncio.sleep(5)
        town.world.crowd.say(town.people[0], town.group_id, "/newgame")
        lobby = await seen(town, town.group_id, "开桌了")
        assert "机主在座" not in lobby.content.text
        for person in town.people[1:]:
            await town.press(person, town.group_id, r"\|sit$")
        await dealt(town)
        name = town.world.people[town.people[1]].name
        assert (await seen(town, town.group_id, "机主在座")).content.text.count(f"机主在座：{name}") == 1
        await check(town)
        await town.close()

    run_virtual(story())
