"""Playing by mouse on the page: what to press next in a private chat."""

from __future__ import annotations

import contextlib
import re

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Locator, expect

from tests.support.browser import MILLISECONDS

TILE = re.compile("^([一二三四五六七八九][万筒索]|[东南西北白发中])$")
WIN = re.compile("自摸|点炮胡")
PASS = re.compile("^过$")
SHEET = re.compile("准备好了")


async def key(pane: Locator, text: str | re.Pattern[str]) -> Locator:
    """The newest inline button whose text matches, once it is there."""
    found = keys(pane, text).last
    await found.wait_for(timeout=MILLISECONDS)
    return found


def keys(pane: Locator, text: str | re.Pattern[str]) -> Locator:
    """The inline buttons of the open chat whose text matches."""
    return pane.locator(".key:visible").filter(has_text=re.compile(text))


async def play(pane: Locator, tiles: int = 1000) -> int:
    """Press what is offered in a private chat until so many tiles are thrown or the sheet is there; returns the number
    of tiles thrown."""
    thrown = 0
    asked = [keys(pane, WIN), keys(pane, PASS), keys(pane, TILE)]
    sheet, anything = keys(pane, SHEET), keys(pane, f"{WIN.pattern}|{PASS.pattern}|{TILE.pattern}|{SHEET.pattern}")
    while thrown < tiles:
        await anything.last.wait_for(timeout=MILLISECONDS)
        if await sheet.count():
            return thrown
        offered = [one for one in asked if await one.count()]
        if not offered:
            continue
        chosen = offered[0].last
        before = await pane.locator(".list:visible").inner_text()
        # The keyboard may move on before the press: then it is read again. A throw may want a second press.
        with contextlib.suppress(PlaywrightError, AssertionError):
            await chosen.click(timeout=1000, no_wait_after=True)
            await expect(pane.locator(".list:visible")).not_to_have_text(before, use_inner_text=True, timeout=3000)
            thrown += offered[0] is asked[-1]
    return thrown
