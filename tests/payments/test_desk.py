"""The desk's pages of payments: who sees what, how they are found, and in how many queries."""

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.payments.payments.models import Payment
from apps.payments.travelrule.services.record_payments import record_settled_payments
from apps.platform.common.clock import now
from apps.platform.ledger import retention, sealer
from apps.platform.ledger.models import LegalHold
from tests.payments.conftest import wallet, work
from tests.review.people import OFFICER, at_desk, check_page, person

pytestmark = pytest.mark.django_db
LIST = "/admin/payments/payment/"
HOLDS = "/admin/core/legalhold/"


@pytest.fixture
def settled(send: Callable[..., Any]) -> Payment:
    send()
    work()
    return Payment.objects.get()


@pytest.mark.parametrize("role", [OFFICER, "Operator", "Examiner"])
def test_who_may_read_a_payment_sees_its_timeline(settled: Payment, role: str) -> None:
    desk = at_desk(person("reader", role))
    assert "Blue Heron Stationery Limited" in check_page(desk.get(LIST))
    html = check_page(desk.get(f"{LIST}{settled.pk}/"))
    assert "Rate locked, fee quoted" in html and "SANDBOX-" in html
    assert "handed over, not recorded yet" in html


def test_nobody_else_may(settled: Payment) -> None:
    desk = at_desk(person("rita", "Registrar"))
    assert desk.get(LIST).status_code == 403
    assert desk.get(f"{LIST}{settled.pk}/").status_code == 403


def test_an_operator_is_not_told_what_stood_against_a_payment(send: Callable[..., Any]) -> None:
    send(creditor={"name": "Lazarus Group", "walletAddress": wallet(45)})
    work()
    payment = Payment.objects.get()
    shown = {
        role: check_page(at_desk(person(role, role)).get(f"{LIST}{payment.pk}/"))
        for role in ("Operator", "Examiner")
    }
    assert "Blocked" in shown["Operator"] and "PAY-4" not in shown["Operator"]
    assert "Screen of the" not in shown["Operator"] and "AML screen" not in shown["Operator"]
    assert "PAY-4" in shown["Examiner"] and "Creditor screen" in shown["Examiner"]


@pytest.mark.parametrize(
    "text",
    [
        "INV-1",
        "blue heron",
        "Microsoft",
        "INR2EJN1ERAN0W5ZP974",
        wallet(41),
        wallet(41).lower(),
        wallet(42),
    ],
)
def test_a_payment_is_found_by_what_it_names(settled: Payment, text: str) -> None:
    desk = at_desk(person("olivia", OFFICER))
    assert "Blue Heron" in check_page(desk.get(LIST, {"text": text}))
    assert "Blue Heron" not in check_page(desk.get(LIST, {"text": "nobody at all"}))


def test_a_payment_is_found_by_its_id_and_its_hash(settled: Payment) -> None:
    desk = at_desk(person("olivia", OFFICER))
    for text in (settled.subject, settled.tx_hash):
        assert "Blue Heron" in check_page(desk.get(LIST, {"text": text}))


def test_a_hold_on_a_payment_is_one_on_each_of_its_steps_and_on_its_travel_rule_record(
    settled: Payment,
) -> None:
    record_settled_payments("", now())
    sofia = at_desk(person("sofia", "Senior officer"))
    given = {"find": "INV-1", "record": f"payments.payment:{settled.pk}"}
    assert given["record"] in check_page(sofia.get(HOLDS, {"find": "INV-1"}))
    reason = {"reason": "Subpoena 17 of the district court."}
    assert sofia.post(f"{HOLDS}place/", given | reason).status_code == 302
    held = Counter(LegalHold.objects.values_list("ledger", flat=True))
    assert held == {"payment_events": settled.steps, "travel_rule": 1}
    html = check_page(sofia.get(HOLDS))
    assert f"Payment {settled.payment_id}" in html and "Blue Heron" not in html
    sealer.seal_all_ledgers(now=now(), whole=True)
    later = now() + timedelta(days=6 * 365)
    for ledger in held:
        assert not list(retention.find_expired_records(ledger=ledger, now=later)), ledger


def test_a_payment_that_was_altered_is_marked(settled: Payment) -> None:
    Payment.objects.update(creditor_wallet=wallet(66))
    desk = at_desk(person("olivia", OFFICER))
    assert "Integrity check failed" in check_page(desk.get(LIST))
    assert "Integrity check failed" in check_page(desk.get(f"{LIST}{settled.pk}/"))


def test_a_list_of_many_takes_as_many_queries_as_one_of_few(
    send: Callable[..., Any], settled: Payment
) -> None:
    desk = at_desk(person("olivia", OFFICER))
    desk.get(LIST)

    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as seen:
            assert desk.get(LIST).status_code == 200
        return len(seen)

    few = queries()
    for number in range(2, 9):
        send(tmsReference=f"INV-{number}")
    work()
    assert queries() == few
