"""`make pictures`: the screenshots of the README, taken from the real bot on the playground, into ``docs/pictures``."""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from pathlib import Path

from playwright.async_api import async_playwright

from tests.support.browser import FLAGS, chromium
from tests.support.process import running
from tests.test_browser_hand import TILE, key, play_to_the_sheet

FOLDER = Path("docs/pictures")
TURNS = 6
PASS = re.compile("^过$")
HANDS = 4


async def take(folder: Path) -> None:
    """One person with three computers in the group; two phones side by side: the hand, and the group's table."""
    with tempfile.TemporaryDirectory() as place:
        async with running(Path(place) / "x.sqlite3", feed=True) as (playground, _), async_playwright() as driver:
            browser = await driver.chromium.launch(executable_path=chromium(), args=FLAGS)
            size = {"width": 720, "height": 1000}
            context = await browser.new_context(viewport=size, locale="zh-CN", device_scale_factor=1.25)  # type: ignore[arg-type]
            page = await context.new_page()
            await page.goto(f"http://127.0.0.1:{playground.port}/")
            pane = page.get_by_role("region", name="阿明", exact=True)
            box = pane.get_by_role("combobox").or_(pane.get_by_role("textbox")).last
            await box.fill("/newgame@fujian_mahjong_bot")
            await box.press("Enter")
            await (await key(pane, "坐下")).click()
            await pane.locator(".big").click()
            await (await key(pane, "开局")).click()
            for _ in range(TURNS):
                tile = pane.locator(".message .key").filter(has_text=TILE)
                skip = pane.locator(".message .key").filter(has_text=PASS)
                await tile.or_(skip).last.wait_for(timeout=60_000)
                await page.wait_for_timeout(800)
                await (skip if await skip.count() else tile).last.click(no_wait_after=True)
                await page.wait_for_timeout(500)
            await pane.locator(".message .key").filter(has_text=TILE).last.wait_for(timeout=60_000)
            await page.wait_for_timeout(1500)
            await page.screenshot(path=folder / "hand.png")
            for _ in range(HANDS):
                await play_to_the_sheet(page, pane)
                if not await pane.locator(".message .text").filter(has_text="臭庄").count():
                    break
                await (await key(pane, "准备好了")).click()
                await page.wait_for_timeout(3000)
            # The group's sheet comes within its budget.
            await page.wait_for_timeout(12_000)
            await page.screenshot(path=folder / "sheet.png")
            await browser.close()


def main() -> int:
    """Take them all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    asyncio.run(take(FOLDER))
    return 0


if __name__ == "__main__":
    sys.exit(main())
