"""Messages that are sent, edited, deleted; media; presses; what the bot hears."""

from __future__ import annotations

from typing import Any

import pytest

from playground.errors import ControlError
from playground.files import Upload
from tests.playground.support import Bench, keyboard, picture

NOT_MODIFIED = (
    "400 Bad Request: message is not modified: specified new message content and reply markup are exactly the same as "
    "a current content and reply markup of the message"
)


@pytest.fixture
def bench() -> Bench:
    bench = Bench(budgets=False)
    bench.crowd.start(bench.ming)
    bench.updates()
    return bench


def test_edits(bench: Bench) -> None:
    where: dict[str, Any] = {"chat_id": bench.ming}
    sent = bench.call("sendMessage", **where, text="one", reply_markup=keyboard([("x", "y")]))
    where["message_id"] = sent["message_id"]
    bench.clock.advance(5)
    edited = bench.call("editMessageText", **where, text="two", reply_markup=keyboard([("x", "y")]))
    assert (edited["text"], edited["edit_date"]) == ("two", sent["date"] + 5)
    assert bench.refused("editMessageText", **where, text="two", reply_markup=keyboard([("x", "y")])) == NOT_MODIFIED
    assert "reply_markup" not in bench.call("editMessageText", **where, text="two")
    bench.call("editMessageReplyMarkup", **where, reply_markup=keyboard([("x", "z")]))
    again = bench.refused("editMessageReplyMarkup", **where, reply_markup=keyboard([("x", "z")]))
    assert again == NOT_MODIFIED
    assert bench.refused("editMessageText", **where, text="x" * 4097) == "400 Bad Request: MESSAGE_TOO_LONG"
    assert bench.refused("editMessageText", **where) == "400 Bad Request: message text is empty"
    said = bench.refused("editMessageCaption", **where, caption="x")
    assert said == "400 Bad Request: there is no caption in the message to edit"
    where["message_id"] = 99
    assert bench.refused("editMessageText", **where, text="x") == "400 Bad Request: message to edit not found"
    where["message_id"] = 1
    assert bench.refused("editMessageText", **where, text="x") == "400 Bad Request: message can't be edited"
    said = bench.refused("editMessageText", chat_id=bench.ming, text="x")
    assert said == "400 Bad Request: message identifier is not specified"


def test_photos_by_upload_and_by_file_id(bench: Bench) -> None:
    sent = bench.call(
        "sendPhoto", {"photo": picture(1500, 900)}, chat_id=bench.ming, caption="<i>c</i>", parse_mode="HTML"
    )
    sizes = sent["photo"]
    assert [(size["width"], size["height"]) for size in sizes][-1] == (1500, 900)
    assert sent["caption_entities"] == [{"type": "italic", "offset": 0, "length": 1}]
    file_id = sizes[-1]["file_id"]
    again = bench.call("sendPhoto", chat_id=bench.ming, photo=file_id, protect_content=True, disable_notification=True)
    assert again["photo"][-1]["file_unique_id"] == sizes[-1]["file_unique_id"]
    assert again["has_protected_content"] is True
    small = bench.call("sendPhoto", chat_id=bench.ming, photo=sizes[0]["file_id"])
    assert small["photo"][-1]["file_unique_id"] == sizes[-1]["file_unique_id"]
    assert [call.files for call in bench.world.log if call.method == "sendPhoto"][1:] == [{}, {}]
    found = bench.call("getFile", file_id=file_id)
    media = bench.world.files.by_path(found["file_path"])
    assert media is not None
    assert len(media.data) == found["file_size"]


