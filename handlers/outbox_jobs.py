"""What is pending, per chat: messages on their way to a wanted state, copies to delete, dice to throw."""

from __future__ import annotations

import asyncio
import enum
import hashlib
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from handlers.about import ABOUT
from handlers.budgets import INFINITY, MARGIN
from handlers.outbox_calls import BACKOFF_SECONDS, Fault, Trouble
from handlers.outbox_messages import Keyboard, Message, Priority

# A job that has waited this long counts as one priority higher, so that nothing starves.
AGING = 30.0
# Pauses of a chat after failures double from the first up to this.
BACKOFF_LIMIT = 30.0
# Telegram lets bots delete their messages for 48 hours; a little less, since the call takes time.
DELETABLE = timedelta(hours=47, minutes=55)
# Photos are tried again in a chat that refused them after so long.
NO_PHOTOS_SECONDS = 600.0


def fingerprint(value: str | Keyboard) -> str:
    """A short digest of a text or a keyboard; empty for an empty one."""
    return hashlib.sha256(repr(value).encode()).hexdigest()[:16] if value else ""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a message in a chat looks like now: fingerprints of text and keyboard, digest of the picture (None: a text).

    `sure`: False if a later edit may have arrived without our knowing: its answer was lost, or the bot was killed.
    `receiver`: the Telegram user who alone sees it, of an ephemeral message; `message_id` is minus its ephemeral id
    then.
    """

    chat_id: int
    message_id: int
    text: str
    keyboard: str
    picture: str | None
    file_id: str | None
    sent_at: datetime
    sure: bool = True
    receiver: int | None = None

    def after(self, message: Message, file_id: str | None) -> Shown:
        """The same message, edited to `message`."""
        return replace(
            self,
            text=fingerprint(message.text),
            keyboard=fingerprint(message.keyboard),
            picture=message.picture.digest if message.picture else None,
            file_id=file_id,
            sure=True,
        )


class Change(enum.Enum):
    """The call that brings a message to its wanted state."""

    NONE = enum.auto()
    SEND = enum.auto()
    PHOTO = enum.auto()
    WORDS = enum.auto()
    KEYBOARD = enum.auto()


def change_to(message: Message, shown: Shown | None) -> Change:
    """What is to be called so that `shown` becomes `message`; SEND if it cannot become so by an edit."""
    if shown is None or (message.picture is None) != (shown.picture is None):
        return Change.SEND
    if message.picture is not None and (message.picture.digest != shown.picture or not shown.sure):
        return Change.PHOTO
    if fingerprint(message.text) != shown.text or not shown.sure:
        return Change.WORDS
    if fingerprint(message.keyboard) != shown.keyboard:
        return Change.KEYBOARD
    return Change.NONE


class Job:
    """Something pending in a chat. `since`: loop time at which it became pending; `order`: rank among jobs by
    that. `about`: the table that wants it, for the log."""

    __slots__ = ("about", "chat_id", "order", "priority", "since")

    def __init__(self, chat_id: int, priority: int) -> None:
        self.chat_id = chat_id
        self.priority = priority
        self.since = 0.0
        self.order = 0
        self.about = ABOUT.get()

    def urgency(self, now: float) -> int:
        """The priority, raised with the time waited."""
        return max(min(self.priority, 0), self.priority - int((now - self.since) // AGING))


class Pictured(Job):
    """A job that may need a picture drawn; `undrawable`: the digest of one that could not be."""

    __slots__ = ("drawing", "undrawable")

    def __init__(self, chat_id: int, priority: int) -> None:
        super().__init__(chat_id, priority)
        self.drawing: Drawing | None = None
        self.undrawable: str | None = None


class Throw(Job):
    """A die to be thrown; `value` becomes what fell, or None. `first`: what must stand in the chat before it."""

    __slots__ = ("first", "thread_id", "value")

    def __init__(
        self, chat_id: int, thread_id: int | None, value: asyncio.Future[int | None], first: Message | None = None
    ) -> None:
        super().__init__(chat_id, Priority.PROMPT - 1)
        self.thread_id = thread_id
        self.value = value
        self.first = first


class Sweep(Job):
    """A message to be deleted; or, too old for that, to lose its buttons (`strip`). `row`: the key it is remembered
    by. `receiver`: of an ephemeral message (see `Shown`)."""

    __slots__ = ("message_id", "receiver", "row", "strip")

    def __init__(
        self, chat_id: int, message_id: int, row: str | None, strip: bool = False, receiver: int | None = None
    ) -> None:
        super().__init__(chat_id, Priority.TIDYING)
        self.message_id = message_id
        self.row = row
        self.strip = strip
        self.receiver = receiver


class End(enum.Enum):
    """Why a message has no future."""

    ONCE = enum.auto()
    """It is sent and never touched again."""
    CLOSED = enum.auto()
    """Its last state is reached, and the buttons are gone that it does not keep."""
    DROPPED = enum.auto()
    """It is deleted."""


@dataclass(slots=True)
class Drawing:
    """A picture being drawn; `image` once it is done, `failed` if it could not be."""

    digest: str
    image: bytes | None = None
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """The next call for a slot: from the state `wanted` of it follows `message` (without its picture, if that is
    out of reach)."""

    wanted: Message | None
    message: Message
    change: Change
    file: bytes | str | None = None
    ring: bool = False


class Slot(Pictured):
    """One message and its newest wanted state.

    `wanted` is None when nothing is wanted but what is shown. `last_words`: the text with which a message is closed
    whose newest state is shown already, and `last_buttons` those that it keeps. `flying`: a call for it is under way.
    `changed`: loop time of the last one. `until`: the one after which `wanted` is of no use any more.
    """

    __slots__ = ("changed", "end", "flying", "key", "last_buttons", "last_words", "ring", "shown", "until", "wanted")

    def __init__(self, key: str | None, chat_id: int) -> None:
        super().__init__(chat_id, Priority.CHATTER)
        self.key = key
        self.wanted: Message | None = None
        self.shown: Shown | None = None
        self.changed = 0.0
        self.ring = False
        self.end: End | None = None
        self.last_words: str | None = None
        self.last_buttons: Keyboard = ()
        self.flying = False
        self.until = INFINITY

    def want(self, message: Message) -> None:
        """Take the newest state; a drawing of another picture is of no use any more."""
        self.wanted = message
        if self.drawing and (message.picture is None or message.picture.digest != self.drawing.digest):
            self.drawing = None

    def confirms(self) -> bool:
        """Whether the wanted state is only to make sure of what is remembered as shown."""
        if self.wanted is None or self.shown is None or self.shown.sure or self.ring:
            return False
        return change_to(self.wanted, replace(self.shown, sure=True)) is Change.NONE

    def reachable(self, photos: bool) -> Message | None:
        """The wanted state, in words alone if its picture cannot be drawn or sent (a photo message keeps its old
        picture)."""
        message = self.wanted
        if message is None or message.picture is None:
            return message
        if (photos or message.picture.kind != "photo") and message.picture.digest != self.undrawable:
            return message
        if self.shown and self.shown.picture is not None and not self.ring:
            return replace(message, picture=replace(message.picture, digest=self.shown.picture))
        return replace(message, picture=None)

    def change(self, photos: bool) -> Change:
        """The call that is needed next, if any."""
        if self.end is End.DROPPED:
            return Change.NONE
        message = self.reachable(photos)
        if message is not None:
            return Change.SEND if self.ring else change_to(message, self.shown)
        if self.end is End.CLOSED and self.shown is not None:
            if self.last_words is not None and fingerprint(self.last_words) != self.shown.text:
                return Change.WORDS
            if fingerprint(self.last_buttons) != self.shown.keyboard or not self.shown.sure:
                return Change.KEYBOARD
        return Change.NONE


@dataclass(eq=False, slots=True)
class Chat:
    """The queue of one chat. At most one call to it is under way, so that its order is kept.

    `not_before`: loop time until which it is left in peace (429, back-off); `served`: rank of its last call among
    all.
    """

    chat_id: int
    jobs: dict[Job, None] = field(default_factory=dict)
    calling: bool = False
    not_before: float = 0.0
    failures: int = 0
    served: int = 0
    no_photos_before: float = 0.0
    lost_threads: set[int] = field(default_factory=set)

    def first(self, now: float) -> Job:
        """The job whose turn it is; there must be one."""
        if len(self.jobs) == 1:
            return next(iter(self.jobs))
        return min(self.jobs, key=lambda job: (job.urgency(now), job.order))

    def suffer(self, fault: Fault, now: float) -> None:
        """A call to this chat failed: leave it in peace for as long as that asks for."""
        if fault.trouble is Trouble.FLOOD:
            self.not_before = max(self.not_before, now + fault.seconds + MARGIN)
        elif fault.trouble is Trouble.NETWORK:
            pause = min(BACKOFF_LIMIT, BACKOFF_SECONDS * 2 ** min(self.failures, 10))
            self.failures += 1
            self.not_before = max(self.not_before, now + pause)
        elif fault.trouble is Trouble.NO_PHOTOS:
            self.no_photos_before = now + NO_PHOTOS_SECONDS

    def rests(self, now: float) -> bool:
        """Whether nothing is known of the chat that matters still."""
        return not self.jobs and not self.calling and self.not_before <= now

    def photos(self, now: float) -> bool:
        """Whether photos may be sent, as far as is known."""
        return now >= self.no_photos_before

    def thread(self, thread_id: int | None) -> int | None:
        """The topic to send to instead of `thread_id`."""
        return None if thread_id in self.lost_threads else thread_id
