"""The page's welcome: what a newcomer can begin with, from ``--offers``."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, async_playwright, expect

from playground import offers
from playground.chats import Message
from playground.run import OFFERS
from playground.server import Playground
from playground.world import World
from tests.support.browser import FLAGS, MILLISECONDS, chromium

GROUP = -1001000000001
AMING, XIAOHONG = 5000000001, 5000000004
TEXTS = {"title": {"en": "t"}, "text": {"en": "t"}}
GIVEN = {**TEXTS, "offers": [{**TEXTS, "mark": "x", "start": "go"}]}
HERE = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize(
    ("document", "wrong"),
    [
        ([], "object of title"),
        ({**GIVEN, "offers": []}, "1 to 6"),
        ({**GIVEN, "more": 1}, "object of title"),
        ({**GIVEN, "title": {}}, "title"),
        ({**GIVEN, "offers": [{**TEXTS, "mark": "x"}]}, "either start or say"),
        ({**GIVEN, "offers": [{**TEXTS, "mark": "x", "start": "a", "say": "b"}]}, "either start or say"),
        ({**GIVEN, "offers": [{**TEXTS, "mark": "x", "start": "not a payload"}]}, "not a payload"),
        ({**GIVEN, "offers": [{**TEXTS, "mark": "x", "say": " "}]}, "are texts"),
        ({**GIVEN, "offers": [{**TEXTS, "mark": "x", "say": "b", "text": {"en": 1}}]}, "text"),
    ],
)
def test_a_file_of_offers_that_will_not_do_is_named_with_what_is_wrong(
    tmp_path: Path, document: Any, wrong: str
) -> None:
    path = tmp_path / "offers.json"
    path.write_text(json.dumps(document))
    with pytest.raises(offers.OffersError, match=wrong) as raised:
        offers.read(str(path))
    assert str(path) in str(raised.value)


def test_a_file_of_offers_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    path = tmp_path / "offers.json"
    with pytest.raises(offers.OffersError, match="Cannot read"):
        offers.read(str(path))
    for text in ("{", "[" * 100_000, '{"title": 1e999}'):
        path.write_text(text)
        with pytest.raises(offers.OffersError, match="not JSON"):
            offers.read(str(path))


def test_what_make_run_offers_speaks_every_language_of_the_page() -> None:
    document = offers.read(OFFERS)
    languages = set(json.loads(Path("playground/static/texts.json").read_text(encoding="utf-8")))
    for named in (document, *document["offers"]):
        assert set(named["title"]) == set(named["text"]) == languages
    assert [offer.get("start") or offer["say"] for offer in document["offers"]] == ["practice", "learn", "/newgame"]


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def browser() -> AsyncIterator[Browser]:
    path = chromium()
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        await browser.close()


@asynccontextmanager
async def opened(browser: Browser, **options: Any) -> AsyncIterator[tuple[Playground, Page]]:
    """A playground with this bot's offers, and a browser that has never been there."""
    given = offers.read(OFFERS)
    playground = Playground(lambda: World(feed=True, offers=given))
    playground.listen(0, "127.0.0.1")
    wishes = {"locale": "zh-CN", "reduced_motion": "reduce", "viewport": {"width": 1440, "height": 900}}
    context = await browser.new_context(**(wishes | options))
    page = await context.new_page()
    page.set_default_timeout(MILLISECONDS)
    errors: list[str] = []
    page.on("console", lambda line: errors.append(line.text) if line.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    await page.goto(f"http://127.0.0.1:{playground.port}/")
    yield playground, page
    await context.close()
    await playground.close()
    assert errors == []


async def put_away(page: Page) -> None:
    """By the Escape key. A browser takes no keys before it has painted a page once."""
    await expect(page.get_by_role("dialog")).to_be_visible()
    await page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)


def said(playground: Playground, chat_id: int) -> list[Message]:
    """What people have written in a chat."""
    return [one for one in playground.world.chats[chat_id].messages.values() if one.service is None]


@pytest.mark.browser
@HERE
async def test_one_press_sits_down_with_computers_in_the_private_chat_alone(browser: Browser) -> None:
    async with opened(browser) as (playground, page):
        await page.get_by_role("dialog").get_by_role("button", name="和三位电脑打一局").click()
        pane = page.get_by_role("region", name="阿明", exact=True)
        await expect(pane.locator(".message:visible .text")).to_contain_text("/start practice")
        await expect(page.locator(".pane:visible")).to_have_count(1)
        await expect(page.get_by_role("dialog")).to_have_count(0)
        assert [one.content.text for one in said(playground, AMING)] == ["/start practice"]
        # Whoever has begun is not greeted again, and finds the same phone and chat.
        await page.reload()
        await expect(pane.locator(".message:visible .text")).to_contain_text("/start practice")
        await expect(page.locator(".pane:visible")).to_have_count(1)
        await expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.browser
