"""The compliance report: a real screen, whose record is the report, and nothing else."""

import re
from dataclasses import replace
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.access.paywall.models import Receipt
from apps.backoffice.review.models import Case
from apps.backoffice.sar.models import SarEntry
from apps.compliance.screening.models import Screen
from apps.insight.reports.models import PaidReport
from apps.reference.watchlists import engine
from apps.reference.watchlists.models import Party
from tests.reports.buyer import Buyer, report
from tests.screening.conftest import forget_sample

pytestmark = pytest.mark.django_db
OWNED = "506700AUNEQF0C694855"  # whose direct parent is listed, and the ultimate one not told
MICROSOFT, UNKNOWN = "INR2EJN1ERAN0W5ZP974", "529900T8BM49AURSDO55"


def findings(told: dict[str, Any]) -> list[str]:
    return [finding["code"] for finding in told["data"]["findings"]]


def test_a_listed_name_is_high_risk(carol: Buyer) -> None:
    told = report(carol.buy("compliance", {"name": "Lazarus Group"}))
    assert told["synthesis"]["riskLevel"] == "HIGH"
    assert findings(told)[0] == "COMP-BLOCKED"
    [match] = told["data"]["screen"]["sanctions"]["matches"]
    assert (match["name"], match["score"]) == ("Lazarus Group", 100)


def test_a_clean_name_is_no_more_than_moderate(carol: Buyer) -> None:
    told = report(carol.buy("compliance", {"name": "Blue Heron Stationery Limited"}))
    assert told["synthesis"]["riskLevel"] == "MODERATE"
    assert "COMP-CLEAR" in findings(told) and "COMP-NAME-ONLY" in findings(told)


def test_an_lei_is_screened_under_its_legal_name(carol: Buyer) -> None:
    told = report(carol.buy("compliance", {"lei": MICROSOFT}))
    assert told["data"]["screen"]["subject"]["name"] == "MICROSOFT CORPORATION"
    assert told["data"]["screen"]["travelRule"]["basis"] == "LEI_VERIFIED"
    assert [node["role"] for node in told["data"]["screen"]["ownership"]["nodes"]] == ["SUBJECT"]


def test_a_name_and_an_lei_of_different_companies_are_flagged(carol: Buyer) -> None:
    told = report(carol.buy("compliance", {"lei": MICROSOFT, "name": "Apple Inc."}))
    assert told["data"]["screen"]["decision"] == "FLAGGED"
    assert told["synthesis"]["riskLevel"] == "ELEVATED"


def test_the_report_is_its_evidence_and_nothing_else_is_written(carol: Buyer) -> None:
    told = report(carol.buy("compliance", {"name": "Lazarus Group"}))
    screen = PaidReport.objects.get().data["inputs"]["screen"]
    assert screen["versions"]["versions"] == {"sample-peps": 1, "sample-sanctions": 1}
    assert screen["evidence"]["sanctions"][0]["name"] == "Lazarus Group"
    assert told["data"]["screen"]["lists"]["matcher"] == screen["versions"]["matcher"]
    for model in (Screen, Case, SarEntry, Party):
        assert not model.objects.exists()


def test_to_a_party_that_is_blocked_nothing_is_advised_but_the_block(carol: Buyer) -> None:
    told = report(carol.buy("compliance", {"name": "Lazarus Group"}))
    [only] = told["synthesis"]["recommendations"]
    assert only.startswith("Make no funds available")


def test_owners_that_are_known_are_counted_and_the_nearest_name_is_of_them_too(
    carol: Buyer,
) -> None:
    told = report(carol.buy("compliance", {"lei": OWNED}))
    assert [node["role"] for node in told["data"]["screen"]["ownership"]["nodes"]] == [
        "SUBJECT", "DIRECT_PARENT",
    ]  # fmt: skip
    [owners] = [finding for finding in told["data"]["findings"] if finding["code"] == "COMP-OWNERS"]
    assert "1 owner is identified" in owners["sentence"]
    assert "ultimate parent not reported" in owners["sentence"]
    figures = {figure["title"]: figure["value"] for figure in told["data"]["figures"]}
    assert figures["Nearest listed name, including owners"] == "100 %"


