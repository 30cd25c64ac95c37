"""Messages in a group that one person sees, and how they never come to be seen by others.

A server that does not know `ephemeral_message_parameters` ignores them, and answers as if all were well, with a message
for everybody (Bot API 10.2 did, which had the methods but other parameters). So nothing that is not for all eyes is
sent before the server has proved itself:

1. It is asked for `deleteEphemeralMessage` with nothing to delete. A server older than 10.2 answers 404.
2. A *cover* is sent in place of the message: a picture that everybody knows. If the answer says that it is ephemeral,
   it is edited into the real one, and the server is trusted from then on. If not, it is deleted at once.

After any failure of the network, behind which may be another server, the proof is made again. A message that turns
out to be public in spite of all is deleted at once, ahead of the budgets, and no more are sent.

They are counted in the group's budget, since the Bot API does not say otherwise. Whoever pressed waits for an answer:
what cannot go out within a few seconds does not go out.
"""

from __future__ import annotations

import asyncio
import enum
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any

from telegram import InputFile

from handlers.budgets import Budgets
from handlers.clock import Clock
from handlers.newer_calls import SentEphemeral
from handlers.outbox_calls import Calls, Fault, Trouble, upload
from handlers.outbox_jobs import Chat, Pictured, Shown
from handlers.outbox_memory import Memory, doomed_row
from handlers.outbox_messages import Asked, Message, Picture, Priority
from handlers.outbox_pictures import Pictures
from handlers.outbox_queues import Queues, Work

log = logging.getLogger(__name__)

# A chat in which the bot may send none unasked is not tried again for so long.
ONLY_ASKED_SECONDS = 600.0
# The same one is not sent anew sooner, however often it is asked for.
AGAIN_SECONDS = 30.0
NOT_ADMIN = "bot_not_admin"


class Server(enum.Enum):
    """What is known of the server."""

    UNKNOWN = enum.auto()
    ASKED = enum.auto()
    """It has the methods; what it makes of the parameter is not known."""
    TRUSTED = enum.auto()
    OLDER = enum.auto()


Done = Callable[[bool], object]


class Ephemeral(Pictured):
    """An ephemeral message on its way. `until`: loop time after which it is of no use; `done`: told whether it is
    shown."""

    __slots__ = (
        "asked",
        "cover",
        "done",
        "dropped",
        "flying",
        "key",
        "lasting",
        "message",
        "receiver",
        "timer",
        "until",
    )

    def __init__(self, key: str, message: Message, receiver: int, cover: Message | None, asked: Asked) -> None:
        super().__init__(message.chat_id, Priority.PROMPT)
        self.key = key
        self.message = message
        self.receiver = receiver
        self.cover = cover
        self.asked = asked
        self.done: list[Done] = []
        self.until = 0.0
        self.lasting = 0.0
        self.timer: asyncio.TimerHandle | None = None
        self.flying = False
        self.dropped = False


@dataclass(slots=True)
class Alive:
    """One that stands in a chat. `message`: what it shows; `at`: loop time at which it came to show it."""

    shown: Shown
    message: Message
    at: float
    timer: asyncio.TimerHandle | None = None

    @property
    def row(self) -> str:
        """The key under which it is remembered, to be deleted after a restart."""
        return doomed_row(self.shown.chat_id, self.shown.message_id)

    def end(self) -> None:
        """It lives no longer: its timer is stopped."""
        if self.timer is not None:
            self.timer.cancel()


