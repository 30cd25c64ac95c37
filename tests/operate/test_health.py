"""Health: it fails when updates stall, when the webhook does not deliver, when the store keeps nothing; and asks of
neither more than it must."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from telegram import WebhookInfo
from telegram.error import TimedOut

from data.errors import StoreUnwritable
from operate.health import Health
from operate.metrics import Metrics

HOOK = "https://bot.example.org/hook"


class Scene:
    """A store, a bot and a clock, each as a test wants it."""

    def __init__(self, hook: str | None = None) -> None:
        self.time = 1_000.0
        self.metrics = Metrics(lambda: self.time)
        self.fails: Exception | None = None
        self.probes = 0
        self.asked = 0
        self.info: WebhookInfo | Exception = told(HOOK, 0)
        store: Any = SimpleNamespace(probe=self._probe)
        bot: Any = SimpleNamespace(get_webhook_info=self._info)
        self.health = Health(store, self.metrics, bot, hook)

    async def _probe(self) -> None:
        self.probes += 1
        if self.fails is not None:
            raise self.fails

    async def _info(self) -> WebhookInfo:
        self.asked += 1
        if isinstance(self.info, Exception):
            raise self.info
        return self.info

    async def after(self, seconds: float) -> list[str]:
        self.time += seconds
        return await self.health.troubles()


def told(url: str, pending: int) -> WebhookInfo:
    return WebhookInfo(url, False, pending, datetime.now(UTC), "Connection refused")


async def test_polls_that_stop_being_answered_are_a_stall_until_one_is() -> None:
    scene = Scene()
    assert await scene.after(10) == []
    assert await scene.after(90) == ["Telegram has not answered getUpdates for 100 s"]
    scene.metrics.called("getUpdates", 409, 0.1, None)
    scene.metrics.called("sendMessage", 200, 0.1, None)
    assert await scene.after(6) == ["Telegram has not answered getUpdates for 106 s"]
    scene.metrics.called("getUpdates", 200, 10.0, None)
    assert await scene.after(6) == []


async def test_an_update_that_is_never_done_is_a_stall() -> None:
    scene = Scene()
    update, other = object(), object()
    scene.metrics.took_up(update)
    for _ in range(12):
        scene.metrics.called("getUpdates", 200, 10.0, None)
        scene.metrics.took_up(other)
        scene.metrics.put_down(other)
        found = await scene.after(10)
    assert found == ["an update has not been handled for 120 s"]
    scene.metrics.put_down(update)
    assert await scene.after(6) == []


async def test_a_store_that_cannot_be_written_is_told_and_asked_every_five_seconds_at_most() -> None:
    scene = Scene()
    scene.fails = StoreUnwritable("the disk is full; make room")
    for _ in range(10):
        assert await scene.after(0.1) == ["the disk is full; make room"]
    assert scene.probes == 1
    scene.fails = None
    assert await scene.after(5) == []


@pytest.mark.parametrize(
    ("info", "says"),
    [
        (told(HOOK, 0), None),
        (told(HOOK, 3), "Telegram cannot deliver 3 updates (Connection refused)"),
        (told("https://elsewhere.org/x", 0), "Telegram delivers updates to another address: does the bot run twice?"),
        (TimedOut(), "Telegram cannot be asked about the webhook (Timed out)"),
    ],
)
async def test_the_webhook_is_asked_about_once_a_minute(info: WebhookInfo | Exception, says: str | None) -> None:
    scene = Scene(HOOK)
    scene.info = info
    found = await scene.after(100)
    assert found == ([says] if says else [])
    for _ in range(5):
        assert await scene.after(6) == found
    assert scene.asked == 1
    # An update that has come in just now needs no other sign; what is wrong beside it stays wrong.
    scene.metrics.took_up(object())
    scene.info = told(HOOK, 3)
    assert await scene.after(40) == []
    assert scene.asked == 2
