"""How the outbox brings about what is wanted: which call each job needs, and what its answer or failure means.

`outbox.Outbox` is what tables see of it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import partial
from typing import TypeVar

from telegram import Bot

from handlers.about import ABOUT
from handlers.budgets import Budgets
from handlers.clock import Clock
from handlers.outbox_calls import Calls, Fault, Trouble
from handlers.outbox_ephemeral import Ephemeral, Ephemerals
from handlers.outbox_jobs import (
    DELETABLE,
    Change,
    Chat,
    End,
    Job,
    Pictured,
    Plan,
    Shown,
    Slot,
    Sweep,
    Throw,
    fingerprint,
)
from handlers.outbox_memory import Memory, doomed_row
from handlers.outbox_messages import Message, Priority, SentStore
from handlers.outbox_pictures import Pictures
from handlers.outbox_queues import Queues, Work
from handlers.outbox_slots import Slots
from handlers.outbox_voices import Voices

log = logging.getLogger(__name__)
T = TypeVar("T")


class Delivery:
    """Slots, queues, budgets and memory, and the calls that are made for them.

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
        self._voices = Voices(
            clock,
            self._budgets,
            self._calls,
            self._queues,
            self._memory,
            self._pictures,
            lost=self._chat_is_lost,
            sweep=self._sweep,
        )
        self._slots = Slots()
        self._moved: dict[int, int] = {}
        self._closing = False
        self._looked_through = 0.0

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
                self._slots.show(job, None)
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
        self._voices.leave_chat(old_chat_id)

    # Slots

    def _redirected(self, message: Message) -> Message:
        chat_id = self._moved.get(message.chat_id)
        return message if chat_id is None else replace(message, chat_id=chat_id)

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
        if now > slot.until:
            slot.wanted, slot.ring = None, False
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
        ABOUT.set(job.about)
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
                        self._slots.show(job, None)
                        self._finish(job)
                elif isinstance(job, Throw):
                    _fell(job, None)
                elif isinstance(job, Ephemeral):
                    self._ephemerals.give_up(job)
                elif isinstance(job, Sweep) and job.row is not None:
                    self._queues.spawn(self._memory.forget(job.row))
            self._ephemerals.leave_chat(chat.chat_id)
            self._voices.leave_chat(chat.chat_id)
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
        self._slots.show(slot, result)
        slot.changed = self._clock.time()
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
                    self._slots.show(slot, replace(slot.shown, sure=False))
                    if slot.end is None and slot.key is not None:
                        self._memory.edited(slot.key, slot.shown)
            case Trouble.GONE | Trouble.FIXED | Trouble.THREAD if editing:
                if fault.trouble is not Trouble.GONE and slot.shown is not None:
                    self._sweep(slot.shown, None)
                self._slots.show(slot, None)
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
                self._slots.show(slot, None)
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
