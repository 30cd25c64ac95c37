"""``--state FILE``: the world in a file, so that a restart of the playground goes on where it was.

SQLite: one JSON document, and the media beside it. Kept is what people and bot see (people, chats, messages, media,
presses, updates that wait, commands, webhook) and all counters; budgets, faults, call log and clock begin anew.

It is written twice a second while something happens. A playground that was killed has forgotten what came after that
last time: then all that is counted goes on well above it, so that no number that the bot knows means something else.
"""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import suppress
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from playground.chats import Chat, Content, Member, Message, Person, Press, Service, Topic
from playground.files import Media

if TYPE_CHECKING:
    from playground.world import World

VERSION = 1
LEFT_OPEN, CLOSED = 0, 1
"""``user_version`` of the file: whether its last writer has ended in order."""
TABLES = {"document", "media"}
LOCKED_S = 1.0
"""How long the file may stay locked by one that is just ending."""
Document = dict[str, Any]
_UNFIT = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)
"""What a document raises that is not of a world."""


class StateError(Exception):
    """The file cannot be used; the text says why, in one line."""


class StateFile:
    """The file. Raises StateError if it cannot be opened, written, or is something else."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._saved: tuple[int, ...] | None = None
        try:
            # What people were sent is for nobody else on this machine.
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            self.connection = sqlite3.connect(path, timeout=LOCKED_S, isolation_level=None)
            # One playground at a time; the lock goes with the process.
            self.connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            found = {name for (name,) in self.connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if found - TABLES:
                raise StateError(f"Cannot use {path}: it is the database of something else")
            self.connection.execute("PRAGMA journal_mode = WAL")
            self.connection.execute(
                "CREATE TABLE IF NOT EXISTS document (id INTEGER PRIMARY KEY CHECK (id = 1), body TEXT)"
            )
            self.connection.execute("CREATE TABLE IF NOT EXISTS media (name TEXT PRIMARY KEY, data BLOB)")
        except OSError as error:
            raise StateError(f"Cannot use {path}: {error.strerror}") from None
        except sqlite3.Error as error:
            locked = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY
            raise StateError(f"Cannot use {path}: {'another playground is using it' if locked else error}") from None

    def load(self, world: World) -> bool:
        """Fills a new world from the file; False if nothing was saved yet."""
        try:
            row = self.connection.execute("SELECT body FROM document").fetchone()
            if row is None:
                return False
            document = json.loads(row[0])
            if document["version"] != VERSION:
                raise StateError(f"{self.path} is of another version of the playground")
            # Whoever is in a group is there by their id, the bot too. (Earlier files do not name it.)
            if (bot_id := document["bot"].get("id", world.bot.id)) != world.bot.id:
                raise StateError(f"{self.path} is of the bot {bot_id}: its token begins so (--token)")
            restore(world, document, dict(self.connection.execute("SELECT name, data FROM media")))
            (closed,) = self.connection.execute("PRAGMA user_version").fetchone()
            if closed == LEFT_OPEN:
                world.leap()
            self.connection.execute(f"PRAGMA user_version = {LEFT_OPEN}")
        except (sqlite3.Error, *_UNFIT) as error:
            raise StateError(f"Cannot read {self.path}: {error!r}") from None
        return True

    def save(self, world: World) -> None:
        """Writes the world if anything has happened since the last time."""
        mark = (id(world), world.feed.seq, world.calls, world.updates.changes)
        if mark == self._saved:
            return
        body = json.dumps(document_of(world), ensure_ascii=False)
        known = {name for (name,) in self.connection.execute("SELECT name FROM media")}
        media = {one.name: one for one in world.files.all()}
        with self.connection:
            self.connection.execute("BEGIN")
            self.connection.execute("INSERT OR REPLACE INTO document VALUES (1, ?)", (body,))
            self.connection.executemany("DELETE FROM media WHERE name = ?", [(name,) for name in known - set(media)])
            added = [(name, one.data) for name, one in media.items() if name not in known]
            self.connection.executemany("INSERT INTO media VALUES (?, ?)", added)
        self._saved = mark

    def close(self) -> None:
        """After the last save."""
        with suppress(sqlite3.Error):
            self.connection.execute(f"PRAGMA user_version = {CLOSED}")
        self.connection.close()


def document_of(world: World) -> Document:
    """The world as JSON, without the bytes of its media."""
    return {
        "version": VERSION,
        "bot": {"id": world.bot.id, "texts": world.bot.texts, "menu_button": world.bot.menu_button},
        "people": [asdict(person) for person in world.people.values()],
        "chats": [_chat_out(chat) for chat in world.chats.values()],
        "presses": [asdict(press) for press in world.presses.values()],
        "commands": [[*key, *value] for key, value in world.commands.items()],
        "webhook": world.webhook,
        "updates": world.updates.document(),
        "media": [{**_plain(one), "data": None} for one in world.files.all()],
        "counters": world.counters(),
        "rng": world.rng.getstate(),
    }


def restore(world: World, document: Document, media: dict[str, bytes]) -> None:
    """Puts a saved world into ``world``, in place of all that was in it."""
    for saved in document["media"]:
        one = Media(**{**saved, "data": b""})
        world.files.put(Media(**{**saved, "data": media[one.name]}))
    world.bot.texts = document["bot"]["texts"]
    world.bot.menu_button = document["bot"]["menu_button"]
    world.people = {saved["id"]: Person(**saved) for saved in document["people"]}
    world.chats = {saved["id"]: _chat_in(saved, world) for saved in document["chats"]}
    world.reopen(Press(**saved) for saved in document["presses"])
    world.commands = {(scope, code): (parsed, listed) for scope, code, parsed, listed in document["commands"]}
    world.webhook = document["webhook"]
    world.updates.restore(document["updates"])
    world.count_from(document["counters"])
    version, numbers, gauss = document["rng"]
    world.rng.setstate((version, tuple(numbers), gauss))


def _plain(one: Any) -> Document:
    return {field.name: getattr(one, field.name) for field in fields(one)}


def _chat_out(chat: Chat) -> Document:
    return _plain(chat) | {
        "members": [asdict(member) for member in chat.members.values()],
        "topics": [asdict(topic) for topic in chat.topics.values()],
        "messages": [_message_out(message) for message in chat.messages.values()],
        "ephemeral": [_message_out(message) for message in chat.ephemeral.values()],
    }


def _message_out(message: Message) -> Document:
    content = _plain(message.content) | {"media": message.content.media and message.content.media.name}
    return _plain(message) | {"content": content, "service": message.service and asdict(message.service)}


def _chat_in(saved: Document, world: World) -> Chat:
    chat = Chat(**saved)
    chat.members = {one["id"]: Member(**one) for one in saved["members"]}
    chat.topics = {one["id"]: Topic(**one) for one in saved["topics"]}
    chat.messages = {one["id"]: _message_in(one, world) for one in saved["messages"]}
    chat.ephemeral = {one["id"]: _message_in(one, world) for one in saved["ephemeral"]}
    chat.read = {int(number): upto for number, upto in saved["read"].items()}
    chat.unread = {int(number): count for number, count in saved["unread"].items()}
    return chat


def _message_in(saved: Document, world: World) -> Message:
    message = Message(**saved)
    content: Document = saved["content"]
    message.content = Content(**content)
    if content["media"] is not None:
        message.content.media = world.files.by_name(content["media"])
    if content["dice"] is not None:
        message.content.dice = (content["dice"][0], content["dice"][1])
    message.service = Service(**saved["service"]) if saved["service"] else None
    message.reactions = {int(number): emoji for number, emoji in saved["reactions"].items()}
    return message
