"""What an institution reads: by reference, the feed, rates, health and the manifest."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.api.endpoint_walk import key_client
from tests.payments.conftest import work

pytestmark = pytest.mark.django_db
PAYMENTS = "/integration/payments"


def test_a_payment_is_found_by_its_reference(send: Callable[..., Any], bank: Any) -> None:
    told = send()
    response = bank.get(PAYMENTS, {"tmsReference": "INV-1"})
    assert response.json()["svcPaymentId"] == told["svcPaymentId"]
    assert bank.get(PAYMENTS, {"tmsReference": "INV-2"}).status_code == 404
    assert bank.get(PAYMENTS).status_code == 400
    other = key_client("Birch Bank", "INSTITUTION")
    assert other.get(PAYMENTS, {"tmsReference": "INV-1"}).status_code == 404


def test_the_feed_tells_each_end_once_in_order(send: Callable[..., Any], bank: Any) -> None:
    ids = [send(tmsReference=f"INV-{number}")["svcPaymentId"] for number in range(3)]
    work()
    first = bank.get(f"{PAYMENTS}/events", {"limit": 2}).json()
    assert [item["svcPaymentId"] for item in first["items"]] == ids[:2] and first["next"]
    rest = bank.get(f"{PAYMENTS}/events", {"cursor": first["next"]}).json()
    assert [item["svcPaymentId"] for item in rest["items"]] == ids[2:] and "next" not in rest
    again = bank.get(f"{PAYMENTS}/events", {"cursor": rest["cursor"]}).json()
    assert again == {"items": [], "cursor": rest["cursor"]}
    data = rest["items"][0]["data"]
    assert data == bank.get(f"{PAYMENTS}/{ids[2]}").json()
    other = key_client("Birch Bank", "INSTITUTION")
    assert other.get(f"{PAYMENTS}/events").json()["items"] == []


def test_a_rate_says_its_day_and_its_source(bank: Any) -> None:
    body = bank.get("/integration/rates/EUR").json()
    assert Decimal("0.5") < Decimal(body["rate"]) < 2
    assert (body["source"], body["dataQuality"], body["settles"]) == ("SAMPLE", "ESTIMATED", True)
    assert len(body["rateDate"]) == 10
    assert bank.get("/integration/rates/usd").json()["rate"] == "1"
    assert bank.get("/integration/rates/ZZZ").status_code == 400


@pytest.mark.parametrize("code", ["XXX", "XTS", "XAU", "XAG", "XDR", "xbc", "QQQ"])
def test_what_never_has_a_rate_is_refused_as_an_unknown_currency_is(bank: Any, code: str) -> None:
    answer = bank.get(f"/integration/rates/{code}")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
    assert "Retry-After" not in answer.headers
    assert answer.json()["errors"][0]["field"] == "currency"


def test_the_rate_of_a_peg_says_that_it_is_one(bank: Any) -> None:
    body = bank.get("/integration/rates/SAR").json()
    assert (body["inverse"], body["source"]) == ("3.75", "PEG")
    assert (body["settles"], body["dataQuality"]) == (False, "LIVE")


@pytest.mark.parametrize("code", ["KWD", "UAH", "AFN"])
def test_money_of_which_no_rate_is_held_may_have_one_later(bank: Any, code: str) -> None:
    answer = bank.get(f"/integration/rates/{code}")
    assert (answer.status_code, answer.json()["code"]) == (503, "rate_unavailable")


def test_the_rate_of_a_payment_is_the_one_that_is_shown(
    send: Callable[..., Any], bank: Any
) -> None:
    told = send(currency="EUR", amount="170.00")
    work()
    settled = bank.get(f"{PAYMENTS}/{told['svcPaymentId']}").json()
    rate = bank.get("/integration/rates/EUR").json()["rate"]
    assert settled["settlement"]["exchangeRate"] == rate


def test_health_tells_of_the_oracle_and_the_rail(db: Any, sample: Any) -> None:
    body = APIClient().get("/integration/health").json()
    assert "oracle" in body["checks"] and body["checks"]["settlement"]["rail"] == "sandbox"


def test_the_manifest_names_what_is_taken(db: Any) -> None:
    body = APIClient().get("/integration/manifest").json()
    assert {"currency": "EUR", "asset": "EURC", "crossesCurrencies": False, "decimals": 2} in body[
        "pairs"
    ]
    assert {"payment_initiate", "payment_batch"} <= {tool["name"] for tool in body["tools"]}
