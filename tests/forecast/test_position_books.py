"""Books of positions: worked by hand, as clients see them, and hostile ones."""

import json
from decimal import Decimal
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.insight.forecast.rules import book_risk
from apps.insight.forecast.rules.book_risk import Position
from apps.insight.forecast.rules.scenarios import SCENARIO_IDS
from apps.insight.forecast.rules.tcfd_disclosures import DISCLOSURES
from tests.forecast.conftest import BOOK, get, post

HUNDRED = Decimal(100)


def dec(value: Any) -> Decimal:
    return Decimal(str(value))


def test_a_score_is_weighted_by_net_notional_whichever_side() -> None:
    """600 long at 50, 400 short at 20 after netting: (600 x 50 + 400 x 20) / 1000 = 38."""
    nets = book_risk.net_positions(
        [
            Position("WHEAT", Decimal(700)),
            Position("CORN", Decimal(-400)),
            Position("WHEAT", Decimal(-100)),
        ]
    )
    assert nets == {"CORN": -400, "WHEAT": 600}
    score, adds = book_risk.score_book(nets, {"WHEAT": Decimal(50), "CORN": Decimal(20)})
    assert (score, adds) == (38, {"CORN": 8, "WHEAT": 30})


def test_a_loss_is_the_worst_month_of_all_markets_together() -> None:
    """Months: 100 x -0.2 - 50 x -0.5 = 5; 100 x 0 - 50 x 0.2 = -10; 100 x -0.1 - 50 x 0.1 = -15."""
    nets = {"WHEAT": Decimal(100), "CORN": Decimal(-50)}
    moves = {
        "WHEAT": (Decimal("-0.2"), Decimal(0), Decimal("-0.1"), Decimal(0)),
        "CORN": (Decimal("-0.5"), Decimal("0.2"), Decimal("0.1"), Decimal("0.2")),
    }
    loss = book_risk.worst_month(nets, scenario="la_nina", event="then", moves=moves)
    assert (loss.usd, loss.month) == (-15, 3)
    assert loss.moves == {"WHEAT": Decimal("-0.1"), "CORN": Decimal("0.1")}


def test_a_book_that_gains_in_all_months_loses_nothing() -> None:
    loss = book_risk.worst_month(
        {"WHEAT": Decimal(100)}, scenario="x", event="y", moves={"WHEAT": (Decimal("0.1"),)}
    )
    assert (loss.usd, loss.month, loss.moves) == (0, 0, {})


def test_tiers_hold_net_notional_whichever_side_it_is_on() -> None:
    lights = {"WHEAT": "RED", "CORN": "GREEN"}
    found = book_risk.notional_by_light({"WHEAT": Decimal(-5), "CORN": Decimal(7)}, lights)
    assert found == {"GREEN": 7, "YELLOW": 0, "RED": 5}


@pytest.mark.django_db
def test_a_portfolio_sums(anybody: APIClient) -> None:
    body = post(anybody, "portfolio", positions=BOOK, label="Desk 7").json()
    lights = {
        commodity["symbol"]: commodity
        for commodity in get(anybody, "heat-check").json()["commodities"]
    }
    assert body["label"] == "Desk 7"
    assert sum(map(dec, body["exposureByTier"].values())) == dec("425001.00")
    for one in body["positions"]:
        assert one["status"] == lights[one["symbol"]]["status"]
    by_hand = sum(
        dec(one["notionalUsd"]) * dec(lights[one["symbol"]]["climateRiskScore"]) for one in BOOK
    ) / dec("425001.00")
    assert abs(dec(body["portfolioRiskScore"]) - by_hand) <= Decimal("0.0001")
    assert sum(dec(contribution["contribution"]) for contribution in body["contributions"]) == dec(
        body["portfolioRiskScore"]
    )
    loss = dec(body["worstCaseDrawdown"]["usd"])
    parts = sum(dec(position["worstCaseUsd"]) for position in body["positions"])
    assert loss < 0 and parts == loss
    assert body["worstCaseDrawdown"]["scenario"] in SCENARIO_IDS


