"""A real browser on the desk: Debian's Chromium, driven by Playwright, loopback only."""

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from tests.browser.sight import DESKTOP

ARGUMENTS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder, and keep them on one worker: one browser is enough."""
    for item in items:
        if "tests/browser/" in item.nodeid:
            item.add_marker(pytest.mark.browser)


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


@pytest.fixture
def opened(chromium: Any, live_server: Any) -> Iterator[Callable[..., Any]]:
    """Open a window: `opened(user, dark=True)` is one in which the user is signed in."""
    contexts: list[Any] = []

    def make(user: User | None = None, *, dark: bool = False, size: Any = DESKTOP) -> Any:
        context = chromium.new_context(
            base_url=live_server.url,
            color_scheme="dark" if dark else "light",
            viewport=size,
            reduced_motion="reduce",
        )
        contexts.append(context)
        context.set_default_timeout(30_000)  # beside other tests a page may take seconds
        if user is not None:
            client = Client()
            client.force_login(user)
            value = client.cookies[settings.SESSION_COOKIE_NAME].value
            cookie = {"name": settings.SESSION_COOKIE_NAME, "value": value, "url": live_server.url}
            context.add_cookies([cookie])
        return context.new_page()

    yield make
    for context in contexts:
        context.close()
