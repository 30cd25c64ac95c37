"""When calls go out: budgets, priorities, fairness, order, 429."""

import asyncio
import random
from collections import defaultdict
from itertools import pairwise

import looptime
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handlers.budgets import Budgets, Limit
from handlers.outbox import Priority
from tests.handlers.telegram_fake import GROUP, Call, Painter, Rows, Telegram, make_outbox, words

pytestmark = pytest.mark.looptime(noop_cycles=0)


def check_budgets(log: list[Call]) -> None:
    """Our budgets, looked at as the calls arrive at the server."""
    by_chat: dict[int, list[float]] = defaultdict(list)
    counted = [call for call in log if call.method != "answerCallbackQuery"]
    for call in counted:
        by_chat[call.chat_id].append(call.at)
    for chat_id, times in by_chat.items():
        limit, seconds = (18, 60.0) if chat_id < 0 else (3, 3.0)
        for first, last in zip(times, times[limit:], strict=False):
            assert last - first > seconds, (chat_id, first, last)
    times = [call.at for call in counted]
    for first, last in zip(times, times[30:], strict=False):
        assert last - first > 1.0


async def test_group_eighteen_a_minute() -> None:
    server = Telegram()
    outbox = make_outbox(server, budgets=Budgets(group=Limit(18, 60.0)))
    await outbox.start()
    for number in range(40):
        outbox.say(words(str(number), GROUP))
    await outbox.idle()
    times = [call.at for call in server.log]
    assert len([at for at in times if at < 60]) == 18
    assert times[18] == pytest.approx(60, abs=0.3)
    check_budgets(server.log)
    assert server.texts(GROUP) == [str(number) for number in range(40)]


async def test_edits_count() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    for number in range(240):
        outbox.want("table", words(str(number), GROUP))
        await asyncio.sleep(0.5)
    await outbox.idle()
    check_budgets(server.log)
    assert len(server.log) <= 18 * 3
    assert server.texts(GROUP) == ["239"]


async def test_private_bursts() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    for number in range(9):
        outbox.say(words(str(number)))
    await outbox.idle()
    times = [call.at for call in server.log]
    assert times[2] < 0.2
    assert times[3] > 3
    assert times[8] < 6.5
    check_budgets(server.log)


async def test_overall() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    for chat in range(1, 301):
        outbox.say(words("x", chat))
    await asyncio.sleep(0.1)
    assert outbox.busy
    await outbox.idle()
    check_budgets(server.log)
    assert 9 < server.log[-1].at < 10.5
    assert not outbox.busy or server.log[-1].at < 10.5


async def test_priorities_between_chats() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    for chat in range(1, 41):
        outbox.want(f"c{chat}", words("chatter", chat), Priority.CHATTER)
    for chat in range(41, 81):
        outbox.want(f"r{chat}", words("result", chat), Priority.RESULT)
    for chat in range(81, 121):
        outbox.want(f"p{chat}", words("prompt", chat), Priority.PROMPT)
    await outbox.idle()
    by_text = {
        text: [c.at for c in server.log if c.parameters["text"] == text] for text in ("prompt", "result", "chatter")
    }
    assert [len(times) for times in by_text.values()] == [40, 40, 40]
    assert max(by_text["prompt"]) <= min(by_text["result"]) <= max(by_text["result"]) <= min(by_text["chatter"])


async def test_priorities_within_a_chat() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    outbox.say(words("chatter 1"))
    outbox.say(words("result 1"), Priority.RESULT)
    outbox.say(words("chatter 2"))
    outbox.say(words("prompt"), Priority.PROMPT)
    outbox.say(words("result 2"), Priority.RESULT)
    await outbox.idle()
    assert server.texts(1) == ["prompt", "result 1", "result 2", "chatter 1", "chatter 2"]


async def test_deletions_keep_nobody_waiting() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    for number in range(12):
        outbox.want(f"old{number}", words("old", GROUP))
    await asyncio.sleep(120)
    for number in range(12):
        outbox.drop(f"old{number}")
    await asyncio.sleep(6)
    begin = asyncio.get_running_loop().time()
    outbox.ring("answer", words("answer", GROUP), Priority.CHATTER)
    await outbox.idle()
    deleted = [call for call in server.log if call.method == "deleteMessage"]
    (answer,) = [call for call in server.log if call.parameters.get("text") == "answer"]
    assert len(deleted) == 12
    assert answer.at - begin < 5 < deleted[-1].at - begin


