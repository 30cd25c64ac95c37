"""Webhooks: brings updates to the address that the bot has set, one at a time, until they are taken."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest

if TYPE_CHECKING:
    from playground.world import World

LOOK_AGAIN = 0.2
LONGEST_PAUSE = 30.0


class Courier:
    """Runs beside the server. An update counts as taken when the bot has answered with 2xx."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.client = AsyncHTTPClient(force_instance=True)
        self._pause = LOOK_AGAIN

    def close(self) -> None:
        """Deliver nothing more."""
        self.client.close()

    async def run_once(self) -> None:
        """Brings the oldest update, or waits a little."""
        world = self.world
        waiting = world.updates.look(1, world.now()) if world.webhook else []
        if waiting and await self._bring(waiting[0]):
            world.updates.confirm(waiting[0]["update_id"] + 1, world.now())
            self._pause = LOOK_AGAIN
            return
        self._pause = min(self._pause * 2, LONGEST_PAUSE) if waiting else LOOK_AGAIN
        await asyncio.sleep(self._pause)

    async def _bring(self, update: dict[str, object]) -> bool:
        hook = self.world.webhook
        headers = {"Content-Type": "application/json"}
        if hook.get("secret_token"):
            headers["X-Telegram-Bot-Api-Secret-Token"] = hook["secret_token"]
        request = HTTPRequest(
            hook["url"], "POST", headers, json.dumps(update).encode(), connect_timeout=5, request_timeout=20
        )
        try:
            await self.client.fetch(request)
        except HTTPClientError as error:
            reason = f"Wrong response from the webhook: {error.code} {error.message}"
        except (OSError, ValueError, RuntimeError) as error:
            reason = f"Connection failed: {error}"
        else:
            return True
        self.world.webhook_error = (self.world.date(), reason)
        return False