def test_media_edits(bench: Bench) -> None:
    where: dict[str, Any] = {"chat_id": bench.ming}
    where["message_id"] = bench.call("sendPhoto", {"photo": picture()}, **where, caption="a")["message_id"]
    new = {"type": "photo", "media": "attach://later", "caption": "b"}
    edited = bench.call("editMessageMedia", {"later": picture(50, 60)}, **where, media=new)
    assert (edited["caption"], edited["photo"][-1]["height"]) == ("b", 60)
    same = {"type": "photo", "media": edited["photo"][-1]["file_id"], "caption": "b"}
    assert bench.refused("editMessageMedia", **where, media=same) == NOT_MODIFIED
    assert bench.call("editMessageCaption", **where, caption="c")["caption"] == "c"
    said = bench.refused("editMessageText", **where, text="x")
    assert said == "400 Bad Request: there is no text in the message to edit"
    assert bench.refused("editMessageMedia", **where, media={"type": "photo"}).startswith(
        "400 Bad Request: can't parse InputMedia"
    )
    assert bench.refused("editMessageMedia", **where, media={"type": "photo", "media": "attach://none"}).endswith(
        "wrong file identifier/HTTP URL specified"
    )
    text = bench.call("sendMessage", chat_id=bench.ming, text="t")["message_id"]
    became = bench.call("editMessageMedia", chat_id=bench.ming, message_id=text, media=same)
    assert became["caption"] == "b"
    assert "text" not in became


@pytest.mark.parametrize(
    ("upload", "said"),
    [
        (Upload("x.jpg", b""), "file must be non-empty"),
        (Upload("x.jpg", b"not a picture"), "IMAGE_PROCESS_FAILED"),
        (picture(form="GIF"), "IMAGE_PROCESS_FAILED"),
        (picture(9990, 20, "PNG"), "PHOTO_INVALID_DIMENSIONS"),
        (picture(6000, 4001, "PNG"), "PHOTO_INVALID_DIMENSIONS"),
        (Upload("x.jpg", b"x" * (10 * 1024 * 1024 + 1)), "file of size 10485761 bytes is too big for a photo; "
         "the maximum size is 10485760 bytes"),
    ],
)  # fmt: skip
def test_photos_refused(bench: Bench, upload: Upload, said: str) -> None:
    assert bench.refused("sendPhoto", {"photo": upload}, chat_id=bench.ming) == f"400 Bad Request: {said}"


def test_people_speak_and_forward_what_others_said(bench: Bench) -> None:
    said = bench.crowd.speak(bench.ming, bench.ming, b"OggS" + bytes(50), 2)
    (update,) = bench.updates()
    assert update["message"]["voice"]["duration"] == 2
    assert "forward_origin" not in update["message"]
    assert bench.call("sendVoice", chat_id=bench.ming, voice=update["message"]["voice"]["file_id"])["voice"]
    other = next(person for person in bench.world.people if person != bench.ming)
    bench.crowd.speak(bench.ming, bench.ming, b"OggS" + bytes(50), 2, reply_to=said.id, of=other)
    update = bench.updates(offset=update["update_id"] + 1)[0]
    assert update["message"]["forward_origin"]["sender_user"]["id"] == other
    assert update["message"]["reply_to_message"]["message_id"] == said.id
    with pytest.raises(ControlError, match="VOICE_FILE_INVALID"):
        bench.crowd.speak(bench.ming, bench.ming, b"RIFF", 2)
    with pytest.raises(ControlError):
        bench.crowd.speak(bench.ming, bench.ming, b"OggS", 2, of=1)


def test_other_media(bench: Bench) -> None:
    document = bench.call(
        "sendDocument", {"document": Upload("手牌.json", b"{}", "application/json")}, chat_id=bench.ming
    )
    assert document["document"]["file_name"] == "手牌.json"
    voice = bench.call("sendVoice", {"voice": Upload("v.ogg", b"OggS" + bytes(50))}, chat_id=bench.ming, duration=2)
    assert voice["voice"]["duration"] == 2
    animation = bench.call("sendAnimation", {"animation": picture(form="GIF")}, chat_id=bench.ming)
    assert animation["animation"]["width"] == 40
    said = bench.refused("sendPhoto", chat_id=bench.ming, photo=voice["voice"]["file_id"])
    assert said == "400 Bad Request: can't use file of type Voice as Photo"
    wrong = "400 Bad Request: wrong file identifier/HTTP URL specified"
    assert bench.refused("sendVoice", chat_id=bench.ming, voice="nonsense") == wrong
    said = bench.refused("sendPhoto", chat_id=bench.ming, photo="https://pictures.example/x.jpg")
    assert said == "400 Bad Request: failed to get HTTP URL content"
    assert bench.refused("sendPhoto", chat_id=bench.ming) == "400 Bad Request: there is no photo in the request"
    said = bench.refused("sendPhoto", {"photo": picture()}, chat_id=bench.ming, caption="x" * 1025)
    assert said == "400 Bad Request: message caption is too long"


