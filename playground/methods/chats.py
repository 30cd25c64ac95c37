"""getChat and its kin, pins, leaving."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playground import objects
from playground.chats import Chat, Member, Service
from playground.errors import ApiError, bad_request
from playground.methods.registry import Args, Method, Uploads, entry

if TYPE_CHECKING:
    from playground.world import World

METHODS: dict[str, Method] = {}


def _seen(world: World, args: Args) -> Chat:
    """A chat that the bot may ask about: also a private one that has blocked it."""
    chat = world.chat_of(args["chat_id"])
    if not chat.private:
        return world.reachable(args["chat_id"])
    if not chat.started and not any(one.present(chat.id) and one.present(world.bot.id) for one in world.chats.values()):
        raise bad_request("chat not found")
    return chat


@entry(METHODS, "getChat")
def get_chat(world: World, args: Args, _: Uploads) -> Any:
    """``getChat`` of the Bot API."""
    chat = _seen(world, args)
    gifts = ("unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription", "gifts_from_channels")
    found = objects.chat(world, chat) | {
        "accent_color_id": chat.id % 7 if chat.private else 0,
        "max_reaction_count": 11,
        "accepted_gift_types": dict.fromkeys(gifts, chat.private),
    }
    if chat.private and "username" in found:
        found["active_usernames"] = [found["username"]]
    if not chat.private:
        rights = [name for name in world.schema.types["ChatPermissions"]["fields"] if name.startswith("can_send_")]
        found["permissions"] = dict.fromkeys(rights, True)
    if chat.pinned:
        found["pinned_message"] = objects.message(world, chat.messages[chat.pinned[-1]])
    return found


def _group(world: World, args: Args) -> Chat:
    chat = _seen(world, args)
    if chat.private:
        raise bad_request("there are no administrators in the private chat")
    return chat


@entry(METHODS, "getChatAdministrators")
def get_chat_administrators(world: World, args: Args, _: Uploads) -> Any:
    """``getChatAdministrators`` of the Bot API."""
    chat = _group(world, args)
    bots = args.get("return_bots", False)
    listed = (one for one in chat.members.values() if one.admin)
    return [objects.member(world, one) for one in listed if bots or one.id != world.bot.id]


@entry(METHODS, "getChatMember")
def get_chat_member(world: World, args: Args, _: Uploads) -> Any:
    """``getChatMember`` of the Bot API."""
    chat = _seen(world, args)
    user_id = args["user_id"]
    if user_id != world.bot.id and user_id not in world.people:
        raise bad_request("PARTICIPANT_ID_INVALID")
    if chat.private:
        return objects.member(world, Member(user_id))
    return objects.member(world, chat.members.get(user_id) or Member(user_id, "left"))


@entry(METHODS, "getChatMemberCount")
def get_chat_member_count(world: World, args: Args, _: Uploads) -> Any:
    """``getChatMemberCount`` of the Bot API."""
    chat = _seen(world, args)
    return 2 if chat.private else sum(member.present for member in chat.members.values())


def _pinnable(world: World, args: Args) -> Chat:
    if "business_connection_id" in args:
        raise ApiError(501, "Not Implemented: business_connection_id")
    chat = world.reachable(args["chat_id"])
    if not chat.private and not chat.admin(world.bot.id):
        raise bad_request("not enough rights to manage pinned messages in the chat")
    return chat


@entry(METHODS, "pinChatMessage")
def pin_chat_message(world: World, args: Args, _: Uploads) -> Any:
    """``pinChatMessage`` of the Bot API."""
    chat = _pinnable(world, args)
    number = args["message_id"]
    if number not in chat.messages or chat.messages[number].service is not None:
        raise bad_request("message to pin not found")
    if chat.pinned[-1:] == [number]:
        raise bad_request("CHAT_NOT_MODIFIED")
    chat.pinned = [one for one in chat.pinned if one != number] + [number]
    world.changed(chat)
    message = world.serve_notice(chat, world.bot.id, Service("pinned", message_id=number))
    # The bot is told of its own pin, as of anybody's.
    world.update("message", objects.message(world, message))
    return True


@entry(METHODS, "unpinChatMessage")
def unpin_chat_message(world: World, args: Args, _: Uploads) -> Any:
    """``unpinChatMessage`` of the Bot API."""
    chat = _pinnable(world, args)
    number = args.get("message_id", chat.pinned[-1] if chat.pinned else None)
    if number not in chat.pinned:
        raise bad_request("message to unpin not found")
    chat.pinned.remove(number)
    world.changed(chat)
    return True


@entry(METHODS, "unpinAllChatMessages")
def unpin_all_chat_messages(world: World, args: Args, _: Uploads) -> Any:
    """``unpinAllChatMessages`` of the Bot API."""
    chat = _pinnable(world, args)
    chat.pinned.clear()
    world.changed(chat)
    return True


@entry(METHODS, "leaveChat")
def leave_chat(world: World, args: Args, _: Uploads) -> Any:
    """``leaveChat`` of the Bot API."""
    chat = world.reachable(args["chat_id"])
    if chat.private:
        raise bad_request("chat not found")
    world.member_changed(chat, world.bot.id, world.bot.id, "left")
    world.serve_notice(chat, world.bot.id, Service("left", [world.bot.id]))
    return True
