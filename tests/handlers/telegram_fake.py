"""A small Bot API behind PTB's real `Bot`: chats, messages, dice, faults on demand, and a log of calls."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict, deque
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from telegram import Bot
from telegram.request import BaseRequest, RequestData

from data.model import Sent
from handlers.budgets import Budgets
from handlers.clock import Clock
from handlers.outbox import Button, Message, Outbox, Picture
from playground.schema import schema
from tests.support import calls

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
GROUP = -1001


@dataclass
class Call:
    """One call: when it arrived, what it was."""

    at: float
    method: str
    chat_id: int
    parameters: dict[str, Any]
    uploads: int
    status: int = 200


@dataclass
class Shown:
    """A message as the server has it."""

    text: str
    markup: Any
    photo: str | None
    silent: bool
    thread_id: int | None


@dataclass
class Telegram(BaseRequest):
    """The server, as PTB's request class."""

    latency: float = 0.02
    log: list[Call] = field(default_factory=list)
    chats: dict[int, dict[int, Shown]] = field(default_factory=lambda: defaultdict(dict))
    faults: dict[str, deque[Any]] = field(default_factory=lambda: defaultdict(deque))
    chat_faults: dict[int, tuple[int, dict[str, Any]]] = field(default_factory=dict)
    lost_topics: dict[int, str] = field(default_factory=dict)
    last_id: int = 100
    files: int = 0

    read_timeout = 5.0

    async def initialize(self) -> None: ...

    async def shutdown(self) -> None: ...

    def fail(self, method: str, status: int, description: str, after: bool = False, **parameters: Any) -> None:
        """The next call of this method fails; `after`: it is carried out all the same."""
        body = {"ok": False, "error_code": status, "description": description}
        if parameters:
            body["parameters"] = parameters
        self.faults[method].append((status, body, after))

    def lose(self, method: str, error: Exception, after: bool = False) -> None:
        """The next call of this method meets an error of the network; `after`: its answer is lost, not the call."""
        self.faults[method].append((0, error, after))

    async def do_request(self, url: str, method: str, request_data: RequestData | None = None, **_: Any):  # type: ignore[override]
        name = url.rsplit("/", 1)[-1]
        parameters = dict(request_data.parameters) if request_data else {}
        uploads = len(request_data.multipart_data or {}) if request_data and request_data.contains_files else 0
        files = request_data.multipart_data if request_data and uploads else {}
        # As strict as the playground, and told in the same list.
        calls.note(name, schema().check_call(name, request_data.json_parameters if request_data else {}, files or {}))
        await asyncio.sleep(self.latency / 2)
        call = Call(asyncio.get_running_loop().time(), name, int(parameters.get("chat_id", 0)), parameters, uploads)
        self.log.append(call)
        status, body = self._answer(call)
        await asyncio.sleep(self.latency / 2)
        if status == 0:
            call.status = 0
            raise body
        call.status = status
        return status, json.dumps(body).encode()

    def _answer(self, call: Call) -> tuple[int, Any]:
        if call.chat_id in self.chat_faults:
            status, body = self.chat_faults[call.chat_id]
            return status, {"ok": False, "error_code": status, **body}
        if self.faults[call.method]:
            status, body, after = self.faults[call.method].popleft()
            if after:
                self._carry_out(call)
            return status, body
        return self._carry_out(call)

    def _carry_out(self, call: Call) -> tuple[int, Any]:
        p, chat = call.parameters, self.chats[call.chat_id]
        if call.method == "answerCallbackQuery":
            return 200, {"ok": True, "result": True}
        if call.method.startswith("send"):
            topic = p.get("message_thread_id")
            if topic in self.lost_topics:
                return 400, {"ok": False, "description": f"Bad Request: {self.lost_topics[topic]}"}
            self.last_id += 1
            message_id = self.last_id
            photo = None
            if call.method == "sendPhoto":
                photo = self._photo(p.get("photo"))
            chat[message_id] = Shown(
                p.get("text", p.get("caption", "")),
                p.get("reply_markup"),
                photo,
                bool(p.get("disable_notification")),
                topic,
            )
            if call.method == "sendVoice":
                voice = self._photo(p.get("voice"))
                about = {"file_id": voice, "file_unique_id": voice, "duration": 1}
                return 200, {"ok": True, "result": self._document(call.chat_id, message_id, voice=about)}
            extra = {"dice": {"emoji": "🎲", "value": message_id % 6 + 1}} if call.method == "sendDice" else {}
            return 200, {"ok": True, "result": self._document(call.chat_id, message_id, **extra)}
        message_id = int(p["message_id"])
        if call.method == "deleteMessage":
            if chat.pop(message_id, None) is None:
                return 400, {"ok": False, "description": "Bad Request: message to delete not found"}
            return 200, {"ok": True, "result": True}
        shown = chat.get(message_id)
        if shown is None:
            return 400, {"ok": False, "description": "Bad Request: message to edit not found"}
        before = (shown.text, shown.markup, shown.photo)
        shown.markup = p.get("reply_markup")
        if call.method == "editMessageText":
            if shown.photo:
                return 400, {"ok": False, "description": "Bad Request: there is no text in the message to edit"}
            shown.text = p["text"]
        elif call.method == "editMessageCaption":
            if not shown.photo:
                return 400, {"ok": False, "description": "Bad Request: there is no caption in the message to edit"}
            shown.text = p.get("caption", "")
        elif call.method == "editMessageMedia":
            media = p["media"] if isinstance(p["media"], dict) else json.loads(p["media"])
            shown.text = media.get("caption", "")
            shown.photo = self._photo(None if media["media"].startswith("attach://") else media["media"])
        if before == (shown.text, shown.markup, shown.photo):
            return 400, {"ok": False, "description": "Bad Request: message is not modified: same as before"}
        return 200, {"ok": True, "result": self._document(call.chat_id, message_id)}

    def _photo(self, file_id: Any) -> str:
        if isinstance(file_id, str):
            return file_id
        self.files += 1
        return f"file{self.files}"

    def _document(self, chat_id: int, message_id: int, **extra: Any) -> dict[str, Any]:
        shown = self.chats[chat_id][message_id]
        document = {
            "message_id": message_id,
            "date": 1_772_366_400,
            "chat": {"id": chat_id, "type": "supergroup" if chat_id < 0 else "private"},
            **extra,
        }
        if shown.photo:
            document["photo"] = [
                {"file_id": f"{shown.photo}", "file_unique_id": shown.photo, "width": 10, "height": 10}
            ]
        return document

    # What tests ask

    def methods(self, chat_id: int | None = None) -> list[str]:
        """The methods called, oldest first."""
        return [call.method for call in self.log if chat_id is None or call.chat_id == chat_id]

    def texts(self, chat_id: int) -> list[str]:
        """What stands in a chat, top to bottom."""
        return [shown.text for shown in self.chats[chat_id].values()]

    def only(self, chat_id: int) -> Shown:
        """The one message of a chat."""
        (shown,) = self.chats[chat_id].values()
        return shown


