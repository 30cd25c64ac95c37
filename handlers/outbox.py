"""The outbox: it stands between the tables and the Bot API.

Handlers say what a message should look like by now; the outbox holds the newest wanted state of each message and
brings it about within Telegram's budgets. No method here waits for the network except `dice`, and none raises
because of it.

`outbox_queues` chooses the next call, `outbox_jobs` knows which call a message needs, `outbox_pictures` has its
picture drawn, `outbox_calls` makes it and tells failures apart, `outbox_memory` remembers what was sent,
`outbox_ephemeral` shows a message to one person of a group.

A call that timed out may have arrived. A message that somebody needs is sent again then, and may stand in the chat
twice: a copy whose id never came back cannot be found by the Bot API, but goes at its first press (`pressed`). Only a
`say` at CHATTER is rather lost than doubled. Edits and deletions do no harm twice.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Collection, Coroutine
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TypeVar

from telegram import Bot

from data.model import Sent
from handlers.budgets import Budgets
from handlers.clock import Clock
from handlers.outbox_calls import Calls, Fault, Trouble
from handlers.outbox_ephemeral import Done, Ephemeral, Ephemerals
from handlers.outbox_jobs import Change, Chat, End, Job, Pictured, Plan, Shown, Slot, Sweep, Throw, fingerprint
from handlers.outbox_memory import DOOMED, Memory, doomed_row
from handlers.outbox_messages import Asked, Button, FileKind, Keyboard, Message, Picture, Priority, SentStore
from handlers.outbox_pictures import Pictures
from handlers.outbox_queues import Queues, Work
from handlers.outbox_slots import Slots

__all__ = ["Asked", "Button", "FileKind", "Keyboard", "Message", "Outbox", "Picture", "Priority", "Sent", "SentStore"]

log = logging.getLogger(__name__)
T = TypeVar("T")

# Telegram lets bots delete their messages for 48 hours; a little less, since the call takes time.
DELETABLE = timedelta(hours=47, minutes=55)
# A `say` that could not be sent for so long is given up.
SAY_SECONDS = 600.0
# Whoever pressed for an ephemeral message looks at it at once, or is told in another way.
EPHEMERAL_WITHIN = 3.0
EPHEMERAL_LASTING = 120.0


class Outbox:
    """Newest wanted states, sent by priority within budgets.

    A *key* names one living message ("t12:group", "t12:hand:34"). Under a key at most one message lives; it is
    edited as long as it can be.

    Callbacks, plain functions called from the event loop (they must not block; what they raise is logged):
      - `on_unreachable(chat_id, reason)`: the chat cannot be written to (blocked, never started, kicked, deleted,
        rights lost). What was pending for it is discarded; a later `want` tries again.
      - `on_migrated(old_chat_id, new_chat_id)`: a group became a supergroup; what was pending goes to the new one.
      - `on_thread_lost(chat_id, thread_id)`: the topic is gone or closed; its messages go out without one now. None:
        General is closed, and what was to go there is given up.
    """

    def __init__(
        self,
        bot: Bot,
        clock: Clock,
        store: SentStore,
        budgets: Budgets | None = None,
        *,
        on_unreachable: Callable[[int, str], object] | None = None,
        on_migrated: Callable[[int, int], object] | None = None,
        on_thread_lost: Callable[[int, int | None], object] | None = None,
    ) -> None:
        self.on_unreachable = on_unreachable
        self.on_migrated = on_migrated
        self.on_thread_lost = on_thread_lost
        self._clock = clock
        self._budgets = budgets or Budgets()
        self._calls = Calls(bot)
        self._queues = Queues(clock, self._budgets, self._begin)
        self._memory = Memory(store, clock, self._budgets, self._queues.spawn)
        self._pictures = Pictures(self._queues.spawn, self._held)
        self._ephemerals = Ephemerals(
            clock,
            self._budgets,
            self._calls,
            self._queues,
            self._memory,
            self._pictures,
            made=self._made,
            lost=self._chat_is_lost,
            sweep=self._sweep,
        )
        self._slots = Slots()
        self._moved: dict[int, int] = {}
        self._closing = False

    # Life

    async def start(self) -> None:
        """Load the memory of what was sent; then calls go out. What was wanted before waits until now."""
        for key, shown in sorted((await self._memory.load()).items()):
            if key.startswith(DOOMED):
                self._sweep(shown, key)
                continue
            if shown.picture and shown.file_id:
                self._pictures.learn(shown.picture, shown.file_id)
            slot = self._slots.get(key) or self._slots.new(key, shown.chat_id)
            if slot.chat_id == shown.chat_id:
                slot.shown = shown
                self._refresh(slot)
            else:
                self._sweep(shown, None)
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

    def ring(self, key: str, message: Message, priority: Priority = Priority.PROMPT) -> None:
        """Like `want`, but sent anew at the bottom of the chat; once it is there, the old one is deleted.

        It sounds unless `message.silent`. A later `want` before it is out changes the state, not the sound; `hush`
        takes the ringing back.
        """
        self._set(key, message, priority, ring=True)

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
        known = any(
            slot.shown is not None and (slot.shown.chat_id, slot.shown.message_id) == (chat_id, message_id)
            for slot in self._slots
        )
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
        await self._memory.forget_chat(chat_id)

    def rights_changed(self, chat_id: int) -> None:
        """What the bot may do in this chat has changed: photos may be sent again, as far as is known."""
        self._queues.chat(chat_id).no_photos_before = 0.0

    def migrate(self, old_chat_id: int, new_chat_id: int) -> None:
        """A group became a supergroup (a message with `migrate_to_chat_id`).

        What is pending for it goes to the new chat; its living messages are sent anew with their next state.
        """
        if old_chat_id == new_chat_id:
            return
        if self._moved.get(old_chat_id) != new_chat_id:
            self._budgets.move(old_chat_id, new_chat_id, self._clock.time())
        self._moved[old_chat_id] = new_chat_id
        jobs = list(self._queues.chat(old_chat_id).jobs)
        jobs += [slot for slot in self._slots if slot.chat_id == old_chat_id and slot not in jobs]
        for job in jobs:
            self._queues.leave(job)
            job.chat_id = new_chat_id
            if isinstance(job, Slot):
                if job.shown is not None and job.key is not None:
                    self._queues.spawn(self._memory.forget(job.key))
                job.shown = None
                if job.wanted is not None:
                    job.want(replace(job.wanted, chat_id=new_chat_id))
                self._refresh(job)
            elif isinstance(job, Throw):
                self._queues.join(job)
            elif isinstance(job, Ephemeral):
                self._ephemerals.give_up(job)
            elif isinstance(job, Sweep) and job.row is not None:
                self._queues.spawn(self._memory.forget(job.row))
        self._ephemerals.leave_chat(old_chat_id)

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
        for slot in self._slots:
            if slot.shown is not None and (slot.shown.chat_id, slot.shown.message_id) == (chat_id, message_id):
                return slot.key
        return None

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

    # Slots

    def _redirected(self, message: Message) -> Message:
        chat_id = self._moved.get(message.chat_id)
        return message if chat_id is None else replace(message, chat_id=chat_id)

    def _set(self, key: str, message: Message, priority: Priority, ring: bool) -> None:
        if self._closing:
            return
        message = self._redirected(message)
        self._memory.met(message.chat_id)
        slot = self._slots.get(key)
        if slot is not None and slot.chat_id != message.chat_id:
            self.drop(key)
            slot = None
        if slot is None:
            slot = self._slots.new(key, message.chat_id)
        pending = slot in self._queues.chat(slot.chat_id).jobs and not slot.flying
        slot.priority = min(slot.priority, priority) if pending else priority
        if slot.ring and not ring and slot.wanted is not None:
            message = replace(message, silent=slot.wanted.silent)
        slot.want(message)
        slot.ring = slot.ring or ring
        if slot.confirms():
            slot.priority = Priority.CHATTER
        self._refresh(slot)

    def _refresh(self, slot: Slot) -> None:
        """Queue the slot if it needs a call; else it rests, or ends."""
        if slot.flying:
            return
        photos = self._queues.chat(slot.chat_id).photos(self._clock.time())
        if slot.change(photos) is not Change.NONE:
            self._queues.join(slot)
            return
        slot.wanted = slot.drawing = None
        self._queues.leave(slot)
        if slot.end is not None:
            self._finish(slot)

    def _finish(self, slot: Slot) -> None:
        key = slot.key
        if slot.end is End.DROPPED and slot.shown is not None:
            self._sweep(slot.shown, key)
        elif key is not None:
            self._queues.spawn(self._memory.forget(key, lambda: self._stands(key)))

    def _stands(self, key: str) -> bool:
        slot = self._slots.get(key)
        return slot is not None and slot.shown is not None

    def _sweep(self, shown: Shown, row: str | None) -> None:
        old = self._clock.now() - shown.sent_at > DELETABLE
        if old and shown.sure and not shown.keyboard:
            # It stays, and has no buttons to lose.
            if row is not None:
                self._queues.spawn(self._memory.forget(row, lambda: self._stands(row)))
            return
        self._queues.join(Sweep(shown.chat_id, shown.message_id, row, strip=old, receiver=shown.receiver))

    def _held(self, job: Pictured) -> bool:
        return self._queues.chat(job.chat_id).not_before > self._clock.time()

    def _plan(self, chat: Chat, slot: Slot, now: float) -> Plan | None:
        """The call for a slot; None if there is none to make, or not yet, since its picture is being drawn."""
        if slot.end is End.ONCE and now - slot.since > SAY_SECONDS:
            slot.wanted = None
        photos = chat.photos(now)
        change = slot.change(photos)
        if change is Change.NONE:
            self._refresh(slot)
            return None
        message = slot.reachable(photos)
        if message is None:
            return Plan(None, Message(slot.chat_id, slot.last_words or "", slot.last_buttons), change)
        file = None
        if message.picture is not None and change in (Change.SEND, Change.PHOTO):
            file = self._pictures.file(slot, message.picture)
            if file is None:
                return self._plan(chat, slot, now) if slot.undrawable == message.picture.digest else None
        return Plan(slot.wanted, message, change, file, slot.ring)

    # Calls

    def _begin(self, chat: Chat, job: Job, now: float) -> Work | None:
        if isinstance(job, Slot):
            plan = self._plan(chat, job, now)
            if plan is None:
                return None
            job.flying = True
            job.ring = False
            return partial(self._served, job.chat_id, partial(self._show, chat, job, plan))
        if isinstance(job, Throw):
            return partial(self._served, job.chat_id, partial(self._throw, chat, job))
        if isinstance(job, Ephemeral):
            work = self._ephemerals.begin(chat, job, now)
            return None if work is None else partial(self._served, job.chat_id, work)
        assert isinstance(job, Sweep)
        return partial(self._served, job.chat_id, partial(self._delete, chat, job))

    async def _served(self, chat_id: int, work: Work) -> None:
        await work()
        if self._memory.presses(chat_id):
            await self._memory.flush()

    async def _made(self, chat: Chat, job: Job, call: Coroutine[None, None, T]) -> T | Fault:
        """Make a call: what it returns, or what went wrong. What that means for the chat's peace is seen to here."""
        chat_id = job.chat_id
        try:
            result = await self._calls.attempt(call)
        finally:
            self._budgets.end(chat_id, self._clock.time())
            self._memory.called(chat_id)
        if not isinstance(result, Fault):
            chat.failures = 0
        else:
            chat.suffer(result, self._clock.time())
            level = logging.WARNING if result.trouble is Trouble.FLOOD else logging.INFO
            if result.trouble is Trouble.REFUSED and not _may_be_refused(job):
                level = logging.ERROR  # it is our own mistake
            if result.trouble is Trouble.NETWORK:
                self._ephemerals.doubt()
            log.log(level, "chat %d: %s", chat_id, result.reason)
        return result

    def _chat_is_lost(self, chat: Chat, fault: Fault) -> bool:
        """See to a chat that is not there any more. Whether it was that."""
        if fault.trouble is Trouble.MIGRATED:
            old = chat.chat_id
            self.migrate(old, fault.chat_id)
            self._tell(self.on_migrated, old, fault.chat_id)
        elif fault.trouble is Trouble.UNREACHABLE:
            for job in list(chat.jobs):
                self._queues.leave(job)
                if isinstance(job, Slot):
                    job.wanted = job.last_words = job.drawing = None
                    job.ring = False
                    if job.end is not None:
                        job.shown = None
                        self._finish(job)
                elif isinstance(job, Throw):
                    _fell(job, None)
                elif isinstance(job, Ephemeral):
                    self._ephemerals.give_up(job)
                elif isinstance(job, Sweep) and job.row is not None:
                    self._queues.spawn(self._memory.forget(job.row))
            self._ephemerals.leave_chat(chat.chat_id)
            self._tell(self.on_unreachable, chat.chat_id, fault.reason)
        else:
            return False
        return True

    def _thread_is_lost(self, chat: Chat, thread_id: int | None) -> bool:
        """Send without that topic from now on. False if that was done already."""
        if chat.thread(thread_id) is None:
            return False
        assert thread_id is not None
        chat.lost_threads.add(thread_id)
        self._tell(self.on_thread_lost, chat.chat_id, thread_id)
        return True

    def _tell(self, callback: Callable[..., object] | None, *what: object) -> None:
        if callback is not None:
            try:
                callback(*what)
            except Exception:
                log.exception("a callback of the outbox broke")

    async def _show(self, chat: Chat, slot: Slot, plan: Plan) -> None:
        before = slot.shown
        result = await self._made(chat, slot, self._change(chat, before, plan))
        slot.flying = False
        if slot.chat_id != chat.chat_id and not isinstance(result, Fault):  # the group moved away meanwhile
            self._refresh(slot)
            return
        if isinstance(result, Fault):
            if result.trouble is not Trouble.UNCHANGED or before is None:
                if plan.ring and not slot.ring and slot.wanted is not None and slot.wanted is not plan.wanted:
                    slot.wanted = replace(slot.wanted, silent=plan.message.silent)
                slot.ring = slot.ring or plan.ring
                self._show_failed(chat, slot, plan, result)
                return
            known = plan.message.picture is not None and plan.message.picture.digest == before.picture
            result = before.after(plan.message, before.file_id if known else None)
        slot.shown, slot.changed = result, self._clock.time()
        if slot.wanted is plan.wanted:
            slot.wanted = slot.drawing = None
        if plan.wanted is None:
            slot.last_words = None
        if result.picture and result.file_id:
            self._pictures.learn(result.picture, result.file_id)
        copy = before if before is not None and before.message_id != result.message_id else None
        self._queues.leave(slot)
        self._refresh(slot)
        if copy is not None:
            self._sweep(copy, doomed_row(copy.chat_id, copy.message_id) if slot.end is None else None)
        if slot.end is None and slot.key is not None:
            if before is None or copy is not None:
                await self._memory.save(slot.key, result, copy)
            else:
                self._memory.edited(slot.key, result)

    async def _change(self, chat: Chat, shown: Shown | None, plan: Plan) -> Shown:
        """The call itself. Returns what is shown after it."""
        message = plan.message
        if shown is None or plan.change is Change.SEND:
            message_id, file_id = await self._calls.send(message, plan.file, chat.thread(message.thread_id))
            fresh = Shown(message.chat_id, message_id, "", "", None, None, self._clock.now())
            return fresh.after(message, file_id)
        if plan.change is Change.PHOTO and plan.file is not None:
            file_id = await self._calls.edit_photo(shown.message_id, message, plan.file)
            return shown.after(message, file_id)
        if plan.change is Change.WORDS:
            photo = shown.picture is not None
            await self._calls.edit_words(shown.chat_id, shown.message_id, message.text, message.keyboard, photo)
            return replace(shown, text=fingerprint(message.text), keyboard=fingerprint(message.keyboard), sure=True)
        await self._calls.edit_keyboard(shown.chat_id, shown.message_id, message.keyboard)
        return replace(shown, keyboard=fingerprint(message.keyboard), sure=True)

    def _show_failed(self, chat: Chat, slot: Slot, plan: Plan, fault: Fault) -> None:
        """What a failed call means for its slot: it stays pending as it is, or is helped, or gives this state up."""
        if self._chat_is_lost(chat, fault):
            return
        give_up = fault.trouble is Trouble.REFUSED
        editing = plan.change is not Change.SEND
        match fault.trouble:
            case Trouble.NETWORK:
                give_up = fault.perhaps and slot.end is End.ONCE and slot.priority >= Priority.CHATTER
                if slot.shown is not None and editing:
                    slot.shown = replace(slot.shown, sure=False)
                    if slot.end is None and slot.key is not None:
                        self._memory.edited(slot.key, slot.shown)
            case Trouble.GONE | Trouble.FIXED | Trouble.THREAD if editing:
                if fault.trouble is not Trouble.GONE and slot.shown is not None:
                    self._sweep(slot.shown, None)
                slot.shown = None
                give_up = slot.end is not None
            case Trouble.THREAD:
                give_up = not self._thread_is_lost(chat, plan.message.thread_id)
                if give_up:
                    # General itself is closed; other topics may be open.
                    self._tell(self.on_thread_lost, chat.chat_id, None)
            case Trouble.FILE if isinstance(plan.file, str) and plan.message.picture is not None:
                self._pictures.unlearn(plan.message.picture.digest)
            case Trouble.NO_FILES if plan.message.picture is not None:
                slot.undrawable, slot.drawing = plan.message.picture.digest, None
            case Trouble.NO_PHOTOS:
                give_up = plan.message.picture is None
            case Trouble.FLOOD:
                pass
            case _:
                give_up = True
        if give_up:
            if slot.wanted is plan.wanted:
                slot.wanted = None
            slot.ring = False
            slot.last_words = None
            if slot.end is End.CLOSED and slot.wanted is None:
                slot.shown = None
        self._refresh(slot)

    async def _delete(self, chat: Chat, sweep: Sweep) -> None:
        if sweep.receiver is not None:
            call = self._calls.ephemeral.delete(sweep.chat_id, sweep.receiver, -sweep.message_id)
        elif sweep.strip:
            call = self._calls.edit_keyboard(sweep.chat_id, sweep.message_id, ())
        else:
            call = self._calls.delete(sweep.chat_id, sweep.message_id)
        fault = await self._made(chat, sweep, call)
        if isinstance(fault, Fault):
            if self._chat_is_lost(chat, fault) or fault.trouble in (Trouble.FLOOD, Trouble.NETWORK):
                return
            if fault.trouble is Trouble.FIXED and not sweep.strip and sweep.receiver is None:
                sweep.strip = True
                return
        self._queues.leave(sweep)
        row = sweep.row
        if row is not None:
            await self._memory.forget(row, lambda: self._stands(row))

    async def _throw(self, chat: Chat, throw: Throw) -> None:
        if throw.value.done():  # whoever waited for it has gone
            self._budgets.end(throw.chat_id, self._clock.time())
            self._queues.leave(throw)
            return
        thread = chat.thread(throw.thread_id)
        result: int | tuple[int, str | None] | Fault
        if throw.first is not None:
            result = await self._made(chat, throw, self._calls.send(self._redirected(throw.first), None, thread))
            if not isinstance(result, Fault):
                throw.first = None
                return
        else:
            result = await self._made(chat, throw, self._calls.dice(throw.chat_id, thread))
        if isinstance(result, Fault):
            if self._chat_is_lost(chat, result) or result.trouble in (Trouble.FLOOD, Trouble.NETWORK):
                return
            if result.trouble is Trouble.THREAD and self._thread_is_lost(chat, throw.thread_id):
                return
        self._queues.leave(throw)
        _fell(throw, result if isinstance(result, int) else None)


def _may_be_refused(job: Job) -> bool:
    """Dice may be forbidden in a group; ephemeral messages go as their reader likes, and not every bot may send one."""
    return isinstance(job, Throw | Ephemeral) or (isinstance(job, Sweep) and job.receiver is not None)


def _fell(throw: Throw, value: int | None) -> None:
    if not throw.value.done():
        throw.value.set_result(value)
