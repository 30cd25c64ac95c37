"""Single calls to the Bot API, counted, and what their failures mean."""

from __future__ import annotations

import enum
import json
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

from telegram import Bot, InputFile, InputMediaAnimation, InputMediaDocument, InputMediaPhoto, LinkPreviewOptions
from telegram import Message as Answer
from telegram.constants import ParseMode
from telegram.error import (
    BadRequest,
    ChatMigrated,
    EndPointNotFound,
    Forbidden,
    NetworkError,
    RetryAfter,
    TelegramError,
    TimedOut,
)

from handlers.clock import Clock
from handlers.newer_calls import EphemeralCalls
from handlers.outbox_messages import Button, FileKind, Keyboard, Message, Picture, VoiceNote

log = logging.getLogger(__name__)
T = TypeVar("T")

# A forum's General topic has this id, and refuses it when something is sent there.
GENERAL = 1
TOAST_LENGTH = 200
# A callback query wants its answer within 15 s.
ANSWER_SECONDS = 12.0
# The first pause after a failure; the next ones double.
BACKOFF_SECONDS = 0.5


class Trouble(enum.Enum):
    """What a failed call means for what is wanted."""

    UNCHANGED = "it is shown already"
    GONE = "the message is not there any more"
    FIXED = "the message is there, and cannot be changed any more"
    THREAD = "the topic is gone or closed"
    FILE = "the file id is no good"
    NO_PHOTOS = "photos are not allowed in this chat"
    NO_FILES = "documents or animations are not allowed in this chat"
    NO_VOICES = "voice notes are not allowed in this chat"
    UNREACHABLE = "the chat cannot be written to"
    MIGRATED = "the group has become a supergroup"
    FLOOD = "too many calls to this chat"
    NETWORK = "no answer, or the server is in trouble"
    NO_METHOD = "the server is older than the method"
    REFUSED = "the call itself is wrong, and would be so again"


@dataclass(frozen=True, slots=True)
class Fault:
    """One failure. `seconds` with FLOOD, `chat_id` (the new one) with MIGRATED; `perhaps`: the call may have
    arrived."""

    trouble: Trouble
    reason: str
    seconds: float = 0.0
    chat_id: int = 0
    perhaps: bool = False


# Fragments of the server's descriptions, in lower case; the first that fits decides.
_BAD_REQUESTS: tuple[tuple[str, Trouble], ...] = (
    ("message is not modified", Trouble.UNCHANGED),
    ("message to edit not found", Trouble.GONE),
    ("message to delete not found", Trouble.GONE),
    ("message_id_invalid", Trouble.GONE),
    ("message can't be edited", Trouble.FIXED),
    ("message can't be deleted", Trouble.FIXED),
    ("there is no text in the message", Trouble.FIXED),
    ("there is no caption in the message", Trouble.FIXED),
    ("message thread not found", Trouble.THREAD),
    ("topic_closed", Trouble.THREAD),
    ("topic closed", Trouble.THREAD),
    ("topic_deleted", Trouble.THREAD),
    ("wrong file identifier", Trouble.FILE),
    ("wrong remote file", Trouble.FILE),
    ("file_reference", Trouble.FILE),
    ("rights to send photos", Trouble.NO_PHOTOS),
    ("chat_send_photos_forbidden", Trouble.NO_PHOTOS),
    ("rights to send documents", Trouble.NO_FILES),
    ("chat_send_docs_forbidden", Trouble.NO_FILES),
    ("rights to send animations", Trouble.NO_FILES),
    ("chat_send_gifs_forbidden", Trouble.NO_FILES),
    ("rights to send voice", Trouble.NO_VOICES),
    ("chat_send_voices_forbidden", Trouble.NO_VOICES),
    ("voice_messages_forbidden", Trouble.NO_VOICES),
    ("chat not found", Trouble.UNREACHABLE),
    ("user not found", Trouble.UNREACHABLE),
    ("peer_id_invalid", Trouble.UNREACHABLE),
    ("channel_private", Trouble.UNREACHABLE),
    ("chat_write_forbidden", Trouble.UNREACHABLE),
    ("chat_restricted", Trouble.UNREACHABLE),
    ("user_is_blocked", Trouble.UNREACHABLE),
    ("input_user_deactivated", Trouble.UNREACHABLE),
    ("rights to send text", Trouble.UNREACHABLE),
    ("rights to send messages", Trouble.UNREACHABLE),
    ("rights to send a message", Trouble.UNREACHABLE),
    ("need administrator rights", Trouble.UNREACHABLE),
)
# Failures of the HTTP client in which nothing has been sent yet.
_NOT_SENT = {"ConnectError", "ConnectTimeout", "PoolTimeout"}


