"""Voice notes: heard soon or not at all, one at a time, uploaded once, and nobody's turn waits for them."""

from __future__ import annotations

import asyncio
import random

import pytest

from handlers.budgets import Budgets
from handlers.outbox import Outbox, Priority, Sound, VoiceNote
from handlers.outbox_voices import LATE_SECONDS
from tests.handlers.telegram_fake import GROUP, Call, Rows, Telegram, make_outbox, words

pytestmark = pytest.mark.looptime(noop_cycles=0)

KEY = "t1:p1:voice"
FORBIDDEN = "Bad Request: VOICE_MESSAGES_FORBIDDEN"
WRONG = "Bad Request: wrong file identifier/HTTP URL specified"


class Ears:
    """What the outbox tells about notes."""

    def __init__(self) -> None:
        self.dead: list[str | None] = []
        self.forbidden = 0

    def note(self, *sounds: Sound, chat_id: int = 1, rank: int = 0, text: str = "碰") -> VoiceNote:
        return VoiceNote(chat_id, text, sounds, rank, lambda sound: self.dead.append(sound.file_id), self._forbidden)

    def _forbidden(self) -> None:
        self.forbidden += 1


def clip(name: str) -> Sound:
    return Sound(name, 1, b"OggS" + name.encode())


def recording(file_id: str) -> Sound:
    return Sound("", 1, None, file_id)


async def started(server: Telegram, store: Rows | None = None) -> Outbox:
    outbox = make_outbox(server, store if store is not None else Rows())
    await outbox.start()
    return outbox


def voices(server: Telegram) -> list[Call]:
    return [call for call in server.log if call.method == "sendVoice"]


async def test_it_does_not_ring_and_the_one_before_it_goes() -> None:
    server, ears = Telegram(), Ears()
    outbox = await started(server)
    outbox.want("t1:p1:hand", words("hand"), Priority.PROMPT)
    outbox.voice(KEY, ears.note(clip("pong"), text="阿明：碰！"))
    await asyncio.sleep(1)
    assert server.methods() == ["sendMessage", "sendVoice"], "what it belongs to is seen first"
    call = voices(server)[0]
    assert (call.parameters["disable_notification"], call.parameters["protect_content"]) == (True, True)
    assert (call.parameters["caption"], call.parameters["duration"], call.uploads) == ("阿明：碰！", 1, 1)
    await asyncio.sleep(6)
    outbox.voice(KEY, ears.note(clip("kong"), text="老林：槓！"))
    await asyncio.sleep(10)
    assert server.texts(1) == ["hand", "老林：槓！"]
    outbox.drop_voice(KEY)
    await asyncio.sleep(1)
    assert server.texts(1) == ["hand"]
    outbox.voice(KEY, ears.note(clip("hu"), text="老林：胡！"))
    await asyncio.sleep(10)
    assert server.texts(1) == ["hand", "老林：胡！"]
    await asyncio.sleep(7)
    assert server.texts(1) == ["hand"], "what is asked stands at the bottom again"


async def test_a_clip_is_uploaded_once_also_over_a_restart_and_again_if_its_id_is_dead() -> None:
    server, ears, store = Telegram(), Ears(), Rows()
    outbox = await started(server, store)
    outbox.voice(KEY, ears.note(clip("pong")))
    await asyncio.sleep(1)
    outbox.voice("t1:p2:voice", ears.note(clip("pong"), chat_id=2))
    await asyncio.sleep(1)
    assert [call.uploads for call in voices(server)] == [1, 0]
    outbox.abort()
    outbox = await started(server, store)
    await asyncio.sleep(20)
    outbox.voice(KEY, ears.note(clip("pong")))
    await asyncio.sleep(1)
    assert [call.uploads for call in voices(server)] == [1, 0, 0]
    server.fail("sendVoice", 400, WRONG)
    outbox.voice("t1:p2:voice", ears.note(clip("pong"), chat_id=2))
    await asyncio.sleep(1)
    assert [call.uploads for call in voices(server)] == [1, 0, 0, 0, 1]
    assert ears.dead == []
    outbox.abort()
    outbox = await started(server, store)
    await asyncio.sleep(20)
    outbox.voice(KEY, ears.note(clip("pong")))
    await asyncio.sleep(1)
    assert voices(server)[-1].parameters["voice"] == "file2", "the newer id is the one that is remembered"


async def test_a_dead_recording_is_told_and_the_next_sound_is_heard() -> None:
    server, ears = Telegram(), Ears()
    outbox = await started(server)
    server.fail("sendVoice", 400, WRONG)
    outbox.voice(KEY, ears.note(recording("mine"), clip("pong")))
    await asyncio.sleep(1)
    assert ears.dead == ["mine"]
    assert voices(server)[0].parameters["voice"] == "mine"
    assert len(voices(server)) == 2
    assert len(server.chats[1]) == 1


async def test_where_voice_notes_are_forbidden_it_is_told_and_nothing_else_happens() -> None:
    server, ears = Telegram(), Ears()
    outbox = await started(server)
    for words_ in (FORBIDDEN, "Bad Request: not enough rights to send voice notes to the chat"):
        server.fail("sendVoice", 400, words_)
        outbox.voice(KEY, ears.note(recording("mine"), clip("pong")))
        await asyncio.sleep(7)
    assert ears.forbidden == 2
    assert ears.dead == []
    assert len(voices(server)) == 2
    outbox.want("t1:p1:hand", words("hand"), Priority.PROMPT)
    await outbox.idle()
    assert server.texts(1) == ["hand"]


