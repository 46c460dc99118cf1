"""What somebody rewrote in the database is neither carried on, settled, released nor told."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from apps.core.clock import now
from apps.payments import advancing
from apps.payments.models import HandOver, Payment, PaymentEvent
from apps.payments.projection import compare
from apps.payments.rails.sandbox import Sandbox
from apps.payments.result import result
from apps.review.models import Case
from tests.payments.conftest import wallet, work
from tests.payments.test_held import NEAR, decide

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
    real = Sandbox.settle

    def settle(self: Sandbox, *, order: Any, now: Any) -> Any:
        asked.append(order)
        return real(self, order=order, now=now)

    monkeypatch.setattr(Sandbox, "settle", settle)
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
    assert (payment.state, payment.trouble) == ("VERIFIED", advancing.ALTERED)
    assert len(list(compare(lambda _: None))) == 1


@pytest.mark.parametrize("column", ["creditor_wallet", "price"])
def test_what_is_settled_is_what_was_priced(
    column: str, send: Callable[..., Any], orders: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    send()
    with monkeypatch.context() as before:
        before.setitem(advancing.STEPS, "AWAITING_SETTLEMENT", _dies)
        with pytest.raises(KeyboardInterrupt):
            work()
    assert Payment.objects.get().state == "AWAITING_SETTLEMENT"
    price = Payment.objects.get().price | {"assetAmount": "999999"}
    Payment.objects.update(**{column: price if column == "price" else wallet(99)})
    work(now() + timedelta(seconds=1))
    assert not orders and Payment.objects.get().state == "AWAITING_SETTLEMENT"


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
    assert len(list(compare(lambda _: None))) == 1


def test_a_settled_payment_that_is_set_back_does_not_reach_the_rail_again(
    send: Callable[..., Any], orders: list[Any]
) -> None:
    send()
    work()
    before = PaymentEvent.objects.get(number=3)
    rewrite("state = %s, steps = 3, settled_at = NULL, ended_at = NULL, tx_hash = ''", before.state)
    work(now() + LATER)
    assert len(orders) == 1 and len(list(compare(lambda _: None))) == 1


def test_a_payment_that_nobody_sent_is_not_carried_on(
    send: Callable[..., Any], orders: list[Any]
) -> None:
    send()
    work()
    made = Payment.objects.get()
    made.pk, made.reference, made.state, made.steps = None, "INV-2", "VERIFIED", 2
    made.payment_id, made.tx_hash, made.settled_at = "0" * 32, "", None
    made.save(force_insert=True)
    work(now() + LATER)
    assert len(orders) == 1 and len(list(compare(lambda _: None))) == 1


def test_a_case_releases_the_payment_that_it_was_opened_on(
    send: Callable[..., Any], orders: list[Any]
) -> None:
    send(creditor=NEAR)
    work()
    rewrite("creditor_wallet = %s", wallet(99))
    with pytest.raises(Exception, match="not as it was recorded"):
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


def test_one_that_is_put_right_goes_on(send: Callable[..., Any], orders: list[Any]) -> None:
    send()
    rewrite("creditor_wallet = %s", wallet(99))
    work()
    assert not orders
    rewrite("creditor_wallet = %s", wallet(41))
    work(now() + LATER)
    assert result(Payment.objects.get())["status"] == "SETTLED" and len(orders) == 1