def test_dice_come_from_the_seed() -> None:
    def throws(seed: int) -> list[int]:
        bench = Bench(budgets=False, seed=seed)
        return [bench.call("sendDice", chat_id=bench.group)["dice"]["value"] for _ in range(30)]

    assert throws(1) == throws(1)
    assert throws(1) != throws(2)
    assert set(throws(3)) == {1, 2, 3, 4, 5, 6}
    bench = Bench()
    assert bench.call("sendDice", chat_id=bench.group, emoji="🏀")["dice"]["emoji"] == "🏀"
    said = bench.refused("sendDice", chat_id=bench.group, emoji="🀄")
    assert said == "400 Bad Request: invalid dice emoji specified"


def test_deleting(bench: Bench) -> None:
    def delete(chat_id: int, message_id: int) -> str:
        return bench.refused("deleteMessage", chat_id=chat_id, message_id=message_id)

    sent = bench.call("sendMessage", chat_id=bench.ming, text="x")["message_id"]
    bench.call("deleteMessage", chat_id=bench.ming, message_id=sent)
    assert delete(bench.ming, sent) == "400 Bad Request: message to delete not found"
    dice = bench.call("sendDice", chat_id=bench.ming)["message_id"]
    assert delete(bench.ming, dice) == "400 Bad Request: message can't be deleted"
    old = bench.call("sendMessage", chat_id=bench.group, text="x")["message_id"]
    theirs = bench.crowd.say(bench.zhen, bench.group, "x").id
    assert delete(bench.group, theirs) == "400 Bad Request: message can't be deleted"
    bench.clock.advance(48 * 3600 + 1)
    assert delete(bench.group, old) == "400 Bad Request: message can't be deleted for everyone"
    assert bench.call("deleteMessages", chat_id=bench.group, message_ids=[old, 999]) is True
    assert old in bench.world.chats[bench.group].messages
    bench.crowd.set_status(bench.group, bench.world.bot.id, "administrator")
    assert bench.call("deleteMessages", chat_id=bench.group, message_ids=[old, theirs, 999]) is True
    assert not {old, theirs} & set(bench.world.chats[bench.group].messages)
    # An old message can still be edited.
    last = bench.call("sendMessage", chat_id=bench.group, text="x")["message_id"]
    bench.clock.advance(30 * 86400)
    bench.call("editMessageText", chat_id=bench.group, message_id=last, text="y")


def test_presses(bench: Bench) -> None:
    sent = bench.call("sendMessage", chat_id=bench.ming, text="x", reply_markup=keyboard([("a", "1"), ("b", "2")]))
    number = sent["message_id"]
    press = bench.crowd.press(bench.ming, bench.ming, number, row=0, column=1)
    query = bench.updates()[-1]["callback_query"]
    assert (query["id"], query["data"], query["from"]["id"], query["message"]["message_id"]) == (
        press.id,
        "2",
        bench.ming,
        number,
    )
    bench.call("answerCallbackQuery", callback_query_id=press.id, text="ok", show_alert=True)
    assert (press.status, press.text, press.alert) == ("answered", "ok", True)
    old = "400 Bad Request: query is too old and response timeout expired or query ID is invalid"
    assert bench.refused("answerCallbackQuery", callback_query_id=press.id) == old
    assert bench.refused("answerCallbackQuery", callback_query_id="12") == old
    late = bench.crowd.press(bench.ming, bench.ming, number, data="1")
    bench.clock.advance(15.5)
    assert bench.refused("answerCallbackQuery", callback_query_id=late.id) == old
    assert late.status == "expired"
    third = bench.crowd.press(bench.ming, bench.ming, number, data="1")
    said = bench.refused("answerCallbackQuery", callback_query_id=third.id, text="x" * 201)
    assert said == "400 Bad Request: MESSAGE_TOO_LONG"
    said = bench.refused("answerCallbackQuery", callback_query_id=third.id, url="https://elsewhere.example")
    assert said == "400 Bad Request: URL_INVALID"
    link = f"https://t.me/{bench.world.bot.username}?start=seat_5"
    bench.call("answerCallbackQuery", callback_query_id=third.id, url=link)
    assert third.url == link


