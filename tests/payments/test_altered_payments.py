"""What somebody rewrote in the database is neither carried on, settled, released nor told."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import F

from apps.backoffice.review.models import Case
from apps.payments.banking import volume_integrity
from apps.payments.payments.integrity import verify_payments
from apps.payments.payments.models import HandOver, MonthVolume, Payment, PaymentEvent
from apps.payments.payments.presenters import serialize_payment
from apps.payments.payments.rails.sandbox import SandboxRail
from apps.payments.payments.services import advance_payment
from apps.payments.travelrule import ledger_coverage_integrity
from apps.payments.travelrule.models import TravelRecord
from apps.payments.travelrule.services import record_payments
from apps.platform.common.clock import now
from apps.platform.ledger.verification import verifier
from tests.api.endpoint_walk import key_client
from tests.payments.conftest import instruction, wallet, work
from tests.payments.test_held_payments import NEAR, decide
from tests.platform.tampering import sql, without_triggers

pytestmark = pytest.mark.django_db
LISTED = {"name": "Lazarus Group", "walletAddress": wallet(45)}
LATER = timedelta(minutes=1)


def rewrite(text: str, *values: Any) -> None:
    """Change all payments at the SQL prompt."""
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE payments_payment SET {text}", values)


@pytest.fixture
def orders(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the rail was asked to settle."""
    asked: list[Any] = []
    real = SandboxRail.settle

    def settle(self: SandboxRail, *, order: Any, now: Any) -> Any:
        asked.append(order)
        return real(self, order=order, now=now)

    monkeypatch.setattr(SandboxRail, "settle", settle)
    return asked


@pytest.mark.parametrize("creditor", [NEAR, LISTED])
def test_a_payment_that_is_stopped_is_not_made_to_go_by_its_row(
    creditor: dict[str, str], send: Callable[..., Any], orders: list[Any]
) -> None:
    send(creditor=creditor, callbackUrl="https://treasury.example.com/in")
    work()
    steps = PaymentEvent.objects.count()
    assert Payment.objects.get().state in ("HELD", "BLOCKED")
    rewrite("state = 'VERIFIED', ended_at = NULL")
    work(now() + LATER)
    assert not orders and not HandOver.objects.exists() and PaymentEvent.objects.count() == steps
    payment = Payment.objects.get()
    assert (payment.state, payment.trouble) == ("VERIFIED", advance_payment.ALTERED_TROUBLE)
    assert len(list(verify_payments(lambda _: None))) == 1


