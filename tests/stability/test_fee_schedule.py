"""The published fee table, the manifest, and the service as a whole."""

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from apps.insight.stability import health
from apps.insight.stability.fees.rules.fees import COMPONENTS
from apps.platform.health import checks as health_checks
from tests.openapi import check_answer

pytestmark = pytest.mark.django_db


def told(client: Client, path: str) -> Any:
    answer = client.get(f"/stability/{path}")
    assert answer.status_code == 200 and answer["Cache-Control"] == "public, max-age=300"
    check_answer("stability", "GET", f"/{path}", answer.json())
    return answer.json()


def test_the_schedule_has_every_component_tier_and_label(client: Client) -> None:
    table = told(client, "fee-schedule")
    assert [component["name"] for component in table["components"]] == [
        "core",
        "fx",
        "esg",
        "license",
    ]
    assert [
        (component.get("bps"), component.get("formula")) for component in table["components"]
    ] == [
        (15, None),
        (25, None),
        (None, "(100 - esgScore) / 200"),
        (1, None),
    ]
    tiers = [
        (tier["name"], tier["fromUsd"], tier.get("belowUsd"), tier["coreDiscountPercent"],
         tier["coreBps"])
        for tier in table["volumeTiers"]
    ]  # fmt: skip
    assert tiers == [
        ("Standard", 0, 100_000, 0, 15),
        ("Growth", 100_000, 1_000_000, 10, 13.5),
        ("Institutional", 1_000_000, 10_000_000, 20, 12),
        ("Sovereign", 10_000_000, None, 30, 10.5),
    ]
    assert [(esg["label"], esg["fromScore"], esg["bpsAtFrom"]) for esg in table["esgTiers"]] == [
        ("Excellent", 85, 7.5), ("Good", 70, 15), ("Average", 50, 25),
        ("Below average", 30, 35), ("Poor", 0, 50),
    ]  # fmt: skip


def test_a_scenario_is_what_a_quote_of_it_says(client: Client) -> None:
    scenarios = told(client, "fee-schedule")["scenarios"]
    assert {scenario["fees"]["core"]["tier"] for scenario in scenarios} == {
        "Standard", "Growth", "Institutional", "Sovereign",
    }  # fmt: skip
    for scenario in scenarios:
        asked = ("amountUsd", "hasFx", "esgScore", "monthlyVolumeUsd")
        query = {name: str(scenario[name]).lower() for name in asked}
        quoted = client.get("/stability/quote", query).json()
        assert quoted["fees"] == scenario["fees"]
        assert quoted["settlement"]["netUsd"] == scenario["netUsd"]
        parts = [Decimal(str(scenario["fees"][part.name]["usd"])) for part in COMPONENTS]
        assert sum(parts) == Decimal(str(scenario["fees"]["total"]["usd"]))


def test_the_manifest_tells_the_rates_of_an_undiscounted_quote(client: Client) -> None:
    found = told(client, "manifest")
    quoted = client.get("/stability/quote", {"amountUsd": "1000", "hasFx": "true"}).json()["fees"]
    rates = found["fees"]
    assert (rates["coreBps"], rates["fxBps"]) == (quoted["core"]["bps"], quoted["fx"]["bps"])
    assert (rates["licenseBps"], rates["esgFormula"]) == (1, "(100 - esgScore) / 200")
    plain = client.get("/stability/quote", {"amountUsd": "1000"}).json()["fees"]
    assert rates["typicalTotalBps"] == plain["total"]["bps"] == 41
    assert found["version"] == "9.0" and found["onboarding"] == {"humanRequired": False}
    assert found["contracts"]["token"] == "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
    assert (found["network"], found["chainId"], found["sandbox"]) == ("base", 8453, True)


def test_the_manifest_follows_the_network(client: Client, settings: Any) -> None:
    settings.X402_NETWORK = "base-sepolia"
    found = told(client, "manifest")
    assert (found["network"], found["chainId"]) == ("base-sepolia", 84532)
    assert found["contracts"]["token"] == "0x036CbD53842c5426634e7929541eC2318f3dCF7e"


def test_the_manifest_names_every_address_of_the_service(client: Client) -> None:
    found = told(client, "manifest")
    documented = client.get("/stability/openapi.json").json()
    there = {
        (method.upper(), path)
        for path, ways in documented["paths"].items()
        for method in ways
        if not path.startswith("/.well-known/")  # what machines read of every service
    }
    assert {(endpoint["method"], endpoint["path"]) for endpoint in found["endpoints"]} == there
    assert documented["info"]["version"] == "9.0"
    for path in found["documents"]:
        assert client.get(f"/stability{path}").status_code == 200


def test_health_speaks_the_words_of_the_specification(client: Client, monkeypatch: Any) -> None:
    well = {"status": "ok"}
    monkeypatch.setattr(health_checks, "check_jobs", lambda now: well)
    monkeypatch.setitem(health_checks.HEALTH_CHECKS, "oracle", lambda now: well)
    answer = client.get("/stability/health")
    body = answer.json()
    assert (answer.status_code, body["status"], body["oracle"]) == (200, "healthy", "SUCCESS")
    assert body["network"] == "base" and body["checks"]["fees"] == well
    assert client.get("/compliance/health").json().keys().isdisjoint({"oracle", "network"})


def test_fees_that_differ_from_the_contract_are_down(client: Client, monkeypatch: Any) -> None:
    monkeypatch.setattr(health, "fees_match_preview", lambda payment: not payment.fx)
    answer = client.get("/stability/health")
    assert (answer.status_code, answer.json()["status"]) == (503, "down")
    assert answer.json()["oracle"] == "FAILED"


def test_jobs_that_wait_degrade_the_service_and_not_the_oracle(
    client: Client, monkeypatch: Any
) -> None:
    monkeypatch.setitem(health_checks.HEALTH_CHECKS, "oracle", lambda now: {"status": "ok"})
    body = client.get("/stability/health").json()  # no worker has run
    assert (body["status"], body["oracle"]) == ("degraded", "SUCCESS")


def test_it_stands_on_the_start_page_and_on_a_host_of_its_own(
    client: Client, settings: Any
) -> None:
    assert "Stability Oracle" in client.get("/").content.decode()
    assert "Stability Oracle" in client.get("/stability/docs").content.decode()
    settings.SERVICE_HOSTS = {"stability": "stability.example"}
    settings.ALLOWED_HOSTS = ["stability.example"]
    at_home = {"headers": {"host": "stability.example"}}
    assert client.get("/quote?amountUsd=1", **at_home).json()["fees"]["total"]["bps"] == 41
    assert client.get("/nothing", **at_home).json()["code"] == "not_found"
