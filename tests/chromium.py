"""Debian's Chromium, driven by Playwright: one for all tests of a process that look at pages."""

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

ARGUMENTS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """Start the browser once; skip where there is none."""
    place = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if not place:
        pytest.skip("No Chromium: install Debian's `chromium`, or set CHROMIUM to its path.")
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed.")
    pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed.")
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    # Playwright keeps an event loop in this thread; Django would refuse its database here
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=place, args=ARGUMENTS)
        yield browser
        browser.close()
    if before is None:
        os.environ.pop("DJANGO_ALLOW_ASYNC_UNSAFE")
