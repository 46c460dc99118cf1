"""A payment is moved from where it was read, or not at all."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.core.clock import now
from apps.payments.models import Payment, PaymentEvent
from apps.payments.moving import Moved, move
from apps.payments.projection import compare
from apps.payments.rules.lifecycle import Checks

pytestmark = pytest.mark.django_db
WELL = Checks("VERIFIED", "PROCEED", ("APPROVED",))


def test_a_payment_that_was_moved_meanwhile_is_not_moved_again(send: Callable[..., Any]) -> None:
    send()
    mine, theirs = Payment.objects.get(), Payment.objects.get()
    move(theirs, "CHECKED", now=now(), checks=WELL)
    with pytest.raises(Moved):
        move(mine, "CHECKED", now=now(), checks=Checks("BLOCKED", "BLOCK", ("BLOCKED",)))
    assert Payment.objects.get().state == "VERIFIED"
    assert PaymentEvent.objects.count() == 2


def test_a_payment_that_somebody_rewrote_is_noticed(send: Callable[..., Any]) -> None:
    send()
    Payment.objects.update(state="SETTLED", settled_at=now())
    assert len(list(compare(lambda _: None))) == 1
