"""The world behind the local Bot API: one bot, people, their chats, and what happens in them.

Everything is synchronous and follows from the calls made and the clock given: same inputs, same ids, same answers.
Waiting (long polls, late answers) is done around it, in ``playground.front``.
"""

from __future__ import annotations

import random
import re
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol

from playground import documents, objects, versions
from playground.budgets import Budgets
from playground.chats import ANONYMOUS_ADMIN, Chat, Content, Member, Message, Person, Press, Service, Topic
from playground.crowd import Crowd
from playground.errors import ApiError, bad_request, forbidden, too_many
from playground.faults import Fault, Faults
from playground.feed import Feed
from playground.files import Files, Upload
from playground.methods import METHODS
from playground.reading import read_int
from playground.schema import schema
from playground.updates import Updates

BOT_ID = 7_000_000_001
TOKEN = f"{BOT_ID}:AAPlayground_opens_nothing_elsewhere_0"
TOKEN_FORM = re.compile(r"[0-9]{1,19}:[A-Za-z0-9_-]{30,}")
"""The bot's id, a colon, the secret."""
ANSWER_WITHIN = 15.0
"""Seconds in which a press must be answered."""
KEPT_PRESSES = 2000
LEAP = 100
"""More than can be counted between two saves."""

Params = dict[str, Any]


class Clock(Protocol):
    """Gives the time; a test's may be virtual."""

    def now(self) -> datetime:
        """The instant, with its time zone."""


class SystemClock:
    """The machine's time, which can be moved ahead and made faster."""

    def __init__(self) -> None:
        self.speed = 1.0
        self._base = self._from = time.time()

    def now(self) -> datetime:
        """The time in this world, UTC."""
        return datetime.fromtimestamp(self._base + (time.time() - self._from) * self.speed, UTC)

    def change(self, advance: float = 0.0, speed: float | None = None) -> None:
        """Move on by some seconds; from now on run so many times as fast."""
        self._base, self._from = self.now().timestamp() + advance, time.time()
        if speed is not None:
            self.speed = speed


@dataclass(slots=True)
class Bot:
    """The one bot; ``texts`` are its name and descriptions by language, ``""`` for the rest."""

    id: int
    username: str
    texts: dict[str, dict[str, str]]
    menu_button: dict[str, Any] = field(default_factory=lambda: {"type": "default"})
    menu_buttons: dict[int, dict[str, Any]] = field(default_factory=dict)
    privacy: bool = True

    def name(self, language: str) -> str:
        """Its name in a language."""
        names = self.texts["name"]
        return names.get(language) or names[""]


@dataclass(slots=True)
class Call:
    """One line of the call log. ``params`` are as checked, uploads named by order; ``files`` gives their bytes."""

    number: int
    time: float
    method: str
    chat_id: int | None
    params: Params
    files: dict[str, int]
    status: int
    result: Any
    description: str | None
    ms: float
    fault: int | None


@dataclass(frozen=True, slots=True)
class Reply:
    """What a call is answered with. ``delay``: seconds until then; ``lost``: the answer never arrives."""

    status: int
    payload: dict[str, Any]
    delay: float = 0.0
    lost: bool = False


