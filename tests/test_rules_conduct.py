"""/rules with the whole bot: what is opened where, for which game and by which options, and leafed through."""

from __future__ import annotations

import asyncio
import re

from handlers.commands.rules import COMMAND
from handlers.screens.rules_pages import PAGES
from handlers.screens.rules_terms import GAMES, Terms
from playground.chats import Message
from tests.support.evening import check
from tests.support.stories import Tell, met, newcomer, newest, open_table
from tests.support.town import Town

FORGED = "这个按钮不能用"
BOOK = "📖"
DEFAULT = Terms({}).code()


def book(town: Town, chat: int) -> Message:
    """The one message of the rules in a chat."""
    (found,) = [message for message in town.messages(chat) if BOOK in message.content.text.split("\n")[0]]
    return found


async def turn(town: Town, person: int, page: str, game: str | None = None) -> str:
    """Press the button of a page in a private chat; returns what stands there then."""
    number = r"\d" if game is None else GAMES.index(game)
    await town.press(person, person, rf"^u\|{page}\|{number}\|")
    await asyncio.sleep(3)
    return book(town, person).content.text


def test_in_private_it_is_one_message_that_is_leafed_through(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        person = town.people[0]
        town.world.crowd.start(person)
        await asyncio.sleep(3)
        town.world.crowd.say(person, person, "/rules")
        await asyncio.sleep(4)
        opened = book(town, person)
        assert opened.content.media is not None
        assert "漳州麻将" in opened.content.text
        before = [message.id for message in town.messages(person)]
        for name in PAGES["zhangzhou"]:
            text = await turn(town, person, name)
            words = town.house.texts.get("zh_Hans")
            assert words(f"rules.{name}.title") in text
            assert book(town, person).id == opened.id
        # From the last page on to the contents.
        assert "这桌的打法" in await turn(town, person, "index")
        for game, name in (("putian-an", "莆田暗胡"), ("putian-ming", "莆田明胡"), ("zhangzhou", "漳州麻将")):
            assert name in await turn(town, person, "index", game)
        assert [message.id for message in town.messages(person)] == before, "nothing else was said"

    tell_from_the_start(story)


def test_a_page_that_was_sent_once_is_not_uploaded_again(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        one, two, *_ = town.people
        for person in (one, two):
            town.world.crowd.start(person)
            await asyncio.sleep(3)
            town.world.crowd.say(person, person, "/rules")
            await asyncio.sleep(4)
            await turn(town, person, "pay")
        sent = [call for call in town.calls if call.method in ("sendPhoto", "editMessageMedia")]
        theirs = [str(call.params) for call in sent if call.chat_id == two]
        assert len(theirs) == 2
        assert not any("attach://" in params for params in theirs)

    tell_from_the_start(story)


def test_in_a_group_it_says_what_pays_what_and_links_to_the_pages(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        one, two, *_ = town.people
        await open_table(town, one)
        await town.press(one, town.group_id, r"\|game_2$")
        await town.press(one, town.group_id, r"\|options$")
        await asyncio.sleep(4)
        await town.press(one, town.group_id, "点炮翻倍")
        await asyncio.sleep(4)
        town.world.crowd.start(two)
        await asyncio.sleep(3)
        town.world.crowd.say(two, town.group_id, "/rules")
        await asyncio.sleep(5)
        said = book(town, town.group_id)
        assert said.content.media is not None
        assert "莆田明胡" in said.content.text
        assert "点炮不翻倍" in said.content.text
        ((link,),) = said.keyboard
        town.world.crowd.start(two, link["url"].partition("start=")[2])
        await asyncio.sleep(4)
        assert "点炮不翻倍" in book(town, two).content.text, "as this table plays"
        assert "× 1" in await turn(town, two, "pay")
        assert "漳州麻将" in (await turn(town, two, "index") and await turn(town, two, "index", "zhangzhou"))

    tell_from_the_start(story)


def test_the_button_of_a_lobbys_options_opens_them_in_private(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        one, two, *_ = town.people
        await open_table(town, one)
        await town.press(one, town.group_id, r"\|options$")
        await asyncio.sleep(4)
        await town.press(one, town.group_id, "留 8 墩")
        await asyncio.sleep(4)
        found = town.find(town.group_id, r"^u\|open\|")
        assert found is not None
        message, button = found
        press = town.world.crowd.press(two, town.group_id, message.id, button["callback_data"])
        await asyncio.sleep(3)
        assert press.url is not None
        before = len(town.messages(town.group_id))
        town.world.crowd.start(two, press.url.partition("start=")[2])
        await asyncio.sleep(4)
        assert "留 13 墩" in book(town, two).content.text
        assert len(town.messages(town.group_id)) == before

    tell_from_the_start(story)


def test_it_is_for_the_game_that_was_practised_last_and_help_leads_to_it(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        person = town.people[0]
        known = await met(town, person)
        await town.house.people.set_prefs(known, {"game": "putian-an"})
        town.world.crowd.say(person, person, "/help")
        await asyncio.sleep(3)
        helped = newest(town, person, "/rules")
        assert helped is not None
        await town.press(person, person, r"^u\|open\|")
        await asyncio.sleep(4)
        assert "莆田暗胡" in book(town, person).content.text
        assert helped.id in [message.id for message in town.messages(person)], "the page of help stays"
        assert town.messages(person)[-1].id == book(town, person).id

    tell_from_the_start(story)


def test_at_a_table_it_is_for_what_is_played_there(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        one, two, *_ = town.people
        await open_table(town, one, two)
        await town.press(one, town.group_id, r"\|game_1$")
        await asyncio.sleep(3)
        town.world.crowd.say(two, two, "/rules")
        await asyncio.sleep(5)
        assert [message for message in town.messages(two) if "📖 莆田暗胡" in message.content.text]

    tell_from_the_start(story)


def test_forged_buttons_and_links_do_nothing(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        one, two, *_ = town.people
        await open_table(town, one)
        town.world.crowd.start(two)
        await asyncio.sleep(3)
        town.world.crowd.say(two, two, "/rules")
        await asyncio.sleep(4)
        page, text = book(town, two), book(town, two).content.text
        for data in (
            "u|pay", f"u|pay|9|{DEFAULT}", f"u|nothing|0|{DEFAULT}", f"u|bombs|0|{DEFAULT}", f"u|pay|0|9{DEFAULT[1:]}",
            f"u|pay|-1|{DEFAULT}", f"u|pay|0|{DEFAULT}|1", f"u|pay|0|{DEFAULT}8", f"u|PAY|0|{DEFAULT}", "u|open|0|0",
        ):  # fmt: skip
            assert await town.press_data(two, two, page.id, data, force=True) == FORGED, data
        assert book(town, two).content.text == text
        lobby = town.messages(town.group_id)[-1].id
        assert await town.press_data(two, town.group_id, lobby, f"u|pay|0|{DEFAULT}", force=True) == FORGED
        for payload in (
            f"rules_9_{DEFAULT}",
            "rules_0_0",
            f"rules_0_9{DEFAULT[1:]}",
            "rules_0",
            f"rules_0_{DEFAULT}_1",
        ):
            town.world.crowd.start(two, payload)
            await asyncio.sleep(3)
        assert book(town, two).content.text == text
        assert not re.search(r"u\|", town.messages(two)[-1].content.text)

    tell_from_the_start(story)


def test_after_a_kill_the_buttons_still_turn_the_page(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        person = town.people[0]
        town.world.crowd.start(person)
        await asyncio.sleep(3)
        town.world.crowd.say(person, person, "/rules")
        await asyncio.sleep(4)
        await turn(town, person, "you")
        await town.kill()
        await town.open()
        await asyncio.sleep(5)
        assert "开局就胡" in await turn(town, person, "opening")
        assert len([message for message in town.messages(person) if BOOK in message.content.text]) == 1
        await check(town)

    tell_from_the_start(story)


def test_a_stranger_to_the_bot_comes_from_a_lobby_by_the_link(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        one, *_ = town.people
        await open_table(town, one)
        await town.press(one, town.group_id, r"\|options$")
        await asyncio.sleep(4)
        stranger = await newcomer(town, started=False)
        found = town.find(town.group_id, r"^u\|open\|")
        assert found is not None
        message, button = found
        press = town.world.crowd.press(stranger, town.group_id, message.id, button["callback_data"])
        await asyncio.sleep(3)
        assert press.url is not None
        assert town.house.people.by_chat(stranger) is None, "to look makes nobody known"
        town.world.crowd.start(stranger, press.url.partition("start=")[2])
        await asyncio.sleep(4)
        assert "漳州麻将" in book(town, stranger).content.text

    tell_from_the_start(story)


def test_it_stands_in_telegrams_menu() -> None:
    assert all(COMMAND.listed_for(kind) for kind in ("private", "group", "admins"))
