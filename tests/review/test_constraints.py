"""What the database itself refuses, of superusers and of raw SQL too."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction

from apps.backoffice.review import services
from apps.backoffice.review.models import Case, DecisionEvent
from apps.platform.ledger import sealer
from apps.platform.ledger.verification import verifier
from tests.review.people import NOON, approve, case, confirm, person


def _refused(constraint: str, **change: Any) -> None:
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        Case.objects.update(**change)


def test_the_database_wants_four_eyes_of_a_superuser_too(db: Any) -> None:
    root, other = person("root", superuser=True), person("other", superuser=True)
    one = approve(case(risk="HIGH"), root)
    with pytest.raises(services.SameOfficer):
        confirm(one, root)
    closing = {"status": "DECIDED", "outcome": "APPROVE", "reason_code": "X", "decided_at": NOON}
    _refused("case_four_eyes", **closing)
    _refused("case_four_eyes", **closing, second_by=root, second_at=NOON)
    _refused("case_four_eyes", **closing | {"outcome": "REJECT"}, second_by=other, second_at=NOON)
    Case.objects.update(**closing, second_by=other, second_at=NOON)


def test_high_risk_cannot_be_made_a_matter_for_one(db: Any) -> None:
    case(risk="HIGH")
    _refused("case_high_risk_needs_second", needs_second=False, second_rule="")


def test_raw_sql_does_not_get_past_four_eyes(db: Any) -> None:
    root = person("root", superuser=True)
    approve(case(risk="HIGH"), root)
    sql = (
        "UPDATE review_case SET status = 'DECIDED', outcome = 'APPROVE', reason_code = 'X', "
        "decided_at = first_at, second_by_id = first_by_id, second_at = first_at"
    )
    with pytest.raises(IntegrityError, match="case_four_eyes"), transaction.atomic():
        connection.cursor().execute(sql)
    with pytest.raises(IntegrityError, match="case_high_risk"), transaction.atomic():
        connection.cursor().execute(f"{sql}, needs_second = {_no()}, second_rule = ''")


def _no() -> str:
    return "false" if connection.vendor == "postgresql" else "0"


@pytest.mark.parametrize(
    ("constraint", "change"),
    [
        ("case_decided_whole", {"outcome": "APPROVE"}),
        ("case_decided_whole", {"decided_at": NOON}),
        ("case_values_known", {"risk": "HUGE"}),
        ("case_claim_whole", {"claimed_until": NOON}),
        ("case_first_whole", {"first_at": NOON}),
        ("case_awaiting_has_first", {"status": "AWAITING_SECOND"}),
        ("case_second_rule_paired", {"needs_second": True}),
    ],
)
def test_the_database_refuses_a_case_in_no_state(
    db: Any, constraint: str, change: dict[str, Any]
) -> None:
    case()
    _refused(constraint, **change)


@pytest.mark.parametrize(
    "attack",
    [
        "UPDATE review_decisionevent SET outcome = 'REJECT'",
        "UPDATE review_decisionevent SET payload = '{}'",
        "UPDATE review_decisionevent SET by_id = NULL, payload = '', salt = ''",
        "UPDATE review_decisionevent SET recorded_at = recorded_at, case_id = case_id + 1",
        "DELETE FROM review_decisionevent",
    ],
)
def test_decision_events_cannot_be_changed_or_removed(olivia: User, attack: str) -> None:
    one = approve(case(), olivia)
    before = list(DecisionEvent.objects.values())
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        connection.cursor().execute(attack)
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        DecisionEvent.objects.filter(case=one).update(outcome="REJECT")
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        DecisionEvent.objects.all().delete()
    assert list(DecisionEvent.objects.values()) == before


def test_the_tricks_of_each_database_are_refused_too(olivia: User) -> None:
    approve(case(), olivia)
    trick = (
        "TRUNCATE review_decisionevent"
        if connection.vendor == "postgresql"
        else "INSERT OR REPLACE INTO review_decisionevent SELECT * FROM review_decisionevent"
    )
    connection.check_constraints()  # PostgreSQL truncates nothing while foreign keys wait
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        connection.cursor().execute(trick)


def test_decisions_are_sealed_and_verify(olivia: User, samir: User) -> None:
    confirm(approve(case(risk="HIGH"), olivia), samir)
    assert sealer.seal_ledger(ledger="decisions", now=NOON) == 3
    report = verifier.verify_ledger(ledger="decisions")
    assert (report.sealed, report.faults) == (3, [])