def test_presses_that_cannot_be(bench: Bench) -> None:
    sent = bench.call("sendMessage", chat_id=bench.group, text="x", reply_markup=keyboard([("a", "1")]))["message_id"]
    for wrong in ({"data": "2"}, {"row": 1, "column": 0}):
        with pytest.raises(ControlError, match="there is no button") as caught:
            bench.crowd.press(bench.ming, bench.group, sent, **wrong)
        assert caught.value.status == 409
    stranger = bench.crowd.add_person("stranger").id
    with pytest.raises(ControlError, match="does not see"):
        bench.crowd.press(stranger, bench.group, sent, data="1")
    bench.updates()
    bench.crowd.press(bench.ming, bench.group, sent, data="gone", force=True)
    bench.crowd.press(bench.ming, bench.group, sent, data="1", inaccessible=True)
    bench.call("deleteMessage", chat_id=bench.group, message_id=sent)
    bench.crowd.press(bench.ming, bench.group, sent, data="1", force=True)
    queries = [update["callback_query"] for update in bench.updates()]
    assert [(one["data"], one["message"]["date"]) for one in queries[1:]] == [("1", 0), ("1", 0)]
    assert queries[0]["message"]["text"] == "x"


def test_privacy_mode(bench: Bench) -> None:
    crowd, group, ming = bench.crowd, bench.group, bench.ming
    sent = bench.call("sendMessage", chat_id=group, text="x")["message_id"]
    bench.updates()
    crowd.say(ming, group, "hello there")
    crowd.say(ming, group, "@fujian_mahjong_bot hello")
    crowd.say(ming, group, "see /help")
    crowd.say(ming, group, "/start@other_bot")
    assert bench.updates() == []
    crowd.say(ming, group, "/newgame@Fujian_Mahjong_bot putian")
    crowd.say(ming, group, "/join")
    crowd.say(ming, group, "a reply", reply_to=sent)
    heard = [update["message"] for update in bench.updates()]
    assert [one["text"] for one in heard] == ["/newgame@Fujian_Mahjong_bot putian", "/join", "a reply"]
    assert heard[0]["entities"] == [{"type": "bot_command", "offset": 0, "length": 27}]
    assert heard[2]["reply_to_message"]["message_id"] == sent
    crowd.set_status(group, bench.world.bot.id, "administrator")
    bench.updates()
    crowd.say(ming, group, "hello there")
    assert [update["message"]["text"] for update in bench.updates()] == ["hello there"]


def test_comings_and_goings(bench: Bench) -> None:
    crowd, group = bench.crowd, bench.group
    crowd.leave(group, bench.zhen)
    crowd.join(group, bench.zhen, by=bench.ming)
    told = [update["message"] for update in bench.updates()]
    assert told[0]["left_chat_member"]["id"] == bench.zhen
    assert [one["id"] for one in told[1]["new_chat_members"]] == [bench.zhen]
    crowd.leave(group, bench.world.bot.id, by=bench.ming)
    crowd.join(group, bench.world.bot.id, by=bench.ming)
    standings = [
        update["my_chat_member"]["new_chat_member"]["status"]
        for update in bench.updates()
        if "my_chat_member" in update
    ]
    assert standings == ["kicked", "member"]
    bench.call("getUpdates", allowed_updates=["message", "chat_member"])
    crowd.set_status(group, bench.world.bot.id, "administrator")
    crowd.leave(group, bench.lin)
    kinds = [next(kind for kind in update if kind != "update_id") for update in bench.updates()]
    assert kinds == ["chat_member", "message"]


