"""The outbox: it stands between the tables and the Bot API.

Handlers say what a message should look like by now; the outbox holds the newest wanted state of each message and
brings it about within Telegram's budgets. No method here waits for the network except `dice`, and none raises
because of it.

`outbox_delivery` is how: `outbox_queues` chooses the next call, `outbox_jobs` knows which call a message needs,
`outbox_pictures` has its picture drawn, `outbox_calls` makes it and tells failures apart, `outbox_memory` remembers
what was sent, `outbox_ephemeral` shows a message to one person of a group, `outbox_voices` has calls heard.

A call that timed out may have arrived. A message that somebody needs is sent again then, and may stand in the chat
twice: a copy whose id never came back cannot be found by the Bot API, but goes at its first press (`pressed`). Only a
`say` at CHATTER is rather lost than doubled. Edits and deletions do no harm twice.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection
from dataclasses import replace

from data.model import Sent
from handlers.about import ABOUT
from handlers.budgets import INFINITY
from handlers.outbox_delivery import Delivery
from handlers.outbox_ephemeral import Done, Ephemeral
from handlers.outbox_jobs import End, Shown, Slot, Throw
from handlers.outbox_memory import DOOMED
from handlers.outbox_messages import (
    Asked,
    Button,
    FileKind,
    Keyboard,
    Message,
    Picture,
    Priority,
    SentStore,
    Sound,
    VoiceNote,
)

__all__ = [
    "Asked",
    "Button",
    "FileKind",
    "Keyboard",
    "Message",
    "Outbox",
    "Picture",
    "Priority",
    "Sent",
    "SentStore",
    "Sound",
    "VoiceNote",
]


# Whoever pressed for an ephemeral message looks at it at once, or is told in another way.
EPHEMERAL_WITHIN = 3.0
EPHEMERAL_LASTING = 120.0
# How often, in seconds, what has outlived its use is looked for.
LOOK_THROUGH = 3600.0
# A `say` that could not be sent for so long is given up.
SAY_SECONDS = 600.0


class Outbox(Delivery):
    """Newest wanted states, sent by priority within budgets.

    A *key* names one living message ("t12:group", "t12:hand:34"). Under a key at most one message lives; it is
    edited as long as it can be.

    The callbacks are `Delivery`'s.
    """

    # Life

    async def start(self) -> None:
        """Load the memory of what was sent; then calls go out. What was wanted before waits until now."""
        remembered = await self._memory.load()
        for digest, file_id in self._memory.files.items():
            self._pictures.learn(digest, file_id)
        for key, shown in sorted(remembered.items()):
            if key.startswith(DOOMED):
                self._sweep(shown, key)
                continue
            if shown.picture and shown.file_id:
                self._pictures.learn(shown.picture, shown.file_id)
            slot = self._slots.get(key) or self._slots.new(key, shown.chat_id)
            if slot.chat_id == shown.chat_id:
                self._slots.show(slot, shown)
                self._refresh(slot)
            else:
                self._sweep(shown, None)
        self._let_go()
        self._queues.start()

    async def stop(self, within: float = 5.0) -> None:
        """Send what can be sent within so many seconds, then stop for good; later wants are ignored.

        `within` 0: like `abort`.
        """
        self._closing = True
        was_running = self._queues.running
        if await self._queues.stop(within) and was_running and within > 0:
            await self._memory.finish()
        self.abort()

    def abort(self) -> None:
        """Stop at once, as if killed: calls under way are cancelled, nothing is noted any more."""
        self._closing = True
        self._queues.abort()
        self._ephemerals.abort()
        self._voices.abort()
        self._memory.abort()
        for job in self._queues.all_jobs():
            if isinstance(job, Throw):
                job.value.cancel()

    async def idle(self) -> None:
        """Wait until nothing is pending (for tests)."""
        await self._queues.idle()
        await self._memory.flush()

    # What a message should look like

    def want(self, key: str, message: Message, priority: Priority = Priority.RESULT) -> None:
        """`message` is the newest state of the message `key`: edited if it is there, else sent.

        An unchanged state costs no call. Text becomes a photo (or the other way round) by sending anew and deleting
        the old one. A key of another chat than before: the message there is dropped.
        """
        self._set(key, message, priority, ring=False)

    def ring(
        self, key: str, message: Message, priority: Priority = Priority.PROMPT, *, within: float | None = None
    ) -> None:
        """Like `want`, but sent anew at the bottom of the chat; once it is there, the old one is deleted.

        It sounds unless `message.silent`. A later `want` before it is out changes the state, not the sound; `hush`
        takes the ringing back. `within`: seconds after which it is given up if it is not out.
        """
        self._set(key, message, priority, ring=True, within=within)

    def hush(self, key: str) -> None:
        """Whoever was to be rung has pressed: a ring not yet sent becomes a plain `want`."""
        slot = self._slots.get(key)
        if slot is not None and slot.ring:
            slot.ring = False
            self._refresh(slot)

    def close(self, key: str, text: str | None = None, keyboard: Keyboard = ()) -> None:
        """The message's life is over: its newest state stays in the chat, and the key is free.

        `text` (HTML) takes the place of the state's own, `keyboard` that of its buttons.
        """
        slot = self._slots.pop(key)
        if slot is None or self._closing:
            return
        slot.end = End.CLOSED
        slot.ring = False
        slot.last_buttons = keyboard
        if slot.wanted is not None:
            slot.want(replace(slot.wanted, keyboard=keyboard, text=slot.wanted.text if text is None else text))
        else:
            slot.last_words = text
            slot.priority = Priority.CHATTER
        self._refresh(slot)

    def drop(self, key: str) -> None:
        """The message is deleted, or not sent if it is not out yet; the key is free.

        One over 48 hours old cannot be deleted, and loses its buttons instead.
        """
        slot = self._slots.pop(key)
        if slot is None or self._closing:
            return
        slot.end = End.DROPPED
        self._refresh(slot)

    def say(self, message: Message, priority: Priority = Priority.CHATTER) -> None:
        """Send a message that is never touched again; given up when it could not be sent for ten minutes."""
        if self._closing:
            return
        message = self._redirected(message)
        slot = Slot(None, message.chat_id)
        slot.end = End.ONCE
        slot.priority = priority
        slot.until = self._clock.time() + SAY_SECONDS
        slot.want(message)
        self._refresh(slot)

    # For one person's eyes in a group

    def want_ephemeral(
        self,
        key: str,
        message: Message,
        receiver: int,
        *,
        cover: Message | None = None,
        asked: Asked | None = None,
        within: float = EPHEMERAL_WITHIN,
        lasting: float = EPHEMERAL_LASTING,
        done: Done,
    ) -> None:
        """Show a message in a group to one person alone (Bot API 10.3), a Telegram user id; without buttons.

        `cover`: a photo message that everybody may see, sent first to a server that is not known to be able; it must be
        given if the message itself is not for all eyes (see `outbox_ephemeral`). `asked`: what it answers.
        `done(shown)` is called once, at the latest soon after `within` seconds; the message goes after `lasting`
        seconds, with `drop_ephemeral`, or after a restart.
        """
        if self._closing:
            return
        job = Ephemeral(key, self._redirected(message), receiver, cover and self._redirected(cover), asked or Asked())
        self._ephemerals.want(job, done, within=within, lasting=lasting)

    def drop_ephemeral(self, key: str) -> None:
        """Delete an ephemeral message; a key that is not known does no harm."""
        if not self._closing:
            self._ephemerals.drop(key)

    def ephemeral_keys(self, prefix: str = "") -> list[str]:
        """The keys under which an ephemeral message is shown or about to be."""
        return self._ephemerals.keys(prefix)

    # What is heard

    def voice(self, key: str, note: VoiceNote) -> None:
        """Have something heard in a chat within a few seconds or not at all, in the place of what was heard before
        under this key (see `outbox_voices`)."""
        if not self._closing:
            there = self._moved.get(note.chat_id, note.chat_id)
            self._voices.want(key, note if there == note.chat_id else replace(note, chat_id=there))

    def drop_voice(self, key: str) -> None:
        """Nothing is to be heard under this key any more; a key that is not known does no harm."""
        if not self._closing:
            self._voices.drop(key)

    # Calls outside the newest-state rule

    async def dice(self, chat_id: int, thread_id: int | None = None, *, first: Message | None = None) -> int | None:
        """Throw Telegram's die in the chat (sendDice), within the budgets and before everything else there.

        `first`: a message in words that must have been sent before the die is thrown.

        Returns 1 to 6, or None if it cannot be thrown there. If the answer got lost it is thrown again: the last
        throw counts. Cancelled when the outbox stops.
        """
        value: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()
        if self._closing:
            value.cancel()
        else:
            there = self._moved.get(chat_id, chat_id)
            self._queues.join(Throw(there, thread_id, value, first))
        return await value

    def answer(self, query_id: str, text: str | None = None, *, alert: bool = False, url: str | None = None) -> None:
        """Answer a callback query, at once and outside the budgets; `text` is cut at 200 characters.

        Errors are swallowed; the network's are tried again while the answer is still of use.
        """
        if self._queues.running:
            self._queues.spawn(self._calls.answer_in_time(self._clock, query_id, text, alert, url))

    # What handlers learn from updates

    def pressed(self, key: str, chat_id: int, message_id: int) -> None:
        """A button of the message `key` was pressed on this copy of it.

        A copy other than the one the outbox knows (its answer was lost, or the bot was killed before it could be
        noted) is deleted.
        """
        slot = self._slots.get(key)
        if slot is None or slot.flying or slot.shown is None:
            return
        if slot.shown.chat_id == chat_id and slot.shown.message_id != message_id:
            self.forget_copy(chat_id, message_id)

    def forget_copy(self, chat_id: int, message_id: int) -> None:
        """Delete a copy of a message that the outbox does not know; one that it knows stays."""
        known = self._slots.at(chat_id, message_id) is not None
        jobs = self._queues.chat(chat_id).jobs
        if not self._closing and not known and not any(getattr(job, "message_id", 0) == message_id for job in jobs):
            self._sweep(Shown(chat_id, message_id, "", "", None, None, self._clock.now()), None)

    def thread_found(self, chat_id: int, thread_id: int) -> None:
        """Somebody wrote in this topic: it is there, whatever was found before."""
        self._queues.chat(chat_id).lost_threads.discard(thread_id)

    async def forget_chat(self, chat_id: int, keys: Collection[str] = ()) -> None:
        """Whoever this private chat is with wants to be forgotten: the messages that live there are deleted, and those
        of other chats under `keys`; nothing of it is remembered until something new is wanted there.

        What the store remembers already is the caller's to forget.
        """
        for key in (*keys, *(slot.key for slot in self._slots if slot.chat_id == chat_id and slot.key is not None)):
            self.drop(key)
        self._voices.clear_chat(chat_id)
        await self._memory.forget_chat(chat_id)

    def rights_changed(self, chat_id: int) -> None:
        """What the bot may do in this chat has changed: photos may be sent again, as far as is known."""
        self._queues.chat(chat_id).no_photos_before = 0.0

    # Looking in

    def keys(self, prefix: str = "") -> list[str]:
        """The keys under which a message lives or is wanted."""
        return self._slots.keys(prefix)

    def where(self, key: str) -> tuple[int, int] | None:
        """Chat id and message id of the living message `key`, if it is out."""
        slot = self._slots.get(key)
        return None if slot is None or slot.shown is None else (slot.shown.chat_id, slot.shown.message_id)

    def age(self, key: str) -> float | None:
        """Seconds since the living message `key` was sent, also before a restart; None if it is not out."""
        slot = self._slots.get(key)
        return None if slot is None or slot.shown is None else (self._clock.now() - slot.shown.sent_at).total_seconds()

    def knows(self, digest: str) -> bool:
        """Whether a picture, or another file, was uploaded already, so that it need not be made."""
        return self._pictures.knows(digest)

    def key_at(self, chat_id: int, message_id: int) -> str | None:
        """The key of the living message with this id, if there is one."""
        slot = self._slots.at(chat_id, message_id)
        return None if slot is None else slot.key

    def rested(self, key: str) -> float:
        """For how many seconds the message has shown its newest state; 0 if it does not yet."""
        slot = self._slots.get(key)
        return 0.0 if slot is None or slot.shown is None or slot.wanted else self._clock.time() - slot.changed

    @property
    def busy(self) -> bool:
        """Whether the overall budget is nearly used up (25 calls within a second): no time to open another table."""
        return self._budgets.busy(self._clock.time())

    @property
    def calls(self) -> Counter[str]:
        """Calls made so far, by method."""
        return self._calls.made

    @property
    def floods(self) -> int:
        """How often Telegram answered 429."""
        return self._calls.floods

    @property
    def depth(self) -> int:
        """How many messages and calls are pending."""
        return self._queues.depth

    @property
    def oldest(self) -> float:
        """For how many seconds the message or call has been pending that waits longest; 0: none does."""
        return self._queues.oldest

    def _set(self, key: str, message: Message, priority: Priority, ring: bool, within: float | None = None) -> None:
        if self._closing:
            return
        message = self._redirected(message)
        self._memory.met(message.chat_id)
        slot = self._slots.get(key)
        if slot is not None and slot.chat_id != message.chat_id:
            self.drop(key)
            slot = None
        if slot is None:
            if self._clock.time() - self._looked_through > LOOK_THROUGH:
                self._let_go()
            slot = self._slots.new(key, message.chat_id)
        pending = slot in self._queues.chat(slot.chat_id).jobs and not slot.flying
        slot.priority = min(slot.priority, priority) if pending else priority
        if slot.ring and not ring and slot.wanted is not None:
            message = replace(message, silent=slot.wanted.silent)
        slot.want(message)
        slot.until = INFINITY if within is None else self._clock.time() + within
        slot.about = ABOUT.get()
        slot.ring = slot.ring or ring
        if slot.confirms():
            slot.priority = Priority.CHATTER
        self._refresh(slot)

    def _let_go(self) -> None:
        """Messages that have outlived their use stay as they are, and their keys are free."""
        self._looked_through = self._clock.time()
        keys = self._slots.outlived(self._clock.now())
        for key in keys:
            self._slots.pop(key)
        if keys:
            self._queues.spawn(self._memory.forget_all(keys, self._stands))
