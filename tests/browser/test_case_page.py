"""The case page: what decides stands in one screen, whatever the case brings."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.full_screen_case import PARTY, evidence, heavy_case
from tests.browser.page_checks import PHONE, Seen, appears, axe, too_wide
from tests.review.people import OFFICER, SENIOR, case, person

pytestmark = pytest.mark.django_db(transaction=True)
Open = Callable[..., Any]
SCREEN = {"width": 1280, "height": 800}


def bottom(page: Any, selector: str) -> float:
    """Return where the last element of a selector ends, in pixels from the top of the page."""
    box = page.locator(selector).last.bounding_box()
    return float(box["y"] + box["height"])


def test_why_who_against_whom_and_the_decision_stand_in_one_screen(
    opened: Open, live_server: Any, tmp_path: Path
) -> None:
    olivia, samir = person("olivia", OFFICER), person("samir", SENIOR)
    one = heavy_case(tmp_path, olivia, samir)
    page = opened(samir, size=SCREEN)
    seen = Seen(page, live_server.url)
    page.goto(f"/admin/review/case/{one.pk}/")
    for selector in (
        ".why", ".question", ".before", ".versus >> nth=0", "#who .beside dt:has-text('Amount')",
        ".deciding .btn.go",
    ):  # fmt: skip
        assert bottom(page, selector) <= SCREEN["height"], selector
    rows = page.locator("#who .versus tbody tr")
    assert rows.count() >= 6 and PARTY in rows.first.text_content()
    assert bottom(page, "#history") <= 2 * SCREEN["height"]
    assert page.locator(".folded").count() == 5, "four more of the party, and one of an owner"
    assert seen.faults == []


def test_further_matches_and_the_score_open_by_keyboard(
    opened: Open, live_server: Any, tmp_path: Path
) -> None:
    samir = person("samir", SENIOR)
    one = heavy_case(tmp_path, person("olivia", OFFICER), samir)
    page = opened(samir, size=SCREEN)
    page.goto(f"/admin/review/case/{one.pk}/")
    for fold in (page.locator(".folded").first, page.locator(".score-told").first):
        table = fold.locator("table").first
        assert not table.is_visible()
        fold.locator("summary").first.focus()
        page.keyboard.press("Enter")
        assert appears(table)
    assert axe(page) == []


@pytest.mark.parametrize("size", [SCREEN, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_full_case_is_clean_everywhere_and_its_decision_in_reach(
    opened: Open, live_server: Any, tmp_path: Path, size: Any, dark: bool
) -> None:
    samir = person("samir", SENIOR)
    one = heavy_case(tmp_path, person("olivia", OFFICER), samir)
    page = opened(samir, size=size, dark=dark)
    page.goto(f"/admin/review/case/{one.pk}/")
    assert axe(page) == [] and too_wide(page) <= 0
    if size is PHONE:
        for selector in (".why", "#who", ".decide"):
            assert page.locator(selector).bounding_box()["width"] >= 0.9 * size["width"], selector
        page.get_by_role("link", name="Go to decision").click()
    assert appears(page.get_by_role("button", name="Record"))


@pytest.mark.parametrize("size", [SCREEN, PHONE], ids=["desk", "phone"])
def test_a_name_of_200_letters_without_a_space_breaks_nothing(
    opened: Open, live_server: Any, tmp_path: Path, size: Any
) -> None:
    olivia, long = person("olivia", OFFICER), "Donaudampfschiff" * 13
    kept = evidence(tmp_path)
    match = kept["sanctions"][0]
    kept["sanctions"] = [match | {"name": long, "entity": match["entity"] | {"primary": long}}]
    kept["request"] |= {"name": long, "address": long}
    new_case = case(party=long, title=long, evidence=kept)
    page = opened(olivia, size=size)
    page.goto(f"/admin/review/case/{new_case.pk}/")
    assert too_wide(page) <= 0
    for selector in (".why", "#who", ".versus", ".decide"):
        box = page.locator(selector).first.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= size["width"], selector


def test_each_printed_sheet_repeats_the_number_of_the_case(
    opened: Open, live_server: Any, tmp_path: Path
) -> None:
    olivia = person("olivia", OFFICER)
    one = heavy_case(tmp_path, olivia, person("samir", SENIOR))
    page = opened(olivia, dark=True)
    page.goto(f"/admin/review/case/{one.pk}/evidence/")
    page.emulate_media(media="print")
    head = page.locator(".sheets > thead")
    assert f"Case {one.pk}:" in head.text_content()
    # what a browser repeats on each sheet
    assert head.evaluate("one => getComputedStyle(one).display") == "table-header-group"
    assert not page.locator(".back").is_visible() and page.locator(".sheet details").count() == 0
    sheets = page.pdf(prefer_css_page_size=True).count(b"/Type /Page\n")
    assert 2 <= sheets <= 7


def test_an_ordinary_case_is_one_sheet_and_no_blank_one_follows(
    opened: Open, live_server: Any
) -> None:
    olivia = person("olivia", OFFICER)
    new_case = case()
    page = opened(olivia)
    page.goto(f"/admin/review/case/{new_case.pk}/evidence/")
    assert page.pdf(prefer_css_page_size=True).count(b"/Type /Page\n") == 1
