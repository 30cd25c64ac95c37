"""What the world is made of: people, chats, members, messages, presses. Plain data; the World changes it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from playground.files import Media

HISTORY = 2000
"""Messages that a chat keeps; older ones are forgotten."""

ANONYMOUS_ADMIN = 1087968824
"""Telegram's user that stands in ``from`` when an admin writes as the group."""


@dataclass(slots=True)
class Person:
    """Somebody with an account."""

    id: int
    first_name: str
    last_name: str = ""
    username: str | None = None
    language_code: str | None = None

    @property
    def name(self) -> str:
        """First and last name."""
        return f"{self.first_name} {self.last_name}".strip()


@dataclass(slots=True)
class Member:
    """A person's or the bot's standing in a group. ``can_send`` (anything) and ``photos`` matter for ``restricted``
    only."""

    id: int
    status: str = "member"
    can_send: bool = True
    photos: bool = True

    @property
    def present(self) -> bool:
        """Whether they are in the group."""
        return self.status in ("creator", "administrator", "member", "restricted")

    @property
    def admin(self) -> bool:
        """Whether they administer it, its creator included."""
        return self.status in ("creator", "administrator")


@dataclass(slots=True)
class Topic:
    """A topic of a forum; its id is that of the service message that made it, 1 for General."""

    id: int
    name: str
    closed: bool = False


@dataclass(slots=True)
class Content:
    """What a message says: a text, or media with a caption, or a dice. ``forwarded_of``: whose it is, if forwarded."""

    kind: str
    text: str = ""
    entities: list[dict[str, Any]] = field(default_factory=list)
    media: Media | None = None
    spoiler: bool = False
    caption_above: bool = False
    dice: tuple[str, int] | None = None
    preview: dict[str, Any] | None = None
    forwarded_of: int | None = None

    def same(self, other: Content) -> bool:
        """Whether Telegram would call an edit from one to the other "not modified"."""
        return (
            self.kind == other.kind
            and self.text == other.text
            and self.entities == other.entities
            and (self.media and self.media.unique_id) == (other.media and other.media.unique_id)
            and self.spoiler == other.spoiler
            and self.caption_above == other.caption_above
            and self.preview == other.preview
        )


@dataclass(slots=True)
class Service:
    """What a service message tells: docs/playground.md lists the kinds."""

    kind: str
    people: list[int] = field(default_factory=list)
    message_id: int | None = None
    text: str | None = None
    chat_id: int | None = None


@dataclass(slots=True)
class Message:
    """A message of a chat. ``sender`` is a person, the bot, or the chat's own id for an anonymous admin.

    ``only_for``: the one person who sees it (ephemeral message: ``id`` is minus its ephemeral_message_id).
    ``order`` counts up through the whole chat.
    """

    id: int
    chat_id: int
    sender: int
    date: int
    content: Content
    service: Service | None = None
    thread_id: int | None = None
    edit_date: int | None = None
    reply_to: int | None = None
    keyboard: list[list[dict[str, Any]]] = field(default_factory=list)
    silent: bool = False
    protected: bool = False
    only_for: int | None = None
    reactions: dict[int, str] = field(default_factory=dict)
    order: int = 0

    def button(self, data: str) -> dict[str, Any] | None:
        """The button with that callback data, as it is now."""
        for row in self.keyboard:
            for button in row:
                if button.get("callback_data") == data:
                    return button
        return None


@dataclass(slots=True)
class Chat:
    """A private chat (its id is the person's) or a group.

    ``started``, ``blocked``: of a private chat. ``gone``: the group or account was deleted.
    ``ephemeral``: messages that one person sees, by their negative ids.
    """

    id: int
    type: str
    title: str = ""
    is_forum: bool = False
    started: bool = True
    blocked: bool = False
    gone: bool = False
    migrated_to: int | None = None
    members: dict[int, Member] = field(default_factory=dict)
    topics: dict[int, Topic] = field(default_factory=dict)
    messages: dict[int, Message] = field(default_factory=dict)
    ephemeral: dict[int, Message] = field(default_factory=dict)
    pinned: list[int] = field(default_factory=list)
    read: dict[int, int] = field(default_factory=dict)
    unread: dict[int, int] = field(default_factory=dict)
    last_id: int = 0
    last_ephemeral_id: int = 0

    @property
    def private(self) -> bool:
        """Whether it is between one person and the bot."""
        return self.type == "private"

    @property
    def person_id(self) -> int | None:
        """Of a private chat the person, who has the same id; else None."""
        return self.id if self.private else None

    def present(self, member_id: int) -> bool:
        """Whether that person or bot is in the group."""
        member = self.members.get(member_id)
        return member is not None and member.present

    def admin(self, member_id: int) -> bool:
        """Whether they administer it."""
        member = self.members.get(member_id)
        return member is not None and member.admin

    def sees(self, person_id: int) -> bool:
        """Whether the chat is in that person's list."""
        return self.id == person_id if self.private else self.present(person_id) and not self.gone

    def mark_read(self, person_id: int, upto: int) -> None:
        """This person has read all messages up to a number."""
        self.read[person_id] = upto
        count = 0
        if upto < self.last_id:
            for message in reversed(self.messages.values()):
                if message.id <= upto:
                    break
                count += message.sender != person_id
        self.unread[person_id] = count

    def drop(self, number: int) -> bool:
        """Deletes a message; whether it was there."""
        if self.ephemeral.pop(number, None):
            return True
        message = self.messages.pop(number, None)
        if message is None:
            return False
        for person_id, count in self.unread.items():
            if number > self.read.get(person_id, 0) and message.sender != person_id:
                self.unread[person_id] = max(0, count - 1)
        return True

    def add(self, message: Message, unread_by: Iterable[int]) -> None:
        """A new message; the oldest is forgotten where there are more than ``HISTORY``."""
        self.messages[message.id] = message
        for person_id in unread_by:
            self.unread[person_id] = self.unread.get(person_id, 0) + 1
        if len(self.messages) > HISTORY:
            del self.messages[next(iter(self.messages))]


@dataclass(slots=True)
class Press:
    """A press of a callback button and what the bot answered: docs/playground.md's Callback."""

    id: str
    person_id: int
    chat_id: int
    message_id: int
    data: str
    time: float
    status: str = "waiting"
    text: str = ""
    alert: bool = False
    url: str | None = None
