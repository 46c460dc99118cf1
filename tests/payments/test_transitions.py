"""A payment is moved from where it was read, or not at all."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.payments.payments.integrity import verify_payments
from apps.payments.payments.models import Payment, PaymentEvent
from apps.payments.payments.record_transition import record_transition
from apps.payments.payments.rules.transitions import CheckResults
from apps.platform.common.clock import now
from apps.platform.ledger.recorded_transitions import ConcurrentUpdate

pytestmark = pytest.mark.django_db
WELL = CheckResults("VERIFIED", "PROCEED", ("APPROVED",))


def test_a_payment_that_was_moved_meanwhile_is_not_moved_again(send: Callable[..., Any]) -> None:
    send()
    mine, theirs = Payment.objects.get(), Payment.objects.get()
    record_transition(theirs, "CHECKED", now=now(), checks=WELL)
    with pytest.raises(ConcurrentUpdate):
        record_transition(
            mine, "CHECKED", now=now(), checks=CheckResults("BLOCKED", "BLOCK", ("BLOCKED",))
        )
    assert Payment.objects.get().state == "VERIFIED"
    assert PaymentEvent.objects.count() == 2


def test_a_payment_that_somebody_rewrote_is_noticed(send: Callable[..., Any]) -> None:
    send()
    Payment.objects.update(state="SETTLED", settled_at=now())
    assert len(list(verify_payments(lambda _: None))) == 1
