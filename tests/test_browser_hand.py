"""The real bot in headless Chromium, by mouse: a hand to the score sheet, practice, joining by a link, a late press,
the menu of commands, and both processes started anew in mid-hand. Bot and playground run on a faster clock.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Page, expect

from playground.server import Playground
from playground.state import StateFile
from playground.world import World
from tests.support.browser import MILLISECONDS, Faults, headless
from tests.support.mouse import PASS, SHEET, TILE, key, keys, play
from tests.support.process import BotProcess, running, until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

SPEED = 12
"""So many times as fast as the machine's clock; a press must be answered within 15 s of it."""
GROUP = "周末麻将"


@dataclass
class Evening:
    """A playground with a state file, the bot on it, and a browser."""

    playground: Playground
    bot: BotProcess
    browser: Browser

    @property
    def world(self) -> World:
        return self.playground.world

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.playground.port}/"

    @asynccontextmanager
    async def page(self) -> AsyncIterator[tuple[Page, Faults]]:
        """The page, as somebody opens it; at the end nothing was wrong with it."""
        context = await self.browser.new_context(viewport={"width": 1600, "height": 1000}, locale="zh-CN")
        page = await context.new_page()
        faults = Faults(page, self.address)
        await page.goto(self.address)
        yield page, faults
        await context.close()
        assert faults.found == []

    async def restart_playground(self) -> None:
        """The playground ends, and begins anew from its state file on the same port."""
        old = self.playground
        await old.close()
        assert old.state is not None
        self.playground = Playground(old.make_world, StateFile(old.state.path))
        self.playground.listen(old.port)

    def person(self, name: str) -> int:
        """The id of a person by name."""
        return next(person.id for person in self.world.people.values() if person.name == name)

    @contextmanager
    def unseen(self) -> Iterator[None]:
        """What happens meanwhile does not reach the page: its line is slow."""
        watchers, self.world.feed.watchers = self.world.feed.watchers, []
        yield
        self.world.feed.watchers = watchers


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def evening(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Evening]:
    place: Path = tmp_path_factory.mktemp("evening")
    async with (
        headless() as browser,
        running(place / "x.sqlite3", feed=True, speed=SPEED, state=place / "state.sqlite3") as (playground, bot),
    ):
        evening = Evening(playground, bot, browser)
        yield evening
        await bot.stop()
        if evening.playground is not playground:
            await evening.playground.close()


def phone(page: Page, name: str) -> Locator:
    """The pane of one person."""
    return page.get_by_role("region", name=name, exact=True)


async def pick_up(page: Page, name: str) -> Locator:
    """Bring the pane of somebody into sight, who may stand where the window ends; returns it."""
    await page.locator(".chip").filter(has_text=name).click()
    return phone(page, name)


async def write(pane: Locator, text: str) -> None:
    """Type into the line below the chat, and send."""
    await pane.locator("textarea").fill(text)
    await pane.locator("textarea").press("Enter")


async def practise(evening: Evening, page: Page, name: str) -> Locator:
    """A practice table, from the first START to the first keyboard of tiles; returns the pane."""
    pane = await pick_up(page, name)
    await pane.get_by_role("tab", name="福建麻将").click()
    if not evening.world.chats[evening.person(name)].started:
        await pane.locator(".big").click()
        await (await key(pane, "简体")).click()
    await write(pane, "/newgame")
    await (await key(pane, "漳州麻将")).click()
    await keys(pane, TILE).or_(keys(pane, PASS)).last.wait_for(timeout=MILLISECONDS)
    return pane


async def replay_and_watch(pane: Locator) -> None:
    """From the sheet to the replay, a step on, and to the film of the hand, which the page shows as it is."""
    await (await key(pane, "回放")).click()
    replayed = pane.locator(".message .text").filter(has_text="🎞").last
    await replayed.filter(has_text=re.compile(r"· 1/\d+")).wait_for(timeout=MILLISECONDS)
    await (await key(pane, "▶️")).click()
    await replayed.filter(has_text=re.compile(r"· 2/\d+")).wait_for(timeout=MILLISECONDS)
    await (await key(pane, "自动播放")).click()
    film = pane.locator(".message .kind-animation img")
    await film.wait_for(timeout=MILLISECONDS)
    assert await film.evaluate("async image => { await image.decode(); return image.naturalWidth; }") == 480


async def test_a_hand_by_mouse_with_computers_ends_on_the_score_sheet(evening: Evening) -> None:
    async with evening.page() as (page, _):
        pane = phone(page, "阿明")
        await write(pane, "/newgame@fujian_mahjong_bot")
        # Not yet in touch with the bot: the press opens the private chat, START there sits down.
        await (await key(pane, "坐下")).click()
        await pane.locator(".big").click()
        await (await key(pane, "开局")).click()
        thrown = await play(pane)
        assert thrown > 0 or await pane.locator(".message .text").filter(has_text="第 1 局").count()
        sheet = pane.locator(".message:visible").filter(has=page.locator(".key", has_text=SHEET))
        await expect(sheet.locator(".text")).to_contain_text("下一局")
        picture = sheet.locator("img")
        assert await picture.evaluate("async image => { await image.decode(); return image.naturalWidth; }") > 400
        await replay_and_watch(pane)
        # The group sees the hand's end as well.
        await pane.get_by_role("tab", name=GROUP).click()
        await expect(pane.locator(".message:visible .text").filter(has_text="下一局").last).to_be_visible()


