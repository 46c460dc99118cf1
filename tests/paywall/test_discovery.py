"""The discovery documents say what the endpoints ask, row by row."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.platform.api.routers import operations_of_service
from config.prices import Bucket
from config.services import SERVICES

pytestmark = pytest.mark.django_db
PLACES = ["/compliance/.well-known/x402", "/compliance/.well-known/x402.json"]
SITE = ["/.well-known/x402", "/.well-known/x402.json"]


@pytest.mark.parametrize("path", PLACES)
def test_every_row_that_takes_payments_is_listed_and_no_other(path: str) -> None:
    body = APIClient().get(path).json()
    paid = [row for row in operations_of_service("compliance") if row.access.pays]
    assert set(body["endpoints"]) == {f"{row.method} /{row.path}" for row in paid}
    assert [item["resource"] for item in body["items"]] == [
        f"http://testserver/compliance/{row.path}" for row in paid
    ]
    assert (body["version"], body["x402Version"]) == (1, 2)


@pytest.mark.parametrize("path", SITE)
def test_the_site_lists_what_every_service_sells(path: str) -> None:
    body = APIClient().get(path).json()
    paid = [
        (name, row) for name in SERVICES for row in operations_of_service(name) if row.access.pays
    ]
    assert {name for name, _ in paid} == {"compliance", "intelligence", "reports"}
    paths = [(row, row.path.replace("<str:", "{").replace(">", "}"), name) for name, row in paid]
    assert set(body["endpoints"]) == {f"{row.method} /{name}/{at}" for row, at, name in paths}
    assert {item["resource"] for item in body["items"]} == {
        f"http://testserver/{name}/{at}" for _, at, name in paths
    }


def test_the_prices_are_those_that_a_402_asks() -> None:
    document = APIClient().get(PLACES[0]).json()
    paid = [row for row in operations_of_service("compliance") if row.access.pays]
    fixed = [row for row in paid if not isinstance(row.access.price, Bucket)]
    assert {row.name for row in fixed} >= {"screen", "ubo-chain", "pep-screen"}
    for row in fixed:
        body = APIClient().post(f"/compliance/{row.path}", row.example, format="json").json()
        listed = document["endpoints"][f"{row.method} /{row.path}"]
        assert listed["price"] == {
            "amount": body["accepts"][0]["maxAmountRequired"], "currency": "USDC", "decimals": 6,
        }  # fmt: skip
        assert listed["network"] == body["accepts"][0]["network"]


def test_the_entry_of_a_stream_says_its_bounds_and_units() -> None:
    entry = APIClient().get(PLACES[0]).json()["endpoints"]["POST /stream/open"]
    assert (entry["variableAmount"], entry["minUsdc"], entry["maxUsdc"]) == (True, 0.01, 10000)
    assert entry["unitTypes"] == ["second", "token", "call", "byte"]
    assert {"network", "facilitator", "description"} <= set(entry)


@pytest.mark.parametrize("path", [PLACES[0], SITE[0]])
def test_the_facilitator_is_an_address_that_answers(path: str) -> None:
    body = APIClient().get(path).json()
    (address,) = {endpoint["facilitator"] for endpoint in body["endpoints"].values()}
    assert address.startswith("http://testserver/")
    for at in (address, f"{address}/supported"):
        answer = APIClient().get(at.removeprefix("http://testserver"))
        assert (answer.status_code, answer.json()["name"]) == (200, "sandbox")
        listed = {(kind["x402Version"], kind["network"]) for kind in answer.json()["kinds"]}
        offered = body["items"][0]["accepts"][0]["network"]
        assert (2, offered) in listed and len(listed) == 2


def test_a_facilitator_of_ones_own_is_named_by_its_own_address(settings: Any) -> None:
    settings.FACILITATOR_URL = "https://facilitator.example"
    body = APIClient().get(PLACES[0]).json()
    assert {endpoint["facilitator"] for endpoint in body["endpoints"].values()} == {
        "https://facilitator.example"
    }
    assert APIClient().get("/compliance/.well-known/x402/facilitator").status_code == 404


def test_where_no_payments_are_taken_nothing_is_offered(settings: Any) -> None:
    settings.PRODUCTION = True
    assert APIClient().get(PLACES[0]).json()["endpoints"] == {}
    refused = APIClient().post(
        "/compliance/stream/open", {"amountUsdc": "1.00", "unitType": "call"}, format="json"
    )
    assert (refused.status_code, refused.json()["code"]) == (503, "payments_unavailable")
    keyed = APIClient().post("/compliance/compliance/screen", {"name": "X"}, format="json")
    assert keyed.status_code == 401


def test_every_service_is_on_the_page_of_the_site() -> None:
    listed = APIClient().get(SITE[0]).json()["endpoints"]
    assert {path.split("/")[1] for path in listed} <= set(SERVICES)
