"""The ESG report of an entity, by its LEI or by a wallet that is registered to it."""

import pytest
from rest_framework.test import APIClient

from apps.access.paywall.models import Receipt
from apps.insight.esg.models import EsgScore
from apps.insight.reports.rules import esg, findings
from tests.reports.buyer import Buyer, report

pytestmark = pytest.mark.django_db
MICROSOFT, APPLE = "INR2EJN1ERAN0W5ZP974", "HWUPKR0MPOU8FGXBT394"


def test_it_tells_score_impacts_and_disclosures(carol: Buyer) -> None:
    entity = report(carol.buy("esg", {"lei": MICROSOFT}))["data"]["entity"]
    assert entity["name"] == "MICROSOFT CORPORATION"
    assert len(entity["sfdr"]["paiIndicators"]) == 18
    assert {one["disclosure"] for one in entity["csrd"]} >= {"E1-6", "S1-16", "ESRS 2 GOV-1"}
    assert all(one["value"] is None or one["source"] for one in entity["csrd"])


def test_known_are_the_impacts_that_have_a_value_of_those_that_apply(carol: Buyer) -> None:
    told = report(carol.buy("esg", {"lei": MICROSOFT}))
    assert told["synthesis"]["summary"].endswith(
        "1 of 14 applicable adverse impacts are known. [SAMPLE]"
    )


def test_a_level_does_not_rest_on_the_mean_of_a_country(carol: Buyer) -> None:
    told = report(carol.buy("esg", {"lei": MICROSOFT}))
    found = {finding["code"]: finding for finding in told["data"]["findings"]}
    assert "ESG-UNASSESSED" in found and not any("ESG-SCORE" in code for code in found)
    assert "ESG-PILLAR" not in found and told["synthesis"]["riskLevel"] == "MODERATE"


@pytest.mark.parametrize(("covered", "level"), [(99.9, "MODERATE"), (100, "ELEVATED")])
def test_a_level_follows_from_one_whole_pillar_of_evidence(covered: float, level: str) -> None:
    rows = [{"pillar": name, "restsOn": "OWN", "coveredPercent": 0} for name in ("a", "b")]
    rows.append({"pillar": "c", "restsOn": "OWN", "coveredPercent": covered})
    score = {"composite": 45, "feeTier": "STANDARD"}
    data = {"entity": {"pillars": rows, "score": score, "leiStatus": "ISSUED"}}
    assert findings.highest_level(findings.evaluate_rules(esg.RULES, data)) == level


def test_a_condition_that_fails_is_not_told_as_one_that_holds(carol: Buyer) -> None:
    key_findings = report(carol.buy("esg", {"lei": MICROSOFT}))["synthesis"]["keyFindings"]
    assert any(
        "not met: The composite is 80 or more;" in key_finding for key_finding in key_findings
    )


def test_data_points_are_told_apart_from_disclosures(carol: Buyer) -> None:
    key_findings = report(carol.buy("esg", {"lei": MICROSOFT}))["synthesis"]["keyFindings"]
    assert any(
        key_finding.startswith("Of 15 data points of 11 disclosures")
        for key_finding in key_findings
    )


def test_its_score_is_kept_as_if_it_were_asked_for(carol: Buyer) -> None:
    told = report(carol.buy("esg", {"lei": MICROSOFT}))
    assert EsgScore.objects.get().composite == told["data"]["entity"]["score"]["composite"]


def test_another_entity_is_another_report(carol: Buyer) -> None:
    first, second = (report(carol.buy("esg", {"lei": one})) for one in (MICROSOFT, APPLE))
    assert first["data"]["entity"]["lei"] != second["data"]["entity"]["lei"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({}, "lei"),
        ({"lei": MICROSOFT[:-2] + "00"}, "lei"),
        ({"address": "neither"}, "address"),
        ({"address": "0x" + "1" * 39}, "address"),
        ({"lei": MICROSOFT, "address": "0x" + "1" * 40}, "address"),
    ],
)
def test_a_query_that_names_nobody_or_two_is_400_before_any_price(
    api: APIClient, query: dict[str, str], field: str
) -> None:
    answer = api.get("/reports/report/esg", query)
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, field)


def test_a_wallet_that_nobody_registered_costs_nothing(carol: Buyer) -> None:
    answer = carol.buy("esg", {"address": "0x" + "1" * 40})
    assert (answer.status_code, answer.json()["code"]) == (404, "wallet_not_registered")
    assert not Receipt.objects.exists()
