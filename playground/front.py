"""Where waiting happens, between callers and the synchronous World: long polls, late answers."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from playground.errors import ApiError
from playground.files import Upload
from playground.reading import read_float
from playground.world import Reply, World, failure

CONFLICT = "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"
LONGEST_POLL = 50.0
"""Seconds; Telegram cuts longer ones short."""


class Front:
    """Answers calls of one world. Works on any event loop's time, also a virtual one.

    ``waits``: for a bot that begins anew, as getMe shows; one that still remembers another world is not served.
    """

    def __init__(self, world: World, *, waits: bool = False) -> None:
        self.world = world
        self._waits = waits
        self._waiter: asyncio.Future[str] | None = None
        world.updates.on_new = self._new_update

    async def answer(
        self, token: str, method: str, params: Mapping[str, Any], files: Mapping[str, Upload | bytes] | None = None
    ) -> Reply:
        """The reply when it is due. ``lost`` replies are returned as well: the caller drops the connection."""
        self._waits = self._waits and method.lower() != "getme"
        if self._waits:
            return failure(ApiError(502, "Bad Gateway"))
        if method.lower() == "getupdates" and token == self.world.token:
            return await self._poll(params)
        reply = self.world.serve(token, method, params, files)
        if reply.delay:
            await asyncio.sleep(reply.delay)
        return reply

    def _new_update(self) -> None:
        self._wake("new")

    def _wake(self, why: str) -> None:
        if self._waiter is not None:
            _end(self._waiter, why)

    def stop(self) -> None:
        """Ends a long poll at once, with nothing new: the world is closed."""
        self._wake("time")

    async def _poll(self, params: Mapping[str, Any]) -> Reply:
        world = self.world
        if self._waiter is not None:
            # Telegram ends the older poll, and its bot sees the conflict.
            self._wake("conflict")
        reply = world.serve(world.token, "getUpdates", params)
        timeout = _seconds(params.get("timeout"))
        if reply.status != 200 or reply.payload["result"] or timeout <= 0:
            return await self._late(reply)
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[str] = loop.create_future()
        self._waiter = waiter
        timer = loop.call_later(min(timeout, LONGEST_POLL), _end, waiter, "time")
        try:
            why = await waiter
        finally:
            timer.cancel()
            if self._waiter is waiter:
                self._waiter = None
        if why == "conflict":
            return failure(ApiError(409, CONFLICT))
        return await self._late(world.serve(world.token, "getUpdates", params))

    async def _late(self, reply: Reply) -> Reply:
        if reply.delay:
            await asyncio.sleep(reply.delay)
        return reply


def _end(waiter: asyncio.Future[str], why: str) -> None:
    if not waiter.done():
        waiter.set_result(why)


def _seconds(value: Any) -> float:
    try:
        return read_float(str(value or 0))
    except ValueError:
        return 0.0
