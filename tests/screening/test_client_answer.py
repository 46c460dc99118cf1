"""What the client of a screen was answered stands on the evidence sheet of its case."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review import services
from apps.backoffice.review.models import Case
from apps.compliance.screening.models import Screen
from apps.platform.common.clock import now
from apps.platform.ledger import retention, sealer
from apps.platform.ledger.models import PurgeReason
from tests.platform.tampering import sql, without_triggers
from tests.review.people import OFFICER, at_desk, check_page, person

Make = Callable[..., dict[str, Any]]
NOTE = "Enhanced due diligence was done by the bank."


@pytest.fixture
def olivia(db: Any) -> User:
    return person("olivia", OFFICER)


def told(user: User, one: Case) -> str:
    """Return what the sheet of a case says of the answer, "" where it says nothing."""
    html = check_page(at_desk(user).get(f"/admin/review/case/{one.pk}/evidence/"))
    _, _, rest = html.partition("Response to the client</h2>")
    return rest.partition("</section>")[0]


def test_verdict_reference_and_moment_are_those_of_the_stored_answer(
    screen: Make, olivia: User
) -> None:
    body = screen(name="Noor Trading", country="HT", reference="INV-42")
    assert body["decision"] == "FLAGGED"
    record, found = Screen.objects.get(), told(olivia, Case.objects.get())
    for shown in (
        "Flagged, review required", "INV-42", body["screenId"],
        f"{body['riskScore']} of 100", f"{record.recorded_at:%d %b %Y %H:%M:%S} UTC",
    ):  # fmt: skip
        assert shown in found, shown
    assert "Reported since" not in found


def test_what_the_client_is_told_of_the_decision_stands_with_it(screen: Make, olivia: User) -> None:
    screen(name="Noor Trading", country="HT")
    case = Case.objects.get()
    services.decide_case(
        case=case, by=olivia, outcome="APPROVE", reason_code="COUNTRY_EDD", note=NOTE, now=now()
    )
    found = told(olivia, case)
    assert "Reported since" in found and "approved, decided" in found and NOTE not in found
    assert "none given" in found


def test_an_answer_that_was_altered_or_purged_is_told_so(screen: Make, olivia: User) -> None:
    screen(name="Noor Trading", country="HT", reference="INV-42")
    case, record = Case.objects.get(), Screen.objects.get()
    with without_triggers():
        table = Screen._meta.db_table
        sql(f"UPDATE {table} SET decision = 'APPROVED'")
        found = told(olivia, case)
        sql(f"UPDATE {table} SET decision = 'FLAGGED'")
    assert "Integrity check failed" in found and "INV-42" not in found and "Approved" not in found
    sealer.seal_all_ledgers(now=now())
    order = {"reason": PurgeReason.ERASURE, "by": "dpo", "why": "Court order 7"}
    retention.purge_payload(ledger="screens", record_id=record.pk, now=now(), **order)
    found = told(olivia, case)
    assert "was purged" in found and "Flagged" in found and "INV-42" not in found


def test_a_case_without_a_screen_says_nothing_of_an_answer(screen: Make, olivia: User) -> None:
    screen(name="Noor Trading", country="HT")
    Case.objects.update(ref="no-uuid")
    assert told(olivia, Case.objects.get()) == ""
