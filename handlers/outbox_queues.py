"""Which call goes next: the queues of all chats, within the budgets."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Callable, Coroutine

from handlers.budgets import INFINITY, Budgets
from handlers.clock import Clock
from handlers.outbox_jobs import Chat, Job
from handlers.outbox_messages import Priority

log = logging.getLogger(__name__)

# After so many calls, what is kept about chats that rest is let go.
HOUSEKEEPING = 1_000


Work = Callable[[], Coroutine[None, None, None]]
"""What is done when a job's turn comes: its call, and what follows from that."""


class Queues:
    """Chooses among the pending jobs of all chats.

    Of each chat at most one call is under way: its most urgent job first, among equals the oldest. Of the chats
    that may be called now the one with the most urgent job goes first, among equals the one served longest ago.
    Above 25 calls a second, what groups are not asked for (anything but prompts) waits.

    `begin(chat, job, now)` returns the call's work, or None if there is none to do yet.
    """

    def __init__(
        self,
        clock: Clock,
        budgets: Budgets,
        begin: Callable[[Chat, Job, float], Work | None],
    ) -> None:
        self.running = False
        self._clock = clock
        self._budgets = budgets
        self._begin = begin
        self._chats: dict[int, Chat] = {}
        self._waiting: dict[int, Chat] = {}
        self._serial = itertools.count(1)
        self._tasks: set[asyncio.Task[None]] = set()
        self._kicked: asyncio.Handle | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._due = INFINITY
        self._deadline = INFINITY
        self._idlers: list[asyncio.Future[None]] = []

    def chat(self, chat_id: int) -> Chat:
        """The queue of a chat, a new one if need be."""
        chat = self._chats.get(chat_id)
        if chat is None:
            chat = self._chats[chat_id] = Chat(chat_id)
        return chat

    @property
    def depth(self) -> int:
        """How many jobs are pending."""
        return sum(len(chat.jobs) for chat in self._waiting.values())

    @property
    def oldest(self) -> float:
        """For how many seconds the job has been pending that waits longest; 0: none does."""
        return max((self._clock.time() - job.since for job in self.all_jobs()), default=0.0)

    def join(self, job: Job) -> None:
        """Put a job at the end of its chat's queue, unless it is in it."""
        chat = self.chat(job.chat_id)
        if job not in chat.jobs:
            job.order = next(self._serial)
            job.since = self._clock.time()
            chat.jobs[job] = None
            self._waiting[chat.chat_id] = chat
        self.kick()

    def leave(self, job: Job) -> None:
        """Take a job out of its chat's queue, if it is in it."""
        chat = self.chat(job.chat_id)
        chat.jobs.pop(job, None)
        if not chat.jobs:
            self._waiting.pop(chat.chat_id, None)
        self.kick()

    def all_jobs(self) -> list[Job]:
        """Every pending job."""
        return [job for chat in self._waiting.values() for job in chat.jobs]

    def start(self) -> None:
        """Calls go out from now on."""
        self.running = True
        self.kick()

    def kick(self) -> None:
        """Something changed: choose again soon."""
        if self.running and self._kicked is None:
            self._kicked = asyncio.get_running_loop().call_soon(self._choose)

    def _choose(self) -> None:
        """Begin every call that may begin now; wake up when the next one may."""
        for handle in (self._timer, self._kicked):
            if handle is not None:
                handle.cancel()
        self._timer = self._kicked = None
        now = self._clock.time()
        due = now + self._budgets.overall.delay(now)
        if due <= now:
            due = INFINITY
            # Pictures may wait in hundreds of groups for quieter times: what holds for all of them is asked once.
            thin = self._budgets.thin_delay(now)
            ready: list[tuple[int, int, int, Chat, Job]] = []
            for chat in self._waiting.values():
                if chat.calling:
                    continue
                if chat.not_before > now:
                    due = min(due, chat.not_before)
                    continue
                job = chat.first(now)
                urgency = job.urgency(now)
                delay = thin if _may_wait(job, urgency) else 0.0
                delay = delay or self._budgets.chat(job.chat_id).delay(now)
                if delay > 0:
                    due = min(due, now + delay)
                else:
                    ready.append((urgency, chat.served, job.order, chat, job))
            ready.sort(key=lambda entry: entry[:3])
            for *_, chat, job in ready:
                delay = self._delay(job, now)  # the calls just begun count as well
                if delay > 0:
                    due = min(due, now + delay)
                    continue
                work = self._begin(chat, job, now)
                if work is not None:
                    chat.calling = True
                    chat.served = next(self._serial)
                    self._budgets.begin(job.chat_id)
                    self.spawn(self._run(chat, work))
        self._due = due
        if due < INFINITY:
            self._timer = self._clock.after(due - now, self._choose)
        self._wake_idlers()

    def _delay(self, job: Job, now: float) -> float:
        return self._budgets.delay(job.chat_id, now, thin=_may_wait(job, job.urgency(now)))

    async def _run(self, chat: Chat, work: Work) -> None:
        try:
            await work()
        finally:
            chat.calling = False
            if chat.served % HOUSEKEEPING == 0:
                self._keep_house()

    def _keep_house(self) -> None:
        now = self._clock.time()
        self._budgets.forget_idle(now)
        for chat in [chat for chat in self._chats.values() if chat.rests(now)]:
            del self._chats[chat.chat_id]

    def spawn(self, work: Coroutine[None, None, None]) -> None:
        """Run something beside the queues; `idle` waits for it too."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("the outbox stumbled", exc_info=task.exception())
        self.kick()
        self._wake_idlers()

    # The end

    def _settled(self) -> bool:
        if self._tasks or self._kicked is not None:
            return False
        return not self.running or not self._waiting or self._due > self._deadline

    def _wake_idlers(self) -> None:
        if self._idlers and self._settled():
            for waiter in self._idlers:
                if not waiter.done():
                    waiter.set_result(None)
            self._idlers.clear()

    async def idle(self) -> None:
        """Wait until nothing is pending."""
        while not self._settled():
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._idlers.append(waiter)
            await waiter

    async def stop(self, within: float) -> bool:
        """Go on for at most so many seconds, as long as there is something that can be done in them; then `abort`.

        Returns whether nothing was cut off in the middle.
        """
        self._deadline = self._clock.time() + within
        if self.running and within > 0:
            self.kick()
            try:
                async with asyncio.timeout(within):
                    await self.idle()
            except TimeoutError:
                log.warning("stopped in the middle of %d calls", len(self._tasks))
        tasks = list(self._tasks)
        self.abort()
        await asyncio.gather(*tasks, return_exceptions=True)
        return not tasks

    def abort(self) -> None:
        """Stop at once; calls under way are cancelled."""
        self.running = False
        for handle in (self._timer, self._kicked):
            if handle is not None:
                handle.cancel()
        self._timer = self._kicked = None
        for task in self._tasks:
            task.cancel()
        self._wake_idlers()


def _may_wait(job: Job, urgency: int) -> bool:
    """Whether it is what a group was not asked for: above 25 calls a second it waits."""
    return job.chat_id < 0 and urgency > Priority.PROMPT
