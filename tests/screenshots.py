"""`make pictures`: the screenshots of the README, taken from the real bot on the playground, into ``docs/pictures``."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import tempfile
from pathlib import Path

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Locator

from tests.support.browser import headless
from tests.support.mouse import PASS, SHEET, TILE, key, keys, play
from tests.support.process import running

FOLDER = Path("docs/pictures")
TURNS = 6
HANDS = 4


async def to_throw(pane: Locator) -> bool:
    """Wait until the player is to throw, passing what is offered before; False if the hand is over instead."""
    skip, tiles, sheet = keys(pane, PASS), keys(pane, TILE), keys(pane, SHEET)
    while not await sheet.count():
        await tiles.or_(skip).or_(sheet).last.wait_for(timeout=60_000)
        if await skip.count():
            with contextlib.suppress(PlaywrightError):
                await skip.last.click(timeout=1000, no_wait_after=True)
        # The keys of the last throw stand for a moment longer.
        await pane.page.wait_for_timeout(1500)
        if await tiles.count() and not await skip.count():
            return True
    return False


async def take(folder: Path) -> None:
    """One person with three computers in the group; two phones side by side: the hand, and the group's table."""
    with tempfile.TemporaryDirectory() as place:
        async with running(Path(place) / "x.sqlite3", feed=True) as (playground, _), headless() as browser:
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
            # Chance deals: a hand may be over before there is anything to see.
            while await play(pane, TURNS) < TURNS or not await to_throw(pane):
                await (await key(pane, SHEET)).click()
                await page.wait_for_timeout(3000)
            await page.screenshot(path=folder / "hand.png")
            for _ in range(HANDS):
                await play(pane)
                if not await pane.locator(".message .text").filter(has_text="臭庄").count():
                    break
                await (await key(pane, "准备好了")).click()
                await page.wait_for_timeout(3000)
            # The group's sheet comes within its budget.
            await page.wait_for_timeout(12_000)
            await page.screenshot(path=folder / "sheet.png")


def main() -> int:
    """Take them all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    asyncio.run(take(FOLDER))
    return 0


if __name__ == "__main__":
    sys.exit(main())
