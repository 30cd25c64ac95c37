"""What people do: talk, press, come, go, block. The control interface and tests call this; the bot gets the updates.

What cannot be done raises ControlError: 404 if something is not there, 409 if it is not possible now, 400 if it makes
no sense.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from playground import documents, objects
from playground.chats import Chat, Content, Member, Message, Person, Press, Service, Topic
from playground.entities import cut, find
from playground.errors import ApiError, ControlError
from playground.faults import Fault
from playground.files import Upload
from playground.methods.identity import commands_for

if TYPE_CHECKING:
    from playground.world import World

FIRST_PERSON = 5_000_000_001
FIRST_SUPERGROUP = -1_001_000_000_001
FIRST_GROUP = -4_000_001
USERNAME = re.compile(r"[A-Za-z]\w{3,31}", re.ASCII)
FIELDS = ("first_name", "last_name", "username", "language_code")


class Crowd:
    """The people of a world, as doers."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.people = self.groups = 0
        """How many have ever been made: their ids follow from it."""

    def settle_in(self) -> None:
        """The world to begin with: one group with the bot and four people who have not started it yet."""
        four = [
            self.add_person("阿明", username="aming_zz", language_code="zh-hans"),
            self.add_person("阿珍", username="azhen_zz", language_code="zh-hans"),
            self.add_person("老林", language_code="zh-hant"),
            self.add_person("Xiaohong", last_name="Chen", username="xiaohong_sg", language_code="en"),
        ]
        self.add_group("周末麻将", [person.id for person in four])

    # finding

    def person(self, person_id: int) -> Person:
        """Raises ControlError 404 if there is no such person."""
        person = self.world.people.get(person_id)
        if person is None:
            raise ControlError(404, f"there is no person {person_id}")
        return person

    def chat(self, chat_id: int, person_id: int | None = None) -> Chat:
        """A chat; with ``person_id`` only one that this person sees."""
        if person_id is not None:
            self.person(person_id)
        chat = self.world.chats.get(chat_id)
        if chat is None or chat.gone:
            raise ControlError(404, f"there is no chat {chat_id}")
        if person_id is not None and not chat.sees(person_id):
            raise ControlError(404, f"person {person_id} does not see chat {chat_id}")
        return chat

    def group(self, chat_id: int) -> Chat:
        """Raises ControlError if there is no such chat, or it is private."""
        chat = self.chat(chat_id)
        if chat.private:
            raise ControlError(400, f"chat {chat_id} is not a group")
        if chat.migrated_to is not None:
            raise ControlError(409, f"group {chat_id} has become {chat.migrated_to}")
        return chat

    def message(self, chat_id: int, message_id: int, person_id: int) -> Message:
        """A message that the person sees there. Raises ControlError 404."""
        chat = self.chat(chat_id, person_id)
        message = chat.messages.get(message_id) or chat.ephemeral.get(message_id)
        if message is None or message.only_for not in (None, person_id):
            raise ControlError(404, f"there is no message {message_id} in chat {chat_id}")
        return message

    def _creator(self, chat: Chat) -> int:
        for member in chat.members.values():
            if member.status == "creator":
                return member.id
        raise ControlError(409, f"group {chat.id} has no creator any more")

    # people

    def add_person(
        self, first_name: str, last_name: str = "", username: str | None = None, language_code: str | None = None
    ) -> Person:
        """Somebody new. Raises ControlError 400 for a name that Telegram would not have, 409 for a taken username."""
        self._check_person(first_name, last_name, username)
        person = Person(FIRST_PERSON + self.people, first_name, last_name, username, language_code)
        self.people += 1
        self.world.add_person(person)
        self.world.feed.emit("person", lambda: {"person": documents.person(person)})
        self.world.changed(self.world.chats[person.id])
        return person

    def change_person(self, person_id: int, **fields: Any) -> Person:
        """Other names or another language for somebody; ``fields``: of ``FIELDS``."""
        person = self.person(person_id)
        merged = {name: getattr(person, name) for name in FIELDS} | fields
        username = merged["username"] if merged["username"] != person.username else None
        self._check_person(merged["first_name"], merged["last_name"], username)
        for name in FIELDS:
            setattr(person, name, merged[name])
        self.world.feed.emit("person", lambda: {"person": documents.person(person)})
        return person

    def _check_person(self, first_name: str, last_name: str, username: str | None) -> None:
        if not 1 <= len(first_name.strip()) <= 64 or len(last_name) > 64:
            raise ControlError(400, "first_name takes 1 to 64 characters, last_name at most 64")
        if username is not None:
            if not USERNAME.fullmatch(username):
                raise ControlError(400, "username takes 4 to 32 letters, digits and underscores, a letter first")
            taken = [self.world.bot.username, *(person.username or "" for person in self.world.people.values())]
            if username.lower() in [name.lower() for name in taken]:
                raise ControlError(409, f"username {username} is taken")

    def remove_person(self, person_id: int) -> None:
        """The account is deleted: it leaves its groups and can no longer be written to."""
        self.person(person_id)
        for chat in self.world.chats.values():
            if chat.private or chat.gone or not chat.present(person_id):
                continue
            if chat.migrated_to is None:
                self.leave(chat.id, person_id)
            else:
                # The group lives on under another id: nobody is told of the old one.
                chat.members[person_id] = Member(person_id, "left")
                self.world.changed(chat)
        private = self.world.chats[person_id]
        if private.started and not private.blocked:
            self.block(person_id)
        private.gone = True
        del self.world.people[person_id]
        self.world.feed.emit("person_removed", lambda: {"person_id": person_id})
        self.world.feed.emit("chat_removed", lambda: {"chat_id": person_id})

    # groups

    def add_group(
        self, title: str, members: list[int], type: str = "supergroup", bot: bool = True, is_forum: bool = False
    ) -> Chat:
        """A new group of these members, its first the creator; ``bot``: the bot is in it. Raises ControlError 400."""
        if type not in ("group", "supergroup") or (is_forum and type == "group"):
            raise ControlError(400, "type is group or supergroup; only a supergroup can be a forum")
        if not members:
            raise ControlError(400, "a group needs at least one member")
        self._check_title(title)
        for person_id in members:
            self.person(person_id)
        first = FIRST_SUPERGROUP if type == "supergroup" else FIRST_GROUP
        chat = Chat(first - self.groups, type, title, is_forum=is_forum)
        self.groups += 1
        for person_id in members:
            chat.members[person_id] = Member(person_id, "member" if chat.members else "creator")
        self.world.add_chat(chat)
        self.world.changed(chat)
        self.world.serve_notice(chat, members[0], Service("created"))
        if bot:
            self.join(chat.id, self.world.bot.id, by=members[0])
        return chat

    def change_group(self, chat_id: int, title: str | None = None, is_forum: bool | None = None) -> Chat:
        """Another title, topics on or off. Raises ControlError."""
        chat = self.group(chat_id)
        if is_forum is not None and is_forum != chat.is_forum:
            if chat.type != "supergroup":
                raise ControlError(409, "only a supergroup can be a forum")
            chat.is_forum = is_forum
            chat.topics.setdefault(1, Topic(1, "General"))
        if title is not None and title != chat.title:
            self._check_title(title)
            chat.title = title
            self.world.serve_notice(chat, self._creator(chat), Service("title", text=title))
        self.world.changed(chat)
        return chat

    def _check_title(self, title: str) -> None:
        if not 1 <= len(title.strip()) <= 128:
            raise ControlError(400, "title takes 1 to 128 characters")

    def remove_group(self, chat_id: int) -> None:
        """As if it had never been."""
        self.group(chat_id).gone = True
        self.world.feed.emit("chat_removed", lambda: {"chat_id": chat_id})

    def join(self, chat_id: int, member_id: int, by: int | None = None) -> Chat:
        """Somebody, or the bot, comes into a group, added ``by`` somebody or by themselves. Raises ControlError 409."""
        chat = self.group(chat_id)
        if chat.present(member_id):
            raise ControlError(409, f"{member_id} is in group {chat_id} already")
        if member_id == self.world.bot.id:
            by = by or self._creator(chat)
        else:
            self.person(member_id)
        self.world.member_changed(chat, by or member_id, member_id, "member")
        self.world.serve_notice(chat, by or member_id, Service("joined", [member_id]))
        return chat

    def leave(self, chat_id: int, member_id: int, by: int | None = None) -> Chat:
        """Leaves, or is removed ``by`` somebody."""
        chat = self.group(chat_id)
        if not chat.present(member_id):
            raise ControlError(409, f"{member_id} is not in group {chat_id}")
        if member_id == self.world.bot.id:
            by = by or self._creator(chat)
        self.world.member_changed(chat, by or member_id, member_id, "kicked" if by else "left")
        self.world.serve_notice(chat, by or member_id, Service("left", [member_id]))
        return chat

    def set_status(self, chat_id: int, member_id: int, status: str, can_send: bool = True, photos: bool = True) -> Chat:
        """``can_send``, ``photos``: whether somebody restricted may send anything, and photos."""
        chat = self.group(chat_id)
        if not chat.present(member_id):
            raise ControlError(409, f"{member_id} is not in group {chat_id}")
        if status not in ("administrator", "member", "restricted") or chat.members[member_id].status == "creator":
            raise ControlError(400, "status is administrator, member or restricted, and the creator keeps theirs")
        self.world.member_changed(chat, self._creator(chat), member_id, status, can_send, photos)
        return chat

    def migrate(self, chat_id: int) -> Chat:
        """A group becomes a supergroup with another id; the bot is told in both."""
        old = self.group(chat_id)
        if old.type != "group":
            raise ControlError(409, f"chat {chat_id} is a supergroup already")
        creator = self._creator(old)
        new = Chat(FIRST_SUPERGROUP - self.groups, "supergroup", old.title)
        self.groups += 1
        new.members = {number: replace(one) for number, one in old.members.items()}
        self.world.add_chat(new)
        self.world.changed(new)
        self.world.serve_notice(old, creator, Service("migrated_to", chat_id=new.id))
        old.migrated_to = new.id
        self.world.changed(old)
        self.world.budgets.move(old.id, new.id)
        self.world.serve_notice(new, creator, Service("migrated_from", chat_id=old.id))
        return new

    # topics

    def add_topic(self, chat_id: int, name: str) -> Topic:
        """A new topic in a forum. Raises ControlError 409 in other groups."""
        chat = self.group(chat_id)
        if not chat.is_forum:
            raise ControlError(409, f"group {chat_id} is not a forum")
        topic = Topic(chat.last_id + 1, name)
        chat.topics[topic.id] = topic
        self.world.serve_notice(chat, self._creator(chat), Service("topic_created", text=name), topic.id)
        self.world.changed(chat)
        return topic

    def _topic(self, chat: Chat, topic_id: int) -> Topic:
        if topic_id not in chat.topics:
            raise ControlError(404, f"there is no topic {topic_id} in chat {chat.id}")
        return chat.topics[topic_id]

    def close_topic(self, chat_id: int, topic_id: int, closed: bool = True) -> None:
        """Close a topic, or open it again."""
        chat = self.group(chat_id)
        topic = self._topic(chat, topic_id)
        topic.closed = closed
        kind = "topic_closed" if closed else "topic_reopened"
        self.world.serve_notice(chat, self._creator(chat), Service(kind), topic.id if topic.id != 1 else None)
        self.world.changed(chat)

    def remove_topic(self, chat_id: int, topic_id: int) -> None:
        """A topic is deleted with its messages."""
        chat = self.group(chat_id)
        self._topic(chat, topic_id)
        if topic_id == 1:
            raise ControlError(409, "General cannot be removed")
        del chat.topics[topic_id]
        self.world.remove(chat, [message.id for message in chat.messages.values() if message.thread_id == topic_id])
        self.world.changed(chat)

    # private chats

    def start(self, person_id: int, payload: str = "") -> Message:
        """START in the private chat, also by a deep link with a payload (up to 64 letters, digits, ``_``, ``-``)."""
        if payload and not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", payload):
            raise ControlError(400, "payload takes up to 64 letters, digits, _ and -")
        if self.chat(person_id, person_id).blocked:
            self.unblock(person_id)
        return self.say(person_id, person_id, f"/start {payload}".strip())

    def block(self, person_id: int) -> Chat:
        """Somebody stops the bot."""
        chat = self.chat(person_id, person_id)
        if chat.blocked:
            raise ControlError(409, f"person {person_id} has blocked the bot already")
        chat.blocked = True
        self._standing(chat, "member", "kicked")
        return chat

    def unblock(self, person_id: int) -> Chat:
        """And lets it write again."""
        chat = self.chat(person_id, person_id)
        if not chat.blocked:
            raise ControlError(409, f"person {person_id} has not blocked the bot")
        chat.blocked = False
        self._standing(chat, "kicked", "member")
        return chat

    def _standing(self, chat: Chat, old: str, new: str) -> None:
        before, after = (objects.member(self.world, Member(self.world.bot.id, status)) for status in (old, new))
        self.world.changed(chat)
        if chat.started:
            self.world.update("my_chat_member", objects.member_update(self.world, chat, chat.id, before, after))

    # talking

    def say(
        self,
        person_id: int,
        chat_id: int,
        text: str,
        reply_to: int | None = None,
        thread_id: int | None = None,
        anonymous: bool = False,
    ) -> Message:
        """Somebody writes; ``anonymous``: as the group they administer. Raises ControlError if they may not."""
        text = text.strip()
        if not 1 <= len(text) <= 4096:
            raise ControlError(400, "text takes 1 to 4096 characters")
        content = Content("text", text, find(text, []))
        return self._send(person_id, chat_id, content, reply_to, thread_id, anonymous)

    def speak(
        self,
        person_id: int,
        chat_id: int,
        sound: bytes,
        duration: int,
        reply_to: int | None = None,
        of: int | None = None,
    ) -> Message:
        """Send a voice note of so many seconds; ``of``: whose it is that is forwarded."""
        if of is not None:
            self.person(of)
        try:
            media = self.world.files.store("voice", Upload("", sound), duration=duration)
        except ApiError as error:
            raise ControlError(400, str(error)) from None
        return self._send(person_id, chat_id, Content("voice", media=media, forwarded_of=of), reply_to)

    def _send(
        self,
        person_id: int,
        chat_id: int,
        content: Content,
        reply_to: int | None = None,
        thread_id: int | None = None,
        anonymous: bool = False,
    ) -> Message:
        chat = self.chat(chat_id, person_id)
        if chat.blocked:
            raise ControlError(409, f"person {person_id} has blocked the bot")
        if chat.migrated_to is not None:
            raise ControlError(409, f"group {chat_id} has become {chat.migrated_to}")
        own = chat.members.get(person_id)
        if own is not None and own.status == "restricted" and not own.can_send:
            raise ControlError(409, f"person {person_id} may not write in group {chat_id}")
        if thread_id is not None or chat.is_forum:
            topic = self._topic(chat, thread_id or 1)
            if topic.closed and not chat.admin(person_id):
                raise ControlError(409, f"topic {topic.id} is closed")
        if anonymous and not (chat.admin(person_id) and chat.type == "supergroup"):
            raise ControlError(409, "only admins of a supergroup can be anonymous")
        if reply_to is not None and reply_to not in chat.messages:
            raise ControlError(404, f"there is no message {reply_to} in chat {chat_id}")
        if chat.private and not chat.started:
            chat.started = True
            self.world.changed(chat)
        sender = chat.id if anonymous else person_id
        hidden = not anonymous and self._ephemeral_command(chat, person_id, content)
        message = self.world.post(
            chat,
            sender,
            content,
            only_for=person_id if hidden else None,
            reply_to=reply_to,
            thread_id=thread_id if thread_id != 1 else None,
        )
        if not hidden:
            chat.mark_read(person_id, message.id)
        if self._heard(chat, message):
            self.world.update("message", objects.message(self.world, message))
        return message

    def _ephemeral_command(self, chat: Chat, person_id: int, content: Content) -> bool:
        """Whether a text is a command that the bot has marked as one that only its sender and the bot see."""
        if chat.private or not chat.present(self.world.bot.id) or not content.text.startswith("/"):
            return False
        name = content.text[1:].partition(" ")[0].partition("@")[0].lower()
        offered = commands_for(self.world, chat, person_id)
        return any(one["command"] == name and one.get("is_ephemeral") for one in offered)

    def _heard(self, chat: Chat, message: Message) -> bool:
        """Whether the bot gets a message; in groups privacy mode keeps all but commands and replies to it back."""
        if chat.private:
            return True
        bot = self.world.bot
        if not chat.present(bot.id):
            return False
        if chat.admin(bot.id) or not bot.privacy:
            return True
        replied = chat.messages.get(message.reply_to or 0)
        if replied is not None and replied.sender == bot.id:
            return True
        for entity in message.content.entities:
            if entity["type"] == "bot_command" and entity["offset"] == 0:
                command = cut(message.content.text, 0, entity["length"])
                _, _, name = command.partition("@")
                return not name or name.lower() == bot.username.lower()
        return False

    def delete(self, person_id: int, chat_id: int, message_id: int) -> None:
        """Deletes for everybody; Telegram tells bots nothing of it."""
        message = self.message(chat_id, message_id, person_id)
        chat = self.world.chats[chat_id]
        if not chat.private and message.sender != person_id and not chat.admin(person_id):
            raise ControlError(409, f"person {person_id} may not delete message {message_id}")
        self.world.remove(chat, [message_id])

    # pressing

    def press(
        self,
        person_id: int,
        chat_id: int,
        message_id: int,
        data: str | None = None,
        row: int | None = None,
        column: int | None = None,
        force: bool = False,
        inaccessible: bool = False,
    ) -> Press:
        """A press of a callback button. ``force``: as from a phone that still shows an older keyboard or message."""
        world = self.world
        chat = self.chat(chat_id, person_id)
        message = chat.messages.get(message_id) or chat.ephemeral.get(message_id)
        if force and data is not None:
            if not 1 <= len(data.encode()) <= 64:
                raise ControlError(400, "data takes 1 to 64 bytes")
        else:
            data = self._button(self.message(chat_id, message_id, person_id), data, row, column)
        if chat.blocked:
            raise ControlError(409, f"person {person_id} has blocked the bot")
        if not chat.private and not chat.present(world.bot.id):
            raise ControlError(409, "the bot has left the group")
        press = world.new_press(person_id, chat_id, message_id, data)
        shown = message is not None and not inaccessible
        world.feed.emit("callback", lambda: {"callback": documents.press(world, press)})
        world.update(
            "callback_query",
            {
                "id": press.id,
                "from": objects.user(world, person_id),
                "message": objects.message(world, message)
                if message is not None and shown
                else objects.inaccessible(world, chat_id, max(message_id, 0)),
                "chat_instance": str(7_400_000_000_000 + abs(chat_id) % 1_000_000_007),
                "data": data,
            },
        )
        return press

    def _button(self, message: Message, data: str | None, row: int | None, column: int | None) -> str:
        """The data of the button meant; 409 if it is not on the message now or is not a callback button."""
        where = f"on message {message.id} of chat {message.chat_id}"
        if data is not None:
            button = message.button(data)
            if button is None:
                raise ControlError(409, f"there is no button with data {data!r} {where}")
        elif row is None or column is None or row < 0 or column < 0:
            raise ControlError(400, "name the button by data, or by row and column from 0")
        else:
            try:
                button = message.keyboard[row][column]
            except IndexError:
                raise ControlError(409, f"there is no button in row {row}, column {column} {where}") from None
        if "callback_data" not in button:
            raise ControlError(409, f"the button {button['text']!r} {where} is not a callback button")
        return str(button["callback_data"])

    def read(self, person_id: int, chat_id: int, message_id: int | None = None) -> None:
        """Somebody has read a chat, up to a message or to its end."""
        chat = self.chat(chat_id, person_id)
        upto = chat.last_id if message_id is None else min(message_id, chat.last_id)
        if upto > chat.read.get(person_id, 0):
            chat.mark_read(person_id, upto)
            self.world.feed.emit("read", lambda: {"chat_id": chat_id, "unread": documents.unread(self.world, chat)})

    def react(self, person_id: int, chat_id: int, message_id: int, emoji: str | None) -> None:
        """Somebody reacts to a message, or takes that back (None)."""
        message = self.message(chat_id, message_id, person_id)
        old = message.reactions.get(person_id)
        if emoji is None:
            message.reactions.pop(person_id, None)
        else:
            message.reactions[person_id] = emoji
        self.world.edited(message)
        chat = self.world.chats[chat_id]
        if old != emoji and (chat.private or chat.admin(self.world.bot.id)):
            reaction = {
                "chat": objects.chat(self.world, chat),
                "message_id": message_id,
                "user": objects.user(self.world, person_id),
                "date": self.world.date(),
                "old_reaction": [{"type": "emoji", "emoji": old}] if old else [],
                "new_reaction": [{"type": "emoji", "emoji": emoji}] if emoji else [],
            }
            self.world.update("message_reaction", reaction)

    # faults

    def order_fault(self, fault: Fault) -> Fault:
        """From now on calls go wrong in this way."""
        added = self.world.faults.add(fault)
        self.world.feed.emit("faults", lambda: {"faults": self.world.faults.document()})
        return added

    def clear_faults(self, number: int | None = None) -> None:
        """This fault strikes no more; None: none does."""
        self.world.faults.clear(number)
        self.world.feed.emit("faults", lambda: {"faults": self.world.faults.document()})