class Rows:
    """The store's part, in memory."""

    def __init__(self) -> None:
        self.rows: dict[str, Sent] = {}
        self.saves = 0

    async def sent_messages(self) -> list[Sent]:
        await asyncio.sleep(0)
        return list(self.rows.values())

    async def save_sent(self, *sent: Sent) -> None:
        self.saves += 1
        await asyncio.sleep(0)
        self.rows.update({row.key: row for row in sent})
        await asyncio.sleep(0)

    async def forget_sent(self, *keys: str) -> None:
        await asyncio.sleep(0)
        for key in keys:
            self.rows.pop(key, None)


def make_outbox(server: Telegram, store: Any = None, budgets: Budgets | None = None, **callbacks: Any) -> Outbox:
    """An outbox on this server."""
    bot = Bot("1:token", request=server, get_updates_request=server)
    return Outbox(bot, Clock(START), store if store is not None else Rows(), budgets, **callbacks)


def living(store: Rows) -> set[str]:
    """The keys of the messages remembered."""
    return {key for key in store.rows if key[0] not in "#="}


class Painter:
    """Draws pictures of a few bytes, after `seconds`, and counts."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.drawn: list[str] = []

    def __call__(self, digest: str) -> Picture:
        async def draw() -> bytes:
            await asyncio.sleep(self.seconds)
            self.drawn.append(digest)
            return b"\xff\xd8" + digest.encode()

        return Picture(digest, draw)


def words(text: str, chat_id: int = 1, *buttons: str, **more: Any) -> Message:
    """A message with a row of buttons."""
    return Message(chat_id, text, (tuple(Button(b, data=b) for b in buttons),) if buttons else (), **more)