@pytest.mark.django_db
def test_the_worst_case_is_over_all_nine_scenarios(anybody: APIClient) -> None:
    worst = post(anybody, "portfolio", positions=BOOK).json()["worstCaseDrawdown"]["usd"]
    bodies = [
        post(anybody, "scenario", scenario=name, positions=BOOK).json() for name in SCENARIO_IDS
    ]
    portfolio_impact_usds = [
        body["portfolioImpactUsd"] for body in bodies if body["portfolioImpactUsd"] is not None
    ]
    assert worst == min(portfolio_impact_usds)
    assert {body["scenario"] for body in bodies} == set(SCENARIO_IDS)


@pytest.mark.django_db
def test_a_short_book_loses_where_a_long_one_gains(anybody: APIClient) -> None:
    long = [{"symbol": "CORN", "notionalUsd": 1000}]
    short = [{"symbol": "CORN", "notionalUsd": -1000}]
    found = {
        name: post(anybody, "scenario", scenario="us_midwest_drought", positions=rows).json()
        for name, rows in (("long", long), ("short", short))
    }
    assert found["long"]["portfolioImpactUsd"] == -7.32  # June of 2012 over May: 267.31 of 269.28
    assert found["short"]["portfolioImpactUsd"] == -404.95  # July of 1988: 125.49 of 89.32
    assert found["short"]["positions"][0]["side"] == "SHORT"


@pytest.mark.django_db
def test_positions_that_cancel_are_no_risk(anybody: APIClient) -> None:
    flat = [
        {"symbol": "WHEAT", "notionalUsd": 10.5},
        {"symbol": "WHEAT", "notionalUsd": -10.5},
    ]
    body = post(anybody, "portfolio", positions=flat).json()
    assert (body["portfolioRiskScore"], body["netNotionalUsd"], body["grossNotionalUsd"]) == (
        0,
        0,
        21,
    )
    assert body["worstCaseDrawdown"] == {
        "scenario": None, "event": None, "month": None, "usd": 0, "pctOfGross": 0,
        "notAssessed": [], "notAssessedUsd": 0,
    }  # fmt: skip
    assert [position["side"] for position in body["positions"]] == ["LONG", "SHORT"]
    assert "no net position" in body["recommendations"][0]


@pytest.mark.django_db
def test_the_worst_case_is_told_in_per_cent_of_the_gross_that_stands_beside_it(
    anybody: APIClient,
) -> None:
    hedged = [
        {"symbol": "WHEAT", "notionalUsd": 10_000},
        {"symbol": "WHEAT", "notionalUsd": -5_000},
    ]
    bodies = [
        post(anybody, "portfolio", positions=rows).json()
        for rows in (hedged, [{"symbol": "WHEAT", "notionalUsd": 5_000}])
    ]
    assert [body["grossNotionalUsd"] for body in bodies] == [15_000, 5_000]
    assert [body["netNotionalUsd"] for body in bodies] == [5_000, 5_000]
    first, alone = (body["worstCaseDrawdown"] for body in bodies)
    assert first["usd"] == alone["usd"] < 0
    for loss, gross in ((first, 15_000), (alone, 5_000)):
        assert loss["pctOfGross"] == round(100 * loss["usd"] / gross, 2)
    assert f"{first['pctOfGross']} per cent of the gross" in " ".join(bodies[0]["recommendations"])


@pytest.mark.django_db
def test_a_scenario_tells_its_past(anybody: APIClient) -> None:
    body = post(anybody, "scenario", scenario="us_midwest_drought", positions=BOOK).json()
    drought = next(analogue for analogue in body["analogues"] if analogue["year"] == 1988)
    corn = next(
        price_move for price_move in drought["priceMoves"] if price_move["symbol"] == "CORN"
    )
    # USD a tonne: 89.32 in May, 125.49 in July, 119.92 in August
    assert (corn["highPct"], corn["endPct"]) == (40.5, 34.3)
    assert drought["harvests"][0]["changePct"] == -29
    assert (body["probability"], body["probabilityBasis"]["years"]) == (0.08, 50)
    early = next(analogue for analogue in body["analogues"] if analogue["year"] == 1980)
    assert early["priceMoves"] == []  # the sample's prices begin in 1985
    assert (
        next(affected_commodity for affected_commodity in body["affectedCommodities"])["analogues"]
        == 2
    )
    assert "4 of 50 years" in body["reasoning"]