def fault_of(error: TelegramError) -> Fault:
    """What an error of PTB means; errors it does not tell apart (such as a bad answer or a refused token) count as
    the network's."""
    reason = error.message
    if isinstance(error, RetryAfter):
        wait = error.retry_after  # a number of seconds, or a timedelta if PTB is set to that
        return Fault(Trouble.FLOOD, reason, wait.total_seconds() if isinstance(wait, timedelta) else float(wait))
    if isinstance(error, ChatMigrated):
        return Fault(Trouble.MIGRATED, reason, chat_id=error.new_chat_id)
    if isinstance(error, EndPointNotFound):
        return Fault(Trouble.NO_METHOD, reason)
    if isinstance(error, Forbidden):
        return Fault(Trouble.UNREACHABLE, reason)
    if isinstance(error, BadRequest):
        text = reason.lower()
        trouble = next((trouble for fragment, trouble in _BAD_REQUESTS if fragment in text), Trouble.REFUSED)
        return Fault(trouble, reason)
    if isinstance(error, TimedOut) or (isinstance(error, NetworkError) and error.__cause__ is not None):
        return Fault(Trouble.NETWORK, reason, perhaps=type(error.__cause__).__name__ not in _NOT_SENT)
    return Fault(Trouble.NETWORK, reason)


def markup(keyboard: Keyboard) -> dict[str, str]:
    """Telegram's keyboard for ``api_kwargs``; empty for no buttons, which takes them off in an edit.

    Written as JSON here: PTB would make an object of each button, and of all of them JSON.
    """
    if not keyboard:
        return {}
    rows = [[_button(button) for button in row] for row in keyboard]
    return {"reply_markup": json.dumps({"inline_keyboard": rows}, ensure_ascii=False, separators=(",", ":"))}


def _button(button: Button) -> dict[str, str]:
    fields = {"text": button.text, "callback_data": button.data, "url": button.url, "style": button.style}
    return {name: value for name, value in fields.items() if value is not None}


_METHODS: dict[FileKind, str] = {"photo": "sendPhoto", "document": "sendDocument", "animation": "sendAnimation"}
_MEDIA = {"photo": InputMediaPhoto, "document": InputMediaDocument, "animation": InputMediaAnimation}


def upload(data: bytes, attach: bool = False, name: str = "") -> InputFile:
    """A file to upload, by default an image; ``attach``: named in an InputMedia."""
    name = name or ("picture.png" if data.startswith(b"\x89PNG") else "picture.jpg")
    file = InputFile(data, filename=name, attach=attach)
    if attach:
        file.attach_name = "picture"  # a random one by default: the same calls should be the same bytes
    return file


def _file_id(answer: Answer | bool) -> str | None:
    if not isinstance(answer, Answer):
        return None
    # An animation comes with a document, for clients that know no animations.
    file = answer.photo[-1] if answer.photo else answer.animation or answer.document
    return file.file_id if file is not None else None


def _file(picture: Picture, file: bytes | str, attach: bool = False) -> InputFile | str:
    return file if isinstance(file, str) else upload(file, attach, picture.name)


