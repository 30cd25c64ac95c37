"""Calls that Telegram refuses are refused, in its words."""

from __future__ import annotations

import json
from typing import Any

import pytest

from playground.schema import Mismatch, schema
from playground.world import TOKEN, World
from tests.playground.support import Bench, keyboard, picture


@pytest.fixture
def bench() -> Bench:
    bench = Bench(budgets=False)
    bench.crowd.start(bench.ming)
    return bench


def test_tokens_and_methods() -> None:
    world = World(populate=False)
    assert world.call("nonsense", "getMe", {}) == (404, {"ok": False, "error_code": 404, "description": "Not Found"})
    other = "7000000001:" + "x" * 35
    assert world.call(other, "getMe", {})[1]["description"] == "Unauthorized"
    assert world.call(TOKEN, "getYou", {})[0] == 404
    assert world.call(TOKEN, "GETME", {})[0] == 200
    status, payload = world.call(TOKEN, "sendInvoice", {})
    assert (status, payload["description"]) == (501, "Not Implemented: the playground does not know sendInvoice yet")


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({}, "chat_id is empty"),
        ({"text": "x"}, "chat_id is empty"),
        ({"chat_id": "MING"}, "message text is empty"),
        ({"chat_id": "MING", "text": ""}, "message text is empty"),
        ({"chat_id": "MING", "text": " \n "}, "text must be non-empty"),
        ({"chat_id": "MING", "text": "x" * 4097}, "message is too long"),
        ({"chat_id": "MING", "text": "\ud83c"}, "strings must be encoded in UTF-8"),
        ({"chat_id": "1", "text": "x"}, "chat not found"),
        ({"chat_id": "@nobody", "text": "x"}, "chat not found"),
        ({"chat_id": "MING", "text": "x", "colour": "red"}, 'unknown parameter "colour" in sendMessage'),
        ({"chat_id": "MING", "text": "x", "protect_content": "maybe"}, 'parameter "protect_content" is not a boolean'),
        ({"chat_id": "MING", "text": "x", "message_thread_id": "y"}, 'parameter "message_thread_id" is not an integer'),
        ({"chat_id": "MING", "text": "x", "message_thread_id": 7}, "message thread not found"),
        ({"chat_id": "MING", "text": "x", "parse_mode": "BBCode"}, "unsupported parse_mode"),
        ({"chat_id": "MING", "text": "x", "reply_parameters": {"message_id": 99}}, "message to be replied not found"),
        (
            {"chat_id": "MING", "text": "x", "reply_parameters": {"message_id": "1"}},
            'parameter "reply_parameters".message_id must be Integer',
        ),
        (
            {"chat_id": "MING", "text": "x", "link_preview_options": "{"},
            'parameter "link_preview_options" is not valid JSON',
        ),
    ],
)
def test_messages_refused(bench: Bench, params: dict[str, Any], said: str) -> None:
    given = {name: bench.ming if value == "MING" else value for name, value in params.items()}
    assert bench.refused("sendMessage", **given) == f"400 Bad Request: {said}"
    assert bench.texts(bench.ming) == ["/start"]


@pytest.mark.parametrize(
    ("markup", "said"),
    [
        (keyboard([("x", "")]), "BUTTON_DATA_INVALID"),
        (keyboard([("x", "麻" * 22)]), "BUTTON_DATA_INVALID"),
        (keyboard([("x", "y")] * 9), "reply markup is too long"),
        (keyboard(*[[("x", "y")] * 8] * 13), "reply markup is too long"),
        (keyboard(*[[("名" * 40, "d" * 64)]] * 60), "reply markup is too long"),
        (
            {"inline_keyboard": [[{"text": "x"}]]},
            "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
        ),
        (
            {"inline_keyboard": [[{"text": " ", "callback_data": "x"}]]},
            "can't parse inline keyboard button: Button text must not be empty",
        ),
        (
            {"inline_keyboard": [[{"text": "x", "callback_data": "x", "url": "https://x.example"}]]},
            "can't parse inline keyboard button: only one of url, callback_data may be given",
        ),
        (
            {"inline_keyboard": [[{"text": "x", "url": "nothing at all"}]]},
            "inline keyboard button URL 'nothing at all' is invalid: Wrong HTTP URL",
        ),
        (
            {"inline_keyboard": [[{"text": "x", "callback_data": "x", "style": "golden"}]]},
            "can't parse reply keyboard markup JSON object: reply_markup.inline_keyboard[0][0].style must be one of "
            "danger, success, primary",
        ),
        (
            {"inline_keyboard": [[{"text": 5, "callback_data": "x"}]]},
            "can't parse reply keyboard markup JSON object: reply_markup.inline_keyboard[0][0].text must be String",
        ),
        (
            {"inline_keyboard": {"text": "x"}},
            "can't parse reply keyboard markup JSON object: reply_markup.inline_keyboard is an object where none is "
            "expected",
        ),
        (
            {"inline_keyboard": [[{"text": "x", "calback_data": "x"}]]},
            "can't parse reply keyboard markup JSON object: reply_markup.inline_keyboard[0][0] has a field "
            '"calback_data" that InlineKeyboardButton does not have',
        ),
    ],
)
def test_keyboards_refused(bench: Bench, markup: Any, said: str) -> None:
    text = bench.refused("sendMessage", chat_id=bench.ming, text="x", reply_markup=json.dumps(markup))
    assert text == f"400 Bad Request: {said}"


