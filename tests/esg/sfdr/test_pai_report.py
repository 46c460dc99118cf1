"""POST /sfdr/pai-report: the 18 indicators of a portfolio, kept and sealed."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from apps.insight.esg.models.sfdr_reports import PaiReport
from apps.platform.common.clock import now
from apps.platform.common.lei import is_valid_lei
from apps.platform.ledger import sealer
from apps.reference.signals.models import Observation
from tests.esg.conftest import APPLE, FRAPORT, MICROSOFT
from tests.esg.sfdr.conftest import COMPANY, COUNTRY, PROPERTY, figure, given, keep
from tests.platform.tampering import sql, without_triggers

pytestmark = pytest.mark.django_db
Report = Callable[..., Any]


def leis(count: int) -> list[str]:
    """Return made-up LEIs with valid check digits."""
    found = []
    for number in range(count):
        stem = f"TEST{number:014d}"
        digits = "".join(str(int(one, 36)) for one in stem + "00")
        found.append(f"{stem}{98 - int(digits) % 97:02d}")
    assert all(map(is_valid_lei, found))
    return found


def of(found: dict[str, Any], number: int) -> dict[str, Any]:
    return found["indicators"][number - 1]


def _with(**inputs: str) -> dict[str, Any]:
    return {"lei": APPLE, "value": 1, "inputs": given(**inputs)}


def _twice(*values: str) -> dict[str, Any]:
    inputs = [one for value in values for one in given(board_female_share=value)]
    return {"lei": APPLE, "value": 1, "inputs": inputs}


def test_an_input_may_be_all_that_its_measure_may(report: Report) -> None:
    for inputs in ({"board_female_share": "100"}, {"gender_pay_gap": "-100"},
                   {"ungc_violation": "1"}, {"ghg_scope1": "0"}):  # fmt: skip
        report(holdings=[_with(**inputs)])


def test_a_report_counts_its_indicators(report: Report) -> None:
    found = report(leis=[MICROSOFT, APPLE], reportingPeriod="2026")
    statuses = [indicator["status"] for indicator in found["indicators"]]
    assert [indicator["id"] for indicator in found["indicators"]] == list(range(1, 19))
    assert found["summary"] == {
        "totalIndicators": 18,
        "computed": 2,
        "requiresAdditionalData": statuses.count("DATA_REQUIRED"),
        "elevatedRiskFlags": 0,
        "overallStatus": "REVIEW",
    }
    assert (found["weighting"], found["dataQuality"]) == ("EQUAL", "SAMPLE")
    board = of(found, 13)
    assert (board["value"], board["coveragePercent"]) == ("50", 50)
    assert board["missing"] == [MICROSOFT]
    assert "2022/1288" in found["legalBasis"]["basis"] and found["legalBasis"]["asOf"]


def test_full_inputs_compute_all_that_applies(report: Report) -> None:
    holdings = [
        {"lei": MICROSOFT, "value": 10_000_000, "inputs": given(**COMPANY)},
        {"country": "DE", "value": 5_000_000, "inputs": given(**COUNTRY)},
        {"property": "Tower", "value": 1_000_000, "inputs": given(**PROPERTY)},
    ]
    found = report(holdings=holdings)
    assert found["summary"]["computed"] == 18
    assert {indicator["coveragePercent"] for indicator in found["indicators"]} == {100}
    assert (of(found, 1)["value"], of(found, 1)["unit"]) == ("400", "tCO2e")
    assert [part["value"] for part in of(found, 1)["parts"]] == ["100", "50", "250"]
    # of all investments: 400 t over 16 million; 175 of five sixteenths
    assert (of(found, 2)["value"], of(found, 15)["value"]) == ("25", "54.6875")
    assert (of(found, 18)["value"], of(found, 18)["status"]) == ("100", "ELEVATED_RISK")


def test_evidence_that_is_held_needs_no_input(report: Report) -> None:
    keep(*(figure(key, value, MICROSOFT) for key, value in COMPANY.items()))
    found = report(holdings=[{"lei": MICROSOFT, "value": 10_000_000}])
    assert found["summary"]["computed"] == 14 and of(found, 2)["value"] == "40"


def test_an_input_that_is_given_counts_before_ours_and_its_source_is_kept(report: Report) -> None:
    report(holdings=[{"lei": APPLE, "value": 1, "inputs": given(board_female_share="10")}])
    figures = PaiReport.objects.get().data["figures"]
    board = next(one for one in figures if one["input"] == "board_female_share")
    assert (board["value"], board["source"]) == ("10", "CALLER")


@pytest.mark.parametrize("turn", [1, -1])
def test_an_input_that_is_given_once_counts_in_every_line_of_its_company(
    report: Report, turn: int
) -> None:
    lines = [
        {"lei": APPLE, "value": 500_000, "inputs": given(board_female_share="10")},
        {"lei": APPLE, "value": 500_000},
    ]
    board = of(report(holdings=lines[::turn]), 13)
    assert (board["value"], board["status"]) == ("10", "ELEVATED_RISK")


def test_what_callers_tell_alone_is_never_live(report: Report) -> None:
    held = [{"country": "SE", "value": 5, "inputs": given(**COUNTRY)}]
    assert report(holdings=held)["dataQuality"] == "GIVEN"
    known = {"country_ghg_t": "5", "country_gdp_eur": "5", "country_social_violations": "0"}
    keep(*(figure(key, value, "PE") for key, value in known.items()))
    assert report(holdings=[{"country": "PE", "value": 5}])["dataQuality"] == "LIVE"


def test_cash_is_part_of_all_investments(report: Report) -> None:
    company = {"lei": FRAPORT, "value": 10_000_000, "inputs": given(**COMPANY)}
    cash = {"other": "Cash", "value": 30_000_000}
    found = report(holdings=[company, cash])
    assert (of(found, 2)["value"], of(found, 1)["value"]) == ("10", "400")
    assert of(found, 2)["coveragePercent"] == 100 and of(found, 2)["missing"] == []


EXTREME = {"ghg_scope1": "999999999999999", "ghg_scope2": "999999999999999",
           "ghg_scope3": "999999999999999", "revenue_eur": "0.000001",
           "enterprise_value_eur": "0.000001"}  # fmt: skip


def test_figures_at_their_bounds_come_to_a_number(report: Report) -> None:
    held = [{"lei": FRAPORT, "value": 999_999_999_999, "inputs": given(**EXTREME)}]
    found = report(holdings=held)
    assert of(found, 3)["value"] == "2999999999999997" + "0" * 12
    assert of(found, 1)["value"].isdigit() and of(found, 1)["status"] == "ELEVATED_RISK"


def test_values_in_other_currencies_are_compared_in_euros(report: Report) -> None:
    def women(**second: Any) -> str:
        held = [
            {"lei": MICROSOFT, "value": 100, "inputs": given(board_female_share="0")},
            {"lei": APPLE, "value": 100, "inputs": given(board_female_share="50")} | second,
        ]
        return str(of(report(holdings=held), 13)["value"])

    assert women() == "25" and women(currency="EUR") == "25"
    assert float(women(currency="USD")) < 25


def test_without_a_rate_there_is_no_report(report: Report) -> None:
    with without_triggers():
        Observation.objects.all().delete()
    held = [{"lei": MICROSOFT, "value": 100, "currency": "SEK"}]
    assert report(holdings=held, status=422)["code"] == "rate_unavailable"
    assert report(leis=[APPLE], reportingPeriod="2026")["summary"]["computed"] == 2


def test_holdings_of_one_company_are_one(report: Report) -> None:
    twice = [{"lei": MICROSOFT, "value": 5_000_000, "inputs": given(**COMPANY)}] * 2
    once = [{"lei": MICROSOFT, "value": 10_000_000, "inputs": given(**COMPANY)}]
    assert report(holdings=twice)["indicators"] == report(holdings=once)["indicators"]


def test_fifty_entities_are_one_report_and_one_more_is_refused(report: Report) -> None:
    many = leis(51)
    keep(*(figure(key, value, lei) for lei in many for key, value in COMPANY.items()))
    found = report(holdings=[{"lei": lei, "value": 1_000_000} for lei in many[:50]])
    assert found["summary"]["computed"] == 14
    assert report(leis=many, status=400)["errors"][0]["field"] == "leis"
    refused = report(holdings=[{"lei": lei, "value": 1} for lei in many], status=400)
    assert refused["errors"][0]["field"] == "holdings"


def test_the_queries_of_a_report_do_not_grow_with_it(
    report: Report, django_assert_max_num_queries: Any
) -> None:
    many = leis(50)
    with django_assert_max_num_queries(12):
        report(leis=many)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({}, "leis"),
        ({"leis": []}, "leis"),
        ({"leis": [MICROSOFT, MICROSOFT]}, "leis"),
        ({"leis": ["NONE"]}, "leis"),
        ({"leis": [APPLE], "holdings": [{"lei": MICROSOFT, "value": 1}]}, "holdings"),
        ({"holdings": [{"value": 1}]}, "holdings.0.lei"),
        ({"holdings": [{"lei": APPLE, "country": "DE", "value": 1}]}, "holdings.0.lei"),
        ({"holdings": [{"lei": APPLE}]}, "holdings.0.value"),
        ({"holdings": [{"lei": APPLE, "value": -1}]}, "holdings.0.value"),
        ({"holdings": [_with(board_female_share="100.1")]}, "holdings.0.inputs.0.value"),
        ({"holdings": [_with(board_female_share="-0.1")]}, "holdings.0.inputs.0.value"),
        ({"holdings": [_with(gender_pay_gap="-100.1")]}, "holdings.0.inputs.0.value"),
        ({"holdings": [_with(ungc_violation="0.5")]}, "holdings.0.inputs.0.value"),
        ({"holdings": [_with(ghg_scope1="-1")]}, "holdings.0.inputs.0.value"),
        ({"holdings": [_with(country_ghg_t="1")]}, "holdings.0.inputs"),
        ({"holdings": [_twice("10", "10")]}, "holdings.0.inputs"),
        ({"holdings": [_with(ghg_scope1="1"), _with(ghg_scope1="2")]}, "holdings"),
        ({"leis": [APPLE], "currency": "XXQ"}, "currency"),
        ({"leis": [APPLE], "portfolioName": ""}, "portfolioName"),
    ],
)
def test_what_is_no_portfolio_is_refused(
    report: Report, fields: dict[str, Any], field: str
) -> None:
    refused = report(status=400, **fields)
    assert refused["errors"][0]["field"].startswith(field), refused["errors"]
    assert not PaiReport.objects.exists()


def test_a_report_is_kept_as_it_was_given_and_sealed(report: Report) -> None:
    found = report(leis=[APPLE])
    sealer.seal_all_ledgers(now=now() + timedelta(minutes=1))
    record = PaiReport.objects.get()
    assert record.data["response"] == found and str(record.report_id) == found["reportId"]
    assert record.mac_fault() == "" and record.owner == ""
    with without_triggers():
        sql("UPDATE sfdr_paireport SET computed = 18")
    record.refresh_from_db()
    assert record.mac_fault()
