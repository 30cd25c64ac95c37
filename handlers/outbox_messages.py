"""What the outbox is asked to show: messages, buttons, pictures, priorities."""

from __future__ import annotations

import enum
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Literal, Protocol

from data.model import Sent


class Priority(enum.IntEnum):
    """Who goes first when calls are scarce; the lower number."""

    PROMPT = 0
    """Somebody is asked: a turn, a claim."""
    RESULT = 1
    """What happened: the table, the score sheet."""
    CHATTER = 2
    """What can wait: notices, the answer to a command."""
    TIDYING = 3
    """What nobody waits for: deletions."""


@dataclass(frozen=True, slots=True)
class Button:
    """One button of an inline keyboard: `data` (callback data, 1–64 bytes) or `url`, exactly one of them.

    `style`: None for the client's own, or "primary" (blue), "success" (green), "danger" (red).
    """

    text: str
    data: str | None = None
    url: str | None = None
    style: str | None = None

    def __post_init__(self) -> None:
        if (self.data is None) == (self.url is None):
            raise ValueError("a button has callback data or a url, and not both")
        if self.data is not None and not 1 <= len(self.data.encode()) <= 64:
            raise ValueError("callback data has 1 to 64 bytes")


Keyboard = tuple[tuple[Button, ...], ...]
"""Rows of buttons, top to bottom; at most 8 in a row and 100 in all."""


FileKind = Literal["photo", "document", "animation"]


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that need not be drawn yet; or a document or an animation that need not be made yet.

    `digest` names what is to be seen: two pictures of one digest look the same, so one that was sent before is not
    drawn or uploaded again. `draw` returns the file's bytes (a photo's JPEG or PNG up to 10 MB, other files up to
    50 MB); it is awaited once, just before sending, and never if the state was superseded by then. If it raises, or
    the chat takes no such files, the message goes out in words alone. `name`: of the file, for the other kinds (an
    animation's ends in ``.gif`` or ``.mp4``).
    """

    digest: str
    draw: Callable[[], Awaitable[bytes]] = field(compare=False, repr=False)
    kind: FileKind = "photo"
    name: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """A wanted state of one message.

    `text` is HTML as Telegram understands it: up to 4,096 characters, or 1,024 when there is a `picture` (it is the
    caption then). `silent` and `protect` (no forwarding, no saving) and `thread_id` (a forum's topic; None for
    General and for chats without topics) hold when the message is sent; an edit changes none of them.
    """

    chat_id: int
    text: str
    keyboard: Keyboard = ()
    picture: Picture | None = None
    silent: bool = False
    protect: bool = False
    thread_id: int | None = None


@dataclass(frozen=True, slots=True)
class Sound:
    """Something to be heard: a voice note that Telegram has (`file_id`), or a clip to be uploaded (`data`, OGG with
    Opus).

    `digest` names the clip's sound, so that it is uploaded once. `seconds`: how long it plays.
    """

    digest: str
    seconds: int
    data: bytes | None = field(default=None, repr=False)
    file_id: str | None = None


@dataclass(frozen=True, slots=True)
class VoiceNote:
    """A call to be heard in a chat: the first of `sounds` that Telegram takes, with a caption `text` (HTML).

    `rank`: how rare it is. `dead(sound)`: told of a `file_id` that is no good any more; `forbidden()`: told when the
    chat takes no voice notes.
    """

    chat_id: int
    text: str
    sounds: tuple[Sound, ...]
    rank: int
    dead: Callable[[Sound], object] = field(compare=False, repr=False)
    forbidden: Callable[[], object] = field(compare=False, repr=False)
    thread_id: int | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """What an ephemeral message answers: a press, by its query's id, or an ephemeral message (a command), by its own.

    A bot that is no admin may send one only so, within 15 seconds (Bot API: EphemeralMessageParameters).
    """

    query_id: str | None = None
    message_id: int | None = None


class SentStore(Protocol):
    """Where the outbox keeps its memory (`data.store.Store`). Every method commits before it returns."""

    async def sent_messages(self) -> list[Sent]:
        """All messages remembered."""

    async def save_sent(self, *sent: Sent) -> None:
        """Remember messages, each in place of what its key stood for."""

    async def forget_sent(self, *keys: str) -> None:
        """Forget messages by key; unknown keys do no harm."""
