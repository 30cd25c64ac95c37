"""Who the bot is: getMe, its names, commands, menu button."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from playground import documents
from playground.chats import Chat
from playground.errors import bad_request
from playground.methods.registry import Args, Method, Uploads, entry
from playground.versions import EPHEMERAL_COMMANDS

if TYPE_CHECKING:
    from playground.world import World

METHODS: dict[str, Method] = {}


@entry(METHODS, "getMe")
def get_me(world: World, _: Args, __: Uploads) -> Any:
    """``getMe`` of the Bot API."""
    return {
        "id": world.bot.id,
        "is_bot": True,
        "first_name": world.bot.name(""),
        "username": world.bot.username,
        "can_join_groups": True,
        "can_read_all_group_messages": not world.bot.privacy,
        "supports_inline_queries": False,
        "can_connect_to_business": False,
        "has_main_web_app": False,
    }


def language(args: Args) -> str:
    """``language_code``: two letters (ISO 639-1) or nothing."""
    code: str = args.get("language_code", "")
    if code and not re.fullmatch(r"[a-z]{2}", code):
        raise bad_request("invalid language code specified")
    return code


def _set_text(world: World, args: Args, what: str, field: str) -> bool:
    texts = world.bot.texts[what]
    code, text = language(args), args.get(field, "")
    if text:
        texts[code] = text
    elif code or what != "name":
        texts.pop(code, None)
    world.bot_changed()
    return True


@entry(METHODS, "setMyName")
def set_my_name(world: World, args: Args, _: Uploads) -> Any:
    """``setMyName`` of the Bot API."""
    return _set_text(world, args, "name", "name")


@entry(METHODS, "setMyDescription")
def set_my_description(world: World, args: Args, _: Uploads) -> Any:
    """``setMyDescription`` of the Bot API."""
    return _set_text(world, args, "description", "description")


@entry(METHODS, "setMyShortDescription")
def set_my_short_description(world: World, args: Args, _: Uploads) -> Any:
    """``setMyShortDescription`` of the Bot API."""
    return _set_text(world, args, "short_description", "short_description")


def _get_text(world: World, args: Args, what: str) -> str:
    texts = world.bot.texts[what]
    return texts.get(language(args)) or texts.get("", "")


@entry(METHODS, "getMyName")
def get_my_name(world: World, args: Args, _: Uploads) -> Any:
    """``getMyName`` of the Bot API."""
    return {"name": _get_text(world, args, "name")}


@entry(METHODS, "getMyDescription")
def get_my_description(world: World, args: Args, _: Uploads) -> Any:
    """``getMyDescription`` of the Bot API."""
    return {"description": _get_text(world, args, "description")}


@entry(METHODS, "getMyShortDescription")
def get_my_short_description(world: World, args: Args, _: Uploads) -> Any:
    """``getMyShortDescription`` of the Bot API."""
    return {"short_description": _get_text(world, args, "short_description")}


def _scope(world: World, args: Args) -> dict[str, Any]:
    scope: dict[str, Any] = args.get("scope") or {"type": "default"}
    if "chat_id" in scope:
        chat = world.chat_of(scope["chat_id"])
        if chat.private and scope["type"] != "chat":
            raise bad_request("can't change commands of administrators in a private chat")
    return scope


def scope_key(scope: dict[str, Any]) -> str:
    """What tells scopes of commands apart: their kind, chat and person."""
    return json.dumps(scope, sort_keys=True)


@entry(METHODS, "setMyCommands")
def set_my_commands(world: World, args: Args, _: Uploads) -> Any:
    """``setMyCommands`` of the Bot API."""
    commands = args["commands"]
    if len(commands) > 100:
        raise bad_request("BOT_COMMANDS_TOO_MUCH")
    for command in commands:
        if not re.fullmatch(r"[a-z0-9_]{1,32}", command["command"]):
            raise bad_request("BOT_COMMAND_INVALID")
        if not command["description"].strip():
            raise bad_request("BOT_COMMAND_DESCRIPTION_INVALID")
        if world.version < EPHEMERAL_COMMANDS:
            command.pop("is_ephemeral", None)
    scope = _scope(world, args)
    key = (scope_key(scope), language(args))
    if commands:
        world.commands[key] = (scope, commands)
    else:
        world.commands.pop(key, None)
    world.feed.emit("commands", lambda: {"commands": documents.commands(world)})
    return True


@entry(METHODS, "getMyCommands")
def get_my_commands(world: World, args: Args, _: Uploads) -> Any:
    """``getMyCommands`` of the Bot API."""
    found = world.commands.get((scope_key(_scope(world, args)), language(args)))
    return found[1] if found else []


@entry(METHODS, "deleteMyCommands")
def delete_my_commands(world: World, args: Args, _: Uploads) -> Any:
    """``deleteMyCommands`` of the Bot API."""
    world.commands.pop((scope_key(_scope(world, args)), language(args)), None)
    world.feed.emit("commands", lambda: {"commands": documents.commands(world)})
    return True


def commands_for(world: World, chat: Chat, person_id: int) -> list[dict[str, Any]]:
    """The commands that a person is shown in a chat: the narrowest scope first, in each the person's language first."""
    scopes: list[dict[str, Any]]
    if chat.private:
        scopes = [{"type": "chat", "chat_id": chat.id}, {"type": "all_private_chats"}]
    else:
        admin = chat.admin(person_id)
        scopes = [{"type": "chat_member", "chat_id": chat.id, "user_id": person_id}]
        scopes += [{"type": "chat_administrators", "chat_id": chat.id}] if admin else []
        scopes += [{"type": "chat", "chat_id": chat.id}]
        scopes += [{"type": "all_chat_administrators"}] if admin else []
        scopes += [{"type": "all_group_chats"}]
    scopes += [{"type": "default"}]
    spoken = (world.people[person_id].language_code or "")[:2].lower()
    for scope in scopes:
        for code in dict.fromkeys((spoken, "")):
            found = world.commands.get((scope_key(scope), code))
            if found:
                return found[1]
    return []


@entry(METHODS, "setChatMenuButton")
def set_chat_menu_button(world: World, args: Args, _: Uploads) -> Any:
    """``setChatMenuButton`` of the Bot API."""
    button = args.get("menu_button") or {"type": "default"}
    if "chat_id" in args:
        world.reachable(args["chat_id"])
        world.bot.menu_buttons[args["chat_id"]] = button
    else:
        world.bot.menu_button = button
    world.bot_changed()
    return True


@entry(METHODS, "getChatMenuButton")
def get_chat_menu_button(world: World, args: Args, _: Uploads) -> Any:
    """``getChatMenuButton`` of the Bot API."""
    button = world.bot.menu_buttons.get(args.get("chat_id", 0)) or world.bot.menu_button
    return {"type": "commands"} if button["type"] == "default" else button
