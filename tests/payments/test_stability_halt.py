"""Settlement is halted while the stability oracle is UNSTABLE, and the price keeps how it stood."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from apps.insight.stability.oracle.selectors import latest_run
from apps.payments.payments.models import Payment
from apps.payments.payments.services.advance_payment import advance_payment
from apps.platform.common.clock import now
from apps.platform.jobs.job_queue import RetryLater
from tests.payments.conftest import work
from tests.review.people import at_desk, check_page, person
from tests.stability.oracle.conftest import calm, ran  # noqa: F401

pytestmark = pytest.mark.django_db


def test_a_payment_waits_while_the_oracle_is_unstable(
    send: Callable[..., Any],
    ran: Callable[..., Any],  # noqa: F811
) -> None:
    told = send()
    # a stablecoin 50 basis points off its peg
    ran(at=now(), stable__usdc__price="0.995")
    assert latest_run.load_latest_run(now()).decided(now()).status == "UNSTABLE"
    for _ in range(3):
        work()
    payment = Payment.objects.get()
    assert (payment.state, payment.tries) == ("VERIFIED", 0)
    assert "UNSTABLE" in payment.trouble and payment.due_at > now()
    html = check_page(
        at_desk(person("otto", "Operator")).get(f"/admin/payments/payment/{payment.pk}/")
    )
    assert "Settlement is halted" in html and "Tried" not in html
    with pytest.raises(RetryLater):
        advance_payment(str(payment.pk), payment.due_at - timedelta(seconds=1))
    assert told["status"] == "SUBMITTED"


def test_it_goes_on_when_the_oracle_is_stable_again(
    send: Callable[..., Any],
    ran: Callable[..., Any],  # noqa: F811
) -> None:
    send()
    ran(at=now())
    work()
    payment = Payment.objects.get()
    assert payment.state == "SETTLED"
    assert payment.price["oracle"]["status"] == "STABLE"
    assert payment.price["oracle"]["rule"] == "REL-STABLE"


def test_an_oracle_without_an_answer_halts_nothing_and_the_price_says_so(
    send: Callable[..., Any],
) -> None:
    send()
    work()
    payment = Payment.objects.get()
    assert (payment.state, payment.price["oracle"]) == ("SETTLED", {"status": "NOT_KNOWN"})
