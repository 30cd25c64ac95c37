"""axe-core looks at the page as it is at its main moments, dark and light, and finds no serious fault."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from PIL import Image
from playwright.async_api import Browser, Page, expect

from playground import offers
from playground.run import OFFERS
from playground.server import Playground
from playground.world import World
from tests.support.browser import MILLISECONDS, Faults, headless

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

GROUP = -1001000000001
AMING, AZHEN = 5000000001, 5000000002
SERIOUS = ("serious", "critical")


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with headless() as browser:
        yield browser


def picture() -> bytes:
    """A hand's picture, or what stands for one."""
    out = io.BytesIO()
    Image.new("RGB", (960, 600), "#187452").save(out, "JPEG")
    return out.getvalue()


def fill(world: World) -> None:
    """Something of everything that a chat can show."""
    world.crowd.start(AMING)
    world.crowd.start(AZHEN)
    rows: list[list[dict[str, Any]]] = [
        [{"text": f"{number}万", "callback_data": f"t{number}"} for number in range(1, 9)],
        [
            {"text": "胡", "callback_data": "hu", "style": "success"},
            {"text": "碰", "callback_data": "pong", "style": "primary"},
            {"text": "不要", "callback_data": "no", "style": "danger"},
            {"text": "\u2800", "callback_data": "blank"},
        ],
        [{"text": "坐下", "url": f"https://t.me/{world.bot.username}?start=seat_1"}],
    ]
    text = "<b>第 1 局</b> <i>东风</i> <u>底</u> <s>10</s> <code>7f3a</code> <tg-spoiler>白</tg-spoiler> /help @aming"
    quote = "<blockquote>昨天赢了</blockquote> <a href='https://example.com/'>规则</a>"
    calls: list[tuple[str, dict[str, Any], dict[str, bytes]]] = [
        ("setMyCommands", {"commands": [{"command": "newgame", "description": "开一桌"}]}, {}),
        ("sendMessage", {"chat_id": GROUP, "text": text, "parse_mode": "HTML"}, {}),
        ("sendMessage", {"chat_id": GROUP, "text": quote, "parse_mode": "HTML", "disable_notification": True}, {}),
        ("sendDice", {"chat_id": GROUP}, {}),
        ("sendDocument", {"chat_id": GROUP, "caption": "牌谱"}, {"document": b"{}"}),
        ("sendMessage", {"chat_id": GROUP, "text": "牌桌", "reply_markup": {"inline_keyboard": rows[1:]}}, {}),
        ("pinChatMessage", {"chat_id": GROUP, "message_id": 4}, {}),
        ("sendPhoto", {"chat_id": AMING, "caption": "轮到你", "protect_content": True}, {"photo": picture()}),
        ("editMessageReplyMarkup", {"chat_id": AMING, "message_id": 2, "reply_markup": {"inline_keyboard": rows}}, {}),
        ("sendMessage", {"chat_id": AZHEN, "text": "还没看"}, {}),
    ]
    world.crowd.set_status(GROUP, world.bot.id, "administrator")
    for method, params, files in calls:
        status, payload = world.call(world.token, method, params, files)
        assert status == 200, payload
    world.crowd.react(AZHEN, GROUP, 4, "👍")
    world.crowd.say(AZHEN, GROUP, "来了", reply_to=4)


async def look(page: Page, moment: str, found: dict[str, list[str]]) -> None:
    """Ask axe-core about the page as it stands."""
    await page.evaluate("() => Promise.all(document.getAnimations().map(one => one.finished.catch(() => 0)))")
    results = await Axe().run(page)
    for fault in results.response["violations"]:
        if fault["impact"] in SERIOUS:
            nodes = [f"{node['html'][:160]} — {node['failureSummary'][:300]}" for node in fault["nodes"][:4]]
            found.setdefault(f"{fault['id']}: {fault['help']}", []).append(f"{moment}: {nodes}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_no_serious_fault_at_the_main_moments_of_the_page(browser: Browser, scheme: Any) -> None:
    given = offers.read(OFFERS)
    playground = Playground(lambda: World(feed=True, offers=given, budgets=False))
    playground.listen(0, "127.0.0.1")
    address = f"http://127.0.0.1:{playground.port}/"
    context = await browser.new_context(
        locale="zh-CN", reduced_motion="reduce", color_scheme=scheme, viewport={"width": 1600, "height": 900}
    )
    page = await context.new_page()
    page.set_default_timeout(MILLISECONDS)
    faults = Faults(page, address)
    found: dict[str, list[str]] = {}
    await page.goto(address)
    dark = await page.evaluate("getComputedStyle(document.documentElement).colorScheme")
    assert scheme in dark, dark
    welcome = page.get_by_role("dialog")
    await expect(welcome).to_be_visible()
    await look(page, "welcome", found)
    await welcome.get_by_role("button").last.click()
    pane = page.get_by_role("region", name="阿明", exact=True)
    await expect(pane.locator(".empty-card:visible")).to_be_visible()
    await look(page, "empty chats", found)
    fill(playground.world)
    await expect(pane.locator(".message.theirs .text").filter(has_text="来了")).to_be_visible()
    await look(page, "group", found)
    await pane.locator(".composer .menu-button").click()
    await expect(pane.get_by_role("option")).to_be_visible()
    await look(page, "menu of commands", found)
    await pane.locator("textarea").press("Escape")
    await pane.get_by_role("tab", name="福建麻将").click()
    key = pane.locator(".key:visible").filter(has_text="胡")
    await key.click()
    press = list(playground.world.presses.values())[-1]
    await look(page, "hand, a key pressed", found)
    answer = {"callback_query_id": press.id, "text": "再按一次才打", "show_alert": True}
    assert playground.world.call(playground.world.token, "answerCallbackQuery", answer)[0] == 200
    await expect(pane.get_by_role("alertdialog")).to_be_visible()
    await look(page, "alert", found)
    await pane.get_by_role("alertdialog").get_by_role("button").click()
    await page.get_by_role("button", name="放大图片").first.click()
    await look(page, "picture enlarged", found)
    await page.keyboard.press("Escape")
    await page.locator(".bar-tools").get_by_role("button", name="开发者工具").click()
    drawer = page.locator(".drawer")
    for tab in await drawer.get_by_role("tab").all():
        await tab.click()
        await look(page, f"drawer, {await tab.inner_text()}", found)
    await drawer.press("Escape")
    await page.locator(".bar-tools").get_by_role("button").first.click()
    await expect(page.get_by_role("dialog")).to_be_visible()
    await look(page, "a new person", found)
    await page.keyboard.press("Escape")
    await page.set_viewport_size({"width": 360, "height": 740})
    await expect(page.locator(".pane:visible")).to_have_count(1)
    await look(page, "on a phone", found)
    await context.close()
    await playground.close()
    assert found == {}, "\n\n".join(f"{fault}\n{text}" for fault, texts in found.items() for text in texts)
    assert faults.found == []
