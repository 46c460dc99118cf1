"""The report's page in a real browser: accessible, whole on a phone, in light and dark, printed."""

from pathlib import Path
from typing import Any

import pytest

from benchmarks.report import page
from benchmarks.report.figures import Report
from tests.browser.page_checks import DESKTOP, PHONE, axe, too_wide

pytestmark = pytest.mark.browser


@pytest.fixture
def shown(chromium: Any, report: Report, tmp_path: Path) -> Any:
    """Show the page in a window: `shown(size, dark)`; what it complains of fails the test."""
    place = tmp_path / "index.html"
    place.write_text(page.html(report), encoding="utf-8")
    contexts: list[Any] = []
    faults: list[str] = []

    def show(size: Any, *, dark: bool = False) -> Any:
        context = chromium.new_context(
            viewport=size, color_scheme="dark" if dark else "light", java_script_enabled=True
        )
        contexts.append(context)
        window = context.new_page()
        window.on("console", lambda message: faults.append(message.text))
        window.on("request", lambda asked: faults.append(asked.url) if "file:" not in asked.url
                  and "data:" not in asked.url else None)  # fmt: skip
        window.goto(place.as_uri())
        return window

    yield show
    for context in contexts:
        context.close()
    assert faults == []


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_it_is_accessible_and_as_wide_as_its_window(shown: Any, size: Any, dark: bool) -> None:
    window = shown(size, dark=dark)
    assert axe(window) == []
    assert too_wide(window) <= 0


def test_its_style_is_applied_under_its_policy(shown: Any) -> None:
    window = shown(DESKTOP, dark=True)
    ground = window.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(21, 24, 28)"
    line = window.evaluate("getComputedStyle(document.querySelector('polyline')).strokeWidth")
    assert line == "3px"


def test_every_figure_is_reached_from_its_contents_by_keyboard(shown: Any) -> None:
    window = shown(DESKTOP)
    for link in window.locator("nav a").all():
        target = link.get_attribute("href")
        assert window.locator(target).count() == 1, target
    window.keyboard.press("Tab")
    assert window.evaluate("document.activeElement.className") == "skip"


def test_words_of_charts_stay_in_their_charts(shown: Any) -> None:
    window = shown(PHONE)
    beyond = window.evaluate(
        """[...document.querySelectorAll('svg text')].filter(text => {
            const own = text.getBoundingClientRect();
            const all = text.ownerSVGElement.getBoundingClientRect();
            return own.left < all.left - 1 || own.right > all.right + 1
                || own.bottom > all.bottom + 1;
        }).map(text => text.textContent)"""
    )
    assert beyond == []


def test_printed_it_has_no_contents_and_every_row(shown: Any) -> None:
    window = shown(DESKTOP)
    window.emulate_media(media="print")
    assert not window.locator("nav").is_visible()
    cut = """[...document.querySelectorAll('.table')].some(
        one => one.scrollHeight > one.clientHeight + 2)"""
    assert window.evaluate(cut) is False