async def test_what_comes_too_late_does_not_come() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    outbox.ring("answer", words("old", GROUP), Priority.CHATTER, within=45)
    await outbox.idle()
    for number in range(20):
        outbox.say(words(str(number), GROUP), Priority.PROMPT)
    outbox.ring("answer", words("no table", GROUP), Priority.CHATTER, within=20)
    outbox.ring("other", words("as ever", GROUP), Priority.CHATTER)
    await outbox.idle()
    assert server.texts(GROUP)[:1] == ["old"]
    assert "no table" not in server.texts(GROUP)
    assert "as ever" in server.texts(GROUP)
    outbox.ring("answer", words("a table", GROUP), Priority.CHATTER, within=45)
    await outbox.idle()
    assert server.texts(GROUP)[-1] == "a table"


async def test_fair_between_chats() -> None:
    """Chats that want much do not push aside one that wants little, wherever it stands."""
    server = Telegram()
    outbox = make_outbox(server, budgets=Budgets(overall=Limit(5, 1.0), spare=1))
    await outbox.start()
    for _ in range(9):
        for chat in range(1, 11):
            outbox.say(words("x", chat))
    await asyncio.sleep(5)
    begin = asyncio.get_running_loop().time()
    outbox.say(words("little", 99))
    await asyncio.sleep(5)
    (call,) = [call for call in server.log if call.chat_id == 99]
    assert call.at - begin < 1.2
    outbox.abort()


async def test_nothing_starves() -> None:
    server = Telegram()
    outbox = make_outbox(server, budgets=Budgets(overall=Limit(3, 1.0), spare=1))
    await outbox.start()
    outbox.want("table", words("table", GROUP), Priority.CHATTER)
    for tick in range(75):
        for chat in range(1, 6):
            outbox.want(f"k{chat}", words(str(tick), chat), Priority.PROMPT)
        await asyncio.sleep(1)
    (call,) = [call for call in server.log if call.chat_id == GROUP]
    assert 60 < call.at < 65
    outbox.abort()


async def test_groups_thin_out_first() -> None:
    """At full load the groups' pictures leave the last calls of a second to the players."""
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    for group in range(100):
        outbox.want(f"g{group}", words("table", GROUP - group))
    await asyncio.sleep(0.5)
    for chat in range(1, 6):
        outbox.want(f"p{chat}", words("hand", chat))
    await asyncio.sleep(0.1)
    assert len([call for call in server.log if call.chat_id < 0]) == 25
    assert len([call for call in server.log if call.chat_id > 0]) == 5
    await outbox.idle()


async def test_flood_pauses_its_chat_only() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    server.fail("sendMessage", 429, "Too Many Requests: retry after 30", retry_after=30)
    outbox.want("a", words("one"))
    await asyncio.sleep(1)
    outbox.want("a", words("two"))
    outbox.say(words("also"))
    outbox.want("b", words("other", 2))
    await asyncio.sleep(1)
    assert server.texts(2) == ["other"]
    assert server.texts(1) == []
    assert outbox.depth == 2
    await outbox.idle()
    assert server.texts(1) == ["two", "also"]
    assert server.log[-1].at == pytest.approx(30, abs=0.5)
    assert outbox.floods == 1


async def test_one_call_at_a_time_in_a_chat() -> None:
    server = Telegram(latency=0.5)
    outbox = make_outbox(server)
    await outbox.start()
    for number in range(6):
        outbox.say(words(str(number)))
    await outbox.idle()
    assert all(second - first >= 0.5 for first, second in pairwise(call.at for call in server.log))


async def test_budgets_outlive_a_restart() -> None:
    server, store = Telegram(), Rows()
    outbox = make_outbox(server, store, budgets=Budgets(group=Limit(18, 60.0)))
    await outbox.start()
    for number in range(18):
        outbox.want("table", words(str(number), GROUP))
        await asyncio.sleep(0.1)
    await outbox.idle()
    outbox.abort()
    outbox = make_outbox(server, store, budgets=Budgets(group=Limit(18, 60.0)))
    await outbox.start()
    outbox.want("table", words("after", GROUP))
    await outbox.idle()
    assert server.log[-1].at > 60
    check_budgets(server.log)


async def test_answers_are_free_and_first() -> None:
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    for chat in range(1, 101):
        outbox.say(words("x", chat))
    await asyncio.sleep(0.2)
    begin = asyncio.get_running_loop().time()
    for number in range(40):
        outbox.answer(str(number), "好")
    await asyncio.sleep(0.1)
    answers = [call for call in server.log if call.method == "answerCallbackQuery"]
    assert len(answers) == 40
    assert all(call.at - begin < 0.05 for call in answers)
    await outbox.idle()


