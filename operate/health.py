"""Whether the bot is of use: updates come in and are handled, and the store keeps what it is given."""

from __future__ import annotations

import asyncio
from typing import Final

from telegram import Bot
from telegram.error import TelegramError

from data.errors import StoreError
from data.store import Store
from operate.metrics import Metrics

STALLED: Final = 90.0
"""Seconds without an answer to getUpdates, which comes every ten at the latest; or with an update that is not done."""
PATIENCE: Final = 5.0
"""Seconds that a write may take."""
KEPT: Final = 5.0
"""Seconds for which a finding holds, so that nobody can keep the disk busy by asking."""
HOOK_KEPT: Final = 60.0
"""The same for what Telegram says about the webhook."""


class Health:
    """``await troubles()`` says what is wrong. ``hook``: the webhook's address; None: long polling."""

    def __init__(self, store: Store, metrics: Metrics, bot: Bot, hook: str | None) -> None:
        self._store = store
        self._metrics = metrics
        self._bot = bot
        self._hook = hook
        self._looking = asyncio.Lock()
        self._found: list[str] = []
        self._until = 0.0
        self._hook_found: str | None = None
        self._hook_until = 0.0

    async def troubles(self) -> list[str]:
        """One line for each thing that is wrong; none: all is well."""
        async with self._looking:
            if self._metrics.now() >= self._until:
                found = [await self._store_trouble(), self._update_trouble(), await self._hook_trouble()]
                self._found = [line for line in found if line is not None]
                self._until = self._metrics.now() + KEPT
            return self._found

    async def _store_trouble(self) -> str | None:
        try:
            async with asyncio.timeout(PATIENCE):
                await self._store.probe()
        except StoreError as error:
            return str(error)
        except TimeoutError:
            return f"the database has not kept anything for {PATIENCE:.0f} s"
        return None

    def _update_trouble(self) -> str | None:
        metrics = self._metrics
        if metrics.oldest_update > STALLED:
            return f"an update has not been handled for {metrics.oldest_update:.0f} s"
        silent = metrics.now() - metrics.last_poll
        if self._hook is None and silent > STALLED:
            return f"Telegram has not answered getUpdates for {silent:.0f} s"
        return None

    async def _hook_trouble(self) -> str | None:
        """What keeps updates from coming by webhook, as far as Telegram knows."""
        metrics = self._metrics
        if self._hook is None or metrics.now() < self._hook_until:
            return self._hook_found
        try:
            info = await self._bot.get_webhook_info()
        except TelegramError as error:
            self._hook_found = f"Telegram cannot be asked about the webhook ({error})"
        else:
            if info.url != self._hook:
                self._hook_found = "Telegram delivers updates to another address: does the bot run twice?"
            elif info.pending_update_count and metrics.now() - metrics.last_update > STALLED:
                reason = info.last_error_message or "no reason given"
                self._hook_found = f"Telegram cannot deliver {info.pending_update_count} updates ({reason})"
            else:
                self._hook_found = None
        self._hook_until = metrics.now() + HOOK_KEPT
        return self._hook_found