@pytest.mark.parametrize("column", ["creditor_wallet", "debtor_wallet", "price"])
def test_what_is_settled_is_what_was_priced(
    column: str, send: Callable[..., Any], orders: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    send()
    with monkeypatch.context() as before:
        before.setitem(advance_payment.STEPS, "AWAITING_SETTLEMENT", _dies)
        with pytest.raises(KeyboardInterrupt):
            work()
    assert Payment.objects.get().state == "AWAITING_SETTLEMENT"
    price = Payment.objects.get().price | {"assetAmount": "999999"}
    Payment.objects.update(**{column: price if column == "price" else wallet(99)})
    work(now() + timedelta(seconds=1))
    assert not orders and Payment.objects.get().state == "AWAITING_SETTLEMENT"


@pytest.mark.parametrize(
    "column", ["debtor_wallet", "sender_account", "debtor_lei", "creditor_lei"]
)
def test_the_parties_of_a_payment_are_those_of_its_instruction(
    column: str, send: Callable[..., Any]
) -> None:
    send()
    assert list(verify_payments(lambda _: None)) == []
    rewrite(f"{column} = 'x'")
    (fault,) = verify_payments(lambda _: None)
    assert fault.endswith(f"has a different {column} from its instruction")


def _dies(payment: Payment, now: Any) -> None:
    raise KeyboardInterrupt


def test_what_is_checked_is_what_was_instructed(
    send: Callable[..., Any], orders: list[Any]
) -> None:
    send(creditor=LISTED)
    kept = Payment.objects.get().instruction
    kept["creditor"]["name"] = "Blue Heron Stationery Limited"
    Payment.objects.update(instruction=kept)
    work()
    assert not orders and Payment.objects.get().state == "SUBMITTED"
    assert len(list(verify_payments(lambda _: None))) == 1


def test_a_settled_payment_that_is_set_back_does_not_reach_the_rail_again(
    send: Callable[..., Any], orders: list[Any]
) -> None:
    send()
    work()
    before = PaymentEvent.objects.get(number=3)
    rewrite("state = %s, steps = 3, settled_at = NULL, ended_at = NULL, tx_hash = ''", before.state)
    work(now() + LATER)
    assert len(orders) == 1 and len(list(verify_payments(lambda _: None))) == 1


def test_a_payment_that_nobody_sent_is_not_carried_on(
    send: Callable[..., Any], orders: list[Any]
) -> None:
    send()
    work()
    payment = Payment.objects.get()
    payment.pk, payment.reference, payment.state, payment.steps = None, "INV-2", "VERIFIED", 2
    payment.payment_id, payment.tx_hash, payment.settled_at = "0" * 32, "", None
    payment.save(force_insert=True)
    work(now() + LATER)
    assert len(orders) == 1 and len(list(verify_payments(lambda _: None))) == 1


def test_a_case_releases_the_payment_that_it_was_opened_on(
    send: Callable[..., Any], orders: list[Any]
) -> None:
    send(creditor=NEAR)
    work()
    rewrite("creditor_wallet = %s", wallet(99))
    with pytest.raises(Exception, match="Integrity check failed"):
        decide(Case.objects.get(), "APPROVE", "DIFFERENT_PARTY")
    work(now() + LATER)
    assert not orders and Payment.objects.get().state == "HELD"


def test_an_altered_payment_is_not_told(send: Callable[..., Any], bank: Any) -> None:
    told = send(creditor=LISTED)
    work()
    rewrite("state = 'SETTLED', settled_at = ended_at")
    for page in (f"/{told['svcPaymentId']}", "?tmsReference=INV-1"):
        answer = bank.get(f"/integration/payments{page}")
        assert (answer.status_code, answer.json()["code"]) == (503, "payment_unproved")
    send(status=503, creditor=LISTED)


@pytest.fixture
def removed(send: Callable[..., Any]) -> dict[str, Any]:
    """A settled payment whose row somebody deleted, with the row that handed it over."""
    told = send()
    work()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM payments_handover")
        cursor.execute("DELETE FROM payments_payment")
    return told


def test_a_payment_whose_row_is_gone_is_missed(removed: dict[str, Any]) -> None:
    number = PaymentEvent.objects.values_list("payment_id", flat=True).distinct().get()
    assert list(verify_payments(lambda _: None)) == [
        f"payment {number} is recorded, but its row is missing"
    ]
    report = verifier.verify_ledger(ledger=PaymentEvent.LEDGER)
    assert f"payment {number} is recorded, but its row is missing" in report.faults


def test_one_whose_records_are_gone_before_they_are_sealed_is_missed(
    send: Callable[..., Any], django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        send()
    assert verifier.verify_ledger(ledger=PaymentEvent.LEDGER).faults == []
    with without_triggers():
        for table in ("payments_paymentevent", "payments_payment"):
            sql(f"DELETE FROM {table}")
    (fault,) = verifier.verify_ledger(ledger=PaymentEvent.LEDGER).faults
    assert fault.startswith("a record written at") and "is missing" in fault


def test_it_is_not_answered_as_if_it_had_never_been_sent(
    removed: dict[str, Any], bank: Any
) -> None:
    by_id = f"/integration/payments/{removed['svcPaymentId']}"
    for answer in (
        bank.get(by_id),
        bank.get("/integration/payments?tmsReference=INV-1"),
        bank.post(f"{by_id}/transaction", {"txHash": f"0x{'ab' * 32}"}, format="json"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (503, "payment_unproved")


def test_another_institution_learns_nothing_of_it(removed: dict[str, Any]) -> None:
    other = key_client("Birch Bank", "INSTITUTION")
    for page in (f"/{removed['svcPaymentId']}", "?tmsReference=INV-1"):
        assert other.get(f"/integration/payments{page}").status_code == 404


def test_its_reference_does_not_pay_again(
    removed: dict[str, Any], send: Callable[..., Any], bank: Any, orders: list[Any]
) -> None:
    assert send(status=503)["code"] == "payment_unproved"
    batch = bank.post(
        "/integration/payments/batch",
        {"payments": [instruction(), instruction(tmsReference="INV-2")]},
        format="json",
    ).json()
    refused, taken = batch["items"]
    assert refused["problem"]["code"] == "payment_unproved" and taken["outcome"] == "TAKEN"
    work(now() + LATER)
    assert [payment.reference for payment in Payment.objects.all()] == ["INV-2"] and len(
        orders
    ) == 1


@pytest.mark.parametrize("column", ["owner", "reference"])
def test_nor_where_its_row_bears_another(
    column: str, send: Callable[..., Any], orders: list[Any]
) -> None:
    send()
    work()
    Payment.objects.update(**{column: "account:999"})
    assert send(status=503)["code"] == "payment_unproved"
    work(now() + LATER)
    assert len(orders) == 1


def test_nothing_is_decided_of_a_payment_that_is_gone(
    send: Callable[..., Any], orders: list[Any]
) -> None:
    send(creditor=NEAR)
    work()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM payments_payment")
    with pytest.raises(Exception, match="Integrity check failed"):
        decide(Case.objects.get(), "APPROVE", "DIFFERENT_PARTY")
    assert Case.objects.get().status != "DECIDED"


def test_a_hand_over_that_is_gone_is_missed(send: Callable[..., Any]) -> None:
    send()
    work()
    assert list(ledger_coverage_integrity.verify_handovers(lambda _: None)) == []
    HandOver.objects.all().delete()
    assert list(ledger_coverage_integrity.verify_handovers(lambda _: None)) == [
        f"payment {Payment.objects.get().pk} settled, but was not handed over to the travel rule"
    ]


def test_a_hand_over_that_is_marked_as_taken_by_hand_is_found(send: Callable[..., Any]) -> None:
    send()
    work()
    HandOver.objects.update(taken_at=now())
    (fault,) = ledger_coverage_integrity.verify_handovers(lambda _: None)
    assert fault.endswith("is marked as recorded by the travel rule, but has no record")
    HandOver.objects.update(taken_at=None)
    record_payments.record_settled_payments("0", now())
    assert TravelRecord.objects.exists() and not list(
        ledger_coverage_integrity.verify_handovers(lambda _: None)
    )


def test_a_hand_over_of_what_is_not_settled_is_found(send: Callable[..., Any]) -> None:
    send()
    HandOver.objects.create(payment=Payment.objects.get())
    (fault,) = ledger_coverage_integrity.verify_handovers(lambda _: None)
    assert fault.endswith("waits for the travel rule, but is not settled")


@pytest.mark.parametrize("change", [1, 10**12])
def test_a_volume_that_nothing_settled_is_found(change: int, send: Callable[..., Any]) -> None:
    """It sets the tier of every later fee."""
    send()
    work()
    assert list(volume_integrity.compare_month_volumes(lambda _: None)) == []
    MonthVolume.objects.update(settled_usd=F("settled_usd") + change)
    (fault,) = volume_integrity.compare_month_volumes(lambda _: None)
    assert "but 250 was settled" in fault
    MonthVolume.objects.all().delete()
    (fault,) = volume_integrity.compare_month_volumes(lambda _: None)
    assert "is 0, but 250 was settled" in fault


def test_one_that_is_put_right_goes_on(send: Callable[..., Any], orders: list[Any]) -> None:
    send()
    rewrite("creditor_wallet = %s", wallet(99))
    work()
    assert not orders
    rewrite("creditor_wallet = %s", wallet(41))
    work(now() + LATER)
    assert serialize_payment(Payment.objects.get())["status"] == "SETTLED" and len(orders) == 1
