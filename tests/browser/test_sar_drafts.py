"""Nothing that is typed on a matter of the SAR log is lost, also when a colleague was faster."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.sar.models import FilingEvent, SarEntry
from apps.backoffice.sar.services.filing_steps import StepInput, record_filing_step
from tests.browser.page_checks import Seen, appears
from tests.review.people import NOON, NOTE, SENIOR, person
from tests.sar.matters import LOG, matter

pytestmark = pytest.mark.django_db(transaction=True)
Open = Callable[..., Any]
TYPED = "The passport says 1980; the list says 1961."


@pytest.fixture
def samir(transactional_db: Any) -> User:
    return person("samir", SENIOR)


def decline(of: SarEntry, by: User) -> FilingEvent:
    step_input = StepInput(rationale=NOTE)
    return record_filing_step(
        entry_id=of.pk, action="NOT_FILED", seen=of.matter.steps, said=step_input, by=by, now=NOON
    )


def test_the_text_for_a_step_that_a_colleague_recorded_is_left_to_copy(
    opened: Open, live_server: Any, samir: User
) -> None:
    sar_entry = matter(sanctions=False)
    page = opened(samir)
    seen = Seen(page, live_server.url)
    page.goto(f"{LOG}{sar_entry.pk}/")
    page.locator("summary", has_text="No SAR").click()
    page.locator("#not_filed-rationale").fill(TYPED)
    decline(sar_entry, person("sofia", SENIOR))
    page.reload()
    box = page.locator('.kept[data-kept$="-not_filed"]')
    kept = box.locator("textarea")
    assert kept.input_value() == TYPED and kept.get_attribute("readonly") is not None
    assert page.locator(".kept:visible").count() == 1
    box.get_by_role("button", name="Discard").click()
    page.reload()
    assert page.locator(".kept:visible").count() == 0 and seen.faults == []


def test_a_correction_is_kept_until_it_is_stored_and_shown_when_another_came_first(
    opened: Open, samir: User
) -> None:
    sar_entry = matter(sanctions=False)
    of = decline(sar_entry, samir).pk
    page = opened(samir)
    page.goto(f"{LOG}{sar_entry.pk}/")
    form = page.locator(f'form[data-draft$="-correct-{of}"]')
    page.locator("summary", has_text="Step 1, No SAR").click()
    rationale, why = (page.locator(f"#correct-{of}-{name}") for name in ("rationale", "why"))
    assert rationale.input_value() == NOTE
    rationale.fill(TYPED), why.fill("It named another person.")
    page.reload()  # what is stored stands in the form, and the draft is newer
    assert (rationale.input_value(), why.input_value()) == (TYPED, "It named another person.")
    with page.expect_navigation():
        form.get_by_role("button", name="Correct").click()
    filing_event = FilingEvent.objects.get(number=2)
    assert filing_event.data["values"] == {"rationale": TYPED}
    assert page.locator(".draft").count() == page.locator(".kept:visible").count() == 0
    page.locator("summary", has_text="Step 1, No SAR").click()
    page.locator(f"#correct-{filing_event.pk}-why").fill("Once more.")
    page.evaluate(
        "([old, now]) => sessionStorage.setItem(old, sessionStorage.getItem(now))",
        [f"draft:{samir.pk}:sar-{sar_entry.pk}-correct-{of}",
         f"draft:{samir.pk}:sar-{sar_entry.pk}-correct-{filing_event.pk}"],
    )  # fmt: skip
    page.reload()  # as if somebody else had corrected the step meanwhile
    kept = page.locator(f'.kept[data-kept$="-correct-{of}"] textarea')
    assert appears(kept) and kept.input_value() == f"{TYPED}\nOnce more."
