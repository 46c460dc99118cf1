"""The end of retention: steps leave one by one, and no payment is then another than recorded."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from apps.payments.payments.integrity import verify_payments
from apps.payments.payments.models import Payment, PaymentEvent
from apps.platform.common.clock import now
from apps.platform.ledger import retention, sealer
from apps.platform.ledger.models import PurgeReason
from apps.platform.ledger.records import FORGOTTEN
from tests.payments.conftest import work

pytestmark = pytest.mark.django_db
LEDGER = "payment_events"


@pytest.mark.parametrize("backwards", [True, False])
def test_parties_go_with_the_last_step_and_the_payment_stays_proved(
    send: Callable[..., Any], backwards: bool
) -> None:
    send(callbackUrl="https://treasury.example.com/in")
    work()
    later = now() + timedelta(days=365 * 6)
    sealer.seal_ledger(ledger=LEDGER, now=later, whole=True)
    events = list(PaymentEvent.objects.order_by("-pk" if backwards else "pk"))
    assert Payment.objects.get().ended_at is not None and len(events) > 2
    for event in events:
        retention.purge_payload(
            ledger=LEDGER, record_id=event.pk, reason=PurgeReason.RETENTION, by="retention",
            now=later,
        )  # fmt: skip
        last_is_gone = backwards or event.number == len(events)
        assert (Payment.objects.get().creditor_wallet == FORGOTTEN) is last_is_gone
        assert list(verify_payments(lambda _: None)) == []
    payment = Payment.objects.get()
    assert (payment.instruction, payment.debtor_wallet, payment.callback_url) == ({}, "", "")
