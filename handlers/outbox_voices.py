"""Voice notes: what is called out at a table, for those who want to hear it, and never at anybody's cost.

They go beside the queues, so that no turn waits for one: only when a chat is calm, out of a budget of their own
(`Budgets.beside`), and not at all if that does not come about within a few seconds. They do not ring, and of each key
at most one stands in the chat: the one before it goes, and itself after a while, so that what is asked stands at the
bottom again. After a restart what still stands is deleted.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from telegram import InputFile

from handlers.budgets import Budgets
from handlers.clock import Clock
from handlers.outbox_calls import Calls, Fault, Trouble
from handlers.outbox_jobs import Chat, Shown
from handlers.outbox_memory import Memory, doomed_row
from handlers.outbox_messages import Priority, Sound, VoiceNote
from handlers.outbox_pictures import Pictures
from handlers.outbox_queues import Queues

log = logging.getLogger(__name__)

LATE_SECONDS = 6.0
"""A call that could not be heard by then is no news any more."""
LASTING_SECONDS = 15.0
"""How long one stands in the chat at most; whoever wants to hear it taps it at once."""
LOOK_AGAIN = 0.5
"""Seconds after which it is looked again whether the chat is calm."""
TIDY_SECONDS = 30.0
"""One that could not be deleted by then is deleted as everything else is, within the chat's own budget."""


@dataclass(slots=True)
class Place:
    """What is heard under one key. `waiting`: the note to be sent, until the loop time `until`; `standing`: the one
    that stands in the chat, until `ends`; `going`: those to be deleted, each with the loop time since when."""

    chat_id: int
    waiting: VoiceNote | None = None
    until: float = 0.0
    standing: Shown | None = None
    ends: float = 0.0
    going: list[tuple[Shown, float]] = field(default_factory=list)
    calling: bool = False
    timer: asyncio.TimerHandle | None = None

    @property
    def rests(self) -> bool:
        """Whether there is nothing to be done, nor anything in the chat."""
        return self.waiting is None and self.standing is None and not self.going and not self.calling


