"""Nothing that an officer types is lost: reload, end of the session, a colleague who was faster."""

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import Group, User
from django.contrib.sessions.models import Session
from django.test import Client

from apps.backoffice.review.models import Case
from apps.platform.common.clock import now
from apps.reference.countries import services as countries
from apps.reference.countries.models import CountryChange
from tests.browser.page_checks import Seen, appears
from tests.review import sample_case_type
from tests.review.people import NOON, NOTE, OFFICER, SENIOR, approve, case, person

pytestmark = pytest.mark.django_db(transaction=True)
Open = Callable[..., Any]
DECISION = '.kept[data-kept$="-decision"]'
TYPED = "The passport says 1980; the list says 1961."


@pytest.fixture(autouse=True)
def _a_kind_of_no_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    sample_case_type.use(monkeypatch)


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
    new_case = case()
    page = opened(olivia)
    seen = Seen(page, live_server.url)
    begin(page, new_case)
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
    new_case = case()
    olivia.set_password("correct horse battery")
    olivia.save()
    page = opened(olivia)
    begin(page, new_case)
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
    assert page.url.endswith(page_of(new_case))
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
    kept = page.locator(f"{DECISION} textarea")
    assert kept.input_value() == TYPED and kept.get_attribute("readonly") is not None
    assert "by ben" in page.content()
    page.goto(page_of(one))  # and also when the case is opened again
    assert page.locator(f"{DECISION} textarea").input_value() == TYPED
    page.locator(DECISION).get_by_role("button", name="Discard").click()
    page.reload()
    assert page.locator(DECISION).is_hidden() and drafts(page) == 0


def test_what_was_typed_beside_the_decision_is_left_to_copy_too(opened: Open, olivia: User) -> None:
    one, ben = case(now=now()), person("ben", OFFICER)  # only what is not overdue can be snoozed
    page = opened(olivia)
    page.goto(page_of(one))
    texts = {"Escalate": "A senior should see the passport.", "Snooze": "Waits for the bank."}
    for name, text in texts.items():
        page.locator("summary", has_text=name).click()
        page.locator("details", has_text=name).locator("textarea").fill(text)
    approve(one, ben, now=now())
    page.goto(page_of(one))
    for name, text in zip(("escalate", "snooze"), texts.values(), strict=True):
        box = page.locator(f'.kept[data-kept$="-{name}"]')
        assert box.locator("textarea").input_value() == text and box.is_visible()
    assert page.locator(".kept:visible").count() == 2
    page.locator('[data-kept$="-snooze"]').get_by_role("button", name="Discard").click()
    page.reload()
    assert page.locator(".kept:visible").count() == 1 and drafts(page) == 1
    # what is for the seniors alone can still be sent: a suspicion may come later
    page.locator("summary", has_text="Refer").click()
    assert appears(page.locator('form[data-draft$="-refer"] textarea'))


def test_a_referral_of_who_may_not_refer_any_more_is_left_to_copy_in_its_tab(
    opened: Open, olivia: User
) -> None:
    new_case = case()
    page = opened(olivia)
    page.goto(page_of(new_case))
    page.locator("summary", has_text="Refer").click()
    page.locator('form[data-draft$="-refer"] textarea').fill(TYPED)
    olivia.groups.set(Group.objects.filter(name="Examiner"))
    page.goto(page_of(new_case))
    assert page.locator('.kept[data-kept$="-refer"] textarea').input_value() == TYPED
    assert page.locator(".kept:visible").count() == 1


def test_signing_out_takes_the_drafts_of_that_officer_along(opened: Open, olivia: User) -> None:
    new_case = case()
    page = opened(olivia)
    begin(page, new_case)
    page.evaluate("localStorage.setItem('draft:0:7-decision', JSON.stringify({at: Date.now()}))")
    page.evaluate("localStorage.setItem('draft:0:8-decision', JSON.stringify({at: 7}))")
    assert drafts(page) == 3
    with page.expect_navigation():
        page.get_by_role("button", name="Sign out").click()
    assert drafts(page) == 1  # another's of today; what is older than seven days went too


