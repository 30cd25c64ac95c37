"""Calls in virtual time: who hears what, in whose voice, and what becomes of it when Telegram refuses."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from pathlib import Path

from data.voice import SHIPPED
from handlers.preferences import Preferences
from mahjong.calls import Called
from playground.chats import Message
from playground.faults import Fault
from playground.world import Call
from tests.support.evening import run_virtual
from tests.support.stories import Tell, chat_of, dealt, person_of, played_out, table_of, text_of
from tests.support.town import Town, texts

ENDINGS = {"discard": "hu", "draw": "draw", "three_gold": "three_gold"}
PONG = (SHIPPED / "mandarin" / "pong.ogg").read_bytes()
SOUND = r"\|sound$"


def voices(town: Town, chat: int) -> list[Call]:
    """The voice notes that were sent to a chat."""
    return [call for call in town.calls if call.method == "sendVoice" and call.chat_id == chat and call.status == 200]


def standing(town: Town, chat: int) -> list[Message]:
    """Those that stand there."""
    return [m for m in town.messages(chat) if m.content.media is not None and m.content.media.kind == "voice"]


def said_to(town: Town, chat: int, key: str, **fields: object) -> str:
    """A text of the catalogues in the language of a chat's owner."""
    person = town.house.people.by_chat(chat)
    assert person is not None
    return texts().get(person.language)(key, **fields)


def captions(calls: Iterable[Call]) -> list[str]:
    return [call.params.get("caption", "") for call in calls]


async def listen(town: Town, chat: int, tongue: str = "mandarin") -> None:
    """Press the 🔊 button until it says so."""
    for _ in range(3):
        person = town.house.people.by_chat(chat)
        assert person is not None
        if Preferences.of(person).voice == tongue:
            return
        await town.press(chat, chat, SOUND)
        await asyncio.sleep(2)
    raise AssertionError(tongue)


async def record(town: Town, chat: int, call: str = "pong", duration: int = 1) -> None:
    """Record a call as a player does: /settings, the page, the call, the voice note."""
    town.world.crowd.say(chat, chat, "/settings")
    await asyncio.sleep(3)
    await town.press(chat, chat, r"^w\|list")
    await asyncio.sleep(3)
    await town.press(chat, chat, rf"^w\|call\|{call}$")
    await asyncio.sleep(3)
    town.world.crowd.speak(chat, chat, PONG, duration)
    await asyncio.sleep(5)


async def recordings(town: Town, chat: int) -> dict[str, str]:
    person = await town.store.person(person_of(town, chat))
    assert person is not None
    return dict(Preferences.of(person).recordings)


