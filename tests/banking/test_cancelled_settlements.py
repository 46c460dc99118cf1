"""What fails at the bank after it was routed is called off, unless its transfer was sent."""

from typing import Any

import pytest

from apps.backoffice.review import services
from apps.backoffice.review.models import Case
from apps.insight.stability.models import Quote
from apps.payments.banking.integrity import verify_bank_rows
from apps.payments.banking.models import BankTransaction
from apps.payments.banking.services import route_deposit
from apps.payments.chain import expected_transfers
from apps.payments.chain.models import Order
from apps.payments.chain.record_transition import record_transition
from apps.platform.common.clock import now
from tests.banking.webhook_deliveries import deliver, tagged, update
from tests.review.people import OFFICER, person

pytestmark = pytest.mark.django_db
HASH = "0x" + "1" * 64


@pytest.fixture
def routed(sample: Any, settings: Any) -> dict[str, Any]:
    """A deposit that was routed on a chain."""
    settings.SETTLEMENT_RAIL = "evm"
    said = tagged(status="pending")
    assert deliver(said)["action"] == "routed"
    return said


def the(said: dict[str, Any]) -> BankTransaction:
    return BankTransaction.objects.get(resource_id=said["resourceId"])


@pytest.mark.parametrize("status", ["failed", "cancelled", "reversed", "blocked"])
def test_while_no_transfer_was_sent_its_order_is_ended(routed: dict[str, Any], status: str) -> None:
    for version in (2, 3):
        answer = deliver(update(routed, version, status=status))
    assert answer["action"] == "ignored" and "execution" not in answer
    row = the(routed)
    assert (row.state, Order.objects.get(order_id=row.order_id).state) == ("CALLED_OFF", "EXPIRED")
    assert not Case.objects.exists() and list(verify_bank_rows(lambda _: None)) == []


def test_a_delivery_of_before_is_answered_without_what_executes_it(routed: dict[str, Any]) -> None:
    deliver(update(routed, 2, status="failed"))
    again = routed | {"id": "another delivery", "resourceVersion": 3}
    answer = deliver(again | {"mergePatch": routed["mergePatch"] | {"status": "failed"}})
    assert answer["action"] == "ignored" and "execution" not in answer


@pytest.mark.parametrize("named", [True, False])
def test_once_a_transfer_is_named_or_was_final_it_is_a_case(
    routed: dict[str, Any], named: bool
) -> None:
    row = the(routed)
    if named:
        expected_transfers.report_transaction(row.order_id, HASH, now=now())
    else:
        order = Order.objects.get(order_id=row.order_id)
        record_transition(order, "UNCLEAR", now=now(), why="A transfer fits several orders.")
    for version in (2, 3):
        assert deliver(update(routed, version, status="failed"))["action"] == "ignored"
    case = Case.objects.get(kind="bank_payment")
    assert (case.risk, case.rules[0]["ref"], case.needs_second) == ("HIGH", "BR-19", True)
    assert the(routed).state == "ROUTED"


def test_what_comes_about_after_all_waits_for_an_officer_and_is_another_order(
    routed: dict[str, Any],
) -> None:
    first = the(routed).order_id
    deliver(update(routed, 2, status="failed"))
    answer = deliver(update(routed, 3, status="sent"))
    assert (answer["action"], answer["rule"]) == ("held", "BR-24")
    services.decide_case(
        case=Case.objects.get(), by=person("olga", OFFICER), outcome="APPROVE",
        reason_code="MENDED", note="The bank says that it came after all.", now=now(),
    )  # fmt: skip
    route_deposit.route_waiting_deposit(str(the(routed).pk), now())
    row = the(routed)
    assert row.state == "ROUTED" and row.order_id != first
    assert Order.objects.get(order_id=row.order_id).state == "OPEN"
    assert Quote.objects.count() == 2 and list(verify_bank_rows(lambda _: None)) == []
