"""A command as it came in, with everything its handler needs to answer it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from html import escape

from telegram import User, Voice

from data.model import Group, Person
from data.texts import Html, Words
from handlers.answers import Answer
from handlers.house import House
from handlers.names import shown_name
from handlers.outbox import Asked, Button, Keyboard, Message, Picture, Priority
from handlers.presses import PagePress, table_data
from handlers.pressing import Pressing
from handlers.table import Table

ANONYMOUS = (1087968824, 136817688, 777000)
"""Telegram's stand-ins for anonymous admins, channels, and linked channels: nobody can be told from them."""

ABOUT = {
    "toast.back": "say.back",
    "toast.left": "say.left",
    "toast.leaving": "say.leaving",
    "toast.queued": "say.queued",
    "toast.sits_already": "say.sits_already",
    "toast.unqueued": "say.unqueued",
}
"""What a group reads about a person who would get the toast, had they pressed a button."""
FOR_ALL = ("toast.gone", "toast.kicked", "toast.stopping")
"""Toasts that a group reads as they are."""
GROUP_ANSWER = 45.0
"""Seconds within which a group is given an answer, or not at all: by then it may not be true any more."""

PageHandler = Callable[[Pressing, PagePress], Awaitable[Answer]]


@dataclass(frozen=True, slots=True)
class Call:
    """One command. ``group`` and ``thread`` are None in a private chat; ``person`` is None for an anonymous sender.

    ``words``: the group's in a group, the person's where nobody else sees the command; ``aloud``: those of what
    everybody in the chat reads. ``argument``: what followed it, trimmed. ``name``: of the command. ``ephemeral``: its
    number, if nobody else in the group sees it; so are its answers then. ``anonymous_admin``: whoever sent it
    administers the group, and cannot be told. ``replied``: who wrote the message that it answers, if that is a person.
    ``voice``: what was said instead of a command, in private; ``forwarded``: by somebody else, perhaps. It has one
    answer: a second takes the place of the first.
    """

    house: House
    chat_id: int
    person: Person | None
    group: Group | None
    thread: int | None
    words: Words
    aloud: Words
    argument: str
    user_id: int
    name: str
    ephemeral: int | None = None
    anonymous_admin: bool = False
    replied: User | None = None
    voice: Voice | None = None
    forwarded: bool = False

    async def by_admin(self) -> bool:
        """Whether it comes from an admin of the group."""
        if self.group is None:
            return False
        return self.anonymous_admin or await self.house.members.is_admin(self.chat_id, self.user_id)

    @property
    def table(self) -> Table | None:
        """The group's table."""
        return self.house.table_of(self.group) if self.group is not None else None

    @property
    def own_tables(self) -> list[Table]:
        """The tables at which the person sits: in a group only the group's, if they do."""
        tables = self.house.tables_with(self.person) if self.person is not None else []
        return [table for table in tables if self.group is None or table is self.table]

    @property
    def _key(self) -> str:
        # One answer lives for each person and command: a flood of commands costs no more than one.
        return f"say:{self.chat_id}:{self.user_id}:{self.name}"

    def say(self, text: str, keyboard: Keyboard = (), picture: Picture | None = None) -> None:
        """Answer in the chat; silently in a group. ``text`` is HTML.

        Each answer replaces the one before it, to the same command of the same person.
        """
        within = GROUP_ANSWER if self.group is not None else None
        message = Message(self.chat_id, text, keyboard, picture, silent=self.group is not None, thread_id=self.thread)
        self.house.outbox.ring(self._key, message, Priority.CHATTER, within=within)

    def tell(
        self, text: Callable[[Words], str], link: Callable[[Words], Button] | None = None, *, else_silent: bool = False
    ) -> None:
        """Answer in words that the reader can read: the sender's own where nobody else sees it, else everybody's.

        What nobody else saw asked is answered in private where the group cannot hide it, and aloud only to somebody
        to whom the bot cannot write; with ``else_silent`` not at all. ``link``: a button that opens something, under
        the answer; for the sender alone in the group it stands in the text.
        """

        def buttons(words: Words) -> Keyboard:
            return ((link(words),),) if link is not None else ()

        def otherwise(shown: bool) -> None:
            person = self.person
            if shown or else_silent:
                return
            if person is None or person.telegram_id is None or not person.private_ok:
                self.say(text(self.aloud), buttons(self.aloud))
                return
            message = Message(person.telegram_id, text(self.words), buttons(self.words))
            self.house.outbox.ring(f"say:{person.telegram_id}:{self.user_id}:{self.name}", message, Priority.CHATTER)

        if self.ephemeral is None:
            self.say(text(self.aloud), buttons(self.aloud))
            return
        said = text(self.words)
        if link is not None:
            button = link(self.words)
            said += f'\n<a href="{escape(button.url or "")}">{escape(button.text, quote=False)}</a>'
        message = Message(self.chat_id, said, silent=True, thread_id=self.thread)
        asked = Asked(message_id=self.ephemeral)
        self.house.outbox.want_ephemeral(self._key, message, self.user_id, asked=asked, done=otherwise)

    def explain_anonymity(self, command: Command) -> None:
        """Say that nobody can be told from such a sender, and give the button that does what was wanted."""
        rows: Keyboard = ()
        action, table = command.by_button, self.table
        if action == "open":
            rows = ((Button(self.words("button.open"), table_data(0, action), style="success"),),)
        elif action is not None and table is not None:
            hand = table.state.hand if action == "hand" else None
            rows = ((Button(self.words(f"button.{action}"), table_data(table.id, action, hand)),),)
        self.say(self.words.html("say.anonymous_press" if rows else "say.anonymous"), rows)

    def say_key(self, key: str, **fields: object) -> None:
        """Answer with a text of the catalogues."""
        self.tell(lambda words: words.html(key, **fields))

    def say_to(self, key: str, **fields: object) -> None:
        """Answer with a text that speaks to whoever sent the command: in a group it begins with their name."""
        self.tell(lambda words: self.to_sender(words, words(key, **fields)))

    def to_sender(self, words: Words, text: str) -> Html:
        """A text that speaks to whoever sent the command: in a group it begins with their name."""
        if self.group is None or self.person is None:
            return Html(escape(text, quote=False))
        return words.html("say.to", name=shown_name(self.person.name), text=text)

    def say_answer(self, answer: Answer) -> None:
        """Say what came of the command, if anything is to be said.

        Toasts are made for one pair of eyes. In a group they are said to somebody by name, or about them, or, where
        they concern everybody, as they are.
        """
        if answer.key is None:
            return
        about = ABOUT.get(answer.key) if self.group is not None and self.person is not None else None
        if about is not None and self.person is not None:
            self.say_key(about, name=shown_name(self.person.name), **answer.fields)
        elif answer.key.startswith("toast.") and answer.key not in FOR_ALL:
            self.say_to(answer.key, **answer.fields)
        else:
            self.say_key(answer.key, **answer.fields)


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the bot: one file in ``handlers/commands``.

    ``anonymous``: also for senders that cannot be told; ``admins``: for anonymous admins among them; ``by_button``: the
    action of a button that does the same for the others, since a press carries the real person. ``ephemeral``: in a
    group only its sender and the bot see it, where Telegram can do that. The text for Telegram's menu is
    ``command.NAME``. ``operators``: in private for those in ADMIN_IDS; for others it is no command.
    ``place``: in Telegram's menu, smaller first. ``pages``: what the buttons of its answers do, by the letter that
    they begin with: one that no other command has (``handlers.commands``) and no other form of callback data
    (``handlers.presses``).
    """

    name: str
    run: Callable[[Call], Awaitable[None]]
    private: bool = True
    group: bool = True
    anonymous: bool = False
    ephemeral: bool = False
    admins: bool = False
    by_button: str | None = None
    listed: bool = True
    operators: bool = False
    place: int = 1000
    pages: Mapping[str, PageHandler] = field(default_factory=dict)

    def listed_for(self, kind: str) -> bool:
        """Whether it is in Telegram's menu of a kind of chat or people: ``private``, ``group``, ``admins``."""
        if kind == "private":
            return self.private and self.listed
        return self.group and (self.listed or (self.admins and kind == "admins"))
