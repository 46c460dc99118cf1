"""The agent card: each report is a skill with what is asked for it."""

import json
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.insight.reports.catalogue import REPORTS

PLACES = ("/reports/.well-known/agent.json", "/reports/.well-known/agent-card.json")
OLDER = PLACES[0]


def skills(place: str) -> dict[str, dict[str, Any]]:
    """Return the reports of a card by their names."""
    told = {skill["id"]: skill for skill in APIClient().get(place).json()["skills"]}
    return {row.name: told[f"report.{row.name}"] for row in REPORTS}


@pytest.mark.parametrize("place", PLACES)
def test_each_report_is_a_skill_that_says_where_it_is_and_in_which_forms(
    place: str, db: None
) -> None:
    assert len(REPORTS) == 5
    for name, one in skills(place).items():
        assert f"GET http://testserver/reports/report/{name}" in one["description"]
        assert one["outputModes"] == ["application/json", "text/html", "application/pdf"]


def test_each_report_has_its_payment_requirements(db: None) -> None:
    found = skills(OLDER)
    for row in REPORTS:
        [asked] = found[row.name]["paymentRequirements"]
        assert asked["maxAmountRequired"] == str(row.price.paid)
        assert asked["resource"] == f"http://testserver/reports/report/{row.name}"


def test_a_card_of_the_present_version_has_the_same_prices(db: None) -> None:
    card = APIClient().get(PLACES[1]).json()
    [extension] = card["capabilities"]["extensions"]
    told = extension["params"]["skills"]
    assert {name: one["accepts"][0]["amount"] for name, one in told.items()} == {
        f"report.{row.name}": str(row.price.paid) for row in REPORTS
    }


def test_a_card_asks_what_the_call_asks(db: None) -> None:
    for name, one in skills(OLDER).items():
        query = json.loads(one.get("examples", ["{}"])[0])
        body = APIClient().get(f"/reports/report/{name}", query).json()
        assert body["accepts"] == one["paymentRequirements"]
        assert body["reportPreview"]["fee"] == one["fee"]
        assert body["reportPreview"]["whatYouGet"] == one["whatYouGet"]


@pytest.mark.parametrize("place", PLACES)
def test_a_card_is_only_read(place: str) -> None:
    assert APIClient().post(place).status_code == 405
