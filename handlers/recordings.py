"""One's own voice (乡音): a player sends a voice note for a call, and is heard so by those at the same table.

Nothing is stored but Telegram's file id. Which call somebody is about to record is kept in memory alone.
"""

from __future__ import annotations

from datetime import timedelta

from data.model import Person
from handlers import settings
from handlers.answers import SILENT, Answer
from handlers.calls import Call, Command
from handlers.house import House
from handlers.outbox import Message, Sound, VoiceNote
from handlers.preferences import Preferences
from handlers.presses import PagePress
from handlers.pressing import Pressing
from handlers.screens import hearing as screen
from mahjong.calls import CALLS

LARGEST = 200_000
"""Bytes that it may have."""


async def run(call: Call) -> None:
    """A voice note came in private: it becomes the call that its sender has chosen, or they are asked which."""
    house, person, voice = call.house, call.person, call.voice
    assert person is not None
    assert voice is not None
    key, words, chat_id = _key(person), call.words, call.chat_id
    seconds = voice.duration.total_seconds() if isinstance(voice.duration, timedelta) else voice.duration
    if call.forwarded:
        # Who has spoken has not agreed to be heard.
        house.outbox.ring(key, _page(house, person, chat_id, words.html("voice.forwarded")))
    elif seconds > screen.LONGEST or (voice.file_size or 0) > LARGEST:
        house.outbox.ring(key, _page(house, person, chat_id, words.html("voice.too_long", n=screen.LONGEST)))
    elif (chosen := house.recorder.choosing.pop(person.id, None)) is not None:
        await _keep(house, person, chat_id, chosen, voice.file_id)
    else:
        house.recorder.waiting[person.id] = voice.file_id
        house.outbox.ring(key, screen.which_page(chat_id, person, words))


VOICE = Command("voice", run, group=False, listed=False)
"""What a voice note is taken for."""


async def press(pressing: Pressing, pressed: PagePress) -> Answer:
    """``w|list``, ``w|close``, ``w|call|CALL``, ``w|play|CALL``, ``w|delete|CALL``, ``w|mute|PERSON``: the presser's
    own, in private."""
    house, person = pressing.house, pressing.person
    if not pressing.private:
        return Answer("toast.forged")
    key = _key(person)
    if pressing.message_id is not None:
        house.outbox.pressed(key, pressing.chat_id, pressing.message_id)
    match pressed.fields:
        case ("list",):
            house.recorder.forget(person.id)
            house.outbox.want(key, _page(house, person, pressing.chat_id))
        case ("close",):
            _close(house, person)
            settings.show_own(house, person, pressing.chat_id)
        case ("call", call) if call in CALLS:
            file_id = house.recorder.waiting.pop(person.id, None)
            if file_id is not None:
                await _keep(house, person, pressing.chat_id, call, file_id)
            else:
                house.recorder.choosing[person.id] = call
                house.outbox.want(key, screen.call_page(pressing.chat_id, person, call, pressing.words))
        case ("play", call) if call in CALLS:
            return _play(pressing, call)
        case ("delete", call) if call in CALLS:
            house.outbox.drop_voice(_heard_key(person))
            person = await house.people.change_prefs(person, lambda mine: {"recordings": _without(mine, call)})
            house.recorder.forget(person.id)
            house.outbox.want(key, _page(house, person, pressing.chat_id))
            return Answer("voice.deleted")
        case ("mute", _) if (other := pressed.number(1)) is not None:
            if other not in [one.id for one in _beside(house, person)]:
                return Answer("toast.stale")
            person = await house.people.change_prefs(person, lambda mine: {"muted": _toggled(mine.muted, other)})
            house.outbox.want(key, _page(house, person, pressing.chat_id))
        case _:
            return Answer("toast.forged")
    return SILENT


async def _keep(house: House, person: Person, chat_id: int, call: str, file_id: str) -> None:
    person = await house.people.change_prefs(person, lambda mine: {"recordings": {**mine.recordings, call: file_id}})
    words = house.texts.get(person.language)
    said = words.html("voice.kept", call=words(f"shout.{call}"))
    # Below what was just sent, where its sender looks.
    house.outbox.ring(_key(person), _page(house, person, chat_id, said))


def _play(pressing: Pressing, call: str) -> Answer:
    """Let somebody hear their own recording."""
    house, person = pressing.house, pressing.person
    file_id = Preferences.of(person).recordings.get(call)
    if file_id is None:
        return Answer("toast.stale")

    def dead(sound: Sound) -> None:
        house.later(house.people.lose_recording(person, file_id))
        page = _page(house, person, pressing.chat_id, pressing.words.html("voice.gone"))
        house.outbox.want(_key(person), page)

    def forbidden() -> None:
        house.outbox.say(Message(pressing.chat_id, pressing.words.html("voice.refused"), silent=True))

    text = screen.called_line(pressing.words, call, None)
    note = VoiceNote(pressing.chat_id, text, (Sound("", 0, None, file_id),), 0, dead, forbidden)
    house.outbox.voice(_heard_key(person), note)
    return SILENT


def _close(house: House, person: Person) -> None:
    house.recorder.forget(person.id)
    house.outbox.drop(_key(person))
    house.outbox.drop_voice(_heard_key(person))


def _page(house: House, person: Person, chat_id: int, said: str | None = None) -> Message:
    words = house.texts.get(person.language)
    return screen.recordings_page(chat_id, person, words, _beside(house, person), said=said)


def _beside(house: House, person: Person) -> list[Person]:
    """Who else can be heard in their own voice at this person's tables, or is muted."""
    ids = {
        other.id
        for table in house.tables_with(person)
        for seat in table.state.taken
        if (other := house.people.known(seat.person)) is not None and Preferences.of(other).recordings
    }
    ids |= set(Preferences.of(person).muted)
    known = [one for number in sorted(ids - {person.id}) if (one := house.people.known(number)) is not None]
    return [one for one in known if one.telegram_id is not None][:MOST_BESIDE]


MOST_BESIDE = 12
"""People that a page lists at most."""


def _without(mine: Preferences, call: str) -> dict[str, str] | None:
    return {name: file_id for name, file_id in mine.recordings.items() if name != call} or None


def _toggled(muted: tuple[int, ...], other: int) -> list[int] | None:
    return ([one for one in muted if one != other] if other in muted else [*muted, other]) or None


def _key(person: Person) -> str:
    return f"voices:p{person.id}"


def _heard_key(person: Person) -> str:
    return f"voices:p{person.id}:heard"
