"""How much room a case takes in the queue on a phone, and officers on a page of several."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.backoffice.review import services
from apps.backoffice.review.models import Case
from tests.browser.page_checks import PHONE, Seen, appears
from tests.review.people import NOTE, OFFICER, SENIOR, case, person

pytestmark = pytest.mark.django_db(transaction=True)
LONG = "Consolidated Trading and Shipping Company of the Eastern Mediterranean and Adjacent Seas"
LINES = 100  # pixels: three lines with their frame
HEIGHTS = "rows => rows.map(one => one.getBoundingClientRect().height)"
WIDER = "() => document.documentElement.scrollWidth - innerWidth"


def test_a_case_takes_three_lines_on_a_phone(opened: Callable[..., Any], live_server: Any) -> None:
    olivia = person("olivia", OFFICER)
    case("1"), case("2", party=LONG, risk="HIGH"), case("3", party="", amount=None)
    page = opened(olivia, size=PHONE)
    seen = Seen(page, live_server.url)
    page.goto("/admin/review/case/")
    heights = page.locator(".cases tbody tr").evaluate_all(HEIGHTS)
    assert len(heights) == 3 and max(heights) <= LINES, heights
    assert page.evaluate(WIDER) <= 0
    for shown in ("Medium", "25,245.30 USD"):
        assert appears(page.locator(".cases").get_by_text(shown).first), shown
    assert seen.faults == []


def test_who_has_a_case_that_was_passed_on_is_read_whole(
    opened: Callable[..., Any], live_server: Any
) -> None:
    olivia, samir = person("olivia", OFFICER), person("samir", SENIOR)
    new_case = case("1")
    services.escalate_case(case=new_case, by=olivia, note=NOTE, now=new_case.opened_at)
    Case.objects.filter(pk=new_case.pk).update(assigned_to=samir)
    page = opened(samir)
    page.goto("/admin/review/case/?view=all")
    cell = page.locator('td[data-label="Officer"]').first
    cut = cell.evaluate("one => one.scrollWidth - one.clientWidth")
    assert "samir" in cell.inner_text() and cut <= 0, cut
