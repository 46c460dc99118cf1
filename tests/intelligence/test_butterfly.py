"""POST /v1/intelligence/butterfly."""

from decimal import Decimal
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.insight.intelligence.catalogue import product_of
from apps.insight.intelligence.rules.impact_labels import word_of_impact
from apps.insight.intelligence.rules.layers import CODES
from tests.intelligence.conftest import ask
from tests.intelligence.sample_inputs import at_sample


@pytest.mark.django_db
def test_its_example_is_answered_anew_each_time(buyer: APIClient) -> None:
    row = product_of("butterfly")
    assert row is not None
    answers = [ask(buyer, "butterfly", **row.example) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200], answers[0].content
    assert [answer["X-SVC-Cache-Hit"] for answer in answers] == ["false", "false"]
    body = answers[0].json()
    summed = sum(Decimal(str(effect["contribution"])) for effect in body["effects"])
    assert summed == Decimal(str(body["impactScore"]))
    assert body["shock"]["node"] == body["dominantPath"][0] == "L2"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"node": "L8", "magnitude": 25}, "node"),
        ({"node": "L2", "magnitude": 0}, "magnitude"),
        ({"node": "L2", "magnitude": 100.1}, "magnitude"),
        ({"node": "L2", "magnitude": "25"}, "magnitude"),
        ({"node": "L2"}, "magnitude"),
        ({"node": "L2", "magnitude": 25, "region": "EU"}, "region"),
    ],
)
def test_a_shock_that_is_none_is_refused_by_its_field(
    refused: APIClient, body: dict[str, Any], field: str
) -> None:
    answer = ask(refused, "butterfly", **body)
    assert answer.status_code == 400
    assert field in str(answer.json()["errors"])


@pytest.mark.parametrize("node", CODES)
def test_a_larger_shock_does_more_to_each_layer(node: str) -> None:
    small, large = (_effects(node, size) for size in (10, 40))
    assert all(large[code] >= small[code] for code in CODES)
    assert large[node] > small[node] >= 10


def test_no_layer_rises_above_a_hundred() -> None:
    body = at_sample("butterfly", node="L4", magnitude=Decimal(100)).body
    assert all(
        effect["effect"] <= 100 and effect["score_after"] <= 100 for effect in body["effects"]
    )


def test_each_bound_of_an_impact_belongs_to_the_higher() -> None:
    words = [word_of_impact(Decimal(one)) for one in ("4.9", "5", "14.9", "15", "29.9", "30")]
    assert words == ["CONTAINED", "SPREADING", "SPREADING", "BROAD", "BROAD", "SYSTEMIC"]


def _effects(node: str, size: int) -> dict[str, Decimal]:
    body = at_sample("butterfly", node=node, magnitude=Decimal(size)).body
    return {effect["layer"]: effect["effect"] for effect in body["effects"]}