def test_an_anonymous_admin(bench: Bench) -> None:
    bench.crowd.say(bench.ming, bench.group, "/stop", anonymous=True)
    message = bench.updates()[-1]["message"]
    assert (message["from"]["id"], message["sender_chat"]["id"]) == (1087968824, bench.group)
    with pytest.raises(ControlError):
        bench.crowd.say(bench.zhen, bench.group, "/stop", anonymous=True)


def test_an_update_that_nobody_fetches_for_a_day_is_gone(bench: Bench) -> None:
    bench.crowd.start(bench.ming)
    bench.clock.advance(86400 - 1)
    bench.crowd.say(bench.ming, bench.ming, "later")
    assert bench.call("getUpdates")[-2]["message"]["text"] == "/start"
    bench.clock.advance(2)
    assert [update["message"]["text"] for update in bench.call("getUpdates")] == ["later"]


def test_updates(bench: Bench) -> None:
    for text in "abc":
        bench.crowd.say(bench.ming, bench.ming, text)
    first = bench.call("getUpdates", limit=2)
    assert [update["message"]["text"] for update in first] == ["a", "b"]
    assert bench.call("getUpdates", limit=2) == first
    assert len(bench.call("getUpdates", offset=first[1]["update_id"] + 1)) == 1
    assert bench.refused("getUpdates", limit=101) == "400 Bad Request: limit must be between 1 and 100"
    assert bench.refused("getUpdates", allowed_updates=["mesage"]).startswith("400")
    bench.call("setWebhook", url="https://bot.example/hook", allowed_updates=["message"])
    assert bench.refused("getUpdates").startswith("409 Conflict: can't use getUpdates method while webhook is active")
    info = bench.call("getWebhookInfo")
    assert (info["url"], info["pending_update_count"], info["allowed_updates"]) == (
        "https://bot.example/hook",
        1,
        ["message"],
    )
    bench.call("deleteWebhook", drop_pending_updates=True)
    assert bench.call("getUpdates") == []
    bench.crowd.say(bench.ming, bench.ming, "d")
    bench.clock.advance(86401)
    bench.crowd.say(bench.ming, bench.ming, "e")
    assert [update["message"]["text"] for update in bench.call("getUpdates", offset=0)] == ["e"]
    assert bench.refused("setWebhook", url="ftp://x").startswith("400 Bad Request: bad webhook")


def test_ephemeral_messages(bench: Bench) -> None:
    group, zhen = bench.group, bench.zhen
    receiver = {"receiver_user_id": zhen}
    bench.crowd.set_status(group, bench.world.bot.id, "administrator")
    sent = bench.call(
        "sendPhoto", {"photo": picture()}, chat_id=group, ephemeral_message_parameters=receiver,
        reply_markup=keyboard([("a", "1")]),
    )  # fmt: skip
    number = sent["ephemeral_message_id"]
    assert (sent["message_id"], sent["receiver_user"]["id"]) == (0, zhen)
    with pytest.raises(ControlError):
        bench.crowd.press(bench.ming, group, -number, data="1")
    press = bench.crowd.press(zhen, group, -number, data="1")
    where = {"chat_id": group, "receiver_user_id": zhen, "ephemeral_message_id": number}
    bench.call("editEphemeralMessageCaption", **where, caption="c")
    assert bench.refused("editEphemeralMessageCaption", **where, caption="c") == NOT_MODIFIED
    replacing = {"receiver_user_id": zhen, "callback_query_id": press.id, "replace_callback_query_message": True}
    said = bench.refused("sendMessage", chat_id=group, text="x", ephemeral_message_parameters=replacing)
    assert said == "400 Bad Request: replace_callback_query_message needs a press on an ordinary message"
    bench.call("deleteEphemeralMessage", **where)
    assert bench.refused("deleteEphemeralMessage", **where) == "400 Bad Request: ephemeral message not found"
    new = bench.call("sendMessage", chat_id=group, text="x", ephemeral_message_parameters=receiver)
    where["ephemeral_message_id"] = new["ephemeral_message_id"]
    bench.call("editEphemeralMessageText", **where, text="y")
    bench.call("deleteEphemeralMessage", **where)
    assert bench.world.chats[group].ephemeral == {}
    said = bench.refused("sendMessage", chat_id=bench.ming, text="x", ephemeral_message_parameters=receiver)
    assert said == "400 Bad Request: ephemeral messages can be sent to groups only"