async def test_what_comes_too_late_is_not_heard_and_a_rarer_call_is_not_displaced() -> None:
    server, ears = Telegram(latency=0.0), Ears()
    outbox = await started(server)
    for number in range(30):
        outbox.want("t1:p1:hand", words(str(number)), Priority.PROMPT)
        if number == 3:
            outbox.voice(KEY, ears.note(clip("double_you"), rank=9))
            outbox.voice(KEY, ears.note(clip("flower"), rank=0))
        await asyncio.sleep(0.5)
    assert voices(server) == []
    await asyncio.sleep(20)
    assert voices(server) == []
    outbox.want("t1:p1:hand", words("a"))
    outbox.voice(KEY, ears.note(clip("double_you"), rank=9, text="雙游"))
    outbox.voice(KEY, ears.note(clip("flower"), rank=0, text="補花"))
    await asyncio.sleep(LATE_SECONDS)
    assert [call.parameters["caption"] for call in voices(server)] == ["雙游"]


async def test_nobody_waits_for_a_voice_and_the_limits_hold() -> None:
    """The same evening with and without voices: everything else is called at the same instants."""
    for seed in range(20):
        logs = []
        for aloud in (False, True):
            server, ears, rng = Telegram(latency=0.02), Ears(), random.Random(seed)
            outbox = await started(server)
            began = asyncio.get_running_loop().time()
            for number in range(60):
                priority = rng.choice((Priority.PROMPT, Priority.RESULT))
                outbox.want("t1:p1:hand", words(str(number)), priority)
                if rng.random() < 0.5 and aloud:
                    outbox.voice(KEY, ears.note(clip("pong"), rank=rng.randrange(3)))
                else:
                    rng.randrange(3)
                await asyncio.sleep(rng.choice((0.2, 0.8, 1.5, 4.0)))
            await asyncio.sleep(20)
            outbox.abort()
            logs.append([(round(call.at - began, 6), call) for call in server.log])
        quiet, loud = logs
        others = [(at, call.method) for at, call in loud if call.method not in ("sendVoice", "deleteMessage")]
        assert [method for _, method in others] == [call.method for _, call in quiet]
        assert [at for at, _ in others] == pytest.approx([at for at, _ in quiet], abs=0.001)
        assert sum(call.method == "sendVoice" for _, call in loud) >= 3
        left, before = 5.0, 0.0
        for at, _ in loud:
            # A bucket of five that fills by one a second, as the playground holds bots to.
            left, before = min(5.0, left + at - before) - 1, at
            assert left >= 0, (seed, at)


async def test_a_slow_network_for_a_voice_keeps_no_turn_waiting() -> None:
    server, ears = Telegram(), Ears()
    outbox = await started(server)
    server.latency = 8.0
    outbox.voice(KEY, ears.note(clip("pong")))
    await asyncio.sleep(0.1)
    server.latency = 0.02
    outbox.want("t1:p1:hand", words("hand"), Priority.PROMPT)
    await asyncio.sleep(0.2)
    assert server.texts(1) == ["hand"]
    await asyncio.sleep(10)


async def test_after_a_kill_what_stands_is_deleted() -> None:
    server, ears, store = Telegram(), Ears(), Rows()
    outbox = await started(server, store)
    outbox.voice(KEY, ears.note(clip("pong")))
    await asyncio.sleep(1)
    outbox.abort()
    assert len(server.chats[1]) == 1
    outbox = await started(server, store)
    await outbox.idle()
    assert server.chats[1] == {}
    assert not any(key.startswith("~") for key in store.rows)


async def test_a_429_is_heeded_and_the_call_is_given_up() -> None:
    server, ears = Telegram(), Ears()
    outbox = await started(server)
    server.fail("sendVoice", 429, "Too Many Requests: retry after 4", retry_after=4)
    outbox.voice(KEY, ears.note(clip("pong")))
    await asyncio.sleep(1)
    outbox.want("t1:p1:hand", words("hand"), Priority.PROMPT)
    await asyncio.sleep(2)
    assert server.chats[1] == {}
    await outbox.idle()
    assert server.texts(1) == ["hand"]
    assert len(voices(server)) == 1


async def test_in_a_group_it_counts_as_everything_and_leaves_half_of_the_minute_free() -> None:
    server, ears = Telegram(latency=0.0), Ears()
    outbox = await started(server)
    for number in range(8):
        outbox.want("t1:table", words(str(number), GROUP))
        await asyncio.sleep(5)
    outbox.voice("t1:voice", ears.note(clip("pong"), chat_id=GROUP))
    await asyncio.sleep(7)
    assert len(voices(server)) == 1
    for number in range(10, 20):
        outbox.want("t1:table", words(str(number), GROUP))
        await asyncio.sleep(3)
        outbox.voice("t1:voice", ears.note(clip("pong"), chat_id=GROUP))
    assert len(voices(server)) <= 2
    window = Budgets().chat(GROUP).limit
    times = [call.at for call in server.log]
    for first, last in zip(times, times[window.calls :], strict=False):
        assert last - first > window.seconds


async def test_whoever_is_forgotten_keeps_no_voice_and_is_not_remembered() -> None:
    server, ears, store = Telegram(), Ears(), Rows()
    outbox = await started(server, store)
    outbox.voice(KEY, ears.note(clip("pong")))
    await asyncio.sleep(7)
    await outbox.forget_chat(1)
    await asyncio.sleep(7)
    assert server.chats[1] == {}
    assert not any(key.startswith("~") for key in store.rows)