def test_what_fits_is_taken(bench: Bench) -> None:
    most = keyboard(*[[("x", "y" * 30)] * 8] * 12, [("x", "y")] * 4)
    sent = bench.call("sendMessage", chat_id=bench.ming, text="x" * 4096, reply_markup=most)
    assert sum(map(len, sent["reply_markup"]["inline_keyboard"])) == 100
    bench.call("sendMessage", chat_id=bench.ming, text="<b>" * 100 + "x" * 4096 + "</b>" * 100, parse_mode="HTML")
    bench.call("sendMessage", chat_id=bench.ming, text="x", reply_markup={"force_reply": True})
    bench.call("sendMessage", chat_id=bench.ming, text="x", reply_markup={"remove_keyboard": True})
    assert bench.refused("sendMessage", chat_id=bench.ming, text="x", reply_markup={"keyboard": []}).startswith("501")


def test_unions_are_told_apart_by_their_discriminator() -> None:
    book = schema()
    check = book.check_object
    check("BotCommandScope", {"type": "chat", "chat_id": 5})
    check("BotCommandScope", {"type": "all_private_chats"})
    for wrong in ({"type": "chat"}, {"type": "everywhere"}, {"type": "default", "chat_id": 5}, {}):
        with pytest.raises(Mismatch):
            check("BotCommandScope", wrong)
    check("InputMedia", {"type": "photo", "media": "attach://x", "has_spoiler": True})
    with pytest.raises(Mismatch, match='has a field "duration" that InputMediaPhoto does not have'):
        check("InputMedia", {"type": "photo", "media": "x", "duration": 5})
    with pytest.raises(Mismatch, match="none of"):
        check("InputMedia", {"type": "painting", "media": "x"})
    check("ChatMember", {"status": "left", "user": {"id": 1, "is_bot": False, "first_name": "x"}})
    with pytest.raises(Mismatch, match='lacks "until_date"'):
        check("ChatMember", {"status": "kicked", "user": {"id": 1, "is_bot": False, "first_name": "x"}})
    check("MaybeInaccessibleMessage", {"chat": {"id": 1, "type": "private"}, "message_id": 1, "date": 0})
    with pytest.raises(Mismatch):
        check("User", {"id": True, "is_bot": False, "first_name": "x"})


def test_every_method_of_the_book_is_answered(bench: Bench) -> None:
    """None is unknown, and none falls over without parameters."""
    for name in schema().methods:
        status, payload = bench.world.call(TOKEN, name, {})
        assert status in (200, 400, 501), (name, payload)


def test_private_chats(bench: Bench) -> None:
    said = bench.refused("sendMessage", chat_id=bench.zhen, text="x")
    assert said == "403 Forbidden: bot can't initiate conversation with a user"
    bench.crowd.block(bench.ming)
    assert bench.refused("sendMessage", chat_id=bench.ming, text="x") == "403 Forbidden: bot was blocked by the user"
    bench.crowd.unblock(bench.ming)
    bench.call("sendMessage", chat_id=bench.ming, text="x")
    standings = [
        one["my_chat_member"]["new_chat_member"]["status"] for one in bench.updates() if "my_chat_member" in one
    ]
    assert standings == ["member", "kicked", "member"]
    assert bench.refused("sendMessage", chat_id=bench.world.bot.id, text="x").startswith("403")
    bench.crowd.remove_person(bench.ming)
    assert bench.refused("sendMessage", chat_id=bench.ming, text="x") == "403 Forbidden: user is deactivated"


