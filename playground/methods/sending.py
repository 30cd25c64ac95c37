"""send…: messages, media, dice, chat actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playground import objects
from playground.chats import Content
from playground.errors import bad_request
from playground.methods import parts
from playground.methods.ephemeral import receiver_of
from playground.methods.registry import Args, Method, Uploads, entry

if TYPE_CHECKING:
    from playground.world import World

METHODS: dict[str, Method] = {}
DICE = {"🎲": 6, "🎯": 6, "🏀": 5, "⚽": 5, "🎳": 6, "🎰": 64}
CHAT_ACTIONS = ("typing", "upload_photo", "record_video", "upload_video", "record_voice", "upload_voice",
                "upload_document", "choose_sticker", "find_location", "record_video_note",
                "upload_video_note")  # fmt: skip
# Parameters that the playground would have to act on and cannot.
UNKNOWN = ("business_connection_id", "direct_messages_topic_id", "suggested_post_parameters", "message_effect_id",
           "allow_paid_broadcast")  # fmt: skip


def send(world: World, args: Args, content: Content, what: str) -> Any:
    """Puts a message of the bot into a chat and returns it. ``what``: the right that it needs, in Telegram's words."""
    for name in UNKNOWN:
        if args.get(name):
            raise bad_request(f"the playground does not know {name}")
    chat = world.writable(args["chat_id"], what)
    thread_id = world.topic(chat, args.get("message_thread_id"))
    reply_to = parts.reply_of(world, chat, args)
    keyboard = parts.keyboard_of(args)
    receiver = receiver_of(world, chat, args)
    world.spend(chat)
    if content.kind == "dice" and content.dice is not None:
        emoji = content.dice[0]
        content.dice = (emoji, world.rng.randint(1, DICE[emoji]))
    message = world.post(
        chat,
        world.bot.id,
        content,
        only_for=receiver,
        thread_id=thread_id,
        reply_to=reply_to,
        keyboard=keyboard,
        silent=args.get("disable_notification", False),
        protected=args.get("protect_content", False),
    )
    return objects.message(world, message)


@entry(METHODS, "sendMessage")
def send_message(world: World, args: Args, _: Uploads) -> Any:
    """``sendMessage`` of the Bot API."""
    world.writable(args["chat_id"])
    text, entities = parts.text_of(world, args)
    return send(world, args, Content("text", text, entities, preview=args.get("link_preview_options")), "text messages")


@entry(METHODS, "sendPhoto")
def send_photo(world: World, args: Args, uploads: Uploads) -> Any:
    """``sendPhoto`` of the Bot API."""
    world.writable(args["chat_id"], "photos")
    return send(world, args, parts.media_content(world, "photo", args, uploads), "photos")


@entry(METHODS, "sendDocument")
def send_document(world: World, args: Args, uploads: Uploads) -> Any:
    """``sendDocument`` of the Bot API."""
    world.writable(args["chat_id"], "documents")
    return send(world, args, parts.media_content(world, "document", args, uploads), "documents")


@entry(METHODS, "sendVoice")
def send_voice(world: World, args: Args, uploads: Uploads) -> Any:
    """``sendVoice`` of the Bot API."""
    world.writable(args["chat_id"], "voice notes")
    return send(world, args, parts.media_content(world, "voice", args, uploads), "voice notes")


@entry(METHODS, "sendAnimation")
def send_animation(world: World, args: Args, uploads: Uploads) -> Any:
    """``sendAnimation`` of the Bot API."""
    world.writable(args["chat_id"], "animations")
    return send(world, args, parts.media_content(world, "animation", args, uploads), "animations")


@entry(METHODS, "sendDice")
def send_dice(world: World, args: Args, _: Uploads) -> Any:
    """The value is thrown when the message is certain to be sent, so that refused calls do not move the dice."""
    emoji = args.get("emoji") or "🎲"
    if emoji.rstrip("\ufe0f") not in DICE:
        raise bad_request("invalid dice emoji specified")
    return send(world, args, Content("dice", dice=(emoji.rstrip("\ufe0f"), 0)), "other messages")


@entry(METHODS, "sendChatAction")
def send_chat_action(world: World, args: Args, _: Uploads) -> Any:
    """``sendChatAction`` of the Bot API."""
    chat = world.writable(args["chat_id"])
    world.topic(chat, args.get("message_thread_id"))
    if args["action"] not in CHAT_ACTIONS:
        raise bad_request("wrong parameter action in request")
    until = world.now() + 5
    world.feed.emit("action", lambda: {"chat_id": chat.id, "action": args["action"], "until": until})
    return True
