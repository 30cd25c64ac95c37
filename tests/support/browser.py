"""A headless Chromium for tests of the page."""

from __future__ import annotations

import os
import shutil

import pytest

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
