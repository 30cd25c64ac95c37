"""The world's things as objects of the Bot API: User, Chat, Message, ChatMember …"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playground.chats import ANONYMOUS_ADMIN, Chat, Member, Message

if TYPE_CHECKING:
    from playground.world import World

Object = dict[str, Any]


def user(world: World, user_id: int) -> Object:
    """A User; the bot and the anonymous admin are users too."""
    if user_id == world.bot.id:
        return {"id": user_id, "is_bot": True, "first_name": world.bot.name(""), "username": world.bot.username}
    if user_id == ANONYMOUS_ADMIN:
        return {"id": user_id, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}
    person = world.people.get(user_id)
    if person is None:
        return {"id": user_id, "is_bot": False, "first_name": "Deleted Account"}
    found: Object = {"id": user_id, "is_bot": False, "first_name": person.first_name}
    if person.last_name:
        found["last_name"] = person.last_name
    if person.username:
        found["username"] = person.username
    if person.language_code:
        found["language_code"] = person.language_code
    return found


def chat(world: World, of: Chat) -> Object:
    """A Chat."""
    found: Object = {"id": of.id, "type": of.type}
    if of.private:
        found |= {
            name: value for name, value in user(world, of.id).items() if name in ("first_name", "last_name", "username")
        }
    else:
        found["title"] = of.title
        if of.is_forum:
            found["is_forum"] = True
    return found


def message(world: World, of: Message, nested: bool = False) -> Object:
    """A Message as the bot gets it; a message replied to is given one level deep."""
    place = world.chats[of.chat_id]
    found: Object = {"message_id": of.id if of.id > 0 else 0, "date": of.date, "chat": chat(world, place)}
    if of.only_for is not None:
        receiver = world.bot.id if of.sender == of.only_for else of.only_for
        found |= {"ephemeral_message_id": -of.id, "receiver_user": user(world, receiver)}
    if of.sender == of.chat_id and not place.private:
        found |= {"from": user(world, ANONYMOUS_ADMIN), "sender_chat": chat(world, place)}
    else:
        found["from"] = user(world, of.sender)
    if of.thread_id is not None:
        found["message_thread_id"] = of.thread_id
        if place.is_forum:
            found["is_topic_message"] = True
    if of.edit_date is not None:
        found["edit_date"] = of.edit_date
    if of.protected:
        found["has_protected_content"] = True
    if of.reply_to is not None and not nested:
        replied = place.messages.get(of.reply_to)
        if replied is not None:
            found["reply_to_message"] = message(world, replied, nested=True)
            if place.type == "supergroup" and not place.is_forum:
                # Telegram numbers a thread of replies after its first message; it is no topic.
                found["message_thread_id"] = _root(place, replied)
    if of.content.forwarded_of is not None:
        origin = user(world, of.content.forwarded_of)
        found["forward_origin"] = {"type": "user", "date": found["date"], "sender_user": origin}
    if of.service is not None:
        found |= _service(world, of, nested)
    else:
        found |= _content(of)
    if of.keyboard:
        found["reply_markup"] = {"inline_keyboard": of.keyboard}
    return found


def _root(place: Chat, of: Message) -> int:
    while of.reply_to is not None and of.reply_to in place.messages:
        of = place.messages[of.reply_to]
    return of.id


def _content(of: Message) -> Object:
    content = of.content
    if content.dice is not None:
        return {"dice": {"emoji": content.dice[0], "value": content.dice[1]}}
    if content.media is None:
        found: Object = {"text": content.text}
        if content.entities:
            found["entities"] = content.entities
        if content.preview:
            found["link_preview_options"] = content.preview
        return found
    found = {content.kind: content.media.object()}
    if content.kind == "animation":
        # For older clients an animation is a document as well.
        media = content.media
        found["document"] = {
            "file_id": media.file_id,
            "file_unique_id": media.unique_id,
            "file_name": media.file_name,
            "mime_type": media.mime_type,
            "file_size": len(media.data),
        }
    if content.text:
        found["caption"] = content.text
        if content.entities:
            found["caption_entities"] = content.entities
    if content.caption_above:
        found["show_caption_above_media"] = True
    if content.spoiler:
        found["has_media_spoiler"] = True
    return found


def _service(world: World, of: Message, nested: bool) -> Object:
    service = of.service
    assert service is not None
    match service.kind:
        case "created":
            return {"group_chat_created": True}
        case "joined":
            return {"new_chat_members": [user(world, who) for who in service.people]}
        case "left":
            return {"left_chat_member": user(world, service.people[0])}
        case "title":
            return {"new_chat_title": service.text or ""}
        case "migrated_to":
            return {"migrate_to_chat_id": service.chat_id}
        case "migrated_from":
            return {"migrate_from_chat_id": service.chat_id}
        case "topic_created":
            return {"forum_topic_created": {"name": service.text or "", "icon_color": 7322096}}
        case "topic_closed":
            return {"forum_topic_closed": {}}
        case "topic_reopened":
            return {"forum_topic_reopened": {}}
        case "pinned":
            pinned = world.chats[of.chat_id].messages.get(service.message_id or 0)
            if pinned is None or nested:
                return {"pinned_message": inaccessible(world, of.chat_id, service.message_id or 0)}
            return {"pinned_message": message(world, pinned, nested=True)}
    raise AssertionError(service.kind)


def inaccessible(world: World, chat_id: int, message_id: int) -> Object:
    """An InaccessibleMessage: its date is always 0."""
    return {"chat": chat(world, world.chats[chat_id]), "message_id": message_id, "date": 0}


def member(world: World, of: Member) -> Object:
    """A ChatMember."""
    found: Object = {"status": of.status, "user": user(world, of.id)}
    match of.status:
        case "creator":
            found["is_anonymous"] = False
        case "administrator":
            found |= {"can_be_edited": False, "is_anonymous": False}
            rights = ("manage_chat", "delete_messages", "manage_video_chats", "restrict_members", "change_info",
                      "invite_users", "pin_messages")  # fmt: skip
            found |= {f"can_{right}": True for right in rights}
            withheld = ("promote_members", "post_stories", "edit_stories", "delete_stories", "send_welcome_messages")
            found |= {f"can_{right}": False for right in withheld}
        case "restricted":
            found |= {"is_member": True, "until_date": 0}
            sending = ("messages", "audios", "documents", "photos", "videos", "video_notes", "voice_notes", "polls",
                       "other_messages")  # fmt: skip
            found |= {f"can_send_{what}": of.can_send and (what != "photos" or of.photos) for what in sending}
            found |= {"can_add_web_page_previews": of.can_send, "can_react_to_messages": of.can_send}
            withheld = ("edit_tag", "change_info", "invite_users", "pin_messages", "manage_topics")
            found |= {f"can_{right}": False for right in withheld}
        case "kicked":
            found["until_date"] = 0
    return found


def member_update(world: World, place: Chat, by: int, old: Object, new: Object) -> Object:
    """A ChatMemberUpdated."""
    return {
        "chat": chat(world, place),
        "from": user(world, by),
        "date": world.date(),
        "old_chat_member": old,
        "new_chat_member": new,
    }
