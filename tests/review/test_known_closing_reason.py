"""What is known rests on the reason for which its case was closed, and on no other."""

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review import services
from apps.backoffice.review.models import Action, Case, DecisionEvent, KnownFalsePositive
from apps.backoffice.review.selectors.pending_known_false_positives import (
    list_waiting_known as waiting,
)
from apps.backoffice.review.services.known_false_positive_transitions import (
    KnownFalsePositiveConflict,
)
from tests.review.people import NOON, NOTE, approve, at_desk, check_page
from tests.review.people import confirm as confirm_case
from tests.review.sample_known_false_positives import confirm, in_force, propose

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("lists")]
REGISTER = "/admin/review/knownfalsepositive/"


def closed_for(known: KnownFalsePositive, by: User, outcome: str, code: str) -> None:
    """Record that its case was closed for another reason than was proposed."""
    case = Case.objects.get(pk=known.case_id)
    words = {"reason": "Other", "basis": "FATF R.10"}
    payload = {"reason_code": code, **words, "note": NOTE, "digest": case.facts_digest()}
    columns = {"case": case, "action": Action.DECIDED, "by": by, "outcome": outcome}
    DecisionEvent.write(payload=payload, now=NOON, **columns)
    Case.objects.filter(pk=case.pk).update(
        status="DECIDED", outcome=outcome, first_outcome=outcome, reason_code=code,
        second_by=by, second_at=NOON, decided_at=NOON,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("outcome", "code", "said"),
    [
        ("APPROVE", "OTHER", "was closed for a different reason: Other"),
        ("REJECT", "LISTED_PARTY", "is not approved: it was rejected."),
    ],
)
def test_a_case_that_another_closed_otherwise_makes_nothing_known(
    olivia: User, samir: User, sofia: User, outcome: str, code: str, said: str
) -> None:
    false_positive = propose(olivia, risk="HIGH")
    closed_for(false_positive, sofia, outcome, code)
    with pytest.raises(KnownFalsePositiveConflict, match=said):
        confirm(false_positive, samir)
    false_positive.refresh_from_db()
    assert false_positive.state == "PROPOSED"
    html = check_page(at_desk(samir).get(f"{REGISTER}{false_positive.pk}/"))
    assert said in html and 'value="approve"' not in html and 'value="reject"' in html
    found = waiting(samir, NOON)
    assert found is not None and (found.count(), found.rows(9)) == (0, [])
    told = {"decision": "reject", "note": NOTE}
    assert at_desk(samir).post(f"{REGISTER}{false_positive.pk}/decide/", told).status_code == 302
    false_positive.refresh_from_db()
    assert false_positive.state == "REJECTED"


def test_returned_and_closed_for_another_reason_it_is_gone(
    olivia: User, ben: User, samir: User, sofia: User
) -> None:
    false_positive = propose(olivia, risk="HIGH")
    back = services.return_decision(
        case=Case.objects.get(pk=false_positive.case_id), by=samir, note=NOTE, now=NOON
    )
    confirm_case(approve(back, ben, reason_code="OTHER"), sofia, reason_code="OTHER")
    with pytest.raises(KnownFalsePositiveConflict):
        confirm(false_positive, sofia)
    false_positive.refresh_from_db()
    assert false_positive.state == "REJECTED"


def test_a_second_officer_cannot_close_the_case_for_another_reason(
    olivia: User, samir: User
) -> None:
    false_positive = propose(olivia, risk="HIGH")
    with pytest.raises(services.InvalidDecision):
        confirm_case(Case.objects.get(pk=false_positive.case_id), samir, reason_code="OTHER")


def test_closed_for_its_own_reason_it_is_confirmed(olivia: User, samir: User) -> None:
    assert in_force(olivia, samir).state == "IN_FORCE"
    false_positive = propose(olivia, "2", owner="account:2")
    html = check_page(at_desk(samir).get(f"{REGISTER}{false_positive.pk}/"))
    assert 'value="approve"' in html