@pytest.mark.django_db
def test_the_years_of_la_nina_are_counted_in_the_index(anybody: APIClient) -> None:
    body = post(anybody, "scenario", scenario="la_nina", positions=BOOK).json()
    assert body["probabilityBasis"]["window"] == "2009-2025"
    assert body["probabilityBasis"]["yearsWith"] == 7
    assert body["probability"] == 0.41


@pytest.mark.django_db
def test_a_report_answers_what_it_can_and_says_what_not(anybody: APIClient) -> None:
    body = post(
        anybody, "tcfd-report", positions=BOOK, entityName="Checker Ltd", reportingPeriod="2025"
    ).json()
    assert (body["entityName"], body["reportingPeriod"]) == ("Checker Ltd", "2025")
    told = body["disclosure"]
    assert [disclosure["id"] for disclosure in told["disclosures"]] == [
        disclosure.id for disclosure in DISCLOSURES
    ]
    assert len(told["disclosures"]) == 11 and told["answered"] == 5
    not_ours = {
        disclosure["id"] for disclosure in told["disclosures"] if disclosure["answered"] == "NOT"
    }
    assert {"GOV-a", "GOV-b", "MET-b", "MET-c"} <= not_ours
    assert "October 2023" in told["note"] and "IFRS S2" in told["note"]
    tiers = body["riskManagement"]["exposureByTier"]
    assert body["metrics"]["notionalAtRisk"] == tiers["YELLOW"] + tiers["RED"]
    analysis = body["strategy"]["scenarioAnalysis"]
    assert analysis["severe"]["usd"] == body["riskManagement"]["worstCase"]["usd"]
    assert analysis["severe"]["usd"] <= analysis["moderate"]["usd"] <= 0
    assert len(body["metrics"]["topRisks"]) == 3


def test_there_are_four_pillars_of_two_and_three() -> None:
    counts: dict[str, int] = {}
    for disclosure in DISCLOSURES:
        counts[disclosure.pillar] = counts.get(disclosure.pillar, 0) + 1
    assert list(counts.values()) == [2, 3, 3, 3]


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["portfolio", "tcfd-report", "scenario"])
@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{}",
        '{"positions": []}',
        '{"positions": "all"}',
        '{"positions": [{}]}',
        '{"positions": [{"symbol": "WHEAT"}]}',
        '{"positions": [{"symbol": "WHEAT", "notionalUsd": "much"}]}',
        '{"positions": [{"symbol": "WHEAT", "notionalUsd": NaN}]}',
        '{"positions": [{"symbol": "WHEAT", "notionalUsd": Infinity}]}',
        '{"positions": [{"symbol": "WHEAT", "notionalUsd": 1e30}]}',
        '{"positions": [{"symbol": "WHEAT", "notionalUsd": 1e999999}]}',
        '{"positions": [{"symbol": "WHEAT", "notionalUsd": 100000000000.01}]}',
        '{"positions": [{"symbol": "WHEAT", "notionalUsd": 0.001}]}',
        '{"positions": [{"symbol": "WHEAT", "notionalUsd": true}]}',
        '{"positions": [{"symbol": "W!-9", "notionalUsd": 1}]}',
        '{"positions": [{"symbol": "WHEAT", "symbol": "CORN", "notionalUsd": 1}]}',
        '{"positions": [{"symbol": "WHEAT", "notionalUsd": 1, "note": "x"}]}',
        "not json",
    ],
)
def test_a_malformed_book_is_400_and_says_why(unknown: APIClient, path: str, text: str) -> None:
    answer = unknown.generic("POST", f"/forecast/forecast/{path}", text, "application/json")
    assert answer.status_code == 400, answer.content
    assert " " in answer.json()["message"]


@pytest.mark.django_db
def test_a_symbol_in_a_book_that_is_not_supported_is_404(unknown: APIClient) -> None:
    rows = [{"symbol": "GOLD", "notionalUsd": 1}, {"symbol": "WHEAT", "notionalUsd": 1}]
    answer = post(unknown, "portfolio", positions=rows)
    assert (answer.status_code, answer.json()["code"]) == (404, "unsupported_symbol")
    assert "GOLD" in answer.json()["message"]


