"""GET /sfdr/report: a first look at one entity, which keeps nothing."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.insight.esg.models.sfdr_reports import PaiReport
from tests.esg.conftest import APPLE, MICROSOFT
from tests.esg.sfdr.conftest import COMPANY, figure, keep

pytestmark = pytest.mark.django_db
PATH = "/compliance/sfdr/report"


def test_what_is_held_is_told_and_the_rest_says_what_it_needs(api: APIClient, sample: Any) -> None:
    body = api.get(PATH, {"lei": APPLE}).json()
    assert body["report"] == "partial" and "/sfdr/screen" in body["upgrade"]
    pai_indicators = body["paiIndicators"]
    assert (
        pai_indicators["boardGenderDiversity"] == "50 %"
        and pai_indicators["ghgEmissions"] == "DATA_REQUIRED"
    )
    for name in ("sanctionsCheck", "amlCheck", "ungcCompliance"):
        assert pai_indicators[name] == "REQUIRES_FULL_SCREEN"
    assert not PaiReport.objects.exists()


def test_an_entity_counts_as_held_whole(api: APIClient, sample: Any) -> None:
    keep(*(figure(key, value, MICROSOFT) for key, value in COMPANY.items()))
    pai_indicators = api.get(PATH, {"lei": MICROSOFT}).json()["paiIndicators"]
    assert (
        pai_indicators["ghgEmissions"] == "4000 tCO2e"
        and pai_indicators["carbonFootprint"] == "40 tCO2e/EUR m"
    )
    assert pai_indicators["biodiversityRisk"] == "0 %"


def test_an_lei_is_needed(api: APIClient, db: Any) -> None:
    assert api.get(PATH).json()["errors"][0]["field"] == "lei"