async def test_practice_with_computers_is_played_to_its_sheet_by_buttons_alone(evening: Evening) -> None:
    async with evening.page() as (page, _):
        pane = await practise(evening, page, "阿珍")
        await play(pane)
        await (await key(pane, SHEET)).click()
        # And the next hand is dealt; a computer may win it before anybody is asked.
        await pane.locator(".message:visible .text").filter(has_text="第 2 局").last.wait_for(timeout=MILLISECONDS)


async def test_the_link_of_sitting_down_leads_through_start_to_a_seat(evening: Evening) -> None:
    world = evening.world
    group = world.crowd.add_group("三缺一", [evening.person("老林"), evening.person("Xiaohong Chen")])
    async with evening.page() as (page, _):
        opener, joiner = phone(page, "Xiaohong Chen"), phone(page, "老林")
        for pane in (opener, joiner):
            await pane.get_by_role("tab", name=group.title).click()
        await write(opener, "/newgame@fujian_mahjong_bot")
        await (await key(joiner, "坐下")).click()
        await expect(joiner.get_by_role("tab", name="福建麻将")).to_have_attribute("aria-selected", "true")
        await joiner.locator(".big").click()
        await expect(joiner.locator(".message:visible .text").last).to_contain_text("老林", timeout=MILLISECONDS)
        await expect(opener.locator(".message:visible .text").last).to_contain_text("1. 老林", timeout=MILLISECONDS)
        assert "1. 老林" in list(world.chats[group.id].messages.values())[-1].content.text


async def test_a_press_on_a_button_that_has_gone_gets_a_toast_and_breaks_nothing(evening: Evening) -> None:
    world = evening.world
    host = world.crowd.add_person("阿惠", language_code="zh-hans").id
    world.crowd.start(host)
    group = world.crowd.add_group("慢网络", [host])
    async with evening.page() as (page, _):
        pane = await pick_up(page, "阿惠")
        await pane.get_by_role("tab", name=group.title).click()
        await write(pane, "/newgame@fujian_mahjong_bot")
        late = await key(pane, "散桌")
        lobby = list(world.chats[group.id].messages.values())[-1]
        with evening.unseen():
            stop = next(
                b["callback_data"] for row in lobby.keyboard for b in row if b["callback_data"].endswith("|stop")
            )
            press = world.crowd.press(host, group.id, lobby.id, stop)
            await until(lambda: press.status == "answered", "the table to be closed")
            messages = world.chats[group.id].messages
            await until(lambda: stop not in str([m.keyboard for m in messages.values()]), "the buttons to go")
        await expect(late).to_be_visible()
        await late.click()
        await until(lambda: (last := list(world.presses.values())[-1]) is not press and last.text, "an answer")
        await expect(pane.locator(".toast")).to_have_text(list(world.presses.values())[-1].text)
        await expect(late).to_have_attribute("aria-busy", "false")
        # And a new table can be opened, from the button or by command.
        await write(pane, "/newgame@fujian_mahjong_bot")
        await expect(pane.locator(".message:visible").last.locator(".key").filter(has_text="坐下")).to_be_visible()


async def test_the_menu_of_commands_speaks_each_persons_language_and_what_is_chosen_is_answered(
    evening: Evening,
) -> None:
    async with evening.page() as (page, _):
        chinese, english = phone(page, "阿明"), phone(page, "Xiaohong Chen")
        for pane in (chinese, english):
            await pane.get_by_role("tab", name=GROUP).click()
        await chinese.locator(".composer .menu-button").click()
        await expect(chinese.get_by_role("option").filter(has_text="开一桌")).to_be_visible()
        # By the arrow keys.
        await chinese.locator("textarea").press("ArrowDown")
        chosen = chinese.locator('[role="option"][aria-selected="true"]')
        await expect(chosen).to_have_count(1)
        command = (await chosen.locator("b").inner_text()).strip()
        await chinese.locator("textarea").press("Enter")
        await expect(chinese.locator(".message.mine:visible .text").last).to_contain_text(command)
        # And by mouse.
        await english.locator(".composer .menu-button").click()
        await expect(english.get_by_role("option").filter(has_text="open a table")).to_be_visible()
        answers = english.locator(".message.theirs:visible")
        before = await answers.count()
        await english.get_by_role("option").filter(has_text="/help").click()
        await expect(english.locator(".message.mine:visible .text").last).to_contain_text("/help@fujian_mahjong_bot")
        await expect(answers).not_to_have_count(before, timeout=MILLISECONDS)


async def test_a_bot_killed_in_mid_hand_goes_on_in_the_same_page(evening: Evening) -> None:
    person = evening.world.crowd.add_person("阿禄", language_code="zh-hans").name
    async with evening.page() as (page, _):
        pane = await practise(evening, page, person)
        await play(pane, tiles=2)
        await evening.bot.kill()
        killed = evening.world.now()
        await evening.bot.start()
        await until(lambda: evening.world.last_poll > killed, "the bot to take updates again")
        assert await play(pane, tiles=2) == 2 or await keys(pane, SHEET).count()


async def test_a_playground_started_anew_in_mid_hand_goes_on_in_the_same_page(evening: Evening) -> None:
    person = evening.world.crowd.add_person("阿福", language_code="zh-hans").name
    async with evening.page() as (page, faults):
        pane = await practise(evening, page, person)
        await play(pane, tiles=2)
        said = await pane.locator(".message.mine:visible .text").all_inner_texts()
        faults.down = True
        await evening.restart_playground()
        await until(lambda: evening.world.polling, "the bot to take updates again")
        assert await play(pane, tiles=2) == 2 or await keys(pane, SHEET).count()
        faults.down = False
        assert await pane.locator(".message.mine:visible .text").all_inner_texts() == said