@HERE
async def test_a_phone_is_greeted_within_its_screen_and_in_its_language(browser: Browser) -> None:
    async with opened(browser, locale="en-SG", viewport={"width": 360, "height": 640}, has_touch=True) as (
        playground,
        page,
    ):
        welcome = page.get_by_role("dialog")
        for name in (
            "Play with three computers",
            "Learn in three minutes",
            "Four people in a group",
            "Just look around",
        ):
            await expect(welcome.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
        await welcome.get_by_role("button", name="Learn in three minutes").tap()
        # Played by the one who speaks the page's language.
        pane = page.get_by_role("region", name="Xiaohong Chen", exact=True)
        await expect(pane.locator(".message:visible .text")).to_contain_text("/start learn")
        assert [one.content.text for one in said(playground, XIAOHONG)] == ["/start learn"]


@pytest.mark.browser
@HERE
async def test_all_four_look_at_the_group_where_the_first_has_spoken(browser: Browser) -> None:
    async with opened(browser) as (playground, page):
        await page.get_by_role("dialog").get_by_role("button", name="四个人一起打").click()
        await expect(page.locator(".pane:visible .message .text").filter(has_text="/newgame")).to_have_count(4)
        [message] = said(playground, GROUP)
        assert (message.content.text, message.sender) == ("/newgame", AMING)


@pytest.mark.browser
@HERE
async def test_in_the_group_speaks_who_speaks_the_pages_language(browser: Browser) -> None:
    async with opened(browser, locale="en-SG") as (playground, page):
        await page.get_by_role("dialog").get_by_role("button", name="Four people in a group").click()
        await expect(page.locator(".pane:visible .message .text").filter(has_text="/newgame")).to_have_count(4)
        assert [one.sender for one in said(playground, GROUP)] == [XIAOHONG]


@pytest.mark.browser
@HERE
async def test_whoever_came_by_a_deep_link_is_offered_nothing_but_start(browser: Browser) -> None:
    async with opened(browser) as (playground, page):
        await put_away(page)
        world = playground.world
        link = {"inline_keyboard": [[{"text": "坐下", "url": "https://t.me/fujian_mahjong_bot?start=seat_1"}]]}
        world.call(world.token, "sendMessage", {"chat_id": GROUP, "text": "?", "reply_markup": link}, None)
        pane = page.get_by_role("region", name="阿明", exact=True)
        card = pane.locator(".empty-card:visible")
        await pane.get_by_role("tab", name="福建麻将").click()
        await expect(card.get_by_role("button")).to_have_count(2)
        await pane.get_by_role("tab", name="周末麻将").click()
        await pane.get_by_role("button", name="坐下").click()
        await expect(pane.get_by_role("button", name="开始", exact=True)).to_be_visible()
        await expect(card.get_by_role("button")).to_have_count(0)
        # Gone elsewhere in between, they are free again.
        await pane.get_by_role("tab", name="周末麻将").click()
        await pane.get_by_role("tab", name="福建麻将").click()
        await expect(card.get_by_role("button")).to_have_count(2)


@pytest.mark.browser
@HERE
async def test_the_welcome_is_put_away_for_good_and_found_in_the_menu(browser: Browser) -> None:
    async with opened(browser) as (playground, page):
        welcome = page.get_by_role("dialog")
        await welcome.get_by_role("button", name="English").click()
        await expect(welcome.get_by_role("heading")).to_have_text("Play Fujian mahjong")
        await put_away(page)
        await page.reload()
        await expect(page.locator(".pane")).to_have_count(4)
        await expect(welcome).to_have_count(0)
        # Its offers stand in the empty chats too.
        pane = page.get_by_role("region", name="Xiaohong Chen", exact=True)
        await pane.get_by_role("tab", name="福建麻将").click()
        await expect(pane.locator(".empty-card:visible").get_by_role("button")).to_have_count(2)
        await page.get_by_role("button", name="More", exact=True).click()
        await page.get_by_role("menuitem", name="Where to begin").click()
        await put_away(page)
        playground.reset()
        # Everything begins anew, the welcome too.
        await expect(welcome).to_be_visible()


@pytest.mark.browser
@HERE
async def test_without_offers_there_is_no_welcome(browser: Browser) -> None:
    async with opened(browser) as (playground, page):
        await put_away(page)
        playground.make_world = lambda: World(feed=True)
        playground.reset()
        await expect(page.locator(".empty-card:visible").first.get_by_role("button")).to_have_text("命令菜单")
        await expect(page.get_by_role("dialog")).to_have_count(0)
        await page.get_by_role("button", name="更多").click()
        await expect(page.get_by_role("menuitem")).to_have_count(1)
