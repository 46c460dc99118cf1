"""Taking the next case: what an officer passed over stays away for the day, and is let go."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review import services
from apps.backoffice.review.admin import cases as admin
from apps.backoffice.review.models import Case, Passed
from tests.review.people import NOON, NOTE, OFFICER, at_desk, case, check_page, person, steps

QUEUE = "/admin/review/case/"
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def _at_noon(monkeypatch: pytest.MonkeyPatch, db: Any) -> None:
    monkeypatch.setattr(admin, "now", lambda: NOON)


def following(desk: Any, one: Case | None) -> str:
    """Press `n` on a case, or on the queue, and say where that leads."""
    given = {"skip": str(one.pk)} if one else {}
    address: str = desk.post(f"{QUEUE}next/", given).headers["Location"]
    return address


def page(one: Case) -> str:
    return f"{QUEUE}{one.pk}/"


def test_what_was_passed_over_does_not_come_back_while_something_else_waits() -> None:
    a, b, c = case("1", risk="HIGH"), case("2"), case("3", risk="LOW")
    desk = at_desk(person("olivia", OFFICER))
    assert following(desk, None) == page(a)
    assert following(desk, a) == page(b)
    assert following(desk, b) == page(c)  # and not the first again
    again = following(desk, c)
    assert again == page(a)
    assert "skipped every waiting case" in check_page(desk.get(again))


def test_the_only_case_is_not_given_back_at_once() -> None:
    one, desk = case(), at_desk(person("olivia", OFFICER))
    assert following(desk, None) == page(one)
    assert following(desk, one) == QUEUE
    assert "No cases are waiting" in check_page(desk.get(QUEUE))
    assert following(desk, None) == page(one)  # asked for again, from the queue


def test_passing_lets_go_of_the_case_for_colleagues(olivia: User, ben: User) -> None:
    one = services.claim_case(case=case(), by=olivia, now=NOON)
    services.skip_case(case=one, by=olivia, now=NOON)
    one.refresh_from_db()
    assert one.claimed_by is None and steps(one) == ["OPENED", "CLAIMED", "RELEASED"]
    assert services.claim_next_case(by=olivia, now=NOON) is None
    assert services.claim_next_case(by=ben, now=NOON) == one


def test_passing_over_what_was_only_looked_at_leaves_its_holder(olivia: User, ben: User) -> None:
    one = services.claim_case(case=case(), by=ben, now=NOON)
    services.skip_case(case=one, by=olivia, now=NOON)
    one.refresh_from_db()
    assert one.claimed_by == ben


def test_the_next_day_begins_anew(olivia: User) -> None:
    new_case = case()
    services.skip_case(case=new_case, by=olivia, now=NOON)
    assert services.claim_next_case(by=olivia, now=NOON + timedelta(hours=11, minutes=59)) is None
    assert services.claim_next_case(by=olivia, now=NOON + timedelta(hours=12)) == new_case


def test_old_rows_go_with_the_first_of_a_day(olivia: User) -> None:
    one, other = case("1"), case("2")
    services.skip_case(case=one, by=olivia, now=NOON)
    services.skip_case(case=other, by=olivia, now=NOON + DAY)
    assert set(Passed.objects.values_list("case", flat=True)) == {other.pk}


def test_what_is_assigned_or_escalated_is_no_longer_passed_over(
    olivia: User, samir: User, sofia: User
) -> None:
    new_case = case()
    for officer in (olivia, samir):
        services.skip_case(case=new_case, by=officer, now=NOON)
    services.escalate_case(case=new_case, by=olivia, note=NOTE, now=NOON)
    assert services.claim_next_case(by=samir, now=NOON) == new_case
    services.skip_case(case=new_case, by=samir, now=NOON)
    from django.contrib.auth.models import Permission

    sofia.user_permissions.add(Permission.objects.get(codename="assign_case"))
    new_case.refresh_from_db()
    services.assign_case(case=new_case, to=olivia, by=sofia, now=NOON)
    assert services.claim_next_case(by=olivia, now=NOON) == new_case


def test_the_database_keeps_one_row_for_an_officer_and_a_case(olivia: User) -> None:
    new_case = case()
    for minutes in (0, 5):
        services.skip_case(case=new_case, by=olivia, now=NOON + timedelta(minutes=minutes))
    assert Passed.objects.get().at == NOON + timedelta(minutes=5)


def test_senior_officers_see_when_cases_are_due_and_why() -> None:
    desk = at_desk(person("samir", "Senior officer"))
    html = check_page(desk.get("/admin/review/triage/"))
    assert "Flagged screen" in html and "4 h" in html and "SECOND-1" in html
    assert "/admin/review/triage/" in check_page(desk.get("/admin/"))
    assert at_desk(person("olivia", OFFICER)).get("/admin/review/triage/").status_code == 403