class Ephemerals:
    """The ephemeral messages of all chats: one at most under a key.

    `made` makes a call and sees to the chat's peace; `lost` sees to a chat that is gone; `sweep` deletes a message.
    """

    def __init__(
        self,
        clock: Clock,
        budgets: Budgets,
        calls: Calls,
        queues: Queues,
        memory: Memory,
        pictures: Pictures,
        made: Callable[[Chat, Ephemeral, Coroutine[Any, Any, Any]], Awaitable[Any]],
        lost: Callable[[Chat, Fault], bool],
        sweep: Callable[[Shown, str | None], None],
    ) -> None:
        self._clock = clock
        self._budgets = budgets
        self._calls = calls
        self._queues = queues
        self._memory = memory
        self._pictures = pictures
        self._call = made
        self._lost = lost
        self._sweep = sweep
        self._server = Server.UNKNOWN
        self._asking = False
        self._jobs: dict[str, Ephemeral] = {}
        self._alive: dict[str, Alive] = {}
        self._only_asked: dict[int, float] = {}

    # What is wanted

    def want(self, job: Ephemeral, done: Done, *, within: float, lasting: float) -> None:
        """Show a message within so many seconds or not at all; it goes after `lasting` seconds.

        Under a key that is shown already it is edited; what looks the same, and has stood for a while, is sent anew,
        since whoever asks again has lost sight of it.
        """
        now = self._clock.time()
        pending = self._jobs.get(job.key)
        if pending is not None:
            # Pressed twice: both are answered when the first one is.
            pending.done.append(done)
            return
        unasked = job.asked == Asked() and self._only_asked.get(job.chat_id, 0.0) > now
        if self._server is Server.OLDER or unasked:
            done(False)
            return
        alive = self._alive.get(job.key)
        if alive is not None and alive.message == job.message:
            if now - alive.at < AGAIN_SECONDS:
                done(True)
                return
            self._put_away(job.key)
        job.done.append(done)
        job.until = now + within
        job.lasting = lasting
        job.timer = self._clock.after(within, partial(self._too_late, job))
        self._jobs[job.key] = job
        self._queues.join(job)

    def drop(self, key: str) -> None:
        """Delete the message, or do not send it."""
        job = self._jobs.get(key)
        if job is not None:
            job.dropped = True
            if job.flying:
                return
            self.give_up(job)
        self._put_away(key)

    def _put_away(self, key: str) -> None:
        alive = self._alive.pop(key, None)
        if alive is not None:
            alive.end()
            self._sweep(alive.shown, alive.row)

    def keys(self, prefix: str) -> list[str]:
        """The keys under which a message is shown or about to be."""
        return [key for key in dict.fromkeys([*self._alive, *self._jobs]) if key.startswith(prefix)]

    def give_up(self, job: Ephemeral) -> None:
        """It is not shown, and will not be."""
        self._end(job, shown=False)

    def leave_chat(self, chat_id: int) -> None:
        """What stands in a chat can no longer be reached (the group became another one, or is gone)."""
        for key in [key for key, alive in self._alive.items() if alive.shown.chat_id == chat_id]:
            alive = self._alive.pop(key)
            alive.end()
            self._queues.spawn(self._memory.forget(alive.row))

    def doubt(self) -> None:
        """The network failed: another server may be behind it."""
        if self._server is not Server.OLDER:
            self._server = Server.UNKNOWN

    def abort(self) -> None:
        """No timers any more."""
        for timer in [job.timer for job in self._jobs.values()]:
            if timer is not None:
                timer.cancel()
        for alive in self._alive.values():
            alive.end()

    # The next call

    def begin(self, chat: Chat, job: Ephemeral, now: float) -> Work | None:
        """The work of the call that comes next, None if there is none, or not yet."""
        if self._server is Server.OLDER or now >= job.until:
            self.give_up(job)
            return None
        message, file = job.message, None
        if message.picture is None:
            self._put_away(job.key)  # words are sent anew
        if job.cover is not None:
            if self._server is Server.UNKNOWN:
                self._ask_once()
                return None
            if self._server is not Server.TRUSTED and job.key not in self._alive:
                message = job.cover
        if message.picture is not None:
            file = self._file(job, message.picture)
            if file is None:
                return None
        job.flying = True
        return partial(self._show, chat, job, message, file)

    def _file(self, job: Ephemeral, picture: Picture) -> bytes | str | None:
        file = self._pictures.file(job, picture)
        if file is None and job.undrawable == picture.digest:
            self.give_up(job)
        return file

    def _ask_once(self) -> None:
        if not self._asking:
            self._asking = True
            self._queues.spawn(self._ask())

    async def _ask(self) -> None:
        """Ask the server; the call concerns no chat. Who waits is served when it ends, or given up."""
        self._budgets.overall.begin()
        result = await self._calls.attempt(self._calls.ephemeral.ask())
        self._budgets.overall.end(self._clock.time())
        self._asking = False
        trouble = result.trouble if isinstance(result, Fault) else None
        if trouble is Trouble.NO_METHOD:
            self._is_older()
        elif trouble not in (Trouble.NETWORK, Trouble.FLOOD):
            self._server = Server.ASKED
            return
        for job in [job for job in self._jobs.values() if job.cover is not None and not job.flying]:
            self.give_up(job)

    def _is_older(self) -> None:
        log.info("the Bot API server has no ephemeral messages; a hand in the group is told in words")
        self._server = Server.OLDER

    async def _show(self, chat: Chat, job: Ephemeral, message: Message, file: bytes | str | None) -> None:
        alive = self._alive.get(job.key)
        sent = await self._call(chat, job, self._next_call(chat, job, message, alive, file))
        job.flying = False
        if isinstance(sent, Fault):
            self._failed(chat, job, alive, message, file, sent)
            return
        if isinstance(sent, SentEphemeral):
            if sent.ephemeral_id is None:
                await self._is_public(chat, job, sent.message_id)
                return
            self._server = Server.TRUSTED
            alive = await self._remember(job, message, sent)
            if sent.file_id is not None and message.picture is not None:
                self._pictures.learn(message.picture.digest, sent.file_id)
        assert alive is not None
        job.drawing = None
        alive.message, alive.at = message, self._clock.time()
        if self._jobs.get(job.key) is not job:  # the chat was lost meanwhile
            self._put_away(job.key)
        elif job.dropped or message is job.message:
            self._end(job, shown=not job.dropped)

    def _next_call(
        self, chat: Chat, job: Ephemeral, message: Message, alive: Alive | None, file: bytes | str | None
    ) -> Coroutine[Any, Any, SentEphemeral | None]:
        calls = self._calls.ephemeral
        photo: InputFile | str | None = upload(file, attach=alive is not None) if isinstance(file, bytes) else file
        if alive is not None and photo is not None:
            return calls.edit_photo(chat.chat_id, job.receiver, -alive.shown.message_id, message.text, photo)
        return calls.send(message, photo, job.receiver, job.asked, chat.thread(message.thread_id))

    async def _remember(self, job: Ephemeral, message: Message, sent: SentEphemeral) -> Alive:
        """It stands in the chat; after a kill it is deleted, since nobody keeps it up to date then."""
        assert sent.ephemeral_id is not None
        number = -sent.ephemeral_id
        shown = Shown(job.chat_id, number, "", "", None, None, self._clock.now(), receiver=job.receiver)
        alive = self._alive[job.key] = Alive(shown, message, self._clock.time())
        alive.timer = self._clock.after(job.lasting, partial(self.drop, job.key))
        await self._memory.save(alive.row, shown)
        return alive

    async def _is_public(self, chat: Chat, job: Ephemeral, message_id: int) -> None:
        """It was sent for all to see: away with it, whatever the budgets say."""
        log.error("chat %d: an ephemeral message was sent as one for all; no more are sent", chat.chat_id)
        self._server = Server.OLDER
        self._budgets.begin(chat.chat_id)
        fault = await self._call(chat, job, self._calls.delete(chat.chat_id, message_id))
        if isinstance(fault, Fault):
            shown = Shown(chat.chat_id, message_id, "", "", None, None, self._clock.now())
            row = doomed_row(chat.chat_id, message_id)
            self._sweep(shown, row)
            await self._memory.save(row, shown)
        self.give_up(job)

    def _failed(
        self,
        chat: Chat,
        job: Ephemeral,
        alive: Alive | None,
        message: Message,
        file: bytes | str | None,
        fault: Fault,
    ) -> None:
        """What a failed call means for the job: it goes on in another way, or is given up."""
        if alive is not None and fault.trouble is Trouble.UNCHANGED:
            self._end(job, shown=True)
        elif fault.trouble is Trouble.FILE and isinstance(file, str) and message.picture is not None:
            self._pictures.unlearn(message.picture.digest)
        elif self._lost(chat, fault) or fault.trouble in (Trouble.NETWORK, Trouble.FLOOD):
            self.give_up(job)
        elif fault.trouble is Trouble.NO_METHOD:
            self._is_older()
            self.give_up(job)
        elif alive is not None:
            # Its reader has put it away, or it cannot be changed: another is sent in its place.
            self._put_away(job.key)
        else:
            if NOT_ADMIN in fault.reason.lower():
                self._only_asked[chat.chat_id] = self._clock.time() + ONLY_ASKED_SECONDS
            self.give_up(job)

    # The end

    def _too_late(self, job: Ephemeral) -> None:
        if not job.flying:
            self.give_up(job)
            return
        # Whoever pressed is answered now; what comes of the call under way is put away.
        job.dropped = True
        self._answer(job, shown=False)

    def _end(self, job: Ephemeral, *, shown: bool) -> None:
        if self._jobs.get(job.key) is not job:
            return
        del self._jobs[job.key]
        if job.timer is not None:
            job.timer.cancel()
        self._queues.leave(job)
        if job.dropped or not shown:
            self._put_away(job.key)
        self._answer(job, shown=shown and not job.dropped)

    def _answer(self, job: Ephemeral, *, shown: bool) -> None:
        waiting, job.done = job.done, []
        for done in waiting:
            try:
                done(shown)
            except Exception:
                log.exception("a callback of the outbox broke")
