"""GET and POST /quote: what they answer, what is refused, and that they agree to the letter."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.insight.stability.models import Quote
from tests.openapi import check_answer

pytestmark = pytest.mark.django_db
PATH = "/stability/quote"
QUERY = {"amountUsd": "10000", "hasFx": "true", "esgScore": "80", "monthlyVolumeUsd": "250000"}
BODY = {"amountUsd": 10000, "hasFx": True, "esgScore": 80, "monthlyVolumeUsd": 250000}
ITS_OWN = ("quoteId", "quotedAt", "expiresAt")


@pytest.fixture
def api() -> APIClient:
    return APIClient(raise_request_exception=False)


def common(answer: Any) -> dict[str, Any]:
    """Return what two quotes of one payment have in common: all but their ids and moments."""
    assert answer.status_code == 200, answer.content
    return {name: value for name, value in answer.json().items() if name not in ITS_OWN}


def test_a_quote_tells_each_component_and_what_arrives(api: APIClient) -> None:
    answer = api.get(PATH, QUERY).json()
    check_answer("stability", "GET", "/quote", answer)
    assert answer["fees"] == {
        "core": {"bps": 13.5, "usd": 13.5, "tier": "Growth", "discountPercent": 10},
        "fx": {"bps": 25, "usd": 25},
        "esg": {"bps": 10, "usd": 10, "score": 80, "tier": "Good"},
        "license": {"bps": 1, "usd": 1, "display": "0.0100%"},
        "total": {"bps": 49.5, "pct": 0.495, "usd": 49.5},
    }
    assert answer["settlement"] == {"amountUsd": 10000, "netUsd": 9950.5}
    assert answer["validForSeconds"] == 300 == answer["expiresAt"] - answer["quotedAt"]
    assert answer["sandbox"] is False and "note" not in answer


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"hasFx": False},
        {"amountUsd": 1234567.891234},
        {"amountUsd": 0.000001},
        {"amountUsd": 999999999.999999},
        {"esgScore": 33.333333},
        {"monthlyVolumeUsd": 10**7},
        {"sandbox": True},
    ],
)
def test_get_and_post_agree_to_the_letter(api: APIClient, changes: dict[str, Any]) -> None:
    body = BODY | changes
    query = {name: _written(value) for name, value in body.items()}
    by_get, by_post = api.get(PATH, query), api.post(PATH, body, format="json")
    reference = by_get.json()["settlement"].pop("reference", "")
    assert reference == (f"MOCK-{by_get.json()['quoteId']}" if changes.get("sandbox") else "")
    told = [common(one) for one in (by_get, by_post)]
    for one in told:
        one["settlement"].pop("reference", None)
    assert told[0] == told[1]


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{Decimal(str(value)):f}"


def test_what_is_not_said_is_the_default(api: APIClient) -> None:
    spelt = {"amountUsd": 500, "hasFx": False, "esgScore": 50, "monthlyVolumeUsd": 0,
             "sandbox": False}  # fmt: skip
    plain = api.post(PATH, {"amountUsd": 500, "esgScore": None}, format="json")
    assert common(plain) == common(api.post(PATH, spelt, format="json"))
    assert plain.json()["fees"]["esg"] == {"bps": 25, "usd": 1.25, "score": 50, "tier": "Average"}


def test_a_sandbox_quote_is_true_and_says_that_it_settles_nothing(api: APIClient) -> None:
    true, mock = (api.get(PATH, QUERY | more).json() for more in ({}, {"sandbox": "true"}))
    assert mock["fees"] == true["fees"] and mock["sandbox"] is True
    assert mock["settlement"]["mock"] is True
    assert mock["settlement"]["reference"] == f"MOCK-{mock['quoteId']}"
    assert "SANDBOX" in mock["note"] and "mock" not in true["settlement"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("amountUsd", None),
        ("amountUsd", "abc"),
        ("amountUsd", "-1"),
        ("amountUsd", "0"),
        ("amountUsd", "0.0000001"),
        ("amountUsd", "1000000000"),
        ("amountUsd", "NaN"),
        ("amountUsd", "Infinity"),
        ("esgScore", "101"),
        ("esgScore", "100.000001"),
        ("esgScore", "-0.000001"),
        ("monthlyVolumeUsd", "-1"),
        ("monthlyVolumeUsd", "1000000000000"),
        ("hasFx", "perhaps"),
        ("sandbox", "1"),
        ("currency", "EUR"),
    ],
)
def test_what_cannot_be_quoted_is_400_and_names_the_field(
    api: APIClient, field: str, value: str | None
) -> None:
    query = {name: one for name, one in (QUERY | {field: value}).items() if one is not None}
    answer = api.get(PATH, query)
    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == [field]
    assert not Quote.objects.exists()


@pytest.mark.parametrize("field", ["amountUsd", "esgScore", "monthlyVolumeUsd", "hasFx"])
@pytest.mark.parametrize("value", ["100", [], {}])
def test_a_body_takes_numbers_and_flags_as_such_alone(
    api: APIClient, field: str, value: Any
) -> None:
    assert api.post(PATH, BODY | {field: value}, format="json").status_code == 400


def test_each_quote_is_a_row_of_its_own_bound_to_what_was_asked(api: APIClient) -> None:
    bodies = [api.get(PATH, QUERY).json() for _ in range(2)]
    assert bodies[0]["quoteId"] != bodies[1]["quoteId"]
    row = Quote.objects.get(quote_id=bodies[0]["quoteId"])
    bound = (row.amount, row.fx, row.score, row.monthly_volume, row.sandbox)
    assert bound == (10000, True, 80_000_000, 250000, False)
    taken = (row.core, row.fx_fee, row.esg, row.license)
    assert taken == (Decimal("13.5"), 25, 10, 1)
    assert row.expires_at - row.quoted_at == timedelta(seconds=300) and row.used_at is None


def test_a_post_that_is_sent_again_under_its_key_is_one_quote(api: APIClient) -> None:
    key = {"headers": {"Idempotency-Key": "quote-1"}}
    bodies = [api.post(PATH, BODY, format="json", **key).json() for _ in range(2)]
    assert bodies[0] == bodies[1] and Quote.objects.count() == 1


def test_a_quote_costs_one_insert_and_nothing_else(
    api: APIClient, django_assert_num_queries: Any
) -> None:
    api.get(PATH, QUERY)
    with django_assert_num_queries(1):
        api.get(PATH, QUERY)


def test_an_address_may_ask_so_often_a_minute_and_no_more(api: APIClient, settings: Any) -> None:
    settings.FREE_RATE_PER_MINUTE = 2
    answers = [api.get(PATH, QUERY).status_code for _ in range(3)]
    assert answers == [200, 200, 429] and Quote.objects.count() == 2


def test_moments_are_those_of_the_call(api: APIClient, monkeypatch: Any, noon: datetime) -> None:
    monkeypatch.setattr("apps.platform.api.viewsets.present", lambda: noon)
    answer = api.get(PATH, QUERY).json()
    assert answer["quotedAt"] == int(noon.timestamp())