class World:
    """See the module. ``seed`` decides the dice; ``feed`` whether events are kept for watchers; ``check`` whether the
    world holds its own answers against the Bot API (tests); ``log_limit`` how many calls the log keeps (None: all);
    ``version`` of the Bot API, such as "10.1", makes it an older server (None: the newest that is known); ``offers``:
    what the page's welcome offers (``playground.offers``)."""

    def __init__(
        self,
        clock: Clock | None = None,
        *,
        token: str = TOKEN,
        username: str = "fujian_mahjong_bot",
        budgets: bool = True,
        seed: int = 0,
        feed: bool = False,
        populate: bool = True,
        check: bool = False,
        log_limit: int | None = None,
        session: str = "0",
        version: str | None = None,
        offers: dict[str, Any] | None = None,
    ) -> None:
        self.clock: Clock = clock or SystemClock()
        self.token = token
        self.session = session
        self.offers = offers
        self.check = check
        self.schema = schema()
        self.version = versions.read_version(version or self.schema.version.removeprefix("Bot API "))
        texts = {"name": {"": "福建麻将"}, "description": {}, "short_description": {}}
        self.bot = Bot(int(token.partition(":")[0]), username, texts)
        self.people: dict[int, Person] = {}
        self.chats: dict[int, Chat] = {}
        self.presses: dict[str, Press] = {}
        self.commands: dict[tuple[str, str], tuple[dict[str, Any], list[dict[str, Any]]]] = {}
        self.webhook: Params = {}
        self.webhook_error: tuple[int, str] | None = None
        self.files = Files()
        self.faults = Faults()
        self.budgets = Budgets(budgets)
        self.updates = Updates()
        self.feed = Feed(feed)
        self.log: deque[Call] = deque(maxlen=log_limit)
        self.calls = 0
        self.rng = random.Random(seed)
        self.last_poll = float("-inf")
        self.on_call: Callable[[Call], None] | None = None
        self.press_ended: Callable[[str], None] | None = None
        self._orders = 0
        self._last_press = 8_800_000_000
        self._open_presses: deque[Press] = deque()
        self.crowd = Crowd(self)
        if populate:
            self.crowd.settle_in()

    # time

    def now(self) -> float:
        """Unix seconds."""
        return self.clock.now().timestamp()

    def date(self) -> int:
        """Unix seconds, whole, as the Bot API has them."""
        return int(self.now())

    def clock_document(self) -> dict[str, Any]:
        """The clock as docs/playground.md has it."""
        return {"now": self.now(), "speed": getattr(self.clock, "speed", 1.0)}

    @property
    def polling(self) -> bool:
        """Whether a bot is connected, as far as one can tell."""
        return bool(self.webhook) or self.now() - self.last_poll < 60

    def tick(self) -> None:
        """Lets time take effect: presses that were not answered in time expire."""
        limit = self.now() - ANSWER_WITHIN
        while self._open_presses and (self._open_presses[0].time < limit or self._open_presses[0].status != "waiting"):
            press = self._open_presses.popleft()
            if press.status == "waiting":
                self.end_press(press, "expired")

    def follow(self, old: World) -> None:
        """For a bot that goes on from another world: counts updates and presses from where that one has stopped, and
        keeps what the bot has set there when it started: commands, names, webhook."""
        self.updates.renumber(old.updates)
        self._last_press = old._last_press
        self.commands, self.webhook = old.commands, old.webhook
        self.bot, self.last_poll = old.bot, old.last_poll
        self.bot.menu_buttons.clear()

    def counters(self) -> dict[str, int]:
        """Where all that is counted stands, for the state file."""
        return {
            "orders": self._orders,
            "presses": self._last_press,
            "calls": self.calls,
            "files": self.files.count,
            "people": self.crowd.people,
            "groups": self.crowd.groups,
        }

    def count_from(self, counters: Mapping[str, int]) -> None:
        """Go on counting where a saved world was (its document)."""
        self._orders, self._last_press = counters["orders"], counters["presses"]
        self.calls, self.files.count = counters["calls"], counters["files"]
        self.crowd.people, self.crowd.groups = counters["people"], counters["groups"]

    def leap(self) -> None:
        """After a crash: what was counted since the last save is not counted a second time."""
        self._last_press += LEAP
        self.files.count += LEAP
        self.updates.leap(LEAP)
        for chat in self.chats.values():
            chat.last_id += LEAP
            chat.last_ephemeral_id += LEAP

    def reopen(self, presses: Iterable[Press]) -> None:
        """Takes over presses of an earlier life; those that wait can still be answered in time."""
        self.presses = {press.id: press for press in presses}
        self._open_presses = deque(press for press in self.presses.values() if press.status == "waiting")

    def end_press(self, press: Press, status: str) -> None:
        """A press is answered, or has expired."""
        press.status = status
        self.feed.emit("callback", lambda: {"callback": documents.press(self, press)})
        if self.press_ended is not None:
            self.press_ended(press.id)

    # the Bot API

    def call(
        self, token: str, method: str, params: Mapping[str, Any], files: Mapping[str, Upload | bytes] | None = None
    ) -> tuple[int, dict[str, Any]]:
        """One call at once, with neither delay nor loss: HTTP status and the JSON answer."""
        reply = self.serve(token, method, params, files)
        return reply.status, reply.payload

    def serve(
        self, token: str, method: str, params: Mapping[str, Any], files: Mapping[str, Upload | bytes] | None = None
    ) -> Reply:
        """One call, with the faults that were asked for."""
        started = time.perf_counter()
        if not TOKEN_FORM.fullmatch(token):
            return failure(ApiError(404, "Not Found"))
        if token != self.token:
            return failure(ApiError(401, "Unauthorized"))
        name = self.schema.method(method)
        if name is not None and not versions.has_method(self.version, name):
            name = None
        params = versions.understood(self.version, params)
        uploads = {key: one if isinstance(one, Upload) else Upload("", one) for key, one in (files or {}).items()}
        chat_id = _chat_id(params.get("chat_id"))
        fault: Fault | None = None
        checked: Params = dict(params)
        try:
            if name is None:
                raise ApiError(404, "Not Found")
            self.tick()
            if name != "getUpdates":
                fault = self.faults.hit(name, chat_id)
            if fault is not None and fault.kind in ("retry_after", "error", "drop"):
                raise _fault_error(fault)
            handler = METHODS.get(name)
            if handler is None:
                raise ApiError(501, f"Not Implemented: the playground does not know {name} yet")
            checked = self.schema.check_call(name, params, uploads)
            unused = set(uploads) - set(attached(checked)) if uploads else None
            if unused:
                raise bad_request(f"uploaded but not used: {', '.join(sorted(unused))}")
            result = handler(self, checked, uploads)
            if self.check:
                self.schema.check_result(name, result)
            reply = Reply(200, {"ok": True, "result": result})
        except ApiError as error:
            reply = failure(error)
        if name == "getUpdates" and reply.status == 200:
            connected, self.last_poll = self.polling, self.now()
            if not connected:
                self.bot_changed()
            if reply.payload["result"]:
                fault = self._disturb(reply)
            else:
                return reply
        self._note(name or method, chat_id, checked, uploads, reply, fault, started)
        if fault is not None:
            late = fault.seconds if fault.kind == "late" else 0.0
            reply = Reply(reply.status, reply.payload, late, fault.kind in ("drop", "lose"))
        return reply

    def _disturb(self, reply: Reply) -> Fault | None:
        """Faults of an answer to getUpdates that brings something."""
        fresh = self.updates.fresh(reply.payload["result"])
        if not fresh:
            return None
        fault = self.faults.hit("getUpdates", None)
        if fault is not None and fault.kind == "reorder":
            reply.payload["result"].reverse()
        elif fault is not None and fault.kind == "duplicate":
            self.updates.repeat(fresh)
        return fault

    def _note(
        self,
        method: str,
        chat_id: int | None,
        params: Params,
        uploads: Mapping[str, Upload],
        reply: Reply,
        fault: Fault | None,
        started: float,
    ) -> None:
        self.calls += 1
        # Clients give uploads random names; the log must not depend on them.
        names = {
            name: f"file{index}" if f"attach://{name}" != params.get(name) else name
            for index, name in enumerate(uploads)
        }
        call = Call(
            number=self.calls,
            time=self.now(),
            method=method,
            chat_id=chat_id,
            params=_renamed(params, {f"attach://{old}": f"attach://{new}" for old, new in names.items()}),
            files={names[name]: len(upload.data) for name, upload in uploads.items()},
            status=reply.status,
            result=reply.payload.get("result"),
            description=reply.payload.get("description"),
            ms=round((time.perf_counter() - started) * 1000, 3),
            fault=fault.id if fault else None,
        )
        self.log.append(call)
        if self.on_call is not None:
            self.on_call(call)
        if self.feed.on:
            now = self.now()
            chat = self.budgets.chat(chat_id, now) if chat_id in self.chats and chat_id is not None else None
            budgets = {"overall": self.budgets.overall(now), "chat": chat}
            self.feed.emit("call", lambda: {"call": documents.call(call, whole=False), "budgets": budgets})
            if fault is not None:
                self.feed.emit("faults", lambda: {"faults": self.faults.document()})

    def update(self, kind: str, content: dict[str, Any]) -> None:
        """Puts an update into the bot's queue, if it wants that kind."""
        if self.check:
            self.schema.check_object("Update", {"update_id": 1, kind: content})
        self.updates.add(kind, content, self.now())

    # where the bot may write

    def chat_of(self, chat_id: int | str) -> Chat:
        """The chat that a call means. Raises ApiError: unknown, migrated, or a person who was never met."""
        if isinstance(chat_id, str):
            raise bad_request("chat not found")
        chat = self.chats.get(chat_id)
        if chat is None:
            if chat_id == self.bot.id:
                raise forbidden("bot can't send messages to bots")
            raise bad_request("chat not found")
        if chat.migrated_to is not None:
            raise ApiError(
                400,
                "Bad Request: group chat was upgraded to a supergroup chat",
                {"migrate_to_chat_id": chat.migrated_to},
            )
        return chat

    def reachable(self, chat_id: int | str) -> Chat:
        """The chat, if the bot is in it. Raises ApiError 403 if it is blocked, was removed, or never let in."""
        chat = self.chat_of(chat_id)
        if chat.private:
            if chat.gone:
                raise forbidden("user is deactivated")
            if not chat.started:
                raise forbidden("bot can't initiate conversation with a user")
            if chat.blocked:
                raise forbidden("bot was blocked by the user")
            return chat
        kind = "group" if chat.type == "group" else "supergroup"
        if chat.gone:
            raise forbidden("the group chat was deleted")
        own = chat.members.get(self.bot.id)
        if own is not None and own.status == "kicked":
            raise forbidden(f"bot was kicked from the {kind} chat")
        if own is None:
            raise bad_request("chat not found")
        if not own.present:
            raise forbidden(f"bot is not a member of the {kind} chat")
        return chat

    def writable(self, chat_id: int | str, what: str = "text messages") -> Chat:
        """The chat, if the bot may send such a thing there."""
        chat = self.reachable(chat_id)
        own = chat.members.get(self.bot.id)
        forbidden_here = own is not None and not (own.can_send and (own.photos or what != "photos"))
        if own is not None and own.status == "restricted" and forbidden_here:
            raise bad_request(f"not enough rights to send {what} to the chat")
        return chat

    def topic(self, chat: Chat, thread_id: int | None) -> int | None:
        """The thread a message goes to: None for General. Raises ApiError 400 if it is none, or closed."""
        if thread_id is not None and (not chat.is_forum or thread_id == 1 or thread_id not in chat.topics):
            raise bad_request("message thread not found")
        if chat.is_forum and chat.topics[thread_id or 1].closed and not chat.admin(self.bot.id):
            raise bad_request("TOPIC_CLOSED")
        return thread_id

    def spend(self, chat: Chat) -> None:
        """Counts one message or edit. Raises ApiError 429 if the budget is used up."""
        wait = self.budgets.spend(chat.id, self.now())
        if wait:
            raise too_many(wait)

    # what happens in chats

    def post(self, chat: Chat, sender: int, content: Content, *, only_for: int | None = None, **about: Any) -> Message:
        """A new message at the bottom of a chat."""
        self._orders += 1
        if only_for is None:
            chat.last_id += 1
            number = chat.last_id
        else:
            chat.last_ephemeral_id += 1
            number = -chat.last_ephemeral_id
        message = Message(number, chat.id, sender, self.date(), content, only_for=only_for, order=self._orders, **about)
        if only_for is None:
            chat.add(message, (one for one in self.readers(chat) if one != sender))
            if sender in self.people:
                chat.mark_read(sender, number)
        else:
            chat.ephemeral[number] = message
        self.feed.emit(
            "message",
            lambda: {"message": documents.message(self, message), "unread": documents.unread(self, chat)},
        )
        return message

    def readers(self, chat: Chat) -> list[int]:
        """The people who see a chat."""
        return [chat.id] if chat.private else [one for one in chat.members if chat.present(one) and one in self.people]

    def serve_notice(self, chat: Chat, sender: int, service: Service, thread_id: int | None = None) -> Message:
        """A service message; the bot hears of it if it is there."""
        message = self.post(chat, sender, Content("service"), service=service, thread_id=thread_id)
        if chat.present(self.bot.id) and sender != self.bot.id:
            self.update("message", objects.message(self, message))
        return message

    def edited(self, message: Message) -> None:
        """Tell those who look that a message is another now."""
        self.feed.emit("edited", lambda: {"message": documents.message(self, message)})

    def remove(self, chat: Chat, numbers: Iterable[int]) -> None:
        """Deletes messages for everybody."""
        gone = [number for number in numbers if chat.drop(number)]
        if not gone:
            return
        if set(chat.pinned) & set(gone):
            chat.pinned = [number for number in chat.pinned if number not in gone]
            self.changed(chat)
        self.feed.emit(
            "deleted",
            lambda: {"chat_id": chat.id, "message_ids": gone, "unread": documents.unread(self, chat)},
        )

    def changed(self, chat: Chat) -> None:
        """Tell those who look that a chat is another now."""
        self.feed.emit("chat", lambda: {"chat": documents.chat(self, chat, messages=False)})

    def bot_changed(self) -> None:
        """The same of the bot."""
        self.feed.emit("bot", lambda: {"bot": documents.bot(self)})

    def member_changed(
        self, chat: Chat, by: int, member_id: int, status: str, can_send: bool = True, photos: bool = True
    ) -> None:
        """Gives somebody another standing in a group, or the bot in a private chat; sends the updates about it."""
        old = chat.members.get(member_id) or Member(member_id, "left")
        before = objects.member(self, old)
        new = Member(member_id, status, can_send, photos)
        if not chat.private:
            chat.members[member_id] = new
            self.changed(chat)
        about = objects.member_update(self, chat, by, before, objects.member(self, new))
        if member_id == self.bot.id:
            self.update("my_chat_member", about)
        elif chat.admin(self.bot.id):
            self.update("chat_member", about)

    def new_press(self, person_id: int, chat_id: int, message_id: int, data: str) -> Press:
        """Somebody presses a button, and waits for the answer."""
        self._last_press += 1
        press = Press(str(self._last_press), person_id, chat_id, message_id, data, self.now())
        self.presses[press.id] = press
        self._open_presses.append(press)
        if len(self.presses) > KEPT_PRESSES:
            del self.presses[next(iter(self.presses))]
        return press

    def add_person(self, person: Person) -> None:
        """Somebody new, with their private chat."""
        self.people[person.id] = person
        self.chats[person.id] = Chat(person.id, "private", started=False)

    def add_chat(self, chat: Chat) -> None:
        """A chat more."""
        if chat.is_forum:
            chat.topics.setdefault(1, Topic(1, "General"))
        self.chats[chat.id] = chat

    def mention(self, user_id: int) -> dict[str, Any] | None:
        """The User of a ``tg://user`` link."""
        return objects.user(self, user_id) if user_id in self.people else None


