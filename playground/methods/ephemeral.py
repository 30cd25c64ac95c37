"""Ephemeral messages (Bot API 10.3): in a group, seen by one person.

What the documents leave open is decided thus: the receiver must be in the group; ``message_id`` is 0; they count on
their own in each chat; a press on one is like any other press; a command that the bot has marked ``is_ephemeral`` is
sent by every client so that only its sender and the bot see it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playground.chats import Chat, Content, Message
from playground.errors import ApiError, bad_request
from playground.methods import parts
from playground.methods.registry import Args, Method, Uploads, entry

if TYPE_CHECKING:
    from playground.world import World

METHODS: dict[str, Method] = {}
ANSWERABLE = 15.0
"""Seconds in which a press or an ephemeral message can be answered by one."""


def receiver_of(world: World, chat: Chat, args: Args) -> int | None:
    """Who alone is to see the message, None for everybody.

    Raises ApiError 400 unless the bot may send it: an admin always may, else it must answer a press of the receiver, or
    an ephemeral message of theirs, within 15 seconds.
    """
    wanted = args.get("ephemeral_message_parameters")
    if wanted is None:
        return None
    receiver: int = wanted["receiver_user_id"]
    if chat.private:
        raise bad_request("ephemeral messages can be sent to groups only")
    if not chat.present(receiver) or receiver == world.bot.id:
        raise bad_request("receiver user is not a member of the chat")
    press = None
    if "callback_query_id" in wanted:
        press = world.presses.get(wanted["callback_query_id"])
        if (
            press is None
            or press.person_id != receiver
            or press.chat_id != chat.id
            or world.now() - press.time > ANSWERABLE
        ):
            raise bad_request("query is too old and response timeout expired or query ID is invalid")
    if wanted.get("replace_callback_query_message"):
        if press is None or press.message_id < 0:
            raise bad_request("replace_callback_query_message needs a press on an ordinary message")
        raise ApiError(501, "Not Implemented: replace_callback_query_message")
    if press is None and not chat.admin(world.bot.id) and not _answers(world, chat, args, receiver):
        raise bad_request("BOT_NOT_ADMIN")
    return receiver


def _answers(world: World, chat: Chat, args: Args, receiver: int) -> bool:
    """Whether the call replies to an ephemeral message that the receiver has just sent."""
    answered = chat.ephemeral.get(-args.get("reply_parameters", {}).get("ephemeral_message_id", 0))
    return answered is not None and answered.sender == receiver and world.now() - answered.date <= ANSWERABLE


def _target(world: World, args: Args) -> tuple[Chat, Message]:
    chat = world.writable(args["chat_id"])
    message = chat.ephemeral.get(-args["ephemeral_message_id"])
    if message is None or message.only_for != args["receiver_user_id"]:
        raise bad_request("ephemeral message not found")
    return chat, message


def _edit(world: World, args: Args, chat: Chat, message: Message, content: Content) -> bool:
    keyboard = parts.keyboard_of(args)
    world.spend(chat)
    if message.content.same(content) and message.keyboard == keyboard:
        raise bad_request(parts.NOT_MODIFIED)
    message.content, message.keyboard = content, keyboard
    message.edit_date = world.date()
    world.edited(message)
    return True


@entry(METHODS, "editEphemeralMessageText")
def edit_text(world: World, args: Args, _: Uploads) -> Any:
    """``editEphemeralMessageText`` of the Bot API."""
    chat, message = _target(world, args)
    return _edit(world, args, chat, message, parts.other_text(world, args, message.content))


@entry(METHODS, "editEphemeralMessageCaption")
def edit_caption(world: World, args: Args, _: Uploads) -> Any:
    """``editEphemeralMessageCaption`` of the Bot API."""
    chat, message = _target(world, args)
    return _edit(world, args, chat, message, parts.other_caption(world, args, message.content))


@entry(METHODS, "editEphemeralMessageMedia")
def edit_media(world: World, args: Args, uploads: Uploads) -> Any:
    """``editEphemeralMessageMedia`` of the Bot API."""
    chat, message = _target(world, args)
    media = args["media"]
    return _edit(world, args, chat, message, parts.media_content(world, media["type"], media, uploads, "media"))


@entry(METHODS, "editEphemeralMessageReplyMarkup")
def edit_reply_markup(world: World, args: Args, _: Uploads) -> Any:
    """``editEphemeralMessageReplyMarkup`` of the Bot API."""
    chat, message = _target(world, args)
    return _edit(world, args, chat, message, message.content)


@entry(METHODS, "deleteEphemeralMessage")
def delete(world: World, args: Args, _: Uploads) -> Any:
    """``deleteEphemeralMessage`` of the Bot API."""
    chat, message = _target(world, args)
    world.remove(chat, [message.id])
    return True