def test_of_an_lei_that_does_not_count_another_is_not_asked_for(carol: Buyer) -> None:
    told = report(carol.buy("compliance", {"lei": MICROSOFT, "name": "Apple Inc."}))
    assert "COMP-LEI-NOT" in findings(told) and "COMP-NAME-ONLY" not in findings(told)
    assert not any(
        "for its LEI" in recommendation for recommendation in told["synthesis"]["recommendations"]
    )


def test_a_report_does_not_outlive_the_lists_that_it_rests_on(
    carol: Buyer, monkeypatch: Any
) -> None:
    query = {"name": "Blue Heron Stationery Limited"}
    first = report(carol.buy("compliance", query))
    assert report(carol.buy("compliance", query)) == first
    load_current_engine = engine.load_current_engine

    def newer(now: Any, **more: Any) -> Any:
        current_engine = load_current_engine(now, **more)
        return replace(current_engine, list_set=replace(current_engine.list_set, id="another"))

    monkeypatch.setattr(engine, "load_current_engine", newer)
    assert report(carol.buy("compliance", query))["data"]["reportId"] != first["data"]["reportId"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({}, "name"),
        ({"lei": "SHORT"}, "lei"),
        ({"lei": MICROSOFT[:-2] + "00"}, "lei"),
        ({"name": "   "}, "name"),
        ({"name": "\u202egnp.exe"}, "name"),
        ({"name": "x" * 301}, "name"),
        ({"name": "Carol", "strange": "1"}, "strange"),
    ],
)
def test_a_query_that_names_nobody_is_400_before_any_price(
    api: APIClient, query: dict[str, str], field: str
) -> None:
    answer = api.get("/reports/report/compliance", query)
    assert answer.status_code == 400
    assert field in {error["field"] for error in answer.json()["errors"]}


def test_an_lei_that_nobody_knows_costs_nothing(carol: Buyer) -> None:
    answer = carol.buy("compliance", {"lei": UNKNOWN})
    assert answer.status_code in (404, 503)
    assert not Receipt.objects.exists()


def test_without_lists_there_is_no_report_and_no_charge(db: None) -> None:
    forget_sample()
    answer = Buyer("Carol").buy("compliance", {"name": "Carol Ltd"})
    assert (answer.status_code, answer.json()["code"]) == (503, "lists_unavailable")
    assert not Receipt.objects.exists()


def test_another_name_is_another_report(carol: Buyer) -> None:
    first = report(carol.buy("compliance", {"name": "Lazarus Group"}))
    second = report(carol.buy("compliance", {"name": "Blue Heron Stationery Limited"}))
    third = report(carol.buy("compliance", {"name": "Lazarus Group", "lei": MICROSOFT}))
    assert len({one["data"]["reportId"] for one in (first, second, third)}) == 3


def test_its_page_has_matches_lists_and_owners_one_by_one(carol: Buyer) -> None:
    query = {"name": "Lazarus Group", "lei": OWNED}
    screen = report(carol.buy("compliance", query))["data"]["screen"]
    page = carol.again("compliance", query, Accept="text/html").content.decode()
    tables = dict(
        re.findall(r"<h2>([^<]+?)(?: \[SAMPLE\])?</h2>\s*<table(.*?)</table>", page, re.S)
    )
    assert list(tables) == ["Matches", "Lists searched", "Ownership chain"]
    owners = screen["ownership"]["matches"]
    assert owners and all(owner["owner"] for owner in owners)
    for match in (*screen["sanctions"]["matches"], *owners):
        assert match["entityId"] in tables["Matches"]
    for slug, version in screen["lists"]["versions"].items():
        row = tables["Lists searched"].partition(slug)[2].partition("</tr>")[0]
        assert f">{version}</td>" in row
    assert OWNED in tables["Ownership chain"]