def failure(error: ApiError) -> Reply:
    """An error as the Bot API sends it."""
    payload: dict[str, Any] = {"ok": False, "error_code": error.code, "description": error.description}
    if error.parameters:
        payload["parameters"] = error.parameters
    return Reply(error.code, payload)


def attached(value: Any) -> list[str]:
    """Names of the uploads that a call's parameters point to with ``attach://``."""
    if isinstance(value, str):
        return [value.removeprefix("attach://")] if value.startswith("attach://") else []
    if isinstance(value, dict):
        return [name for item in value.values() for name in attached(item)]
    if isinstance(value, list):
        return [name for item in value for name in attached(item)]
    return []


def _renamed(value: Any, names: dict[str, str]) -> Any:
    if not names:
        return value
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, dict):
        return {key: _renamed(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [_renamed(item, names) for item in value]
    return value


def _chat_id(value: Any) -> int | None:
    try:
        return read_int(str(value))
    except ValueError:
        return None


def _fault_error(fault: Fault) -> ApiError:
    if fault.kind == "retry_after":
        return too_many(max(1, round(fault.seconds)))
    if fault.kind == "drop":
        return ApiError(502, "Bad Gateway")
    return ApiError(fault.code, fault.description)


__all__ = ["ANONYMOUS_ADMIN", "BOT_ID", "TOKEN", "Clock", "Reply", "SystemClock", "World"]
