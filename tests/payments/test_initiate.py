"""An instruction that is sent: taken, found again, or refused."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.payments.payments.models import Payment, PaymentEvent
from tests.api.endpoint_walk import key_client
from tests.payments.conftest import INITIATE, instruction

pytestmark = pytest.mark.django_db


def test_an_instruction_is_taken_and_is_durable(send: Callable[..., Any]) -> None:
    told = send()
    payment = Payment.objects.get()
    assert told["svcPaymentId"] == str(payment.payment_id)
    assert (told["status"], told["tmsReference"]) == ("SUBMITTED", "INV-1")
    assert [payment_event.event for payment_event in PaymentEvent.objects.all()] == ["ACCEPTED"]


def test_the_same_instruction_again_is_the_same_payment(send: Callable[..., Any]) -> None:
    first = send()
    assert send(status=200)["svcPaymentId"] == first["svcPaymentId"]
    assert send(status=200, amount="250")["svcPaymentId"] == first["svcPaymentId"]
    assert Payment.objects.count() == 1


def test_another_instruction_under_a_reference_is_refused(send: Callable[..., Any]) -> None:
    send()
    assert send(status=409, amount="250.01")["code"] == "reference_taken"


def test_another_institution_may_use_the_same_reference(send: Callable[..., Any]) -> None:
    first = send()
    other = key_client("Birch Bank", "INSTITUTION")
    assert send(client=other)["svcPaymentId"] != first["svcPaymentId"]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"amount": "12,50"}, "amount"),
        ({"amount": "-5.00"}, "amount"),
        ({"amount": "0"}, "amount"),
        ({"amount": "0.00"}, "amount"),
        ({"amount": "NaN"}, "amount"),
        ({"amount": "1e3"}, "amount"),
        ({"amount": ""}, "amount"),
        ({"amount": 250}, "amount"),
        ({"amount": "1.001"}, "amount"),
        ({"amount": "1000000000000"}, "amount"),
        ({"currency": "DOLLARS"}, "currency"),
        ({"currency": "JPY"}, "currency"),
        ({"settlementAsset": "DOGE"}, "settlementAsset"),
        ({"callbackUrl": "file:///etc/hosts"}, "callbackUrl"),
        ({"callbackUrl": "not a URL"}, "callbackUrl"),
        ({"creditor": {}}, "creditor.name"),
        ({"debtor": {}}, "debtor.name"),
        ({"creditor": {"name": "Blue Heron"}}, "creditor.walletAddress"),
        ({"tmsReference": ""}, "tmsReference"),
        ({"surprise": 1}, "surprise"),
    ],
)
def test_what_is_wrong_is_named(bank: Any, changes: dict[str, Any], field: str) -> None:
    answer = bank.post(INITIATE, instruction(**changes), format="json")
    assert answer.status_code == 400, answer.content
    assert field in [error["field"] for error in answer.json()["errors"]]
    assert not Payment.objects.exists()


@pytest.mark.parametrize("amount", ["0.01", "999999999999.99", "250.00000"])
def test_an_amount_that_the_currency_has_is_taken(send: Callable[..., Any], amount: str) -> None:
    send(amount=amount)


@pytest.mark.parametrize(("currency", "asset"), [("USD", "USDC"), ("EUR", "EURC"), ("GBP", "USDC")])
def test_an_asset_that_is_left_out_follows_from_the_currency(
    bank: Any, currency: str, asset: str
) -> None:
    body = instruction(currency=currency)
    del body["settlementAsset"]
    assert bank.post(INITIATE, body, format="json").status_code == 202
    assert Payment.objects.get().asset == asset


def test_an_institution_sees_its_own_payments_alone(send: Callable[..., Any], bank: Any) -> None:
    path = f"/integration/payments/{send()['svcPaymentId']}"
    assert bank.get(path).json()["status"] == "SUBMITTED"
    assert key_client("Birch Bank", "INSTITUTION").get(path).status_code == 404
