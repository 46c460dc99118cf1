"""A known false positive is proposed by keys alone; what was ticked is a draft like the rest."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review.models import Case, KnownFalsePositive
from tests.browser.page_checks import Seen
from tests.review import sample_known_false_positives
from tests.review.people import OFFICER, case, person

pytestmark = pytest.mark.django_db(transaction=True)
TYPED = "The passport says 1980; the list says 1961."


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    sample_known_false_positives.at_noon(monkeypatch)
    sample_known_false_positives.use(monkeypatch)


@pytest.fixture
def olivia(transactional_db: Any) -> User:
    return person("olivia", OFFICER)


def test_it_is_ticked_by_a_key_kept_over_a_reload_and_committed(
    opened: Callable[..., Any], live_server: Any, olivia: User
) -> None:
    new_case = case()
    page = opened(olivia)
    seen = Seen(page, live_server.url)
    page.goto(f"/admin/review/case/{new_case.pk}/")
    page.keyboard.press("a")
    page.keyboard.press("1")  # a reason that does not offer it here
    page.keyboard.type(TYPED)
    assert not page.locator(".offer").is_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("2")
    page.keyboard.press("Escape")
    page.keyboard.press("f")
    page.fill('[name="known_until"]', "2027-03-01")
    page.reload()
    assert page.locator('[name="known"]').is_checked()
    assert page.locator('[name="known-1"]').is_checked()
    assert page.input_value('[name="known_until"]') == "2027-03-01"
    page.locator("form.deciding textarea").focus()
    page.keyboard.press("Control+Enter")
    page.locator("#commit[open]").wait_for()
    assert "known false positive" in page.locator("#commit").inner_text()
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert Case.objects.get().status == "DECIDED" and seen.faults == []
    assert f"{KnownFalsePositive.objects.get().expires_on}" == "2027-03-01"