def test_groups(bench: Bench) -> None:
    bot, group = bench.world.bot.id, bench.group

    def said() -> str:
        return bench.refused("sendMessage", chat_id=group, text="x")

    bench.crowd.set_status(group, bot, "restricted", can_send=False)
    assert said() == "400 Bad Request: not enough rights to send text messages to the chat"
    photo = bench.refused("sendPhoto", chat_id=group, photo="x")
    assert photo == "400 Bad Request: not enough rights to send photos to the chat"
    bench.crowd.leave(group, bot, by=bench.ming)
    assert said() == "403 Forbidden: bot was kicked from the supergroup chat"
    bench.crowd.join(group, bot)
    bench.call("leaveChat", chat_id=group)
    assert said() == "403 Forbidden: bot is not a member of the supergroup chat"
    bench.crowd.join(group, bot)
    bench.crowd.remove_group(group)
    assert said() == "403 Forbidden: the group chat was deleted"


def test_topics(bench: Bench) -> None:
    group = bench.group
    bench.crowd.change_group(group, is_forum=True)
    topic = bench.crowd.add_topic(group, "Mahjong")
    sent = bench.call("sendMessage", chat_id=group, text="x", message_thread_id=topic.id)
    assert (sent["message_thread_id"], sent["is_topic_message"]) == (topic.id, True)
    assert "message_thread_id" not in bench.call("sendMessage", chat_id=group, text="x")
    thread = "400 Bad Request: message thread not found"
    assert bench.refused("sendMessage", chat_id=group, text="x", message_thread_id=1) == thread
    bench.crowd.close_topic(group, topic.id)
    closed = bench.refused("sendMessage", chat_id=group, text="x", message_thread_id=topic.id)
    assert closed == "400 Bad Request: TOPIC_CLOSED"
    bench.crowd.close_topic(group, topic.id, closed=False)
    bench.call("sendMessage", chat_id=group, text="x", message_thread_id=topic.id)
    bench.crowd.remove_topic(group, topic.id)
    assert bench.refused("sendMessage", chat_id=group, text="x", message_thread_id=topic.id) == thread


def test_a_group_becomes_a_supergroup(bench: Bench) -> None:
    old = bench.crowd.add_group("old", [bench.ming, bench.zhen], type="group")
    bench.updates()
    new = bench.crowd.migrate(old.id)
    told = [update["message"] for update in bench.updates() if "message" in update]
    assert [(one["chat"]["id"], one.get("migrate_to_chat_id"), one.get("migrate_from_chat_id")) for one in told] == [
        (old.id, new.id, None),
        (new.id, None, old.id),
    ]
    status, payload = bench.world.call(TOKEN, "sendMessage", {"chat_id": old.id, "text": "x"})
    assert (status, payload["parameters"]) == (400, {"migrate_to_chat_id": new.id})
    assert payload["description"] == "Bad Request: group chat was upgraded to a supergroup chat"
    bench.call("sendMessage", chat_id=new.id, text="x")


def test_a_person_goes_whatever_became_of_their_groups(bench: Bench) -> None:
    old = bench.crowd.add_group("old", [bench.ming, bench.zhen], type="group")
    new = bench.crowd.migrate(old.id)
    bench.crowd.remove_group(bench.crowd.add_group("gone", [bench.ming]).id)
    alone = bench.crowd.add_group("alone", [bench.ming], bot=False)
    bench.updates()
    bench.crowd.remove_person(bench.ming)
    left = [update["message"]["chat"]["id"] for update in bench.updates() if "message" in update]
    assert sorted(left) == sorted([bench.group, new.id])
    assert not any(chat.present(bench.ming) for chat in (old, new, alone))


def test_commands(bench: Bench) -> None:
    from playground.methods.identity import commands_for

    def put(name: str, **where: Any) -> None:
        bench.call("setMyCommands", commands=[{"command": name, "description": name}], **where)

    put("help")
    put("zh", language_code="zh")
    put("group", scope={"type": "all_group_chats"})
    put("admin", scope={"type": "all_chat_administrators"}, language_code="zh")

    def seen(person: int, chat_id: int) -> str:
        return str(commands_for(bench.world, bench.world.chats[chat_id], person)[0]["command"])

    assert seen(bench.hong, bench.hong) == "help"
    assert seen(bench.zhen, bench.zhen) == "zh"
    assert seen(bench.zhen, bench.group) == "group"
    assert seen(bench.ming, bench.group) == "admin"
    bench.call("deleteMyCommands", scope={"type": "all_group_chats"})
    assert seen(bench.zhen, bench.group) == "zh"
    assert [one["command"] for one in bench.call("getMyCommands", language_code="zh")] == ["zh"]
    refused = [
        ({"commands": [{"command": "New", "description": "x"}]}, "BOT_COMMAND_INVALID"),
        ({"commands": [{"command": "new", "description": " "}]}, "BOT_COMMAND_DESCRIPTION_INVALID"),
        ({"commands": [], "language_code": "zh-hans"}, "invalid language code specified"),
        ({"commands": [], "scope": {"type": "chat", "chat_id": 5}}, "chat not found"),
    ]
    for params, said in refused:
        assert bench.refused("setMyCommands", **params) == f"400 Bad Request: {said}"


