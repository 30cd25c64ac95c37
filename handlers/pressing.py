"""A button press as it came in, with everything its handler needs to answer it."""

from __future__ import annotations

from dataclasses import dataclass

from telegram import Chat

from data.model import Person
from data.texts import Words
from handlers.answers import Answer, Key
from handlers.house import House


@dataclass(frozen=True, slots=True)
class Pressing:
    """A press: by whom, in which chat (``private`` or the group's), on which copy of a message.

    ``chat``, ``thread``: as far as the update tells them; ``query_id``: Telegram's of the press. ``genuine``: the
    message pressed on has this button; a client can send any data for any message.
    """

    house: House
    person: Person
    user_id: int
    chat_id: int
    private: bool
    message_id: int | None
    query_id: str
    words: Words
    chat: Chat | None = None
    thread: int | None = None
    genuine: bool = False

    def answer_key(self, command: str) -> str:
        """The key of the message pressed on, if it answers this command; else that of the presser's own answer.

        A crafted client can press anything on any message.
        """
        chat, number = self.chat_id, self.message_id
        key = self.house.outbox.key_at(chat, number) if number is not None else None
        if key is not None and key.startswith(f"say:{chat}:") and key.endswith(f":{command}"):
            return key
        return f"say:{chat}:{self.user_id}:{command}"

    def put_away(self, key: str) -> None:
        """The message pressed on goes: the living one of this key, or a copy of it that is not known."""
        outbox = self.house.outbox
        if self.message_id is not None and outbox.where(key) != (self.chat_id, self.message_id):
            outbox.forget_copy(self.chat_id, self.message_id)
        else:
            outbox.drop(key)

    def answer(self, answer: Answer) -> None:
        """Tell the presser what came of it (answerCallbackQuery)."""
        text = answer_text(self.words, answer)
        self.house.outbox.answer(self.query_id, text, alert=answer.alert, url=answer.url)


def answer_text(words: Words, answer: Answer) -> str | None:
    """The toast in the presser's language; a field that is a tile's key becomes its name."""
    if answer.key is None:
        return None
    fields = {name: words(value) if isinstance(value, Key) else value for name, value in answer.fields.items()}
    return words(answer.key, **fields)
