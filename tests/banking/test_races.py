"""The same payment and the same delivery at the same moment: threads as in life."""

import json
import uuid
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.insight.stability.models import Quote
from apps.payments.banking.models import BankTransaction, Delivery, Send
from apps.payments.banking.services.submit_send import submit_send
from apps.payments.banking.simulator.server import BankServer
from apps.platform.common.clock import now
from apps.platform.jobs.models import Job
from tests.banking.banks import SEND, Payer
from tests.banking.webhook_deliveries import WALLET, post, tagged, update
from tests.paywall.test_races import at_once

pytestmark = pytest.mark.django_db(transaction=True)
AT_ONCE = 50


def ask(payer: Payer, recipient: str, amount: float = 12.5) -> Any:
    client = APIClient()  # one of its own for each thread
    client.credentials(**payer.client._credentials)
    body = {
        "accountId": "3f2b8c1e-6d0a-4b6e-9a57-0c1d2e3f4a5b",
        "recipientId": recipient,
        "amount": amount,
        "paymentMethod": "ach",
        "idempotencyKey": "one",
    }
    return client.post(SEND, body, format="json")


def test_fifty_requests_under_one_key_are_one_call_of_the_bank(
    alice: Payer, bank: BankServer
) -> None:
    recipient = alice.save()["recipientId"]
    results = at_once(lambda _: ask(alice, recipient), AT_ONCE)
    assert sorted(one.status_code for one in results) == [200] * (AT_ONCE - 1) + [202]
    assert len({one.json()["id"] for one in results}) == 1
    assert Send.objects.count() == 1 and Job.objects.filter(name="banking.send").count() == 1
    number, moment = str(Send.objects.get().pk), now()
    at_once(lambda _: submit_send(number, moment), 6)
    assert Send.objects.get().state == "SENT"
    assert bank.bank.calls == 1 and sum(map(len, bank.bank.paid.values())) == 1


def test_of_different_payments_under_one_key_one_is_taken(alice: Payer, bank: BankServer) -> None:
    recipient = alice.save()["recipientId"]
    results = at_once(lambda n: ask(alice, recipient, amount=n + 1), 12)
    assert sorted(one.status_code for one in results) == [202] + [409] * 11


def test_one_delivery_many_times_at_once_is_one_quote(sample: Any) -> None:
    raw = json.dumps(tagged()).encode()
    results = at_once(lambda _: post(raw), 12)
    assert {one.status_code for one in results} == {200}
    assert len({one.json()["quoteId"] for one in results}) == 1
    assert (Delivery.objects.count(), Quote.objects.count()) == (1, 1)


def test_many_deliveries_of_one_payment_at_once_route_it_once(sample: Any) -> None:
    said = tagged(status="pending")
    more = [update(said, n, status="sent", note=f"svc:{WALLET}", amount=125.5) for n in range(2, 9)]
    raws = [json.dumps(one | {"id": str(uuid.uuid4())}).encode() for one in (said, *more)]
    results = at_once(lambda n: post(raws[n]), len(raws))
    assert {one.status_code for one in results} == {200}, [one.content for one in results]
    assert Quote.objects.count() == 1 and BankTransaction.objects.get().state == "ROUTED"
