"""The ESG fee: GET and POST /quote, the table, the manifest."""

from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.insight.esg.oracle.services import oracle_runs
from tests.openapi import check_answer

PATH = "/esg/quote"


@pytest.mark.parametrize(
    ("score", "bps", "usd", "tier"),
    [
        ("0", 50, 100, "Poor"),
        ("29.999999", 35.0000005, 70.000001, "Poor"),
        ("30", 35, 70, "Below average"),
        ("50", 25, 50, "Average"),
        ("62", 19, 38, "Average"),
        ("69.999999", 15.0000005, 30.000001, "Average"),
        ("70", 15, 30, "Good"),
        ("85", 7.5, 15, "Excellent"),
        ("100", 0, 0, "Excellent"),
    ],
)
def test_the_fee_follows_the_score(
    api: APIClient, score: str, bps: float, usd: float, tier: str
) -> None:
    document = api.get(PATH, {"amountUsd": "20000", "esgScore": score}).json()
    check_answer("esg", "GET", "/quote", document)
    fee = document["fee"]
    assert (fee["bps"], fee["usd"], fee["tier"]) == (bps, usd, tier)
    assert Decimal(str(fee["pct"])) * 100 == Decimal(str(bps))
    assert Decimal(str(document["netOfEsgFeeUsd"])) == 20000 - Decimal(str(usd))
    assert (document["scoreSource"], document["binding"]) == ("GIVEN", False)
    body = {"amountUsd": 20000, "esgScore": float(score)}
    assert api.post(PATH, body, format="json").json() == document


@pytest.mark.parametrize("amount", ["0.000001", "1234.567891", "999999999.999999"])
@pytest.mark.parametrize("score", ["0", "33.333333", "99.999999"])
def test_it_is_the_component_of_a_binding_quote(api: APIClient, amount: str, score: str) -> None:
    query = {"amountUsd": amount, "esgScore": score}
    ours, whole = api.get(PATH, query).json(), api.get("/stability/quote", query).json()
    esg = whole["fees"]["esg"]
    assert (ours["fee"]["usd"], ours["fee"]["bps"]) == (esg["usd"], esg["bps"])
    assert ours["fee"]["tier"] == esg["tier"]


def test_without_a_score_it_is_the_live_one(api: APIClient, series: None, noon: datetime) -> None:
    oracle_runs.run_live_score("", noon)
    live = api.get("/esg/esg-score").json()
    by_get = api.get(PATH, {"amountUsd": "20000"}).json()
    by_post = api.post(PATH, {"amountUsd": 20000, "esgScore": None}, format="json").json()
    assert by_get == by_post and by_get["scoreSource"] == "LIVE"
    assert by_get["esgScore"] == live["scores"]["average"]
    for name in ("dataQuality", "asOf", "computedAt"):
        assert by_get[name] == live[name]
    assert by_get["fee"]["bps"] == live["fee"]["bps"]


def test_without_a_score_and_without_a_run_there_is_no_quote(api: APIClient) -> None:
    answer = api.get(PATH, {"amountUsd": "20000"})
    assert (answer.status_code, answer.json()["code"]) == (503, "live_score_unavailable")


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({}, "amountUsd"),
        ({"amountUsd": "0"}, "amountUsd"),
        ({"amountUsd": "1000000000"}, "amountUsd"),
        ({"amountUsd": "1", "esgScore": "100.000001"}, "esgScore"),
        ({"amountUsd": "1", "esgScore": "-1"}, "esgScore"),
        ({"amountUsd": "1", "hasFx": "true"}, "hasFx"),
    ],
)
def test_what_cannot_be_quoted_is_400(api: APIClient, query: dict[str, str], field: str) -> None:
    answer = api.get(PATH, query)
    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == [field]


def test_the_table_goes_across_tiers_and_scores(api: APIClient) -> None:
    answer = api.get("/esg/fee-schedule")
    body = answer.json()
    check_answer("esg", "GET", "/fee-schedule", body)
    assert answer["Cache-Control"] == "public, max-age=300"
    told = [
        (tier["label"], tier["fromScore"], tier["belowScore"], tier["bpsAtFrom"], tier["bpsAtEnd"])
        for tier in body["tiers"]
    ]
    assert told == [
        ("Excellent", 85, 100, 7.5, 0), ("Good", 70, 85, 15, 7.5), ("Average", 50, 70, 25, 15),
        ("Below average", 30, 50, 35, 25), ("Poor", 0, 30, 50, 35),
    ]  # fmt: skip
    assert [score["score"] for score in body["scores"]] == list(range(100, -1, -10))
    for one in body["scores"]:
        quoted = api.get(PATH, {"amountUsd": "1", "esgScore": one["score"]}).json()["fee"]
        assert all(quoted[name] == one[name] for name in ("pct", "bps", "tier", "formula"))


def test_the_manifest_names_what_is_there(api: APIClient) -> None:
    body = api.get("/esg/manifest").json()
    check_answer("esg", "GET", "/manifest", body)
    documented: Any = api.get("/esg/openapi.json").json()
    there = {
        (way.upper(), path)
        for path, ways in documented["paths"].items()
        for way in ways
        if not path.startswith("/.well-known/")  # what machines read of every service
    }
    assert {(endpoint["method"], endpoint["path"]) for endpoint in body["endpoints"]} == there
    for path in body["documents"]:
        assert api.get(f"/esg{path}").status_code == 200
    ends = [api.get(PATH, {"amountUsd": "1", "esgScore": n}).json()["fee"]["bps"] for n in (100, 0)]
    assert [body["fees"]["leastBps"], body["fees"]["mostBps"]] == ends