class Calls:
    """The methods of the Bot API that the outbox uses. Each raises PTB's `TelegramError`, unless made by `attempt`.

    `made` counts the calls by method, `floods` the answers 429. `file` is an image to upload, or a file id. Where a
    file id is returned, it is that of the photo now shown.
    """

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self.made: Counter[str] = Counter()
        self.ephemeral = EphemeralCalls(bot, self.made)
        self.floods = 0

    async def attempt(self, call: Coroutine[Any, Any, T]) -> T | Fault:
        """What a call returns, or what went wrong."""
        try:
            return await call
        except TelegramError as error:
            fault = fault_of(error)
        except Exception as error:
            log.exception("a call to the Bot API broke")
            fault = Fault(Trouble.REFUSED, repr(error))
        self.floods += fault.trouble is Trouble.FLOOD
        return fault

    async def send(self, message: Message, file: bytes | str | None, thread_id: int | None) -> tuple[int, str | None]:
        """Send a message, as a photo (or what its picture is) if there is a file. Returns message id and file id."""
        how: dict[str, Any] = {
            "parse_mode": ParseMode.HTML,
            "disable_notification": message.silent,
            "protect_content": message.protect,
            "api_kwargs": markup(message.keyboard),
            "message_thread_id": None if thread_id == GENERAL else thread_id,
        }
        if file is None or message.picture is None:
            self.made["sendMessage"] += 1
            preview = LinkPreviewOptions(is_disabled=True)
            answer = await self._bot.send_message(message.chat_id, message.text, link_preview_options=preview, **how)
            return answer.message_id, None
        kind = message.picture.kind
        self.made[_METHODS[kind]] += 1
        senders: dict[FileKind, Callable[..., Awaitable[Answer]]] = {
            "photo": self._bot.send_photo,
            "document": self._bot.send_document,
            "animation": self._bot.send_animation,
        }
        answer = await senders[kind](message.chat_id, _file(message.picture, file), caption=message.text, **how)
        return answer.message_id, _file_id(answer)

    async def voice(
        self, note: VoiceNote, file: InputFile | str, seconds: int, thread_id: int | None
    ) -> tuple[int, str | None]:
        """Send a voice note, without a sound of its own. Returns message id and file id."""
        self.made["sendVoice"] += 1
        answer = await self._bot.send_voice(
            note.chat_id,
            file,
            duration=seconds or None,
            caption=note.text,
            parse_mode=ParseMode.HTML,
            disable_notification=True,
            protect_content=True,
            message_thread_id=None if thread_id == GENERAL else thread_id,
        )
        return answer.message_id, answer.voice.file_id if answer.voice is not None else None

    async def edit_photo(self, message_id: int, message: Message, file: bytes | str) -> str | None:
        """Change picture (or other file), caption and buttons of a message that has one. Returns the file id."""
        assert message.picture is not None
        self.made["editMessageMedia"] += 1
        media = _MEDIA[message.picture.kind](
            _file(message.picture, file, attach=True), caption=message.text, parse_mode=ParseMode.HTML
        )
        return _file_id(
            await self._bot.edit_message_media(
                media, chat_id=message.chat_id, message_id=message_id, api_kwargs=markup(message.keyboard)
            )
        )

    async def edit_words(self, chat_id: int, message_id: int, text: str, keyboard: Keyboard, photo: bool) -> None:
        """Change text (the caption, of a photo message) and buttons."""
        if photo:
            self.made["editMessageCaption"] += 1
            await self._bot.edit_message_caption(
                chat_id, message_id, caption=text, parse_mode=ParseMode.HTML, api_kwargs=markup(keyboard)
            )
        else:
            self.made["editMessageText"] += 1
            await self._bot.edit_message_text(
                text,
                chat_id,
                message_id,
                parse_mode=ParseMode.HTML,
                link_preview_options=LinkPreviewOptions(is_disabled=True),
                api_kwargs=markup(keyboard),
            )

    async def edit_keyboard(self, chat_id: int, message_id: int, keyboard: Keyboard) -> None:
        """Change the buttons alone."""
        self.made["editMessageReplyMarkup"] += 1
        await self._bot.edit_message_reply_markup(chat_id, message_id, api_kwargs=markup(keyboard))

    async def delete(self, chat_id: int, message_id: int) -> None:
        """Delete a message of the bot's own, under 48 hours old."""
        self.made["deleteMessage"] += 1
        await self._bot.delete_message(chat_id, message_id)

    async def dice(self, chat_id: int, thread_id: int | None) -> int:
        """Throw a die; its value, 1–6, is the server's."""
        self.made["sendDice"] += 1
        answer = await self._bot.send_dice(
            chat_id, disable_notification=True, message_thread_id=None if thread_id == GENERAL else thread_id
        )
        if answer.dice is None:
            raise TelegramError("sendDice was answered without a die")
        return answer.dice.value

    async def answer_in_time(self, clock: Clock, query_id: str, text: str | None, alert: bool, url: str | None) -> None:
        """Answer a callback query, again after failures of the network while that is of use. Raises nothing."""
        last = clock.time() + ANSWER_SECONDS
        pause = BACKOFF_SECONDS
        if text is not None and len(text) > TOAST_LENGTH:
            text = text[: TOAST_LENGTH - 1] + "…"
        while True:
            self.made["answerCallbackQuery"] += 1
            fault = await self.attempt(self._bot.answer_callback_query(query_id, text=text, show_alert=alert, url=url))
            if not isinstance(fault, Fault) or fault.trouble not in (Trouble.NETWORK, Trouble.FLOOD):
                return
            pause = max(pause, fault.seconds)
            if clock.time() + pause > last:
                return
            await clock.sleep(pause)
            pause *= 2
