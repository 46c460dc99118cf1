"""The same instruction at the same moment, and workers at the same payment: threads as in life."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.payments.callbacks.models import Event
from apps.payments.payments.models import HandOver, MonthVolume, Payment, PaymentEvent
from apps.payments.payments.services.advance_payment import advance_payment
from apps.platform.common.clock import now
from apps.platform.jobs.models import Job
from tests.payments.conftest import INITIATE, instruction, wallet
from tests.paywall.test_races import at_once

pytestmark = pytest.mark.django_db(transaction=True)
AT_ONCE = 50


def ask(bank: APIClient, **changes: Any) -> Any:
    client = APIClient()  # one of its own for each thread
    client.credentials(**bank._credentials)  # type: ignore[attr-defined]
    return client.post(INITIATE, instruction(**changes), format="json")


def test_fifty_identical_instructions_are_one_payment_and_one_ending(bank: Any) -> None:
    results = at_once(lambda _: ask(bank), AT_ONCE)
    assert sorted(one.status_code for one in results) == [200] * (AT_ONCE - 1) + [202]
    assert len({one.json()["svcPaymentId"] for one in results}) == 1
    assert Payment.objects.count() == PaymentEvent.objects.count() == 1
    assert Job.objects.filter(name="payments.advance").count() == 1
    number, moment = str(Payment.objects.get().pk), now()
    at_once(lambda _: advance_payment(number, moment), 6)
    assert list(PaymentEvent.objects.order_by("number").values_list("event", flat=True)) == [
        "ACCEPTED",
        "CHECKED",
        "PRICED",
        "SETTLED",
    ]
    assert (HandOver.objects.count(), Event.objects.count()) == (1, 1)
    assert MonthVolume.objects.get().settled_usd == 250


def test_of_different_instructions_under_one_reference_one_is_taken(bank: Any) -> None:
    results = at_once(lambda n: ask(bank, amount=f"{n + 1}.00"), 12)
    assert sorted(one.status_code for one in results) == [202] + [409] * 11


def test_payments_that_settle_at_once_are_all_counted(bank: Any) -> None:
    for number in range(6):
        debtor = {"name": "Microsoft Corporation", "walletAddress": wallet(60 + number)}
        creditor = {"name": "Blue Heron", "walletAddress": wallet(80 + number)}
        sent = {"tmsReference": f"INV-{number}", "debtor": debtor, "creditor": creditor}
        assert ask(bank, **sent).status_code == 202
    numbers, moment = list(Payment.objects.values_list("pk", flat=True)), now()
    at_once(lambda n: advance_payment(str(numbers[n]), moment), 6)
    assert set(Payment.objects.values_list("state", flat=True)) == {"SETTLED"}
    assert MonthVolume.objects.get().settled_usd == 6 * 250
