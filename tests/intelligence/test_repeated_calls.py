"""Repeats of a paid call and questions by HEAD: what they tell, and what they cost."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from apps.access.keys.models import UsageCount
from apps.access.paywall.models import PaymentClaim, Receipt
from tests.intelligence.conftest import PREFIX
from tests.paywall.payer import v1

pytestmark = pytest.mark.django_db
STRESS = f"{PREFIX}/macro-stress"


def paid(api: APIClient) -> dict[str, str]:
    """The headers of a payment for a call."""
    return v1(api.get(STRESS).json()["accepts"][0])


def told(answer: Any) -> dict[str, str]:
    return {name: value for name, value in answer.headers.items() if name.startswith("X-SVC-")}


def test_who_sends_the_same_payment_again_gets_the_same_headers(
    api: APIClient, series: None
) -> None:
    headers = paid(api)
    first, again = api.get(STRESS, headers=headers), api.get(STRESS, headers=headers)
    assert again["Idempotent-Replayed"] == "true" and again.content == first.content
    assert set(told(first)) > {"X-SVC-Stress-Index", "X-SVC-Regime", "X-SVC-Cache-Hit"}
    assert told(again) == told(first)


def test_who_repeats_an_idempotency_key_gets_the_same_headers(buyer: APIClient) -> None:
    def shock() -> Any:
        body = {"node": "L2", "magnitude": 1}
        key = {"Idempotency-Key": "shock-1"}
        return buyer.post(f"{PREFIX}/butterfly", body, format="json", headers=key)

    first, again = shock(), shock()
    assert first.status_code == 200, first.content
    assert again["Idempotent-Replayed"] == "true"
    assert told(first) and told(again) == told(first)


def test_head_tells_the_price_and_takes_no_payment(api: APIClient, series: None) -> None:
    headers = paid(api)
    asked = api.head(STRESS, headers=headers)
    assert asked.status_code == 402 and asked["PAYMENT-REQUIRED"]
    assert not PaymentClaim.objects.exists() and not Receipt.objects.exists()
    assert api.get(STRESS, headers=headers).status_code == 200  # the payment still buys


def test_head_bills_no_key(buyer: APIClient, caller: Callable[..., APIClient]) -> None:
    assert buyer.head(STRESS).status_code == 402
    assert not UsageCount.objects.exists()


def test_pages_count_against_the_free_rate_of_an_address(
    client: Client, settings: Any, series: None
) -> None:
    settings.FREE_RATE_PER_MINUTE = 2
    asked = [client.get("/intelligence/") for _ in range(3)]
    assert [one.status_code for one in asked] == [200, 200, 429]
    assert int(asked[-1]["Retry-After"]) > 0
    assert client.get("/intelligence/", REMOTE_ADDR="192.0.2.77").status_code == 200
