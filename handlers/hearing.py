"""What is called out at a table, for each who wants to hear it: whose voice it is, or the words (render.md, *Sound*).

What a reader hears follows from that reader's own view. A call is looked up among the recordings of whoever calls
(乡音), then among the clips of the reader's tongue; where there is neither, it stands in words in the hand's message.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from data.model import Person
from data.texts import Html, Words
from handlers.outbox import Sound, VoiceNote
from handlers.preferences import GroupSettings, Preferences
from handlers.screens.hearing import called_line
from handlers.screens.seating import seat_names
from mahjong.calls import Called, Heard, calls_since, ending_call, heard, latest_call, loudest
from mahjong.moves import Seat
from mahjong.views import glimpse

if TYPE_CHECKING:
    from handlers.table import Table

log = logging.getLogger(__name__)


UNHEARD = Heard()


@dataclass(frozen=True, slots=True)
class Ear:
    """How far one reader has listened: which hand of the table (0: none yet), what of it, and whether its end."""

    hand: int = 0
    heard: Heard = UNHEARD
    ended: bool = False


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody who listens: a person at a seat, or the group (``person`` and ``seat`` None)."""

    key: str
    chat_id: int
    tongue: str
    words: Words
    person: Person | None = None
    seat: Seat | None = None


class Hearing:
    """What is heard of one table. Keys: ``tTABLE:pPERSON:voice``, the group's ``tTABLE:voice``.

    Kept in memory alone: after a restart everybody listens from then on.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._ears: dict[str, Ear] = {}

    def refresh(self) -> None:
        """Have heard what was called out since the last time."""
        readers = self._readers()
        keys = {reader.key for reader in readers}
        if not keys and not self._ears:
            return
        for key in self._ears.keys() - keys:
            del self._ears[key]
            self._table.house.outbox.drop_voice(key)
        for reader in readers:
            self._listen(reader)

    def said(self, person: Person | None) -> Html | None:
        """The last call in words, for a reader (None: the group) to whom it comes without a sound; else None."""
        hand, group = self._table.hand, self._table.group
        chosen = person.prefs.get("voice") if person is not None else group is not None and group.settings.get("voices")
        if not chosen:
            return None
        reader = next((reader for reader in self._readers() if reader.person == person), None)
        if hand is None or reader is None:
            return None
        sheet = self._table.sheet
        called = latest_call(glimpse(hand, reader.seat)) if sheet is None else ending_call(sheet)
        if called is None or self._sounds(reader, called):
            return None
        return self._line(reader, called, reading=True)

    def _readers(self) -> list[Reader]:
        table = self._table
        state, house = table.state, table.house
        found: list[Reader] = []
        # Most tables have nobody who listens, and are asked after every move.
        if table.group is not None and not state.group_lost and table.group.settings.get("voices"):
            tongue = GroupSettings.of(table.group).voices
            if tongue != "off":
                words = house.texts.get(table.group.language)
                found.append(Reader(f"t{table.id}:voice", table.group.telegram_id, tongue, words))
        # Nobody sits at a table that has closed; but how its last hand ended is heard.
        for seat, owner in enumerate(state.players if state.phase == "closed" else state.seats):
            person = house.people.known(owner.person) if owner is not None else None
            if person is None or not person.prefs.get("voice") or person.telegram_id is None or not person.private_ok:
                continue
            tongue = Preferences.of(person).voice
            if tongue != "off":
                words = house.texts.get(person.language)
                key = f"t{table.id}:p{person.id}:voice"
                found.append(Reader(key, person.telegram_id, tongue, words, person, seat))
        return found

    def _listen(self, reader: Reader) -> None:
        table = self._table
        hand, state = table.hand, table.state
        ear = self._ears.get(reader.key)
        if hand is None or state.phase == "dice":
            # The next hand is heard from its beginning.
            if ear is not None and ear.hand:
                table.house.outbox.drop_voice(reader.key)
            self._ears[reader.key] = Ear()
            return
        view = glimpse(hand, reader.seat)
        ended = hand.result is not None
        now = Ear(state.hand, heard(view), ended)
        if now == ear:
            return
        self._ears[reader.key] = now
        if ear is None or (ear.hand not in (0, state.hand) and ended):
            # Whoever has just begun to listen has missed what was before.
            return
        if ear.hand != state.hand:
            ear = Ear(state.hand)
            table.house.outbox.drop_voice(reader.key)
        calls = calls_since(view, ear.heard)
        if ended and not ear.ended and table.sheet is not None:
            # Below the sheet only what it tells of is heard.
            table.house.outbox.drop_voice(reader.key)
            calls = [ending_call(table.sheet)]
        called = loudest(calls)
        if called is not None:
            self._call_out(reader, called)

    def _call_out(self, reader: Reader, called: Called) -> None:
        table = self._table
        sounds = self._sounds(reader, called)
        if not sounds:
            return
        house = table.house

        def dead(sound: Sound) -> None:
            speaker = self._speaker(called)
            if speaker is not None and sound.file_id is not None:
                house.later(house.people.lose_recording(speaker, sound.file_id))

        def forbidden() -> None:
            house.later(self._refused(reader))

        thread = table.state.thread if reader.person is None else None
        note = VoiceNote(
            reader.chat_id, self._line(reader, called), tuple(sounds), called.rank, dead, forbidden, thread_id=thread
        )
        house.outbox.voice(reader.key, note)

    async def _refused(self, reader: Reader) -> None:
        """A chat takes no voice notes: what is called stands in words from now on, and its owner is told so once."""
        house = self._table.house
        if reader.person is None:
            log.info("the group of table %d takes no voice notes", self._table.id)
            return
        person = house.people.known(reader.person.id)
        if person is not None and not Preferences.of(person).voice_refused:
            await house.people.set_prefs(person, {"voice_refused": True})
            self._table.showing.tell(person.id, "voice.refused")
            self._table.showing.refresh_soon()

    def _speaker(self, called: Called) -> Person | None:
        """Who calls, if that is a person."""
        owners = self._table.state.players or self._table.state.seats
        owner = owners[called.seat] if called.seat is not None else None
        return self._table.house.people.known(owner.person) if owner is not None else None

    def _sounds(self, reader: Reader, called: Called) -> Sequence[Sound]:
        """What can be heard of a call, best first; empty: it is to be read."""
        found = []
        if reader.person is not None:
            mine, speaker = Preferences.of(reader.person), self._speaker(called)
            if mine.voice_refused:
                return ()
            # A recording is for those at the table, not for the whole group.
            if speaker is not None and speaker.id not in mine.muted:
                file_id = Preferences.of(speaker).recordings.get(called.name)
                if file_id is not None:
                    found.append(Sound("", 0, None, file_id))
        clip = self._table.house.clips.clip(reader.tongue, called.name)
        if clip is not None:
            found.append(Sound(clip.digest, clip.seconds, clip.data))
        return found

    def _line(self, reader: Reader, called: Called, *, reading: bool = False) -> Html:
        names = seat_names(self._table.state.players or self._table.state.seats, reader.words)
        name = names[called.seat] if called.seat is not None else None
        read = self._table.house.clips.reading(reader.tongue, called.name) if reading else None
        return called_line(reader.words, called.name, name, read)