def kept(page: Any, storage: str) -> list[str]:
    found: list[str] = page.evaluate(
        f"Object.keys({storage}).filter((key) => key.startsWith('draft:')).sort()"
    )
    return found


def test_what_tells_of_the_sar_log_goes_with_its_tab(opened: Open, olivia: User) -> None:
    new_case = case()
    page = opened(olivia)
    page.goto(page_of(new_case))
    note = page.locator(f'form[data-draft="{new_case.pk}-refer"] textarea')
    note.evaluate("(box) => { box.closest('details')?.setAttribute('open', ''); }")
    note.fill(TYPED)
    key = f"draft:{olivia.pk}:{new_case.pk}-refer"
    assert kept(page, "sessionStorage") == [key] and key not in kept(page, "localStorage")
    page.reload()
    assert note.input_value() == TYPED
    assert kept(page, "localStorage") == []
    tab = page.context.new_page()
    tab.goto(page_of(new_case))
    assert tab.locator(f'form[data-draft="{new_case.pk}-refer"] textarea').input_value() == ""


def test_who_signs_in_next_finds_no_draft_of_another(
    opened: Open, live_server: Any, olivia: User
) -> None:
    new_case = case()
    page = opened(olivia)
    begin(page, new_case)
    assert kept(page, "localStorage") == [f"draft:{olivia.pk}:{new_case.pk}-decision"]
    ben = Client()
    ben.force_login(person("ben", OFFICER))
    value = ben.cookies[settings.SESSION_COOKIE_NAME].value
    cookie = {"name": settings.SESSION_COOKIE_NAME, "value": value, "url": live_server.url}
    page.context.add_cookies([cookie])
    page.goto(page_of(new_case))
    assert kept(page, "localStorage") == []


def test_a_tab_that_was_signed_out_in_another_keeps_nothing_more(
    opened: Open, olivia: User
) -> None:
    new_case = case()
    page = opened(olivia)
    begin(page, new_case)
    page.locator(f'form[data-draft="{new_case.pk}-refer"] textarea').evaluate(
        "(box) => { box.value = 'It looks like structuring.';"
        " box.dispatchEvent(new Event('input', {bubbles: true})); }"
    )
    assert len(kept(page, "sessionStorage")) == 1
    tab = page.context.new_page()
    tab.goto("/admin/")
    with tab.expect_navigation():
        tab.get_by_role("button", name="Sign out").click()
    page.wait_for_function("Object.keys(sessionStorage).every((key) => !key.startsWith('draft:'))")
    page.locator("form.deciding textarea").fill("More of it, typed too late.")
    assert kept(page, "localStorage") == [] and kept(page, "sessionStorage") == []


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


def test_what_is_pasted_above_a_limit_is_counted_sent_refused_and_given_back(
    opened: Open, live_server: Any
) -> None:
    samir, sofia = person("samir", SENIOR), person("sofia", SENIOR)
    countries.propose_change(
        by=samir, kind="ADD", list="EMBARGO", country="FR", effective=NOON.date(),
        source="A statement", now=NOON,
    )  # fmt: skip
    page = opened(sofia)
    change = CountryChange.objects.get()
    page.goto(f"/admin/countries/countrychange/{change.pk}/change/")
    box = page.get_by_label("Note (recorded")
    box.focus()
    long = "One line\n" + "y" * 500
    page.keyboard.insert_text(long)  # as a paste
    assert box.input_value() == long
    assert appears(page.get_by_text("10 letters too many of 500"))
    page.get_by_role("button", name="Reject").click()
    page.get_by_text("It has 510 characters: at most 500 are kept").wait_for()
    assert box.input_value() == long
    assert appears(page.get_by_text("10 letters too many of 500"))
    box.fill(long[:499])
    page.get_by_role("button", name="Reject").click()
    page.get_by_text("Rejected by").first.wait_for()
    change.refresh_from_db()
    assert change.note == long[:499].replace("\n", "\r\n")
