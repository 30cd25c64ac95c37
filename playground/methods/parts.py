"""What many methods share: texts, captions, media, keyboards, replies."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from playground.addresses import split
from playground.chats import Chat, Content
from playground.entities import formatted
from playground.errors import ApiError, bad_request
from playground.files import Media, Upload
from playground.methods.registry import Args, Uploads

if TYPE_CHECKING:
    from playground.world import World

TEXT_LIMIT = 4096
CAPTION_LIMIT = 1024
ROW_LIMIT = 8
BUTTON_LIMIT = 100
MARKUP_LIMIT = 10 * 1024
NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same as a current content "
    "and reply markup of the message"
)
ACTIONS = ("url", "callback_data", "web_app", "login_url", "switch_inline_query", "switch_inline_query_current_chat",
           "switch_inline_query_chosen_chat", "copy_text", "callback_game", "pay", "disabled")  # fmt: skip


def text_of(world: World, args: Args, too_long: str = "message is too long") -> tuple[str, list[dict[str, Any]]]:
    """The text of a call and its entities, 1 to 4096 characters after parsing."""
    if "rich_message" in args:
        raise ApiError(501, "Not Implemented: rich_message; the playground does not know rich messages yet")
    if "text" not in args:
        raise bad_request("message text is empty")
    text, entities = formatted(args["text"], args.get("parse_mode"), args.get("entities"), world.mention)
    if not text:
        raise bad_request("message text is empty" if not args["text"] else "text must be non-empty")
    if len(text) > TEXT_LIMIT:
        raise bad_request(too_long)
    return text, entities


def caption_of(world: World, args: Args) -> tuple[str, list[dict[str, Any]]]:
    """The caption of a call or an InputMedia, at most 1024 characters after parsing."""
    text, entities = formatted(
        args.get("caption", ""), args.get("parse_mode"), args.get("caption_entities"), world.mention
    )
    if len(text) > CAPTION_LIMIT:
        raise bad_request("message caption is too long")
    return text, entities


def media_of(world: World, kind: str, value: str, uploads: Uploads, about: Args) -> Media:
    """The file that a parameter names: an upload, or one sent before by its file_id."""
    thumbnail = about.get("thumbnail")
    if thumbnail is not None:
        _upload(thumbnail, uploads)
    if value.startswith("attach://"):
        sizes = {name: about.get(name) for name in ("width", "height", "duration")}
        return world.files.store(kind, _upload(value, uploads), **sizes)
    if value.startswith(("http://", "https://")):
        raise bad_request("failed to get HTTP URL content")
    media = world.files.by_id(value)
    if media is None:
        raise bad_request("wrong file identifier/HTTP URL specified")
    if media.kind != kind:
        raise bad_request(f"can't use file of type {media.kind.title()} as {kind.title()}")
    return media


def _upload(value: str, uploads: Uploads) -> Upload:
    upload = uploads.get(value.removeprefix("attach://"))
    if upload is None or not value.startswith("attach://"):
        raise bad_request("wrong file identifier/HTTP URL specified")
    return upload


def media_content(world: World, kind: str, args: Args, uploads: Uploads, field: str | None = None) -> Content:
    """Media with its caption, from a send method's parameters or from an InputMedia (``field`` "media")."""
    text, entities = caption_of(world, args)
    return Content(
        kind=kind,
        text=text,
        entities=entities,
        media=media_of(world, kind, args[field or kind], uploads, args),
        spoiler=args.get("has_spoiler", False),
        caption_above=args.get("show_caption_above_media", False),
    )


def keyboard_of(args: Args) -> list[list[dict[str, Any]]]:
    """The inline keyboard of ``reply_markup``, checked; [] if there is none or it is another markup."""
    markup = args.get("reply_markup")
    if not markup:
        return []
    if "keyboard" in markup:
        raise ApiError(501, "Not Implemented: ReplyKeyboardMarkup; the playground shows inline keyboards only")
    rows: list[list[dict[str, Any]]] = [row for row in markup.get("inline_keyboard", []) if row]
    for row in rows:
        for button in row:
            _check_button(button)
    too_big = len(json.dumps(rows, ensure_ascii=False).encode()) > MARKUP_LIMIT
    if too_big or any(len(row) > ROW_LIMIT for row in rows) or sum(map(len, rows)) > BUTTON_LIMIT:
        raise bad_request("reply markup is too long")
    return rows


def _check_button(button: dict[str, Any]) -> None:
    if not button["text"].strip():
        raise bad_request("can't parse inline keyboard button: Button text must not be empty")
    actions = [name for name in ACTIONS if name in button]
    if not actions:
        raise bad_request("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard")
    if len(actions) > 1:
        raise bad_request(f"can't parse inline keyboard button: only one of {', '.join(actions)} may be given")
    if "url" in button:
        parts = split(button["url"] if "://" in button["url"] else f"http://{button['url']}")
        if parts is None or parts.scheme not in ("http", "https", "tg", "ton") or not parts.netloc:
            raise bad_request(f"inline keyboard button URL '{button['url']}' is invalid: Wrong HTTP URL")


def reply_of(world: World, chat: Chat, args: Args) -> int | None:
    """The message replied to. Raises ApiError 400 if it is not there and the call does not allow for that."""
    wanted = args.get("reply_parameters")
    if wanted is None:
        return None
    if "ephemeral_message_id" in wanted:
        if -wanted["ephemeral_message_id"] in chat.ephemeral or wanted.get("allow_sending_without_reply"):
            return None
        raise bad_request("message to be replied not found")
    if wanted.get("chat_id", chat.id) != chat.id:
        raise ApiError(501, "Not Implemented: replies to another chat")
    number: int | None = wanted.get("message_id")
    if number in chat.messages:
        return number
    if wanted.get("allow_sending_without_reply"):
        return None
    raise bad_request("message to be replied not found")


def other_text(world: World, args: Args, old: Content) -> Content:
    """What a message of text holds after an edit. Raises ApiError 400 for one of another kind."""
    if old.kind != "text":
        raise bad_request("there is no text in the message to edit")
    text, entities = text_of(world, args, "MESSAGE_TOO_LONG")
    return Content("text", text, entities, preview=args.get("link_preview_options"))


def other_caption(world: World, args: Args, old: Content) -> Content:
    """What a message with media holds after an edit of its caption. Raises ApiError 400 for one without."""
    if old.media is None:
        raise bad_request("there is no caption in the message to edit")
    text, entities = caption_of(world, args)
    return Content(old.kind, text, entities, old.media, old.spoiler, args.get("show_caption_above_media", False))