def test_only_who_wants_hears_calls_one_at_a_time_and_none_rings(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        ear = chat_of(town, 0)
        await listen(town, ear)
        await played_out(town)
        heard = voices(town, ear)
        assert heard
        assert all(call.params["disable_notification"] and call.params["protect_content"] for call in heard)
        assert all(re.match("📣 ", text) for text in captions(heard))
        assert len(standing(town, ear)) <= 1
        for seat in (1, 2, 3):
            assert not voices(town, chat_of(town, seat))
        assert not voices(town, town.group_id)
        result = (await town.hands())[0].result
        assert result is not None
        # The end of the hand is what everybody remembers.
        name = ENDINGS.get(result["by"] or result["outcome"], result["by"])
        assert said_to(town, ear, f"shout.{name}") in captions(heard)[-1]

    tell(story)


def test_how_a_hand_ended_is_heard_at_a_table_that_closes_with_it(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        ear = chat_of(town, 0)
        await listen(town, ear)
        town.world.crowd.say(town.people[0], town.group_id, "/stop")
        await played_out(town)
        result = (await town.hands())[0].result
        assert result is not None
        name = ENDINGS.get(result["by"] or result["outcome"], result["by"])
        assert said_to(town, ear, f"shout.{name}") in captions(voices(town, ear))[-1]
        assert not town.house.tables
        await asyncio.sleep(30)
        assert not standing(town, ear)

    tell(story)


def test_the_button_goes_round_and_the_settings_say_the_same(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        chat = chat_of(town, 1)
        said = []
        for _ in range(3):
            said.append(await town.press(chat, chat, SOUND))
            await asyncio.sleep(4)
        assert said == [said_to(town, chat, f"toast.sound.{voice}") for voice in ("mandarin", "zhangzhou", "off")]
        assert town.find(chat, said_to(town, chat, "button.sound.off")) is not None
        town.world.crowd.say(chat, chat, "/settings")
        await asyncio.sleep(4)
        await town.press(chat, chat, r"s\|p\|voice\|mandarin")
        await asyncio.sleep(4)
        assert town.find(chat, said_to(town, chat, "button.sound.on")) is not None
        await town.kill()
        await town.open()
        kept = await town.store.person(person_of(town, chat))
        assert kept is not None
        assert Preferences.of(kept).voice == "mandarin"
        other = chat_of(town, 2)
        button = town.find(chat, SOUND)
        assert button is not None
        # In the group there is no such button.
        pressed = await town.press_data(other, town.group_id, 1, button[1]["callback_data"], force=True)
        assert pressed == said_to(town, other, "toast.forged")

    tell(story)


def test_where_nothing_is_recorded_zhangzhou_stands_in_words(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        chat = chat_of(town, 0)
        await listen(town, chat, "zhangzhou")
        await played_out(town)
        assert not voices(town, chat)
        told = {
            call.params.get("caption") or (call.params.get("media") or {}).get("caption") or ""
            for call in town.calls
            if call.chat_id == chat
        }
        assert any(re.search(r"📣 .*[a-z]", text) for text in told)
        assert not any("📣" in text_of(town, chat_of(town, seat)) for seat in (1, 2, 3))

    tell(story)


def test_a_recording_is_heard_by_those_at_the_table_in_ones_own_voice(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        speaker, ear, deaf = (chat_of(town, seat) for seat in (0, 1, 2))
        for call in ("pong", "chow", "hu", "self_draw", "kong", "flower"):
            await record(town, speaker, call)
        kept = await recordings(town, speaker)
        assert set(kept) == {"pong", "chow", "hu", "self_draw", "kong", "flower"}
        await listen(town, ear)
        await listen(town, deaf)
        town.world.crowd.say(deaf, deaf, "/settings")
        await asyncio.sleep(3)
        await town.press(deaf, deaf, r"^w\|list")
        await asyncio.sleep(3)
        await town.press(deaf, deaf, r"^w\|mute\|")
        await asyncio.sleep(3)
        table = table_of(town)
        # Everybody sees the same, so have the speaker call in the middle of it all.
        for reader in table.showing.hearing._readers():
            table.showing.hearing._call_out(reader, Called("pong", 0))
        await asyncio.sleep(8)
        assert [call.params["voice"] for call in voices(town, ear)][-1:] == [kept["pong"]]
        assert voices(town, deaf)
        assert kept["pong"] not in [call.params.get("voice") for call in voices(town, deaf)]
        assert not voices(town, town.group_id)

    tell(story)


def test_a_dead_recording_is_forgotten_and_the_clip_is_heard(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        speaker, ear = chat_of(town, 0), chat_of(town, 1)
        await record(town, speaker)
        await listen(town, ear)
        await asyncio.sleep(5)
        words = "Bad Request: wrong file identifier/HTTP URL specified"
        town.world.crowd.order_fault(Fault("error", "sendVoice", ear, code=400, description=words))
        table = table_of(town)
        for reader in table.showing.hearing._readers():
            table.showing.hearing._call_out(reader, Called("pong", 0))
        await asyncio.sleep(8)
        assert len(voices(town, ear)) == 1
        assert await recordings(town, speaker) == {}

    tell(story)


def test_who_takes_no_voice_notes_is_told_once_and_reads_instead(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        chat = chat_of(town, 0)
        await listen(town, chat)
        words = "Bad Request: VOICE_MESSAGES_FORBIDDEN"
        town.world.crowd.order_fault(Fault("error", "sendVoice", chat, code=400, description=words, times=50))
        await played_out(town)
        refused = [call for call in town.calls if call.method == "sendVoice" and call.chat_id == chat]
        assert len(refused) == 1
        refusal = said_to(town, chat, "voice.refused")
        told = [call for call in town.calls if refusal in call.params.get("text", "")]
        assert len(told) == 1
        kept = await town.store.person(person_of(town, chat))
        assert kept is not None
        assert (Preferences.of(kept).voice, Preferences.of(kept).voice_refused) == ("mandarin", True)
        town.world.crowd.clear_faults()

    tell(story)


def test_recording_page_by_page(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        person = town.people[0]
        town.world.crowd.start(person)
        await asyncio.sleep(3)
        # Out of the blue: which call shall it be?
        town.world.crowd.speak(person, person, PONG, 2)
        await asyncio.sleep(3)
        assert "这一声是什么" in text_of(town, person)
        await town.press(person, person, r"^w\|call\|hu$")
        await asyncio.sleep(3)
        assert "「胡」录好了" in text_of(town, person)
        assert set(await recordings(town, person)) == {"hu"}
        first = (await recordings(town, person))["hu"]
        # Again, and too long, and somebody else's.
        await town.press(person, person, r"^w\|call\|hu$")
        await asyncio.sleep(3)
        assert "录过了" in text_of(town, person)
        for duration, of, words in ((6, None, "太长了"), (1, town.people[1], "转发来的不行")):
            town.world.crowd.speak(person, person, PONG, duration, of=of)
            await asyncio.sleep(3)
            assert words in text_of(town, person)
            assert (await recordings(town, person))["hu"] == first
        await town.press(person, person, r"^w\|call\|hu$")
        await asyncio.sleep(3)
        town.world.crowd.speak(person, person, PONG, 1)
        await asyncio.sleep(3)
        second = (await recordings(town, person))["hu"]
        assert second != first
        await town.press(person, person, r"^w\|call\|hu$")
        await asyncio.sleep(3)
        await town.press(person, person, r"^w\|play\|hu$")
        await asyncio.sleep(3)
        assert [call.params["voice"] for call in voices(town, person)] == [second]
        exported = await town.store.export(1, town.clock.now())
        assert exported["person"]["preferences"]["recordings"] == {"hu": second}
        assert await town.press(person, person, r"^w\|delete\|hu$") == said_to(town, person, "voice.deleted")
        await asyncio.sleep(12)
        assert await recordings(town, person) == {}
        assert not standing(town, person)
        page, forged = town.messages(person)[-1].id, said_to(town, person, "toast.forged")
        for data in ("w|call|x", "w|play", "w|mute|x", "w|list|x", "w|delete|pong|x"):
            assert await town.press_data(person, person, page, data, force=True) == forged
        stale = said_to(town, person, "toast.stale")
        assert await town.press_data(person, person, page, "w|mute|3", force=True) == stale
        assert await town.press_data(person, person, page, "w|play|hu", force=True) == stale
        await town.press(person, person, r"^w\|close$")
        await asyncio.sleep(3)
        assert "我的设置" in text_of(town, person)
        assert "乡音</b>" not in text_of(town, person)

    tell_from_the_start(story)


def test_who_is_forgotten_leaves_no_recording(tmp_path: Path) -> None:
    async def story() -> None:
        town = Town(tmp_path / "story.sqlite3", 5)
        await town.open()
        person = town.people[0]
        town.world.crowd.start(person)
        await asyncio.sleep(3)
        await record(town, person)
        (file_id,) = (await recordings(town, person)).values()
        await town.press(person, person, r"^w\|call\|pong$")
        await asyncio.sleep(3)
        await town.press(person, person, r"^w\|play\|pong$")
        await asyncio.sleep(3)
        assert standing(town, person)
        town.world.crowd.say(person, person, "/me")
        await asyncio.sleep(5)
        await town.press(person, person, r"^y\|forget$")
        await asyncio.sleep(3)
        await town.press(person, person, r"^y\|forget\|now$")
        await asyncio.sleep(10)
        assert not standing(town, person)
        left = b"".join(file.read_bytes() for file in town.database.parent.glob(f"{town.database.name}*"))
        assert file_id.encode() not in left
        await town.close()

    run_virtual(story())


def test_a_group_hears_calls_where_its_admins_want_it_and_nobodys_own_voice(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        admin = town.people[0]
        await record(town, chat_of(town, 0))
        town.world.crowd.say(admin, town.group_id, "/settings")
        await asyncio.sleep(15)
        await town.press(admin, town.group_id, r"g\|voices$")
        await asyncio.sleep(15)
        await town.press(admin, town.group_id, r"g\|voices\|mandarin$")
        await asyncio.sleep(60)
        table = table_of(town)
        (reader,) = table.showing.hearing._readers()
        table.showing.hearing._call_out(reader, Called("pong", 0))
        await asyncio.sleep(8)
        heard = voices(town, town.group_id)
        assert len(heard) == 1
        assert heard[0].files, "a clip, and not a recording"
        assert heard[0].params["disable_notification"]

    tell(story)


def test_a_kill_leaves_no_voice_behind_and_nobody_hears_twice(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        chat = chat_of(town, 0)
        await listen(town, chat)
        players = [town.background(town.play_at_random(person)) for person in town.people]
        for _ in range(1000):
            await asyncio.sleep(0.5)
            if standing(town, chat):
                break
        for player in players:
            player.cancel()
        assert standing(town, chat)
        before = len(voices(town, chat))
        await town.kill()
        await town.open()
        await asyncio.sleep(3)
        # What was called before the kill is not called again.
        assert len(voices(town, chat)) == before
        await asyncio.sleep(10)
        assert not standing(town, chat)

    tell(story)