def test_who_may_send_ephemeral_messages(bench: Bench) -> None:
    group, zhen = bench.group, bench.zhen

    def say(**parameters: Any) -> dict[str, Any]:
        about = {"receiver_user_id": zhen, **parameters}
        return {"chat_id": group, "text": "x", "ephemeral_message_parameters": about}

    public = bench.call("sendMessage", chat_id=group, text="x", reply_markup=keyboard([("a", "1")]))["message_id"]
    assert bench.refused("sendMessage", **say()) == "400 Bad Request: BOT_NOT_ADMIN"
    press = bench.crowd.press(zhen, group, public, data="1")
    others = bench.crowd.press(bench.ming, group, public, data="1")
    bench.call("sendMessage", **say(callback_query_id=press.id))
    assert "too old" in bench.refused("sendMessage", **say(callback_query_id=others.id))
    bench.clock.advance(16)
    assert "too old" in bench.refused("sendMessage", **say(callback_query_id=press.id))
    bench.call("setMyCommands", commands=[{"command": "hand", "description": "x", "is_ephemeral": True}])
    bench.updates()
    bench.crowd.say(zhen, group, "/hand")
    bench.crowd.say(zhen, group, "/other")
    hidden, plain = (update["message"] for update in bench.updates())
    assert (hidden["message_id"], hidden["receiver_user"]["is_bot"], "receiver_user" in plain) == (0, True, False)
    reply = {"reply_parameters": {"ephemeral_message_id": hidden["ephemeral_message_id"]}}
    bench.call("sendMessage", **say(), **reply)
    bench.clock.advance(16)
    assert bench.refused("sendMessage", **say(), **reply) == "400 Bad Request: BOT_NOT_ADMIN"


@pytest.mark.parametrize("version", ["10.1", "10.2"])
def test_older_servers(version: str) -> None:
    old = Bench(version=version)
    nobody = old.refused("deleteEphemeralMessage")
    assert nobody == ("404 Not Found" if version == "10.1" else "400 Bad Request: chat_id is empty")
    about = {"receiver_user_id": old.zhen}
    sent = old.call("sendMessage", chat_id=old.group, text="x", ephemeral_message_parameters=about)
    assert sent["message_id"] > 0, "a parameter that is not known is ignored, and everybody sees the message"
    old.call("setMyCommands", commands=[{"command": "hand", "description": "x", "is_ephemeral": True}])
    assert ("is_ephemeral" in old.call("getMyCommands")[0]) == (version == "10.2")


def test_the_log(bench: Bench) -> None:
    bench.call("sendPhoto", {"attached4711": picture()}, chat_id=bench.ming, photo="attach://attached4711")
    bench.refused("sendMessage", chat_id=bench.zhen, text="x")
    photo, refused = list(bench.world.log)[-2:]
    assert (photo.method, photo.chat_id, photo.params["photo"], list(photo.files)) == (
        "sendPhoto", bench.ming, "attach://file0", ["file0"],
    )  # fmt: skip
    assert (refused.status, refused.description) == (403, "Forbidden: bot can't initiate conversation with a user")
