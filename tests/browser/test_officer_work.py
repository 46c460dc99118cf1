"""Officers at work in a real browser: a morning by keyboard, two at once, a second approval."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review.models import Case, DecisionEvent, Status
from tests.browser.page_checks import PHONE, Seen, appears, axe, too_wide
from tests.review import sample_case_type
from tests.review.people import NOTE, OFFICER, SENIOR, case, person

pytestmark = pytest.mark.django_db(transaction=True)
Open = Callable[..., Any]


@pytest.fixture(autouse=True)
def _a_kind_of_no_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    """The evidence of these cases is drawn as it is stored."""
    sample_case_type.use(monkeypatch)


@pytest.fixture
def olivia(transactional_db: Any) -> User:
    return person("olivia", OFFICER)


@pytest.fixture
def samir(transactional_db: Any) -> User:
    return person("samir", SENIOR)


def press(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def decide(page: Any, key: str) -> None:
    """Decide the case on the screen by keyboard alone, as far as the question whether to."""
    press(page, key, "1")
    page.keyboard.type(NOTE)
    press(page, "Control+Enter")
    page.locator("#commit[open]").wait_for()


def commit(page: Any) -> None:
    """Answer that question with Enter and wait for the next page."""
    with page.expect_navigation():
        press(page, "Enter")


def left() -> int:
    return Case.objects.filter(status=Status.OPEN).count()


def test_the_morning_of_an_officer_by_keyboard_alone(
    opened: Open, live_server: Any, olivia: User
) -> None:
    for ref in "abcd":
        case(ref, party=f"Party {ref.upper()}")
    page = opened(olivia)
    seen = Seen(page, live_server.url)
    page.goto("/admin/")
    with page.expect_navigation():
        press(page, "n")  # the first case, straight from the home page
    assert "Why this case needs review" in page.content()

    decide(page, "a")
    assert left() == 4, "nothing is stored before it is committed"
    press(page, "Escape")
    page.locator("#commit[open]").wait_for(state="detached")
    assert left() == 4

    page.reload()  # what was typed is still there
    press(page, "Control+Enter")
    page.locator("#commit[open]").wait_for()
    commit(page)  # and straight on to the next case
    assert left() == 3 and "Why this case needs review" in page.content()
    decide(page, "r")
    commit(page)
    outcomes = Case.objects.filter(status=Status.DECIDED).values_list("outcome", flat=True)
    assert sorted(outcomes) == ["APPROVE", "REJECT"]
    assert set(DecisionEvent.objects.filter(action="DECIDED").values_list("by", flat=True)) == {
        olivia.pk
    }
    assert all(event.data["note"] == NOTE for event in decisions())
    assert seen.faults == []


def decisions() -> list[DecisionEvent]:
    return list(DecisionEvent.objects.filter(action="DECIDED"))


def test_the_queue_is_walked_searched_and_explained_by_keys(
    opened: Open, live_server: Any, olivia: User
) -> None:
    made = [case(ref, party=f"Party {ref.upper()}") for ref in "abc"]
    page = opened(olivia)
    seen = Seen(page, live_server.url)
    page.goto("/admin/review/case/")
    press(page, "j", "j", "k", "j")
    assert page.evaluate("document.activeElement.textContent.trim()") == "Party B"
    with page.expect_navigation():
        press(page, "Enter")
    assert page.url.endswith(f"/review/case/{made[1].pk}/")
    page.goto("/admin/review/case/")
    press(page, "?")
    page.locator("#keys[open]").wait_for()
    press(page, "Escape", "/")
    page.keyboard.type("party c")
    with page.expect_navigation():
        press(page, "Enter")
    rows = page.locator("[data-row]")
    assert rows.count() == 1 and rows.first.text_content().strip() == "Party C"
    assert seen.faults == []


def test_two_officers_never_decide_one_case(opened: Open, olivia: User) -> None:
    new_case = case()
    first, second = opened(olivia), opened(person("ben", OFFICER))
    for page in (first, second):
        page.goto(f"/admin/review/case/{new_case.pk}/")
    with first.expect_navigation():
        first.get_by_role("button", name="Claim for").click()
    decide(second, "a")
    commit(second)
    assert "olivia has claimed this case" in second.content() and left() == 1
    decide(first, "a")
    commit(first)
    assert left() == 0
    second.goto(f"/admin/review/case/{new_case.pk}/")
    assert second.locator("form.deciding").count() == 0
    assert DecisionEvent.objects.filter(action="DECIDED").count() == 1


def test_high_risk_needs_a_second_officer(opened: Open, olivia: User, samir: User) -> None:
    new_case = case(risk="HIGH")
    first = opened(olivia)
    first.goto(f"/admin/review/case/{new_case.pk}/")
    assert "second officer must confirm" in first.content()
    decide(first, "a")
    commit(first)
    new_case.refresh_from_db()
    assert new_case.status == Status.AWAITING_SECOND
    first.goto(f"/admin/review/case/{new_case.pk}/")
    assert "another officer must confirm it" in first.content()
    assert first.locator("form.deciding").count() == 0

    second = opened(samir)
    second.goto("/admin/")
    with second.expect_navigation():
        press(second, "n")
    assert NOTE in second.content()
    decide(second, "a")
    commit(second)
    new_case.refresh_from_db()
    assert (new_case.status, new_case.first_by, new_case.second_by) == (
        Status.DECIDED,
        olivia,
        samir,
    )


def test_a_case_is_decided_on_a_phone_by_hand(opened: Open, live_server: Any, olivia: User) -> None:
    new_case = case()
    page = opened(olivia, size=PHONE)
    seen = Seen(page, live_server.url)
    page.goto("/admin/review/case/")
    page.get_by_role("link", name="Chen Haddad").click()
    page.get_by_role("link", name="Go to decision").click()
    page.get_by_label("Approve").first.check()
    page.locator('[name="reason_APPROVE"][value="NAME_ONLY"]').check()
    page.get_by_label("Note for the examiner").fill(NOTE)
    page.get_by_role("button", name="Record decision").click()
    commit(page)
    new_case.refresh_from_db()
    assert new_case.status == Status.DECIDED
    assert seen.faults == []


def test_what_needs_no_script_works_without_it(
    chromium: Any, opened: Open, live_server: Any, olivia: User
) -> None:
    new_case = case()
    page = opened(olivia)
    cookies = page.context.cookies()
    context = chromium.new_context(base_url=live_server.url, java_script_enabled=False)
    context.add_cookies(cookies)
    plain = context.new_page()
    plain.goto(f"/admin/review/case/{new_case.pk}/")
    plain.get_by_label("Approve").first.check()
    plain.locator('[name="reason_APPROVE"][value="NAME_ONLY"]').check()
    plain.get_by_label("Note for the examiner").fill(NOTE)
    plain.get_by_role("button", name="Record decision").click()
    plain.wait_for_load_state()
    context.close()
    new_case.refresh_from_db()
    assert new_case.status == Status.DECIDED


def test_the_queue_is_one_line_a_row_and_shows_a_case_beside_it(
    opened: Open, live_server: Any, olivia: User
) -> None:
    made = [case(str(number), party=f"Party {number:02d}", evidence={}) for number in range(24)]
    Case.objects.filter(pk=made[1].pk).update(party="W" * 200)
    page = opened(olivia, size={"width": 1280, "height": 800})
    seen = Seen(page, live_server.url)
    page.goto("/admin/review/case/")
    assert set(heights(page)) == {36} and rows_in_sight(page) >= 15
    press(page, "j", "x")
    assert page.locator(f'input[value="{made[0].pk}"]').is_checked()
    press(page, "x")
    assert not page.locator(f'input[value="{made[0].pk}"]').is_checked()
    before = page.locator("table.lines").bounding_box()
    press(page, " ")
    look = page.locator("#look")
    look.get_by_role("heading", name="Party 00").wait_for()
    press(page, "j")
    look.get_by_role("heading", name="W" * 200).wait_for()
    press(page, "ArrowDown")
    look.get_by_role("heading", name="Party 02").wait_for()
    assert page.locator("table.lines").bounding_box() == before and too_wide(page) <= 0
    assert axe(page) == []
    press(page, "Escape")
    look.wait_for(state="hidden")
    press(page, " ")
    look.get_by_role("heading", name="Party 02").wait_for()
    press(page, " ")
    look.wait_for(state="hidden")
    with page.expect_navigation():
        press(page, "Enter")
    assert page.url.endswith(f"/review/case/{made[2].pk}/") and seen.faults == []


def heights(page: Any) -> list[float]:
    """Return how high the rows of the queue are, in pixels."""
    rows = "[...document.querySelectorAll('table.lines tbody tr')]"
    found: list[float] = page.evaluate(f"{rows}.map(row => row.getBoundingClientRect().height)")
    return found


def rows_in_sight(page: Any) -> int:
    """Count the rows that are wholly in the window."""
    rows = "[...document.querySelectorAll('table.lines tbody tr')]"
    seen = "row => row.getBoundingClientRect().bottom <= innerHeight"
    return int(page.evaluate(f"{rows}.filter({seen}).length"))


def test_everything_is_searched_by_keys_from_any_page(
    opened: Open, live_server: Any, olivia: User
) -> None:
    made = [case(ref, party=f"Party {ref.upper()}") for ref in "abc"]
    page = opened(olivia)
    seen = Seen(page, live_server.url)
    page.goto(f"/admin/review/case/{made[0].pk}/")
    press(page, "/")
    page.keyboard.type("party")
    with page.expect_navigation():
        press(page, "Enter")
    press(page, "Escape", "j", "j")
    assert page.evaluate("document.activeElement.textContent.trim()") == "Party B"
    assert axe(page) == []
    with page.expect_navigation():
        press(page, "Enter")
    assert page.url.endswith(f"/review/case/{made[1].pk}/")
    with page.expect_navigation():
        press(page, "q")
    assert page.url.endswith("/review/case/") and seen.faults == []


def test_the_menu_opens_by_keys_and_on_a_phone_by_one_button(
    opened: Open, live_server: Any, olivia: User
) -> None:
    page = opened(olivia)
    page.goto("/admin/")
    link = page.get_by_role("navigation", name="Pages").get_by_role("link", name="Quality samples")
    assert not link.is_visible()
    page.locator(".places summary").first.focus()
    press(page, "Enter")
    assert appears(link) and axe(page) == []
    press(page, "Escape")
    assert not link.is_visible()

    phone = opened(olivia, size=PHONE)
    phone.goto("/admin/")
    menu = phone.get_by_role("button", name="Menu")
    assert not phone.locator(".places summary").first.is_visible()
    menu.click()
    phone.locator(".places summary").first.click()
    assert axe(phone) == [] and too_wide(phone) <= 0
    with phone.expect_navigation():
        phone.locator(".places").get_by_role("link", name="Quality samples").click()
