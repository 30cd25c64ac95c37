"""Drawing off the event loop: a pool of warmed processes, or inline."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import sys
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.context import ForkServerContext, ForkServerProcess
from types import ModuleType
from typing import TypeVar

from mahjong.views import SheetView, View
from render.film import Moment, frame_of, gif_of, palette_of
from render.pictures import warm
from render.scenes import Kind, Scene, digest_of, scene_of
from render.words import Words
from render.worker import begin, work

log = logging.getLogger(__name__)

T = TypeVar("T")
CACHE_BYTES = 24 * 1024 * 1024
ATTEMPTS = 3


class _Process(ForkServerProcess):
    """A process that does not load the program that began it, as it otherwise would: it needs nothing of it."""

    def start(self) -> None:
        program = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            super().start()
        finally:
            sys.modules["__main__"] = program


class _Context(ForkServerContext):
    Process = _Process


class Renderer:
    """Draws pictures in ``processes`` worker processes, or in the caller's own process if 0.

    Equal pictures are drawn once: those asked for at the same time share the work, and the latest are kept
    (``CACHE_BYTES`` in all). The bytes are the same whichever way they are drawn.
    """

    def __init__(self, processes: int = 0) -> None:
        self._processes = processes
        self._pool: ProcessPoolExecutor | None = None
        self._cache: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0
        self._running: dict[str, asyncio.Future[bytes]] = {}
        self._filming = asyncio.Lock()

    @staticmethod
    def digest(kind: Kind, view: View | SheetView | None, words: Words) -> str:
        """What makes the picture what it is: equal digests, equal bytes. Draws nothing; under 1 ms."""
        return digest_of(kind, scene_of(kind, view), words)

    @property
    def pending(self) -> int:
        """How many pictures are being drawn, or wait for it; those drawn inline never wait."""
        return len(self._running)

    async def start(self) -> None:
        """Make the processes and load tiles and fonts in each (about a second); inline, in this process.

        Need not be called: the first picture then waits instead.
        """
        if not self._processes:
            warm()
            return
        pool = self._running_pool()
        loop = asyncio.get_running_loop()
        await asyncio.gather(*(loop.run_in_executor(pool, warm) for _ in range(self._processes)))

    async def picture(self, kind: Kind, view: View | SheetView | None, words: Words) -> bytes:
        """The picture as JPEG bytes. ``kind``: ``hand`` and ``table`` of a ``View``, ``sheet`` of a ``SheetView``,
        ``lobby``, ``ranking``, ``diagram`` and ``pays`` of None, ``profile`` of the best hand's sheet or None.

        Raises ``ValueError`` if kind, view and words do not go together. A process that dies is replaced and the
        picture drawn again; if that fails time after time it is drawn inline.
        """
        scene = scene_of(kind, view)
        key = digest_of(kind, scene, words)
        known = self._cache.get(key)
        if known is not None:
            self._cache.move_to_end(key)
            return known
        if not self._processes:
            return self._keep(key, work(kind, scene, words))
        running = self._running.get(key)
        if running is None:
            running = asyncio.ensure_future(self._draw_elsewhere(key, kind, scene, words))
            self._running[key] = running
            running.add_done_callback(lambda _: self._running.pop(key, None))
        # One who gives up waiting must not take the picture from the others.
        return await asyncio.shield(running)

    @staticmethod
    def film_digest(views: Sequence[View | SheetView], words: Sequence[Words], seconds: Sequence[float]) -> str:
        """What makes a film what it is, as ``digest`` does of a picture."""
        frames = [digest_of(*_moment(view, said)) for view, said in zip(views, words, strict=True)]
        return hashlib.sha256(repr((frames, tuple(seconds))).encode()).hexdigest()

    async def film(self, views: Sequence[View | SheetView], words: Sequence[Words], seconds: Sequence[float]) -> bytes:
        """Moments of a finished hand (pictures of the kind ``replay``, or its ``sheet``) as a GIF; ``seconds``: for
        each, how long.

        One film at a time, frame by frame, so that the pictures of the tables come between. Not kept.
        """
        moments = [_moment(view, said) for view, said in zip(views, words, strict=True)]
        async with self._filming:
            palette, size = await self._elsewhere(palette_of, [moments[0], *moments[1:][-2:]])
            frames = [await self._elsewhere(frame_of, moment, palette, size) for moment in moments]
            if not self._processes:
                # Putting them together draws nothing, and may well be done beside the rest.
                return await asyncio.to_thread(gif_of, frames, palette, seconds)
            return await self._elsewhere(gif_of, frames, palette, seconds)

    async def _elsewhere(self, work: Callable[..., T], *given: object) -> T:
        """Do a part of a film in a drawing process; inline, or if they die time after time, here."""
        for _ in range(ATTEMPTS if self._processes else 0):
            pool = self._running_pool()
            try:
                return await asyncio.get_running_loop().run_in_executor(pool, work, *given)
            except BrokenProcessPool:
                self._discard(pool)
        await asyncio.sleep(0)
        return work(*given)

    def close(self) -> None:
        """Stop the processes; pictures being drawn are dropped. The renderer can be used again afterwards."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=True, cancel_futures=True)

    async def _draw_elsewhere(self, key: str, kind: Kind, scene: Scene, words: Words) -> bytes:
        loop = asyncio.get_running_loop()
        for _ in range(ATTEMPTS):
            pool = self._running_pool()
            try:
                return self._keep(key, await loop.run_in_executor(pool, work, kind, scene, words))
            except BrokenProcessPool:
                log.warning("a drawing process died; making new ones")
                self._discard(pool)
        log.error("drawing processes die time after time; drawing inline")
        return self._keep(key, work(kind, scene, words))

    def _running_pool(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = _Context()
            # The server loads tiles and fonts once and each process begins as a copy of it, sharing its memory.
            context.set_forkserver_preload(["render.warmed"])
            self._pool = ProcessPoolExecutor(self._processes, mp_context=context, initializer=begin)
        return self._pool

    def _discard(self, pool: ProcessPoolExecutor) -> None:
        if self._pool is pool:
            self._pool = None
        pool.shutdown(wait=False, cancel_futures=True)

    def _keep(self, key: str, picture: bytes) -> bytes:
        self._cache[key] = picture
        self._size += len(picture)
        while self._size > CACHE_BYTES and len(self._cache) > 1:
            self._size -= len(self._cache.popitem(last=False)[1])
        return picture


def _moment(view: View | SheetView, words: Words) -> Moment:
    kind: Kind = "sheet" if isinstance(view, SheetView) else "replay"
    return kind, scene_of(kind, view), words
