"""The world's things as the control interface shows them (docs/playground.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from playground.addresses import split
from playground.chats import Chat, Message, Person, Press

if TYPE_CHECKING:
    from playground.world import Call, World

Document = dict[str, Any]
SHOWN = 200


def person(of: Person) -> Document:
    """A person, as docs/playground.md has it; so are the others here."""
    return {
        "id": of.id,
        "first_name": of.first_name,
        "last_name": of.last_name,
        "name": of.name,
        "username": of.username,
        "language_code": of.language_code,
    }


def bot(world: World) -> Document:
    """The bot, as it has described itself."""
    own = world.bot
    return {
        "id": own.id,
        "first_name": own.name(""),
        "username": own.username,
        "descriptions": dict(own.texts["description"]),  # by language, "" for the rest
        "short_description": own.texts["short_description"].get("", ""),
        "menu_button": own.menu_button,
        "polling": world.polling,
    }


def unread(world: World, of: Chat) -> Document:
    """How many messages are new in a chat, by the id of whoever reads it."""
    return {str(number): of.unread.get(number, 0) for number in world.readers(of)}


def chat(world: World, of: Chat, messages: bool = True) -> Document:
    """A chat; ``messages``: with its latest."""
    found = {
        "id": of.id,
        "type": of.type,
        "title": world.bot.name("") if of.private else of.title,
        "person_id": of.person_id,
        "started": of.started,
        "blocked": of.blocked,
        "is_forum": of.is_forum,
        "topics": [{"id": topic.id, "name": topic.name, "closed": topic.closed} for topic in of.topics.values()],
        "members": [
            {"id": member.id, "status": member.status, "can_send": member.can_send, "photos": member.photos}
            for member in of.members.values()
        ],
        "pinned": of.pinned[-1] if of.pinned else None,
        "unread": unread(world, of),
        "migrated_to": of.migrated_to,
    }
    if messages:
        found["messages"] = history(world, of)
    return found


def history(
    world: World, of: Chat, before: int | None = None, limit: int = SHOWN, person_id: int | None = None
) -> list[Document]:
    """Messages of a chat, oldest first, ephemeral ones in their place; with ``person_id`` as that one sees it."""
    plain = [message for message in of.messages.values() if before is None or message.id < before][-limit:]
    since = plain[0].date if plain and len(of.messages) > len(plain) else 0
    shown = plain
    if before is None:
        fleeting = [message for message in of.ephemeral.values() if message.date >= since]
        if fleeting:
            shown = sorted([*plain, *fleeting], key=lambda message: message.order)
    return [message(world, one) for one in shown if person_id is None or one.only_for in (None, person_id)]


def message(world: World, of: Message) -> Document:
    """A message."""
    content = of.content
    service = of.service
    return {
        "id": of.id,
        "chat_id": of.chat_id,
        "thread_id": of.thread_id,
        "date": of.date,
        "edit_date": of.edit_date,
        "sender": sender(world, of),
        "only_for": of.only_for,
        "kind": "service" if service else content.kind,
        "text": content.text,
        "entities": content.entities,
        "media": _media(of),
        "dice": {"emoji": content.dice[0], "value": content.dice[1]} if content.dice else None,
        "service": {
            "kind": service.kind,
            "people": service.people,
            "message_id": service.message_id,
            "text": service.text,
        }
        if service
        else None,
        "reply_to": _reply(world, of),
        "keyboard": [[button(world, one) for one in row] for row in of.keyboard],
        "silent": of.silent,
        "protected": of.protected,
        "caption_above": content.caption_above,
        "reactions": _reactions(of),
    }


def sender(world: World, of: Message) -> Document:
    """Who wrote a message, as the page shows them."""
    if of.sender == world.bot.id:
        return {"kind": "bot", "id": of.sender, "name": world.bot.name("")}
    if of.sender < 0:
        return {"kind": "chat", "id": of.sender, "name": world.chats[of.sender].title}
    known = world.people.get(of.sender)
    return {"kind": "person", "id": of.sender, "name": known.name if known else "Deleted Account"}


def _media(of: Message) -> Document | None:
    media = of.content.media
    if media is None:
        return None
    return {
        "url": f"/control/media/{media.name}",
        "file_name": media.file_name,
        "mime_type": media.mime_type,
        "size": len(media.data),
        "width": media.width,
        "height": media.height,
        "duration": media.duration,
        "spoiler": of.content.spoiler,
    }


def _reply(world: World, of: Message) -> Document | None:
    if of.reply_to is None:
        return None
    replied = world.chats[of.chat_id].messages.get(of.reply_to)
    if replied is None:
        return {"message_id": of.reply_to, "name": "", "text": ""}
    return {"message_id": of.reply_to, "name": sender(world, replied)["name"], "text": replied.content.text[:100]}


def _reactions(of: Message) -> list[Document]:
    grouped: dict[str, list[int]] = {}
    for who, emoji in of.reactions.items():
        grouped.setdefault(emoji, []).append(who)
    return [{"emoji": emoji, "by": by} for emoji, by in grouped.items()]


def button(world: World, of: dict[str, Any]) -> Document:
    """An inline button."""
    kind = "other"
    if "callback_data" in of:
        kind = "callback"
    elif "url" in of:
        kind = "url"
    elif "copy_text" in of:
        kind = "copy"
    elif "disabled" in of:
        kind = "disabled"
    return {
        "text": of["text"],
        "style": of.get("style"),
        "kind": kind,
        "data": of.get("callback_data"),
        "url": of.get("url"),
        "start": start_payload(world, of.get("url")),
        "copy": of.get("copy_text", {}).get("text"),
    }


def start_payload(world: World, url: str | None) -> str | None:
    """The payload of a deep link to this bot (``t.me/<bot>?start=…`` or ``tg://resolve?…``), else None."""
    if not url:
        return None
    parts = split(url if "://" in url else f"https://{url}")
    if parts is None:
        return None
    query = parse_qs(parts.query, keep_blank_values=True)
    if parts.scheme == "tg" and parts.netloc == "resolve":
        name = query.get("domain", [""])[0]
    elif parts.netloc.lower() in ("t.me", "telegram.me"):
        name = parts.path.strip("/")
    else:
        return None
    if name.lower() != world.bot.username.lower() or "start" not in query:
        return None
    return query["start"][0]


def press(world: World, of: Press) -> Document:
    """A press of a button, and what came of it."""
    return {
        "id": of.id,
        "person_id": of.person_id,
        "chat_id": of.chat_id,
        "message_id": of.message_id,
        "data": of.data,
        "time": of.time,
        "status": of.status,
        "text": of.text,
        "alert": of.alert,
        "url": of.url,
        "start": start_payload(world, of.url),
    }


def call(of: Call, whole: bool) -> Document:
    """A call of the bot; ``whole``: with parameters and result."""
    found: Document = {
        "number": of.number,
        "time": of.time,
        "method": of.method,
        "chat_id": of.chat_id,
        "files": of.files,
        "status": of.status,
        "description": of.description,
        "ms": of.ms,
        "fault": of.fault,
    }
    if whole:
        found |= {"params": of.params, "result": of.result}
    return found


def commands(world: World) -> list[Document]:
    """The menus of commands that the bot has set."""
    return [
        {"scope": scope, "language_code": language, "commands": listed}
        for (_, language), (scope, listed) in world.commands.items()
    ]


def state(world: World) -> Document:
    """All that a page needs to begin with."""
    return {
        "seq": world.feed.seq,
        "session": world.session,
        "now": world.now(),
        "bot": bot(world),
        "people": [person(one) for one in world.people.values()],
        "chats": [chat(world, one) for one in world.chats.values() if not one.gone],
        "callbacks": [press(world, one) for one in world.presses.values() if one.status == "waiting"],
        "commands": commands(world),
        "faults": world.faults.document(),
        "budgets": world.budgets.document(world.now()),
        "clock": world.clock_document(),
        "offers": world.offers,
    }