@pytest.mark.django_db
@pytest.mark.parametrize(("count", "status"), [(2000, 200), (2001, 400), (10_000, 400)])
def test_a_book_has_at_most_two_thousand_positions(
    anybody: APIClient, count: int, status: int
) -> None:
    rows = [{"symbol": "CORN", "notionalUsd": 100_000_000_000}] * count
    body = json.dumps({"positions": rows})
    answer = anybody.generic("POST", "/forecast/forecast/portfolio", body, "application/json")
    assert answer.status_code == status
    if status == 200:
        assert answer.json()["grossNotionalUsd"] == 200_000_000_000_000
    else:
        assert "2000" in json.dumps(answer.json())


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "status"), [("meteor", 400), ("La_nina", 400), (None, 400)])
def test_another_scenario_is_400(unknown: APIClient, name: str | None, status: int) -> None:
    body = {"positions": BOOK} | ({"scenario": name} if name else {})
    assert post(unknown, "scenario", **body).status_code == status


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["portfolio", "tcfd-report", "scenario"])
def test_where_too_little_is_known_a_book_has_no_answer(unknown: APIClient, path: str) -> None:
    body = {"positions": BOOK} | ({"scenario": "la_nina"} if path == "scenario" else {})
    answer = post(unknown, path, **body)
    assert (answer.status_code, answer["Retry-After"]) == (503, "60")


@pytest.mark.django_db
def test_of_markets_that_no_scenario_moves_nothing_is_assessed(anybody: APIClient) -> None:
    copper = [{"symbol": "COPPER", "notionalUsd": 10_000_000}]
    body = post(anybody, "portfolio", positions=copper).json()
    loss = body["worstCaseDrawdown"]
    assert (loss["usd"], loss["pctOfGross"], loss["notAssessed"]) == (None, None, ["COPPER"])
    assert loss["notAssessedUsd"] == 10_000_000
    assert "No scenario moves COPPER: 10,000,000.00 USD" in body["recommendations"][-1]
    report = post(anybody, "tcfd-report", positions=copper).json()
    cases = report["strategy"]["scenarioAnalysis"]
    assert [cases["moderate"]["usd"], cases["severe"]["usd"]] == [None, None]
    document = post(anybody, "scenario", scenario="la_nina", positions=copper).json()
    assert (document["portfolioImpactUsd"], document["notAssessed"]) == (None, ["COPPER"])
    assert "does not affect this book" in document["reasoning"]


@pytest.mark.django_db
def test_a_part_that_is_not_assessed_is_told_beside_the_worst_case(anybody: APIClient) -> None:
    rows = [*BOOK, {"symbol": "LUMBER", "notionalUsd": -7}]
    loss = post(anybody, "portfolio", positions=rows).json()["worstCaseDrawdown"]
    assert loss["usd"] < 0
    assert (loss["notAssessed"], loss["notAssessedUsd"]) == (["LUMBER"], 7)


def test_parts_sum_to_the_cents_of_their_sum() -> None:
    exact = [Decimal("-0.335")] * 2000 + [Decimal("0.004")]
    parts = book_risk.apportion_cents(exact)
    assert sum(parts) == book_risk.round_to_cents(sum(exact)) == Decimal("-670.00")
    assert all(abs(one - told) < Decimal("0.01") for one, told in zip(exact, parts, strict=True))
    assert book_risk.apportion_cents([]) == []


@pytest.mark.django_db
def test_harvests_of_a_year_and_what_stood_still_for_a_day_are_not_mixed(
    anybody: APIClient,
) -> None:
    def supply(name: str) -> Any:
        return post(anybody, "scenario", scenario=name, positions=BOOK).json()["supplyReductionPct"]

    assert supply("gulf_hurricane")["of"] == "DAY"
    assert (supply("arctic_blast")["of"], supply("arctic_blast")["harvests"]) == ("MONTH", 1)
    assert supply("la_nina")["of"] == "YEAR"
    assert supply("pacific_typhoon") is None


@pytest.mark.django_db
def test_a_book_of_more_bytes_than_ten_thousand_positions_is_not_read(anybody: APIClient) -> None:
    body = json.dumps({"positions": [{"symbol": "W", "notionalUsd": {}}] * 28_000})
    answer = anybody.generic("POST", "/forecast/forecast/portfolio", body, "application/json")
    assert answer.status_code == 413
