"""For tests of the playground: clocks, and calls that are expected to succeed or to fail."""

from __future__ import annotations

import asyncio
import io
from datetime import UTC, datetime, timedelta
from typing import Any

from PIL import Image

from playground.files import Upload
from playground.world import World

START = datetime(2026, 9, 1, 12, 0, tzinfo=UTC)


class HandClock:
    """A clock that goes on when told."""

    def __init__(self) -> None:
        self.time = START

    def now(self) -> datetime:
        return self.time

    def advance(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)


class LoopClock:
    """A clock that goes with the running loop's time."""

    def now(self) -> datetime:
        return START + timedelta(seconds=asyncio.get_running_loop().time())


class Bench:
    """A world that checks its own answers, with short ways to call it."""

    def __init__(self, **options: Any) -> None:
        self.clock = HandClock()
        self.world = World(self.clock, check=True, **options)
        self.crowd = self.world.crowd
        self.ming, self.zhen, self.lin, self.hong = self.world.people
        self.group = next(chat.id for chat in self.world.chats.values() if not chat.private)

    def call(self, method: str, files: dict[str, Upload] | None = None, **params: Any) -> Any:
        """The result of a call that must succeed."""
        status, payload = self.world.call(self.world.token, method, params, files)
        assert status == 200, payload
        assert payload["ok"] is True
        return payload["result"]

    def refused(self, method: str, files: dict[str, Upload] | None = None, **params: Any) -> str:
        """The description of a call that must fail, with its code before it."""
        status, payload = self.world.call(self.world.token, method, params, files)
        assert not payload["ok"], payload
        assert status == payload["error_code"]
        return f"{status} {payload['description']}"

    def updates(self, **params: Any) -> list[dict[str, Any]]:
        """New updates, confirmed at once."""
        found: list[dict[str, Any]] = self.call("getUpdates", **params)
        if found:
            self.world.updates.confirm(found[-1]["update_id"] + 1, self.world.now())
        return found

    def texts(self, chat_id: int) -> list[str]:
        return [message.content.text for message in self.world.chats[chat_id].messages.values()]


def picture(width: int = 40, height: int = 30, form: str = "JPEG", colour: int = 0) -> Upload:
    """An image file of that size."""
    out = io.BytesIO()
    Image.new("RGB", (width, height), (colour, 80, 80)).save(out, form)
    return Upload(f"x.{form.lower()}", out.getvalue(), f"image/{form.lower()}")


def keyboard(*rows: list[tuple[str, str]]) -> dict[str, Any]:
    """An inline keyboard of (text, callback data)."""
    return {"inline_keyboard": [[{"text": text, "callback_data": data} for text, data in row] for row in rows]}