async def test_a_quiet_outbox_sleeps() -> None:
    """No polling: with nothing to do, an hour costs a handful of turns of the loop."""
    server = Telegram()
    outbox = make_outbox(server)
    await outbox.start()
    server.fail("sendMessage", 429, "Too Many Requests", retry_after=3600)
    outbox.want("a", words("x"))
    turns = 0
    choose = outbox._queues._choose

    def counted() -> None:
        nonlocal turns
        turns += 1
        choose()

    outbox._queues._choose = counted  # type: ignore[method-assign]
    await outbox.idle()
    assert server.log[-1].at > 3600
    assert turns < 12


Load = st.lists(
    st.tuples(
        st.sampled_from(["want", "want", "want", "ring", "say", "drop", "close", "dice", "flood", "error"]),
        st.integers(-3, 8).filter(bool),
        st.integers(0, 3),
        st.sampled_from([0.0, 0.0, 0.01, 0.3, 2.0, 20.0]),
    ),
    min_size=20,
    max_size=150,
)


@given(load=Load, latency=st.sampled_from([0.0, 0.05, 0.9]), seed=st.integers(0, 1000))
@settings(max_examples=20)
@pytest.mark.looptime(False)
def test_any_load_keeps_the_budgets_and_ends_in_the_newest_states(
    load: list[tuple[str, int, int, float]], latency: float, seed: int
) -> None:
    """Random wants, rings, drops and faults: no window exceeded, every chat shows what was wanted last."""
    rng = random.Random(seed)

    async def play() -> tuple[Telegram, dict[str, tuple[int, str]]]:
        server, painter = Telegram(latency=latency), Painter(0.2)
        outbox = make_outbox(server)
        await outbox.start()
        newest: dict[str, tuple[int, str]] = {}
        throws = []
        for number, (what, chat, key, pause) in enumerate(load):
            name = f"{chat}:{key}"
            picture = painter(f"p{rng.randrange(4)}") if rng.random() < 0.3 else None
            message = words(f"state {number}", chat, "x", picture=picture)
            priority = Priority(rng.randrange(3))
            if what in ("want", "ring"):
                getattr(outbox, what)(name, message, priority)
                newest[name] = (chat, message.text)
            elif what == "say":
                outbox.say(message, Priority.RESULT)
                newest[f"say {number}"] = (chat, message.text)
            elif what == "drop":
                outbox.drop(name)
                newest.pop(name, None)
            elif what == "close":
                outbox.close(name)
                if name in newest:
                    newest[f"closed {number}"] = newest.pop(name)
            elif what == "dice":
                throws.append(asyncio.create_task(outbox.dice(chat)))
            elif what == "flood":
                server.fail(rng.choice(["sendMessage", "editMessageText"]), 429, "Too Many", retry_after=4)
            else:
                server.fail(rng.choice(["sendMessage", "editMessageText"]), 502, "Bad Gateway")
            await asyncio.sleep(pause)
        await outbox.idle()
        assert all([await throw for throw in throws])
        return server, newest

    loop = looptime.new_event_loop(noop_cycles=0)
    try:
        server, newest = loop.run_until_complete(play())
    finally:
        loop.close()
    check_budgets(server.log)
    for chat in range(-3, 9):
        wanted = sorted(text for at, text in newest.values() if at == chat)
        assert sorted(text for text in server.texts(chat) if text) == wanted


def test_the_same_load_gives_the_same_calls() -> None:
    def once() -> list[tuple[float, str, int, str]]:
        async def play() -> list[tuple[float, str, int, str]]:
            rng = random.Random(7)
            server, painter = Telegram(), Painter(0.1)
            outbox = make_outbox(server)
            await outbox.start()
            for number in range(100):
                picture = painter(f"p{rng.randrange(9)}") if rng.random() < 0.5 else None
                chat = rng.choice([1, 2, 3, -1, -2])
                outbox.want(f"{chat}", words(str(number), chat, picture=picture), Priority(rng.randrange(3)))
                await asyncio.sleep(rng.random())
            await outbox.idle()
            return [(call.at, call.method, call.chat_id, str(call.parameters)) for call in server.log]

        loop = looptime.new_event_loop(noop_cycles=0)
        try:
            return loop.run_until_complete(play())
        finally:
            loop.close()

    assert once() == once()
