"""Virtual time: hours of play pass as fast as the program can run, and the same every time."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import looptime

T = TypeVar("T")


def run(story: Coroutine[Any, Any, T], limit: float = 1e7) -> T:
    """Runs a coroutine on a new virtual loop to its end; TimeoutError after `limit` virtual seconds.

    The loop jumps to the next timer as soon as nothing is left to do (`noop_cycles=0`; looptime by itself turns idly
    forty times before). So nothing in the story may wait for a thread, a process or a socket.
    """
    loop = looptime.new_event_loop(noop_cycles=0)
    try:
        return loop.run_until_complete(asyncio.wait_for(story, limit))
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()
