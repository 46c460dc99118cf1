"""The evidence sheet: whole, honest about its seals, and the same case on every sheet of paper."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review import services
from apps.backoffice.review.models import Case
from apps.platform.ledger import sealer
from tests.review.people import NOON, NOTE, approve, at_desk, case, check_page

pytestmark = pytest.mark.django_db


def sheet(one: Case, by: User) -> str:
    return check_page(at_desk(by).get(f"/admin/review/case/{one.pk}/evidence/"))


def test_a_sheet_says_how_much_of_it_is_sealed(olivia: User) -> None:
    new_case = case()
    html = sheet(new_case, olivia)
    assert "No event of this case is sealed yet" in html
    assert "Not sealed at printing: 1 of 1 events." in html and "sealed link" not in html
    sealer.seal_all_ledgers(now=NOON)
    html = sheet(new_case, olivia)
    assert "its one sealed link verifies" in html and "Not sealed at printing" not in html
    approve(new_case, olivia)
    html = sheet(new_case, olivia)
    assert (
        "its one sealed link verifies" in html and "Not sealed at printing: 1 of 2 events." in html
    )


def test_cases_that_were_cleared_together_are_named(olivia: User, samir: User) -> None:
    cases = [case(str(number), party=f"Party {number}") for number in range(3)]
    said = {"reason_code": "NAME_ONLY", "note": NOTE, "now": NOON}
    bulk = services.propose_bulk_clear(cases=cases, by=olivia, **said)
    html = sheet(cases[0], olivia)
    others = f"case {cases[1].pk} (Party 1), case {cases[2].pk} (Party 2)."
    assert f"Proposed to be cleared together with {others}" in html
    numbers = [one.pk for one in cases]
    services.confirm_bulk_clear(bulk=bulk, seen=numbers, ticked=numbers, by=samir, **said)
    assert f"Cleared together with {others}" in sheet(cases[0], olivia)


def test_a_case_cleared_alone_names_no_other(olivia: User) -> None:
    one, _ = case("1"), case("2")
    approve(one, olivia)
    assert "together with" not in sheet(one, olivia)


def test_duplicates_are_named_on_the_sheet_of_what_they_went_with(olivia: User) -> None:
    one, other = case("1"), case("2")
    services.merge_case(duplicate=other, into=one, by=olivia, note=NOTE, now=NOON)
    assert f"Merged into this case: case {other.pk} (Chen Haddad)." in sheet(one, olivia)
    other.refresh_from_db()
    assert f"Merged into case {one.pk} and decided with it." in sheet(other, olivia)


def test_the_request_stands_whole_on_the_sheet(olivia: User) -> None:
    request: dict[str, Any] = {
        "payment": [{"label": "Amount", "value": "12,000.00 EUR (about 13,932.00 USD)"}],
        "party": [{"label": "Birth date", "value": "1980"}],
        "missing": "LEI, address",
    }
    html = sheet(case(evidence={"request": request}), olivia)
    for shown in ("12,000.00 EUR (about 13,932.00 USD)", "1980", "LEI, address"):
        assert shown in html, shown
    older = sheet(case("2", evidence={}), olivia)
    assert "25,245.30 USD" in older and "United Arab Emirates" in older and "REF-2" in older


def test_every_printed_sheet_begins_with_the_number_of_the_case(olivia: User) -> None:
    new_case = case()
    head = sheet(new_case, olivia).split("<thead>")[1].split("</thead>")[0]
    assert f"Case {new_case.pk}: Chen Haddad" in head and "by olivia" in head


def test_a_sheet_names_roles_and_the_outcomes_that_were_on_record_at_the_decision(
    olivia: User,
) -> None:
    first, one, later = case("1"), case("2"), case("3")
    approve(first, olivia, now=NOON)
    approve(one, olivia, now=NOON + timedelta(hours=1))
    approve(later, olivia, now=NOON + timedelta(hours=2))
    html = sheet(one, olivia)
    assert "olivia (Compliance officer)" in html
    told = html.split("On record for this party at the time of the decision: ")[1].split("</p>")[0]
    assert f"Case {first.pk}: approved on 20 Nov 2026 by olivia" in told
    assert f"Case {later.pk}" not in told
    assert "On record for this party" not in sheet(first, olivia)
