"""复盘 of a hand that is over, from its private sheet: one message, only for who played it, the way into the replay."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from dataclasses import fields

import pytest

from data.model import HandRow
from data.texts import Texts
from handlers.finished import Finished
from handlers.outbox import Button
from handlers.screens.review import review_message
from handlers.screens.sheet import CAPTION, visible
from handlers.table_state import TableState
from mahjong.records import Record, replay
from mahjong.review import judge, turns_of
from mahjong.rulesets import RULESETS
from mahjong.views import sheet
from playground.chats import Message
from render.pool import Renderer
from tests.mahjong.test_review import records
from tests.support.stories import Tell, newest, person_of, played_out, table_of
from tests.support.town import Town, label_of, texts
from tests.test_hints import practise, set_hints
from tests.test_replay import data_of, place

REVIEW = r"^v\|\d+\|review$"


def living(town: Town, chat: int) -> Message:
    """The review in a private chat."""
    found = [message for message in town.messages(chat) if any("|unreview" in data for data in data_of(message))]
    assert len(found) == 1, [message.content.text for message in found]
    return found[0]


async def practised(town: Town, person: int) -> None:
    """Play a practice hand at random to its sheet."""
    await practise(town, person)
    task = town.background(town.play_at_random(person))
    for _ in range(3000):
        if town.find(person, REVIEW) is not None:
            break
        await asyncio.sleep(1)
    task.cancel()
    await asyncio.sleep(8)


def test_the_worst_discards_of_a_practice_hand_are_leafed_through_in_one_message(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        person, other = town.people[:2]
        town.world.crowd.start(other)
        await practised(town, person)
        found = town.find(person, REVIEW)
        assert found is not None
        data = found[1]["callback_data"]
        await town.press(person, person, REVIEW)
        await asyncio.sleep(5)
        message = living(town, person)
        assert "复盘" in message.content.text
        assert re.search(r"1/[23]", message.content.text)
        assert re.search(r"第 \d+ 巡 · 约亏 [\d.]+ 币\n✗ 打.+：.+\n✓ .+：.+", message.content.text)
        media = message.content.media
        assert media is not None
        label = label_of(media.data)
        seat = table_of(town).state.seat_of(person_of(town, person))
        assert (label["kind"], label["reader"]) == ("review", seat)
        await town.press(person, person, r"\|review\|1$")
        await asyncio.sleep(5)
        assert living(town, person).id == message.id
        assert re.search(r"2/[23]", living(town, person).content.text)
        # After a restart the buttons still do what they say.
        await town.kill()
        await town.open()
        await town.press(person, person, r"\|review\|0$")
        await asyncio.sleep(5)
        assert living(town, person).id == message.id
        step = next(int(data.split("|")[3]) for data in data_of(living(town, person)) if "|at|" in data)
        await town.press(person, person, r"\|at\|")
        await asyncio.sleep(5)
        assert place(town, person)[0] == step + 1
        thrown = re.search(r"✗ 打(.+)：", living(town, person).content.text)
        assert thrown is not None
        assert newest(town, person, rf"🎞.*\n(.*\n)*.*打{thrown[1].split('：')[0]}") is not None
        hand = data.split("|")[1]
        stranger = town.messages(other)[-1]
        for wrong in (f"v|{hand}|review", f"v|{hand}|review|1", f"v|{hand}|at|1"):
            assert await town.press_data(other, other, stranger.id, wrong, force=True) == "这个按钮不能用"
        mine = living(town, person)
        for wrong in (f"v|{hand}|review|9", f"v|{hand}|review|x", f"v|{hand}|at|9999"):
            assert await town.press_data(person, person, mine.id, wrong, force=True) == "这个按钮不能用"
        await town.press(person, person, r"\|unreview$")
        await asyncio.sleep(5)
        assert all(m.id != mine.id for m in town.messages(person))

    tell_from_the_start(story)


def test_what_the_clock_and_a_computer_threw_for_one_who_was_away_is_not_held_against_them(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await set_hints(town, table_of(town), "all")
        one = town.people[0]
        await played_out(town, but=[one])
        row = (await town.hands())[0]
        seat = row.seats.index(person_of(town, one))
        thrown = [
            entry
            for entry in await town.store.journal(row.id)
            if entry.seat == seat and " discard " in entry.body.get("move", "")
        ]
        assert {(entry.kind, "computer" in entry.body) for entry in thrown} == {("timeout", False), ("move", True)}
        assert any(judge(turn) for turn in turns_of(Record.from_json(row.record), seat))
        mine = town.messages(one)[-1]
        said = await town.press_data(one, one, mine.id, f"v|{row.id}|review", force=True)
        assert said in ("这一局的牌都不是你自己打的，没什么可复盘", "這一局的牌都不是你自己打的，沒什麼可覆盤")
        await asyncio.sleep(5)
        assert not any("|unreview" in data for message in town.messages(one) for data in data_of(message))

    tell(story)


def test_a_group_reviews_where_it_gives_hints_and_only_in_private(tell: Tell) -> None:
    async def story(town: Town) -> None:
        table = table_of(town)
        await played_out(town)
        assert all(town.find(person, REVIEW) is None for person in town.people)
        row = (await town.hands())[0]
        one = town.people[0]
        mine = town.messages(one)[-1]
        data = f"v|{row.id}|review"
        assert await town.press_data(one, one, mine.id, data, force=True) in ("这桌不给提示", "這桌不給提示")
        await set_hints(town, table, "friendly")
        # That hand moved coins.
        assert await town.press_data(one, one, mine.id, data, force=True) in ("这桌不给提示", "這桌不給提示")
        await set_hints(town, table, "all")
        await asyncio.sleep(10)
        shown = town.messages(town.group_id)[-1]
        said = await town.press_data(one, town.group_id, shown.id, data, force=True)
        assert said in ("这个按钮不能用", "這個按鈕不能用")
        assert town.find(town.group_id, r"\|review$") is None
        assert not await town.press_data(one, one, mine.id, data, force=True)
        await asyncio.sleep(5)
        assert living(town, one)

    tell(story)


@pytest.mark.parametrize("language", Texts.load().languages)
def test_every_slip_is_told_in_every_language_and_none_is_told_as_none(language: str) -> None:
    words = texts().get(language)
    row = HandRow(**{field.name: None for field in fields(HandRow)} | {"id": 7})  # type: ignore[arg-type]
    said = set()
    for rules in RULESETS:
        for record in records(rules, "random"):
            ended = replay(record)
            hand = Finished(row, ended, sheet(ended), TableState(hand=1))
            slips = [slip for turn in turns_of(record, 0) if (slip := judge(turn))]
            for at in range(len(slips)):
                message = review_message(Renderer(), 1, hand, slips, at, words, tiles="plain", group="<群>")
                assert "{" not in message.text
                assert "&lt;群&gt;" in message.text
                assert visible(message.text) < CAPTION
                said.add(message.text)
                assert len(message.keyboard) == (2 if len(slips) > 1 else 1)
            none = review_message(Renderer(), 1, hand, [], 0, words, tiles="plain", group=None)
            assert none.picture is None
            assert [[data.split("|")[2] for data in datas(row)] for row in none.keyboard] == [["unreview"]]
    assert len(said) > 50


def datas(row: Iterable[Button]) -> list[str]:
    return [button.data or "" for button in row]
