"""Hints while a hand is played: where they are given, what they say; they cost nothing and tell nobody else."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from random import Random

import pytest

from data.texts import Texts
from handlers.absence import too_still
from handlers.answers import SILENT, Answer
from handlers.draft import Draft
from handlers.screens.hints import TOAST, hint_text, waits_at_all, waits_text
from handlers.table import Table
from mahjong.moves import Move, Question
from mahjong.players import weigh
from mahjong.rulesets import RULESETS
from mahjong.views import view
from tests.mahjong.play import deal, steps
from tests.support.stories import Tell, chat_of, dealt, open_table, person_of, played_out, seats_of, table_of
from tests.support.town import Town, texts

HINT = r"\|hint$"
WAITS = r"\|waits$"


async def practise(town: Town, person: int, game: int = 0) -> Table:
    town.world.crowd.start(person)
    await asyncio.sleep(3)
    town.world.crowd.say(person, person, "/newgame")
    await asyncio.sleep(5)
    await town.press(person, person, rf"\|practice_{game}$")
    await dealt(town)
    return table_of(town)


async def asked(town: Town, person: int) -> Question:
    """Wait until somebody is asked to throw; what else they are asked is let go, and hand follows hand."""
    table = table_of(town)
    for _ in range(4000):
        seat = table.state.seat_of(person_of(town, person))
        question = table.hand.questions.get(seat) if table.hand is not None and seat is not None else None
        if question is not None and question.ask == "turn":
            await asyncio.sleep(3)
            return question
        for pattern in (r"\|x$", r"\|ready$", r"\|resume$"):
            if town.find(person, pattern) is not None:
                await town.press(person, person, pattern)
        await asyncio.sleep(0.5)
    raise AssertionError("nobody is asked")


def play(move: Move) -> Callable[[Draft], Answer]:
    """A step in which a seat makes a move."""

    def step(draft: Draft) -> Answer:
        draft.play(move)
        return SILENT

    return step


def shown(town: Town) -> int:
    """How many calls have shown anything in any chat."""
    return sum(call.method.startswith(("send", "edit", "delete")) for call in town.calls)


def test_practice_tells_what_is_best_and_why_for_no_message_at_all(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        person = town.people[0]
        table = await practise(town, person)
        question = await asked(town, person)
        assert table.hand is not None
        best = weigh(view(table.hand, question.seat))[0]
        before = shown(town)
        said = await town.press(person, person, HINT)
        await asyncio.sleep(5)
        words = texts().get("zh_Hans")
        assert said == hint_text(view(table.hand, question.seat), weigh(view(table.hand, question.seat)), words)
        if best.move.verb == "discard" and not best.option.level:
            assert re.fullmatch(r"打[^：]+：(还差 \d 张听牌，进张 \d+ 种 \d+ 张|听.+)", said or "")
        assert shown(town) == before
        # Asked again it says the same, and the question stands as it did.
        assert await town.press(person, person, HINT) == said
        assert table.hand.questions[question.seat] == question

    tell_from_the_start(story)


def test_what_a_hand_waits_for_has_a_button_once_there_is_something_to_say(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        person = town.people[0]
        table = await practise(town, person, 2)
        words = texts().get("zh_Hans")
        said = None
        for _ in range(200):
            question = await asked(town, person)
            assert table.hand is not None
            seen = view(table.hand, question.seat)
            assert (town.find(person, WAITS) is not None) == waits_at_all(seen)
            if waits_at_all(seen):
                said = await town.press(person, person, WAITS)
                assert said == waits_text(seen, words)
                break
            await table.do(play(weigh(seen)[0].move))
        assert (said or "").startswith("打")

    tell_from_the_start(story)


async def set_hints(town: Town, table: Table, chosen: str, **others: object) -> None:
    assert table.group is not None
    group = await town.house.people.set_group_settings(table.group, {"hints": chosen, **others})
    await town.house.group_changed(group)
    await asyncio.sleep(3)


@pytest.mark.parametrize(
    ("chosen", "coins", "given"),
    [("off", False, False), ("friendly", False, True), ("friendly", True, False), ("all", True, True)],
)
def test_a_group_decides_at_which_tables_there_are_hints(
    tell_from_the_start: Tell, chosen: str, coins: bool, given: bool
) -> None:
    async def story(town: Town) -> None:
        one, two, *_ = town.people
        table = await open_table(town, one, two)
        await set_hints(town, table, chosen, computers_for_coins=coins)
        await town.press(one, town.group_id, r"\|add_2$")
        await asyncio.sleep(15)
        lobby = "\n".join(message.content.text for message in town.messages(town.group_id))
        assert ("可以看提示" in lobby) == given, "whoever sits down must know"
        await town.press(one, town.group_id, r"\|start$")
        await dealt(town)
        assert table.state.friendly_hand != coins
        assert (town.find(one, HINT) is not None) == given
        message = town.messages(one)[-1]
        said = await town.press_data(one, one, message.id, f"h|{table.id}|1|hint", force=True)
        assert (said == "这桌不给提示") != given
        assert said

    tell_from_the_start(story)


def test_what_holds_at_the_deal_holds_for_the_hand(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        table = table_of(town)
        person = chat_of(town, 0)
        await set_hints(town, table, "all")
        assert town.find(person, HINT) is None
        await town.kill()
        await town.open()
        await played_out(town)
        for one in town.people:
            await town.press(one, one, r"\|ready$")
        await asyncio.sleep(20)
        table = table_of(town)
        assert table.state.phase == "playing"
        assert all(town.find(one, HINT) is not None for one in town.people)
        await set_hints(town, table, "off")
        assert table.state.hints_given, "nobody is left without in the middle of a hand"

    tell(story)


def test_a_hint_is_for_who_plays_and_in_private_alone(tell: Tell) -> None:
    async def story(town: Town) -> None:
        table = table_of(town)
        await set_hints(town, table, "all")
        await dealt(town)
        one = chat_of(town, 0)
        stranger = town.world.crowd.add_person("外人", language_code="zh-hans").id
        town.world.crowd.start(stranger)
        await asyncio.sleep(5)
        hello = town.messages(stranger)[-1]
        for action in ("hint", "waits"):
            data = f"h|{table.id}|{table.state.hand}|{action}"
            assert await town.press_data(stranger, stranger, hello.id, data, force=True) == "你不在这一桌"
            shown = town.messages(town.group_id)[-1]
            assert await town.press_data(one, town.group_id, shown.id, data, force=True) == "這個按鈕不能用"
            mine = town.messages(one)[-1]
            for wrong in (f"h|{table.id}|{table.state.hand + 1}|{action}", f"t|{table.id}|{action}"):
                assert await town.press_data(one, one, mine.id, wrong, force=True) == "這個按鈕不能用"
        before = json.dumps([call.params for call in town.calls if call.chat_id == town.group_id], default=str)
        await town.press(one, one, HINT)
        await asyncio.sleep(0.2)
        after = json.dumps([call.params for call in town.calls if call.chat_id == town.group_id], default=str)
        assert before == after

    tell(story)


def test_the_buttons_of_a_hand_that_is_over_say_so_whether_another_is_played_or_not(tell: Tell) -> None:
    async def story(town: Town) -> None:
        table = table_of(town)
        await set_hints(town, table, "all")
        await played_out(town)
        one = chat_of(town, 0)

        async def stale() -> set[str | None]:
            mine = town.messages(one)[-1]
            data = [f"h|{table.id}|1|{action}" for action in ("hint", "waits", "nudge")]
            return {await town.press_data(one, one, mine.id, each, force=True) for each in data}

        assert await stale() == {"這一局已經結束了"}
        await town.kill()
        await town.open()
        for person in town.people:
            if town.find(person, r"\|ready$") is not None:
                await town.press(person, person, r"\|ready$")
        await dealt(town)
        assert table_of(town).state.hand == 2
        assert await stale() == {"這一局已經結束了"}

    tell(story)


def test_a_hint_brings_back_who_was_away_and_tells_the_next_time(tell: Tell) -> None:
    async def story(town: Town) -> None:
        table = table_of(town)
        await set_hints(town, table, "all")
        await dealt(town)
        assert table.hand is not None
        seat = next(iter(table.hand.questions))
        one = chat_of(town, seat)

        def away(draft: Draft) -> Answer:
            too_still(draft)
            return SILENT

        await table.do(away)
        data = f"h|{table.id}|1|hint"
        mine = town.messages(one)[-1]
        said = await town.press_data(one, one, mine.id, data, force=True)
        assert said in ("接回来了，轮到你自己打", "接回來了，輪到你自己打")
        assert not seats_of(town)[seat].played_by_computer
        assert re.match(r"打.+[张張]", await town.press_data(one, one, mine.id, data, force=True) or "")

    tell(story)


@pytest.mark.parametrize("language", Texts.load().languages)
@pytest.mark.parametrize("rules", RULESETS)
def test_every_hint_fits_into_a_toast_in_every_language(rules: str, language: str) -> None:
    words = texts().get(language)
    longest = 0
    for seed in range(4):
        for hand in steps(deal(rules, seed), Random(seed)):
            for seat in range(4):
                seen = view(hand, seat)
                weighed = weigh(seen) if seen.question is not None else ()
                said = hint_text(seen, weighed, words)
                assert 0 < len(said) <= TOAST
                assert 0 < len(waits_text(seen, words)) <= TOAST
                assert "{" not in said
                longest = max(longest, len(said))
    assert longest > 30
