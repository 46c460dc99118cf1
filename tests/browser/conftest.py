"""A real browser on the desk: Debian's Chromium, driven by Playwright, loopback only."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from tests.browser.page_checks import DESKTOP


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder, and keep them on one worker: one browser is enough."""
    for item in items:
        if "tests/browser/" in item.nodeid:
            item.add_marker(pytest.mark.browser)


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
