"""What the bot uses of the Bot API beyond the version that PTB knows, and what becomes of it on an older server.

PTB 22.8 knows Bot API 10.0. Everything newer is called here and listed in `NEWER`; there is no other use of
`do_api_request`, and of `api_kwargs` only for keyboards, which it knows.

The danger is a server that ignores a parameter it does not know: a picture for one person's eyes would stand there for
all. It is met in `outbox_ephemeral`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from telegram import Bot, BotCommand, InputFile, InputMediaPhoto, LinkPreviewOptions
from telegram import Message as Answer
from telegram.constants import ParseMode

from handlers.outbox_messages import Asked, Message


@dataclass(frozen=True, slots=True)
class Newer:
    """A method, or a parameter or field of one, that came with `since`; `older`: what happens on an older server."""

    method: str
    field: str | None
    since: str
    older: str


IN_WORDS = "one's own hand in the group is an alert in words"
NEWER = (
    Newer("deleteEphemeralMessage", None, "10.2", f"404; {IN_WORDS}"),
    Newer("editEphemeralMessageMedia", None, "10.2", "not called, since no ephemeral message was sent"),
    Newer("sendPhoto", "ephemeral_message_parameters", "10.3", f"ignored, which is found out first; {IN_WORDS}"),
    Newer("sendMessage", "ephemeral_message_parameters", "10.3", "not sent, since no command comes that only we see"),
    Newer("sendPhoto", "reply_parameters.ephemeral_message_id", "10.2", "not sent, for the same reason"),
    Newer("sendMessage", "reply_parameters.ephemeral_message_id", "10.2", "not sent, for the same reason"),
    Newer("setMyCommands", "commands.is_ephemeral", "10.2", "ignored: the command is seen by all, as any other"),
    Newer("getUpdates", "message.ephemeral_message_id", "10.2", "absent"),
)


@dataclass(frozen=True, slots=True)
class SentEphemeral:
    """The answer to a send: `ephemeral_id` is None if the message is none, but one that all see, by `message_id`."""

    message_id: int
    ephemeral_id: int | None
    file_id: str | None


class EphemeralCalls:
    """Messages in a group that one person sees. Each raises PTB's `TelegramError`; `made` counts calls by method."""

    def __init__(self, bot: Bot, made: Counter[str]) -> None:
        self._bot = bot
        self._made = made

    async def ask(self) -> None:
        """Ask whether the server has ephemeral messages, by a call that can do nothing: it names no message.

        Raises `EndPointNotFound` if not; `BadRequest`, about the parameters that are missing, if so.
        """
        self._made["deleteEphemeralMessage"] += 1
        await self._bot.do_api_request("deleteEphemeralMessage")

    async def send(
        self, message: Message, file: InputFile | str | None, receiver: int, asked: Asked, thread_id: int | None
    ) -> SentEphemeral:
        """Send a message, as a photo if there is a file. Buttons are not sent. `receiver`: a Telegram user id."""
        about: dict[str, Any] = {"receiver_user_id": receiver}
        if asked.query_id is not None:
            about["callback_query_id"] = asked.query_id
        extra: dict[str, Any] = {"ephemeral_message_parameters": about}
        if asked.message_id is not None:
            extra["reply_parameters"] = {"ephemeral_message_id": asked.message_id}
        if file is None:
            self._made["sendMessage"] += 1
            answer = await self._bot.send_message(
                message.chat_id,
                message.text,
                parse_mode=ParseMode.HTML,
                link_preview_options=LinkPreviewOptions(is_disabled=True),
                disable_notification=message.silent,
                message_thread_id=thread_id,
                api_kwargs=extra,
            )
        else:
            self._made["sendPhoto"] += 1
            answer = await self._bot.send_photo(
                message.chat_id,
                file,
                caption=message.text,
                parse_mode=ParseMode.HTML,
                disable_notification=message.silent,
                protect_content=message.protect,
                message_thread_id=thread_id,
                api_kwargs=extra,
            )
        return SentEphemeral(
            answer.message_id, ephemeral_id(answer), answer.photo[-1].file_id if answer.photo else None
        )

    async def edit_photo(self, chat_id: int, receiver: int, number: int, text: str, file: InputFile | str) -> None:
        """Give an ephemeral photo another picture and caption (HTML)."""
        self._made["editEphemeralMessageMedia"] += 1
        media = InputMediaPhoto(file, caption=text, parse_mode=ParseMode.HTML)
        where = {"chat_id": chat_id, "receiver_user_id": receiver, "ephemeral_message_id": number}
        await self._bot.do_api_request("editEphemeralMessageMedia", api_kwargs={**where, "media": media})

    async def delete(self, chat_id: int, receiver: int, number: int) -> None:
        """Delete an ephemeral message."""
        self._made["deleteEphemeralMessage"] += 1
        where = {"chat_id": chat_id, "receiver_user_id": receiver, "ephemeral_message_id": number}
        await self._bot.do_api_request("deleteEphemeralMessage", api_kwargs=where)


def ephemeral_id(message: Answer) -> int | None:
    """The number of an ephemeral message, None for any other."""
    number = message.api_kwargs.get("ephemeral_message_id")
    return number if isinstance(number, int) else None


def command(name: str, description: str, *, ephemeral: bool) -> BotCommand:
    """A command for the menu; of an ephemeral one only its sender and the bot see what was typed."""
    return BotCommand(name, description, api_kwargs={"is_ephemeral": True} if ephemeral else None)
