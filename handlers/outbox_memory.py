"""The outbox's memory across restarts: which messages live, what they show, and what the budgets have seen.

A message is remembered as soon as its call is answered. Killed in between, the bot does not know of it: after the
restart it is sent a second time (its buttons work all the same, since callback data names what it acts on), and the
first copy goes when somebody presses it.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from datetime import UTC

from data.model import Sent
from handlers.budgets import Budgets
from handlers.clock import Clock
from handlers.outbox_jobs import Shown
from handlers.outbox_messages import SentStore

log = logging.getLogger(__name__)

# Rows of messages that are to be deleted; no key of a living message begins like this.
DOOMED = "~"


def doomed_row(chat_id: int, message_id: int) -> str:
    """The key under which a message to be deleted is remembered."""
    return f"{DOOMED}{chat_id}:{message_id}"


class Memory:
    """Reads and writes `Sent` rows, one transaction after another. A store that cannot be written is logged, and
    does not stop the sending.

    `Sent.digest` holds JSON: fingerprints of text and keyboard, and when (UTC, seconds) the chat's calls that still
    count were made, so that a restart does not overdraw the budgets.
    """

    def __init__(self, store: SentStore, clock: Clock, budgets: Budgets) -> None:
        self._store = store
        self._clock = clock
        self._budgets = budgets
        self._turn = asyncio.Lock()

    def _row(self, key: str, shown: Shown) -> Sent:
        epoch = self._clock.now().timestamp() - self._clock.time()
        calls = [round(epoch + stamp, 2) for stamp in self._budgets.chat(shown.chat_id).stamps(self._clock.time())]
        digest = json.dumps({"text": shown.text, "keys": shown.keyboard, "calls": calls}, separators=(",", ":"))
        return Sent(
            key=key,
            chat_id=shown.chat_id,
            message_id=shown.message_id,
            digest=digest,
            sent_at=shown.sent_at,
            picture=shown.picture,
            file_id=shown.file_id,
        )

    async def load(self) -> dict[str, Shown]:
        """All that is remembered, by key. The budgets are told of the calls made before."""
        shown: dict[str, Shown] = {}
        latest: dict[int, list[float]] = {}
        for sent in await self._store.sent_messages():
            text, keys = "?", "?"  # matches nothing: brought up to date by the next want
            try:
                state = json.loads(sent.digest)
                text, keys = str(state["text"]), str(state["keys"])
                calls = [float(stamp) for stamp in state["calls"]]
            except (ValueError, KeyError, TypeError):
                log.warning("unreadable memory of message %s", sent.key)
                calls = []
            # The row written last tells of all calls to its chat that still counted then.
            latest[sent.chat_id] = max(latest.get(sent.chat_id, []), calls, key=lambda stamps: max(stamps, default=0.0))
            sent_at = sent.sent_at if sent.sent_at.tzinfo else sent.sent_at.replace(tzinfo=UTC)
            shown[sent.key] = Shown(sent.chat_id, sent.message_id, text, keys, sent.picture, sent.file_id, sent_at)
        now = self._clock.time()
        epoch = self._clock.now().timestamp() - now
        for chat_id, calls in sorted(latest.items()):
            self._budgets.recall(chat_id, [min(stamp - epoch, now) for stamp in calls])
        return shown

    async def save(self, key: str, shown: Shown, doomed: Shown | None = None) -> None:
        """Remember what `key` shows now, and in the same transaction a copy to be deleted."""
        rows = [self._row(key, shown)]
        if doomed is not None:
            rows.append(self._row(doomed_row(doomed.chat_id, doomed.message_id), doomed))
        async with self._turn:
            try:
                await self._store.save_sent(*rows)
            except Exception:
                log.exception("message %s was sent and could not be remembered", key)

    async def forget(self, key: str, unless: Callable[[], bool] = lambda: False) -> None:
        """Forget `key`, unless it has come to stand for another message meanwhile."""
        async with self._turn:
            if unless():
                return
            try:
                await self._store.forget_sent(key)
            except Exception:
                log.exception("message %s could not be forgotten", key)
