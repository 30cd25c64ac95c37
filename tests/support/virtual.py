"""Virtual time: hours of play pass as fast as the program can run, and the same every time.

A `Life` is one run of the bot within a loop: everything started in it is counted, step by step, and can be killed
between any two steps.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from contextvars import Context, ContextVar, copy_context
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

T = TypeVar("T")


class Stuck(Exception):
    """Everything waits, and there is no timer left that could end it."""


class _Jumps(selectors.SelectSelector):
    """Waits for no file: time jumps to the next timer instead."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise Stuck
        if timeout > 0:
            self.now += timeout
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time begins at 0 and jumps to the next timer as soon as nothing is left to do.

    So nothing in it may wait for a thread, a process or a socket. `steps`: callbacks run so far.
    """

    def __init__(self) -> None:
        self._jumps = _Jumps()
        super().__init__(self._jumps)
        self.steps = 0
        self._tasks = 0
        self.set_task_factory(_make_task)

    def time(self) -> float:
        return self._jumps.now

    def call_soon(self, callback: Callable[..., object], *args: Any, context: Context | None = None) -> asyncio.Handle:
        life = _LIFE.get() if context is None else context.get(_LIFE)
        if life is None:
            return super().call_soon(callback, *args, context=context)
        return super().call_soon(life.step, callback, args, context=context)

    def call_at(
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        life = _LIFE.get() if context is None else context.get(_LIFE)
        if life is None:
            return super().call_at(when, callback, *args, context=context)
        return super().call_at(when, life.due, callback, args, context=context)

    def next_task(self) -> str:
        """A name for a task: in the order in which they are made, also as text."""
        self._tasks += 1
        return f"task {self._tasks:09d}"


_LIFE: ContextVar[Life | None] = ContextVar("life", default=None)


def living() -> Life | None:
    """The life whose code runs now; None outside the bot."""
    return _LIFE.get()


class Life:
    """One run of the bot. `steps` counts its callbacks; `dead` once it was killed.

    A kill is like SIGKILL: nothing of the bot has any effect any more. Its coroutines are unwound all the same, so
    that nothing is left over; whatever leads out of the bot (store, network) must ask `dead` and do nothing.
    """

    def __init__(self) -> None:
        self.steps = 0
        self.dead = False
        self.on_death: Callable[[], object] | None = None
        self.tasks: WeakKeyDictionary[asyncio.Task[Any], int] = WeakKeyDictionary()
        self._strike: int | None = None
        self._context = copy_context()
        self._context.run(_LIFE.set, self)

    def begin(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run something as a part of this life."""
        return self._context.run(asyncio.get_running_loop().create_task, work)

    def strike_in(self, steps: int) -> None:
        """Be killed before the step that comes after so many more."""
        self._strike = self.steps + steps

    def kill(self) -> None:
        """Die at once."""
        if self.dead:
            return
        self.dead = True
        for task in sorted(self.tasks, key=self.tasks.__getitem__):
            task.cancel()
        if self.on_death is not None:
            self.on_death()

    async def unwound(self) -> None:
        """Wait until nothing of a life that was killed runs any more."""
        while left := [task for task in sorted(self.tasks, key=self.tasks.__getitem__) if not task.done()]:
            for task in left:
                task.cancel()
            await asyncio.wait(left, timeout=1)

    def step(self, callback: Callable[..., object], args: tuple[Any, ...]) -> None:
        """What the loop calls in place of each callback of this life."""
        self.steps += 1
        if self._strike is not None and self.steps > self._strike:
            self._strike = None
            self.kill()
        callback(*args)

    def due(self, callback: Callable[..., object], args: tuple[Any, ...]) -> None:
        """What the loop calls in place of each timer of this life."""
        if not self.dead:
            self.step(callback, args)


def _make_task(
    loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, T], context: Context | None = None
) -> asyncio.Task[T]:
    assert isinstance(loop, VirtualLoop)
    life = _LIFE.get() if context is None else context.get(_LIFE)
    task = asyncio.Task(work, loop=loop, name=loop.next_task(), context=context)
    if life is not None:
        life.tasks[task] = loop._tasks
        if life.dead:
            task.cancel()
    return task


def run(story: Coroutine[Any, Any, T], limit: float = 1e7) -> T:
    """Run a coroutine on a new virtual loop to its end, and tidy up what it leaves behind; TimeoutError after `limit`
    virtual seconds, `Stuck` if nothing can ever happen any more."""
    loop = VirtualLoop()
    try:
        return loop.run_until_complete(asyncio.wait_for(story, limit))
    finally:
        loop.run_until_complete(_cancel_the_rest())
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


async def _cancel_the_rest() -> None:
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in sorted(left, key=asyncio.Task.get_name):
        task.cancel()
    if left:
        await asyncio.wait(left, timeout=10)
