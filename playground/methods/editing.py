"""editMessage…, deleteMessage(s), reactions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playground import objects
from playground.chats import Chat, Content, Message
from playground.errors import ApiError, bad_request
from playground.methods import parts
from playground.methods.registry import Args, Method, Uploads, entry

if TYPE_CHECKING:
    from playground.world import World

METHODS: dict[str, Method] = {}
DELETABLE = 48 * 3600
"""Seconds for which a message can be deleted for everyone."""
DICE_KEPT = 24 * 3600
# The emoji that Telegram takes as reactions.
REACTIONS = {
    "👍", "👎", "❤", "🔥", "🥰", "👏", "😁", "🤔", "🤯", "😱", "🤬", "😢", "🎉", "🤩", "🤮", "💩", "🙏", "👌",
    "🕊", "🤡", "🥱", "🥴", "😍", "🐳", "❤‍🔥", "🌚", "🌭", "💯", "🤣", "⚡", "🍌", "🏆", "💔", "🤨", "😐",
    "🍓", "🍾", "💋", "🖕", "😈", "😴", "😭", "🤓", "👻", "👨‍💻", "👀", "🎃", "🙈", "😇", "😨", "🤝", "✍",
    "🤗", "🫡", "🎅", "🎄", "☃", "💅", "🤪", "🗿", "🆒", "💘", "🙉", "🦄", "😘", "💊", "🙊", "😎", "👾",
    "🤷‍♂", "🤷", "🤷‍♀", "😡",
}  # fmt: skip


def _target(world: World, args: Args) -> tuple[Chat, Message]:
    """The chat and the message to edit, which must be the bot's own."""
    if "inline_message_id" in args:
        raise ApiError(501, "Not Implemented: inline_message_id; the playground has no inline mode")
    if "business_connection_id" in args:
        raise ApiError(501, "Not Implemented: business_connection_id")
    if "chat_id" not in args:
        raise bad_request("chat_id is empty")
    if "message_id" not in args:
        raise bad_request("message identifier is not specified")
    chat = world.reachable(args["chat_id"])
    message = chat.messages.get(args["message_id"])
    if message is None:
        raise bad_request("message to edit not found")
    if message.sender != world.bot.id or message.service is not None:
        raise bad_request("message can't be edited")
    return chat, message


def _edit(world: World, args: Args, chat: Chat, message: Message, content: Content | None) -> Any:
    """Gives the message its new content and keyboard; without a keyboard in the call it loses the one it has."""
    keyboard = parts.keyboard_of(args)
    world.spend(chat)
    new = content or message.content
    if message.content.same(new) and message.keyboard == keyboard:
        raise bad_request(parts.NOT_MODIFIED)
    message.content, message.keyboard = new, keyboard
    message.edit_date = world.date()
    world.edited(message)
    return objects.message(world, message)


@entry(METHODS, "editMessageText")
def edit_message_text(world: World, args: Args, _: Uploads) -> Any:
    """``editMessageText`` of the Bot API."""
    chat, message = _target(world, args)
    if message.content.kind == "dice":
        raise bad_request("message can't be edited")
    return _edit(world, args, chat, message, parts.other_text(world, args, message.content))


@entry(METHODS, "editMessageCaption")
def edit_message_caption(world: World, args: Args, _: Uploads) -> Any:
    """``editMessageCaption`` of the Bot API."""
    chat, message = _target(world, args)
    return _edit(world, args, chat, message, parts.other_caption(world, args, message.content))


@entry(METHODS, "editMessageMedia")
def edit_message_media(world: World, args: Args, uploads: Uploads) -> Any:
    """A text message may become one with media; the way back there is not."""
    chat, message = _target(world, args)
    media = args["media"]
    if message.content.kind not in ("text", "photo", "document", "animation"):
        raise bad_request("message can't be edited")
    if media["type"] not in ("photo", "document", "animation"):
        raise ApiError(501, f"Not Implemented: editMessageMedia with {media['type']}")
    return _edit(world, args, chat, message, parts.media_content(world, media["type"], media, uploads, "media"))


@entry(METHODS, "editMessageReplyMarkup")
def edit_message_reply_markup(world: World, args: Args, _: Uploads) -> Any:
    """``editMessageReplyMarkup`` of the Bot API."""
    chat, message = _target(world, args)
    return _edit(world, args, chat, message, None)


def _refusal(world: World, chat: Chat, message: Message) -> str | None:
    """Why the bot may not delete this message, or None."""
    age = world.now() - message.date
    own = message.sender == world.bot.id
    if chat.private:
        if message.content.kind == "dice" and age < DICE_KEPT:
            return "message can't be deleted"
        return "message can't be deleted for everyone" if age > DELETABLE else None
    if chat.admin(world.bot.id):
        return None
    if not own or (message.service is not None and message.service.kind == "created"):
        return "message can't be deleted"
    return "message can't be deleted for everyone" if age > DELETABLE else None


@entry(METHODS, "deleteMessage")
def delete_message(world: World, args: Args, _: Uploads) -> Any:
    """``deleteMessage`` and ``deleteMessages`` of the Bot API."""
    chat = world.reachable(args["chat_id"])
    message = chat.messages.get(args["message_id"])
    if message is None:
        raise bad_request("message to delete not found")
    refusal = _refusal(world, chat, message)
    if refusal:
        raise bad_request(refusal)
    world.remove(chat, [message.id])
    return True


@entry(METHODS, "deleteMessages")
def delete_messages(world: World, args: Args, _: Uploads) -> Any:
    """Those that are not there or may not be deleted are passed over."""
    chat = world.reachable(args["chat_id"])
    numbers = args["message_ids"]
    if not 1 <= len(numbers) <= 100:
        raise bad_request("there must be 1 to 100 message identifiers")
    found = [chat.messages[number] for number in numbers if number in chat.messages]
    world.remove(chat, [message.id for message in found if not _refusal(world, chat, message)])
    return True


@entry(METHODS, "setMessageReaction")
def set_message_reaction(world: World, args: Args, _: Uploads) -> Any:
    """``setMessageReaction`` of the Bot API."""
    chat = world.reachable(args["chat_id"])
    message = chat.messages.get(args["message_id"])
    if message is None:
        raise bad_request("message to react not found")
    wanted = args.get("reaction", [])
    if len(wanted) > 1:
        raise bad_request("REACTIONS_TOO_MANY")
    if wanted and (wanted[0]["type"] != "emoji" or wanted[0]["emoji"] not in REACTIONS):
        raise bad_request("REACTION_INVALID")
    if wanted:
        message.reactions[world.bot.id] = wanted[0]["emoji"]
    else:
        message.reactions.pop(world.bot.id, None)
    world.edited(message)
    return True