class Voices:
    """The voice notes of all chats, one at most under a key.

    `lost` sees to a chat that is gone; `sweep` deletes a message within the chat's own budget.
    """

    def __init__(
        self,
        clock: Clock,
        budgets: Budgets,
        calls: Calls,
        queues: Queues,
        memory: Memory,
        pictures: Pictures,
        lost: Callable[[Chat, Fault], bool],
        sweep: Callable[[Shown, str | None], None],
    ) -> None:
        self._clock = clock
        self._budgets = budgets
        self._calls = calls
        self._queues = queues
        self._memory = memory
        self._pictures = pictures
        self._lost = lost
        self._sweep = sweep
        self._places: dict[str, Place] = {}

    def want(self, key: str, note: VoiceNote) -> None:
        """Have a call heard soon or not at all. A rarer one that still waits is not displaced."""
        place = self._places.get(key)
        if place is not None and place.chat_id != note.chat_id:
            self.leave_chat(place.chat_id)
            place = None
        if place is None:
            place = self._places[key] = Place(note.chat_id)
        now = self._clock.time()
        if place.waiting is not None and now < place.until and place.waiting.rank > note.rank:
            return
        place.waiting, place.until = note, now + LATE_SECONDS
        self._memory.met(note.chat_id)
        self._look(key, place)

    def drop(self, key: str) -> None:
        """Nothing is to be heard under this key any more: what stands goes, what waits is not sent."""
        place = self._places.get(key)
        if place is not None:
            place.waiting = None
            self._put_away(place)
            self._look(key, place)

    def leave_chat(self, chat_id: int) -> None:
        """What stands in a chat can no longer be reached (the group became another one, or is gone)."""
        for key in [key for key, place in self._places.items() if place.chat_id == chat_id]:
            place = self._places.pop(key)
            _stop(place)
            for shown in [*([place.standing] if place.standing else []), *(shown for shown, _ in place.going)]:
                self._queues.spawn(self._memory.forget(_row(shown)))

    def clear_chat(self, chat_id: int) -> None:
        """Everything that stands in a chat goes."""
        for key in [key for key, place in self._places.items() if place.chat_id == chat_id]:
            self.drop(key)

    def abort(self) -> None:
        """No timers any more."""
        for place in self._places.values():
            _stop(place)

    def _put_away(self, place: Place) -> None:
        if place.standing is not None:
            place.going.append((place.standing, self._clock.time()))
            place.standing = None

    # The next call

    def _look(self, key: str, place: Place) -> None:
        """Make the next call if it may be made now, else look again later."""
        _stop(place)
        if place.calling or self._places.get(key) is not place:
            return
        now = self._clock.time()
        if place.waiting is not None and now >= place.until:
            place.waiting = None
        if place.standing is not None and now >= place.ends:
            self._put_away(place)
        while place.going and now - place.going[0][1] >= TIDY_SECONDS:
            shown, _ = place.going.pop(0)
            self._sweep(shown, _row(shown))
        if place.rests:
            del self._places[key]
            return
        if place.waiting is None and not place.going:
            place.timer = self._clock.after(place.ends - now, partial(self._look, key, place))
            return
        delay = self._delay(place.chat_id, now)
        if delay > 0:
            place.timer = self._clock.after(min(delay, LOOK_AGAIN), partial(self._look, key, place))
            return
        place.calling = True
        self._budgets.begin_beside(place.chat_id)
        work = self._send(key, place, place.waiting) if place.waiting is not None else self._delete(key, place)
        self._queues.spawn(work)

    def _delay(self, chat_id: int, now: float) -> float:
        """Seconds until a call keeps nobody waiting, as far as can be told."""
        if not self._queues.running:
            return LOOK_AGAIN
        chat = self._queues.chat(chat_id)
        if chat.calling or any(job.priority < Priority.CHATTER for job in chat.jobs):
            # What the call belongs to is seen first.
            return LOOK_AGAIN
        return max(chat.not_before - now, self._budgets.beside(chat_id, now))

    def _called(self, place: Place) -> None:
        self._budgets.end_beside(place.chat_id, self._clock.time())
        if place.chat_id < 0:
            self._memory.called(place.chat_id)

    async def _send(self, key: str, place: Place, note: VoiceNote) -> None:
        place.waiting = None
        chat = self._queues.chat(place.chat_id)
        try:
            sent = await self._first_that_can(chat, note)
        finally:
            self._called(place)
            place.calling = False
        if isinstance(sent, Shown):
            self._put_away(place)
            place.standing, place.ends = sent, self._clock.time() + LASTING_SECONDS
            gone = self._places.get(key) is not place
            await self._memory.save(_row(sent), sent)
            if gone:
                self._sweep(sent, _row(sent))
        elif sent is not None:
            self._failed(chat, note, sent)
        self._look(key, place)

    async def _first_that_can(self, chat: Chat, note: VoiceNote) -> Shown | Fault | None:
        """Send the first of the note's sounds that Telegram takes; None: there was none."""
        for sound in note.sounds:
            file = self._file(sound)
            while file is not None:
                call = self._calls.voice(note, file, sound.seconds, chat.thread(note.thread_id))
                result = await self._calls.attempt(call)
                if not isinstance(result, Fault):
                    message_id, file_id = result
                    if isinstance(file, InputFile) and file_id is not None:
                        self._pictures.learn(sound.digest, file_id)
                        await self._memory.save_file(sound.digest, file_id)
                    return Shown(note.chat_id, message_id, "", "", None, None, self._clock.now())
                log.info("chat %d: %s", chat.chat_id, result.reason)
                if result.trouble is not Trouble.FILE:
                    return result
                file = await self._without(sound, note, file)
        return None

    def _file(self, sound: Sound) -> InputFile | str | None:
        known = sound.file_id or self._pictures.file_id(sound.digest)
        return known if known is not None else _upload(sound)

    async def _without(self, sound: Sound, note: VoiceNote, file: InputFile | str) -> InputFile | None:
        """A file is no good: what else there is of this sound."""
        if sound.file_id is not None:
            _tell(partial(note.dead, sound))
            return None
        if isinstance(file, InputFile):
            return None
        self._pictures.unlearn(sound.digest)
        await self._memory.forget_file(sound.digest)
        return _upload(sound)

    def _failed(self, chat: Chat, note: VoiceNote, fault: Fault) -> None:
        """It was not heard, and is not tried again. A slow network is for others to wait for."""
        if fault.trouble is Trouble.FLOOD:
            chat.suffer(fault, self._clock.time())
        elif fault.trouble is Trouble.NO_VOICES:
            _tell(note.forbidden)
        else:
            self._lost(chat, fault)

    async def _delete(self, key: str, place: Place) -> None:
        shown, _ = place.going.pop(0)
        try:
            result = await self._calls.attempt(self._calls.delete(shown.chat_id, shown.message_id))
        finally:
            self._called(place)
            place.calling = False
        if isinstance(result, Fault) and result.trouble in (Trouble.NETWORK, Trouble.FLOOD):
            self._sweep(shown, _row(shown))
        else:
            await self._memory.forget(_row(shown))
        self._look(key, place)


def _row(shown: Shown) -> str:
    """The key under which a note is remembered, to be deleted after a restart."""
    return doomed_row(shown.chat_id, shown.message_id)


def _upload(sound: Sound) -> InputFile | None:
    return InputFile(sound.data, filename=f"{sound.digest[:12]}.ogg") if sound.data is not None else None


def _stop(place: Place) -> None:
    if place.timer is not None:
        place.timer.cancel()
        place.timer = None


def _tell(callback: Callable[[], object]) -> None:
    try:
        callback()
    except Exception:
        log.exception("a callback of the outbox broke")