def test_names_and_descriptions(bench: Bench) -> None:
    bench.call("setMyName", name="Mahjong", language_code="en")
    assert bench.call("getMyName", language_code="en") == {"name": "Mahjong"}
    assert bench.call("getMyName", language_code="de") == {"name": "福建麻将"}
    bench.call("setMyDescription", description="d")
    bench.call("setMyShortDescription", short_description="s")
    assert bench.call("getMyDescription") == {"description": "d"}
    assert bench.call("getMyShortDescription", language_code="en") == {"short_description": "s"}
    assert bench.refused("setMyName", name="x" * 65) == '400 Bad Request: parameter "name" has a wrong length'


def test_chats_and_members(bench: Bench) -> None:
    assert bench.call("getChat", chat_id=bench.group)["title"] == "周末麻将"
    assert bench.call("getChat", chat_id=bench.zhen)["first_name"] == "阿珍"
    assert bench.call("getChatMember", chat_id=bench.group, user_id=bench.ming)["status"] == "creator"
    assert bench.call("getChatMemberCount", chat_id=bench.group) == 5
    bench.crowd.set_status(bench.group, bench.zhen, "administrator")
    bench.crowd.set_status(bench.group, bench.world.bot.id, "administrator")
    admins = bench.call("getChatAdministrators", chat_id=bench.group)
    assert [one["user"]["id"] for one in admins] == [bench.ming, bench.zhen]
    assert len(bench.call("getChatAdministrators", chat_id=bench.group, return_bots=True)) == 3
    stranger = bench.crowd.add_person("stranger")
    assert bench.call("getChatMember", chat_id=bench.group, user_id=stranger.id)["status"] == "left"
    assert bench.refused("getChatMember", chat_id=bench.group, user_id=5).endswith("PARTICIPANT_ID_INVALID")
    assert bench.refused("getChat", chat_id=stranger.id) == "400 Bad Request: chat not found"


def test_pins_and_reactions(bench: Bench) -> None:
    sent = bench.call("sendMessage", chat_id=bench.group, text="x")["message_id"]
    said = bench.refused("pinChatMessage", chat_id=bench.group, message_id=sent)
    assert said == "400 Bad Request: not enough rights to manage pinned messages in the chat"
    bench.crowd.set_status(bench.group, bench.world.bot.id, "administrator")
    bench.call("pinChatMessage", chat_id=bench.group, message_id=sent)
    assert bench.call("getChat", chat_id=bench.group)["pinned_message"]["message_id"] == sent
    assert bench.updates()[-1]["message"]["pinned_message"]["text"] == "x"
    bench.call("unpinChatMessage", chat_id=bench.group)
    assert bench.refused("unpinChatMessage", chat_id=bench.group).endswith("message to unpin not found")
    assert bench.refused("pinChatMessage", chat_id=bench.group, message_id=999).endswith("message to pin not found")
    bench.call("setMessageReaction", chat_id=bench.group, message_id=sent, reaction=[{"type": "emoji", "emoji": "👍"}])
    assert bench.world.chats[bench.group].messages[sent].reactions == {bench.world.bot.id: "👍"}
    bench.call("setMessageReaction", chat_id=bench.group, message_id=sent)
    wrong = [{"type": "emoji", "emoji": "🀄"}]
    said = bench.refused("setMessageReaction", chat_id=bench.group, message_id=sent, reaction=wrong)
    assert said == "400 Bad Request: REACTION_INVALID"


def test_unused_uploads_are_refused(bench: Bench) -> None:
    said = bench.refused("sendMessage", {"photo": picture()}, chat_id=bench.ming, text="x")
    assert said == "400 Bad Request: uploaded but not used: photo"
