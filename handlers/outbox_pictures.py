"""The pictures of the outbox: drawn beside the calls, at most once for what is sent, and uploaded at most once."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Coroutine

from handlers.outbox_jobs import Drawing, Pictured
from handlers.outbox_messages import Picture

log = logging.getLogger(__name__)

# A picture not drawn by then goes out in words.
DRAW_SECONDS = 20.0
# Pictures being drawn, or drawn and not sent yet: about as many as go out in a second; more would be out of date.
DRAWINGS = 30
# File ids remembered, by digest.
FILE_IDS = 5_000


class Pictures:
    """Finds, for a job whose turn it is, what to send as its picture.

    `spawn` runs the drawing beside everything else. `held(job)`: whether the job cannot be sent now, so that its
    drawing keeps nobody from theirs.
    """

    def __init__(self, spawn: Callable[[Coroutine[None, None, None]], None], held: Callable[[Pictured], bool]) -> None:
        self._spawn = spawn
        self._held = held
        self._file_ids: OrderedDict[str, str] = OrderedDict()
        self._drawings: dict[Pictured, Drawing] = {}

    def learn(self, digest: str, file_id: str) -> None:
        """The picture `digest` was uploaded, and is had by this file id."""
        self._file_ids[digest] = file_id
        self._file_ids.move_to_end(digest)
        if len(self._file_ids) > FILE_IDS:
            self._file_ids.popitem(last=False)

    def file_id(self, digest: str) -> str | None:
        """Telegram's id of the file, if it was uploaded before."""
        return self._file_ids.get(digest)

    def knows(self, digest: str) -> bool:
        """Whether the picture was uploaded before, as far as is remembered."""
        return digest in self._file_ids

    def unlearn(self, digest: str) -> None:
        """The file id of this picture is no good."""
        self._file_ids.pop(digest, None)

    def file(self, job: Pictured, picture: Picture) -> bytes | str | None:
        """File id or image; None while it is being drawn. If it cannot be drawn, `job.undrawable` is set to its
        digest."""
        file_id = self._file_ids.get(picture.digest)
        if file_id is not None:
            return file_id
        drawing = job.drawing
        if drawing is None:
            self._draw(job, picture)
        elif drawing.failed:
            job.undrawable, job.drawing = drawing.digest, None
        else:
            return drawing.image
        return None

    def _draw(self, job: Pictured, picture: Picture) -> None:
        for other in [other for other, drawing in self._drawings.items() if other.drawing is not drawing]:
            del self._drawings[other]
        if sum(not self._held(other) for other in self._drawings) < DRAWINGS:
            job.drawing = self._drawings[job] = Drawing(picture.digest)
            self._spawn(self._drawn(picture, job.drawing))
        # else the next call or drawing that ends makes room

    async def _drawn(self, picture: Picture, drawing: Drawing) -> None:
        try:
            async with asyncio.timeout(DRAW_SECONDS):
                drawing.image = await picture.draw()
        except Exception:
            log.exception("a picture could not be drawn, and goes out in words")
            drawing.failed = True
