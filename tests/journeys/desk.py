"""The desk as its people use it: a browser window for each, signed in by name and password."""

import json
import time
from typing import Any
from urllib.parse import urlencode

from tests.browser.page_checks import DESKTOP
from tests.journeys.journey_world import PLATFORM, World

PATIENCE = 120_000  # milliseconds: beside other tests a page may take seconds
LOOKS_AGAIN_AFTER = 300  # milliseconds


class Desk:
    """Windows of the desk, one for each of its people."""

    def __init__(self, browser: Any, world: World) -> None:
        self.browser, self.world = browser, world
        self.windows: dict[tuple[str, int], Any] = {}

    def of(self, name: str, port: int = PLATFORM) -> Any:
        """Return the window of somebody, who signs in the first time."""
        if (name, port) not in self.windows:
            home = self.world.url(port, "")
            context = self.browser.new_context(base_url=home, viewport=DESKTOP)
            context.set_default_timeout(PATIENCE)
            self.windows[name, port] = self._signed_in(context.new_page(), name)
        return self.windows[name, port]

    def leave(self, port: int) -> None:
        """Close the windows of a web process that ends."""
        for name, held in [*self.windows]:
            if held == port:
                self.windows.pop((name, held)).context.close()

    def _signed_in(self, window: Any, name: str) -> Any:
        people = json.loads((self.world.folder / "sandbox.json").read_text())["people"]
        window.goto("/admin/")
        window.get_by_label("Username").fill(name)
        window.get_by_label("Password").fill(people[name])
        window.get_by_role("button", name="Log in").click()
        window.wait_for_url("**/admin/")
        return window

    def hits(self, name: str, text: str) -> dict[str, list[tuple[str, str]]]:
        """Search as somebody; return label and address of what is found, by group."""
        window = self.of(name)
        window.goto(f"/admin/search/?{urlencode({'q': text})}")
        if "/search/" not in window.url:  # the one thing whose id it is
            return {"": [(window.title(), window.url)]}
        found = {}
        for group in window.locator(".hits").all():
            links = group.locator("a").all()
            rows = [(link.inner_text(), str(link.get_attribute("href"))) for link in links]
            found[group.locator("h2").inner_text()] = rows
        return found

    def open(self, name: str, text: str, group: str) -> Any:
        """Search as somebody and open the first hit of a group; return the window."""
        found = self.hits(name, text)
        assert found.get(group), f"{name} finds {text} only in {found}"
        self.of(name).goto(found[group][0][1])
        return self.of(name)

    def until_found(self, name: str, text: str, group: str, *, seconds: float = 180) -> Any:
        """Search as somebody until a group has something, and open it; return the window."""
        ends = time.monotonic() + seconds
        while group not in (found := self.hits(name, text)):
            assert time.monotonic() < ends, f"{name} finds {text} only in {found}"
            self.of(name).wait_for_timeout(LOOKS_AGAIN_AFTER)
        return self.open(name, text, group)

    def approve(self, name: str, proposal: str) -> None:
        """Open a proposal of somebody else under "Needs my approval", and approve it."""
        window = self.of(name)
        window.goto("/admin/approvals/")
        window.get_by_role("link", name=proposal).first.click()
        window.get_by_role("button", name="Approve").click()
        window.get_by_text(f"Approved by {name}").first.wait_for()

    def decide(self, window: Any, outcome: str, reason: str, note: str) -> None:
        """Record a decision on the case that a window shows; the first one where it takes two."""
        window.locator(f'[name="outcome"][value="{outcome}"]').check()
        window.locator(f'[name="reason_{outcome}"][value="{reason}"]').check()
        window.get_by_label("Note for the examiner").fill(note)
        self._commit(window, window.get_by_role("button", name="Record"))

    def confirm(self, window: Any, reason: str, note: str) -> None:
        """Confirm the first decision on the case that a window shows."""
        window.locator(f'[name="reason"][value="{reason}"]').check()
        window.get_by_label("Note for the examiner").fill(note)
        self._commit(window, window.locator('button[value="confirm"]'))

    def _commit(self, window: Any, button: Any) -> None:
        button.click()
        window.locator("#commit[open]").wait_for()
        with window.expect_navigation():
            window.locator('#commit button[value="commit"]').click()

    def until(self, window: Any, wanted: Any, *, seconds: float = 180) -> None:
        """Open the page of a window again until something stands on it."""
        ends = time.monotonic() + seconds
        while not wanted.is_visible():
            assert time.monotonic() < ends, window.locator("#content").inner_text()
            window.wait_for_timeout(LOOKS_AGAIN_AFTER)
            window.goto(window.url)

    def close(self) -> None:
        """Close all windows."""
        for window in self.windows.values():
            window.context.close()
