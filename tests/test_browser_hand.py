"""A hand played by mouse in headless Chromium, from the first press to the score sheet, on the real bot."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import pytest
from playwright.async_api import Locator, Page, async_playwright
from playwright.async_api import TimeoutError as PlaywrightTimeout

from tests.support.browser import FLAGS, chromium
from tests.support.process import running

pytestmark = pytest.mark.browser

TILE = re.compile("[一二三四五六七八九][万筒索]|[东南西北白发中]")


async def key(pane: Locator, text: str) -> Locator:
    """The newest inline button whose text matches, once it is there."""
    found = pane.locator(".message .key").filter(has_text=re.compile(text)).last
    await found.wait_for(timeout=30_000)
    return found


async def play_to_the_sheet(page: Page, pane: Locator) -> int:
    """Press what is offered in a private chat until the sheet is there; returns the number of tiles thrown."""
    thrown = 0
    for _ in range(2000):
        keys = pane.locator(".message .key")
        texts = [text.strip() for text in await keys.all_inner_texts()]
        if any("准备好了" in text for text in texts):
            return thrown
        wins = [i for i, text in enumerate(texts) if "自摸" in text or "点炮胡" in text]
        passes = [i for i, text in enumerate(texts) if text == "过"]
        tiles = [i for i, text in enumerate(texts) if TILE.fullmatch(text)]
        chosen = next((group[-1] for group in (wins, passes, tiles) if group), None)
        if chosen is not None:
            # The keyboard may have moved on since it was read: then it is read again.
            with contextlib.suppress(PlaywrightTimeout):
                await keys.nth(chosen).click(timeout=1000, no_wait_after=True)
                thrown += chosen in tiles
        await page.wait_for_timeout(150)
    raise AssertionError("the hand came to no end")


async def replay_and_watch(pane: Locator) -> None:
    """From the sheet to the replay, a step on, and to the film of the hand, which the page shows as it is."""
    await (await key(pane, "回放")).click()
    replayed = pane.locator(".message .text").filter(has_text="🎞").last
    await replayed.filter(has_text=re.compile(r"· 1/\d+")).wait_for(timeout=30_000)
    await (await key(pane, "▶️")).click()
    await replayed.filter(has_text=re.compile(r"· 2/\d+")).wait_for(timeout=30_000)
    await (await key(pane, "自动播放")).click()
    film = pane.locator(".message .kind-animation img")
    await film.wait_for(timeout=60_000)
    assert await film.evaluate("async image => { await image.decode(); return image.naturalWidth; }") == 480


async def test_a_hand_by_mouse_with_computers_ends_on_the_score_sheet(tmp_path: Path) -> None:
    path = chromium()
    errors: list[str] = []
    async with running(tmp_path / "x.sqlite3", feed=True) as (playground, _), async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=path, args=FLAGS)
        context = await browser.new_context(viewport={"width": 1600, "height": 1000}, locale="zh-CN")
        page = await context.new_page()
        page.on("console", lambda line: errors.append(line.text) if line.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        await page.goto(f"http://127.0.0.1:{playground.port}/")
        pane = page.get_by_role("region", name="阿明", exact=True)
        box = pane.get_by_role("combobox").or_(pane.get_by_role("textbox")).last
        await box.fill("/newgame@fujian_mahjong_bot")
        await box.press("Enter")
        # Not yet in touch with the bot: the press opens the private chat, START there sits down.
        await (await key(pane, "坐下")).click()
        await pane.locator(".big").click()
        await (await key(pane, "开局")).click()
        thrown = await play_to_the_sheet(page, pane)
        assert thrown > 0 or await pane.locator(".message .text").filter(has_text="第 1 局").count()
        await pane.locator(".message img").last.wait_for()
        assert await pane.locator(".message .text").filter(has_text="下一局").count() == 1
        await replay_and_watch(pane)
        await browser.close()
    assert errors == []
