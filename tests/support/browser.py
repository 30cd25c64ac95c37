"""A headless Chromium for tests of the page."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from playwright.async_api import Browser, Page, async_playwright, expect

from tests.support.patience import PATIENCE

MILLISECONDS = 1000 * PATIENCE
"""For pages' own waiting."""
expect.set_options(timeout=MILLISECONDS)

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def chromium() -> str:
    """The path of a Chromium. Without one the tests are skipped, but never in CI."""
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        if path := shutil.which(name):
            return path
    reason = "no Chromium found, so the page is not tested; on Debian or Ubuntu: sudo apt install chromium"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@asynccontextmanager
async def headless() -> AsyncIterator[Browser]:
    """A browser, for as long as a module's tests run."""
    path = chromium()
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        await browser.close()


class Faults:
    """What a page must never do: errors and warnings in the console (the content policy's among them), exceptions that
    nobody caught, requests to elsewhere.

    ``down``: the server is away on purpose, so connections may fail.
    """

    def __init__(self, page: Page, origin: str) -> None:
        self.found: list[str] = []
        self.down = False
        page.on("console", lambda line: self.note(line.text) if line.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.note(str(error)))
        page.on("request", lambda request: self._asked(request, origin))

    def note(self, fault: str) -> None:
        """Remember one, unless it is what a server that is away leads to."""
        if not (self.down and fault.startswith("Failed to load resource: net::")):
            self.found.append(fault)

    def _asked(self, request: Any, origin: str) -> None:
        if not request.url.startswith((origin, "data:", "blob:")):
            self.note(f"asks {request.url}")
