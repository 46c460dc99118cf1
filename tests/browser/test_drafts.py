"""Nothing that an officer types is lost: reload, end of the session, a colleague who was faster."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session

from apps.review.models import Case
from tests.browser.sight import Seen
from tests.review import kinds
from tests.review.people import NOTE, OFFICER, approve, case, person

pytestmark = pytest.mark.django_db(transaction=True)
Open = Callable[..., Any]
TYPED = "The passport says 1980; the list says 1961."


@pytest.fixture(autouse=True)
def _a_kind_of_no_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds.use(monkeypatch)


@pytest.fixture
def olivia(transactional_db: Any) -> User:
    return person("olivia", OFFICER)


def page_of(one: Case) -> str:
    return f"/admin/review/case/{one.pk}/"


def begin(page: Any, one: Case) -> None:
    """Choose outcome and reason and write, and commit nothing."""
    page.goto(page_of(one))
    page.keyboard.press("a")
    page.keyboard.press("2")
    page.keyboard.type(TYPED)


def drafts(page: Any) -> int:
    found: int = page.evaluate(
        "Object.keys(localStorage).filter((key) => key.startsWith('draft:')).length"
    )
    return found


def test_what_is_typed_survives_a_reload_and_goes_when_it_is_stored(
    opened: Open, live_server: Any, olivia: User
) -> None:
    one = case()
    page = opened(olivia)
    seen = Seen(page, live_server.url)
    begin(page, one)
    page.reload()
    assert page.locator("form.deciding textarea").input_value() == TYPED
    assert page.locator('[name="reason_APPROVE"][value="NAME_ONLY"]').is_checked()
    assert "kept in this browser" in page.locator("form.deciding .draft").text_content()
    page.locator("form.deciding textarea").focus()
    page.keyboard.press("Control+Enter")
    page.locator("#commit[open]").wait_for()
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert drafts(page) == 0 and Case.objects.get().status == "DECIDED"
    assert seen.faults == []


def test_the_end_of_a_session_leads_back_to_the_case_and_to_what_was_typed(
    opened: Open, olivia: User
) -> None:
    one = case()
    olivia.set_password("correct horse battery")
    olivia.save()
    page = opened(olivia)
    begin(page, one)
    Session.objects.all().delete()
    page.keyboard.press("Control+Enter")
    page.locator("#commit[open]").wait_for()
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert "/login/" in page.url and Case.objects.get().status == "OPEN"
    page.locator('[name="username"]').fill("olivia")
    page.locator('[name="password"]').fill("correct horse battery")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert page.url.endswith(page_of(one))
    assert page.locator("form.deciding textarea").input_value() == TYPED


def test_a_colleague_who_was_faster_leaves_the_text_to_copy(opened: Open, olivia: User) -> None:
    one, ben = case(), person("ben", OFFICER)
    page = opened(olivia)
    begin(page, one)
    approve(one, ben)
    page.keyboard.press("Control+Enter")
    page.locator("#commit[open]").wait_for()
    with page.expect_navigation():
        page.keyboard.press("Enter")
    kept = page.locator(".kept textarea")
    assert kept.input_value() == TYPED and kept.get_attribute("readonly") is not None
    assert "by ben" in page.content()
    page.goto(page_of(one))  # and also when the case is opened again
    assert page.locator(".kept textarea").input_value() == TYPED
    page.locator(".kept").get_by_role("button", name="Discard").click()
    page.reload()
    assert page.locator(".kept").is_hidden() and drafts(page) == 0


def test_signing_out_takes_the_drafts_of_that_officer_along(opened: Open, olivia: User) -> None:
    one = case()
    page = opened(olivia)
    begin(page, one)
    page.evaluate("localStorage.setItem('draft:0:7-decision', JSON.stringify({at: Date.now()}))")
    page.evaluate("localStorage.setItem('draft:0:8-decision', JSON.stringify({at: 7}))")
    assert drafts(page) == 3
    with page.expect_navigation():
        page.get_by_role("button", name="Sign out").click()
    assert drafts(page) == 1  # another's of today; what is older than seven days went too


def test_keys_that_are_held_or_pressed_twice_decide_one_case_alone(
    opened: Open, olivia: User
) -> None:
    case("1"), case("2", party="Another")
    page = opened(olivia)
    page.goto(page_of(Case.objects.get(ref="1")))
    page.keyboard.press("a")
    page.keyboard.press("2")
    page.keyboard.type(NOTE)
    page.keyboard.down("Control")
    for _ in range(3):  # held down: it asks, and is not its own answer
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    page.keyboard.press("Enter")  # Ctrl+Enter once more
    page.keyboard.up("Control")
    assert page.locator("#commit[open]").count() == 1
    assert Case.objects.filter(status="DECIDED").count() == 0
    with page.expect_navigation():
        for _ in range(4):
            page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    page.keyboard.press("Enter")
    page.wait_for_load_state()
    assert Case.objects.filter(status="DECIDED").count() == 1
