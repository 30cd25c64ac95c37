"""The outbox's memory across restarts: which messages live, what they show, and what the budgets have seen.

A new message is remembered as soon as its call is answered. Killed in between, the bot does not know of it: after the
restart it is sent a second time (its buttons work all the same, since callback data names what it acts on), and the
copy goes when somebody presses it.

Edits and the times of calls are written together once a second, so that they do not compete with the tables' journal
for the disk. After a kill (no `finish`) each message is edited once to make sure, and each chat is taken to have had as
many more calls as may have gone unwritten.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Coroutine, Iterable
from datetime import UTC

from data.model import Sent
from handlers.budgets import Budgets, Window
from handlers.clock import Clock
from handlers.outbox_jobs import Shown
from handlers.outbox_messages import SentStore

log = logging.getLogger(__name__)

# Keys of rows that are no living messages: one to be deleted; a file that Telegram keeps; the calls of a chat; the
# mark of an orderly end.
DOOMED = "~"
FILES = "$"
CALLS = "#"
FINISHED = "=finished"
# How long what can wait is gathered before it is written.
GATHER_SECONDS = 1.0


def doomed_row(chat_id: int, message_id: int) -> str:
    """The key under which a message to be deleted is remembered."""
    return f"{DOOMED}{chat_id}:{message_id}"


def _unwritten(window: Window) -> int:
    """Fewer calls than this may count in a window and not be written: two thirds of its limit, or little more than
    the burst of one that is spread, which is all that can be made before the next writing."""
    most = -(-window.limit.calls * 2 // 3)
    return most if window.limit.burst is None else min(most, window.limit.burst + 2)


class Memory:
    """Reads and writes `Sent` rows. A store that cannot be written is logged, and does not stop the sending.

    `Sent.digest` holds JSON: fingerprints of text and keyboard, whether they are sure, and for whose eyes alone an
    ephemeral message is; in a chat's row of calls,
    when those that still count were made (UTC, seconds). `spawn` runs what is written by and by.
    """

    def __init__(
        self,
        store: SentStore,
        clock: Clock,
        budgets: Budgets,
        spawn: Callable[[Coroutine[None, None, None]], None],
    ) -> None:
        self._store = store
        self._clock = clock
        self._budgets = budgets
        self._spawn = spawn
        self.files: dict[str, str] = {}
        """File ids of what was uploaded for good, by digest, as they were when the memory was loaded."""
        self._turn = asyncio.Lock()
        self._edited: dict[str, Shown] = {}
        self._called: dict[int, None] = {}
        self._strangers: set[int] = set()
        self._timer: asyncio.TimerHandle | None = None

    # Reading

    async def load(self) -> dict[str, Shown]:
        """The messages remembered, by key, doomed ones among them. The budgets are told of the calls made before, and
        `files` has what was uploaded."""
        rows = {row.key: row for row in await self._store.sent_messages()}
        finished = rows.pop(FINISHED, None) is not None
        calls = {key: rows.pop(key) for key in list(rows) if key.startswith(CALLS)}
        kept = [rows.pop(key) for key in list(rows) if key.startswith(FILES)]
        self.files = {row.picture: row.file_id for row in kept if row.picture is not None and row.file_id is not None}
        spent = {key for key, row in calls.items() if not self._recall(row)}
        if not finished:
            for chat_id in sorted({row.chat_id for row in (*rows.values(), *calls.values())}):
                window = self._budgets.chat(chat_id)
                window.recall([self._clock.time()] * (_unwritten(window) - 1))
        if spent or finished:
            await self._write([], [*sorted(spent), FINISHED])
        return {key: self._shown(row, finished) for key, row in rows.items()}

    def _shown(self, row: Sent, sure: bool) -> Shown:
        text = keys = ""
        receiver = None
        try:
            state = json.loads(row.digest)
            text, keys = str(state["text"]), str(state["keys"])
            sure = sure and bool(state["sure"])
            receiver = state.get("for")
        except (ValueError, KeyError, TypeError):
            log.warning("unreadable memory of message %s", row.key)
            sure = False
        sent_at = row.sent_at if row.sent_at.tzinfo else row.sent_at.replace(tzinfo=UTC)
        return Shown(row.chat_id, row.message_id, text, keys, row.picture, row.file_id, sent_at, sure, receiver)

    def _recall(self, row: Sent) -> bool:
        """Tell the budgets of a chat's calls. Whether any still counts."""
        now = self._clock.time()
        try:
            ended = [min(now, float(stamp) - self._epoch()) for stamp in json.loads(row.digest)]
        except (ValueError, TypeError):
            log.warning("unreadable memory of the calls to chat %d", row.chat_id)
            return False
        self._budgets.recall(row.chat_id, ended)
        return self._budgets.chat(row.chat_id).used(now) > 0

    def _epoch(self) -> float:
        return self._clock.now().timestamp() - self._clock.time()

    # Writing

    async def save(self, key: str, shown: Shown, doomed: Shown | None = None) -> None:
        """Remember a new message at once, and in the same transaction a copy to be deleted."""
        if shown.chat_id in self._strangers:
            return
        self._edited[key] = shown
        if doomed is not None:
            self._edited[doomed_row(doomed.chat_id, doomed.message_id)] = doomed
        await self.flush()

    async def save_file(self, digest: str, file_id: str) -> None:
        """Remember for good by which id a file is had."""
        now = self._clock.now()
        row = Sent(FILES + digest, 0, 0, "", now, picture=digest, file_id=file_id)
        async with self._turn:
            await self._write([row], [])

    async def forget_file(self, digest: str) -> None:
        """A file's id is no good."""
        async with self._turn:
            await self._write([], [FILES + digest])

    def edited(self, key: str, shown: Shown) -> None:
        """Remember an edit, by and by."""
        if shown.chat_id not in self._strangers:
            self._edited[key] = shown
            self._soon()

    def called(self, chat_id: int) -> None:
        """Remember, by and by, that a call to this chat was made."""
        if chat_id not in self._strangers:
            self._called[chat_id] = None
            self._soon()

    def presses(self, chat_id: int) -> bool:
        """Whether so many calls to this chat count that the next ones must be written at once (see `load`)."""
        window = self._budgets.chat(chat_id)
        return chat_id in self._called and window.used(self._clock.time()) >= _unwritten(window)

    def _soon(self) -> None:
        if self._timer is None:
            self._timer = self._clock.after(GATHER_SECONDS, lambda: self._spawn(self.flush()))

    async def flush(self) -> None:
        """Write what has gathered."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        async with self._turn:
            rows = [self._row(key, shown) for key, shown in self._edited.items()]
            rows += [self._calls_row(chat_id) for chat_id in self._called]
            self._edited.clear()
            self._called.clear()
            await self._write(rows, [])

    async def forget(self, key: str, unless: Callable[[], bool] = lambda: False) -> None:
        """Forget `key`, unless it has come to stand for another message meanwhile."""
        await self.forget_all([key], lambda _: unless())

    async def forget_all(self, keys: Iterable[str], unless: Callable[[str], bool]) -> None:
        """The same for many."""
        async with self._turn:
            gone = [key for key in keys if not unless(key)]
            for key in gone:
                self._edited.pop(key, None)
            await self._write([], gone)

    async def forget_chat(self, chat_id: int) -> None:
        """Write nothing of a chat any more, until it is `met` again; what is being written is written first."""
        self._strangers.add(chat_id)
        async with self._turn:
            self._called.pop(chat_id, None)
            for key in [key for key, shown in self._edited.items() if shown.chat_id == chat_id]:
                del self._edited[key]

    def met(self, chat_id: int) -> None:
        """Something new is wanted in a chat: it is remembered."""
        self._strangers.discard(chat_id)

    async def finish(self) -> None:
        """Write everything, and that all is written."""
        await self.flush()
        await self._write([Sent(key=FINISHED, chat_id=0, message_id=0, digest="", sent_at=self._clock.now())], [])

    def abort(self) -> None:
        """Write nothing more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._edited.clear()
        self._called.clear()

    async def _write(self, rows: list[Sent], keys: list[str]) -> None:
        try:
            if rows:
                await self._store.save_sent(*rows)
            if keys:
                await self._store.forget_sent(*keys)
        except Exception:
            log.exception("what was sent could not be remembered")

    def _row(self, key: str, shown: Shown) -> Sent:
        state = {"text": shown.text, "keys": shown.keyboard, "sure": shown.sure}
        if shown.receiver is not None:
            state["for"] = shown.receiver
        return Sent(
            key=key,
            chat_id=shown.chat_id,
            message_id=shown.message_id,
            digest=json.dumps(state, separators=(",", ":")),
            sent_at=shown.sent_at,
            picture=shown.picture,
            file_id=shown.file_id,
        )

    def _calls_row(self, chat_id: int) -> Sent:
        epoch = self._epoch()
        stamps = [round(epoch + stamp, 2) for stamp in self._budgets.chat(chat_id).stamps(self._clock.time())]
        digest = json.dumps(stamps, separators=(",", ":"))
        return Sent(key=f"{CALLS}{chat_id}", chat_id=chat_id, message_id=0, digest=digest, sent_at=self._clock.now())
