"""GET /v1/intelligence/mycelium."""

from dataclasses import replace
from decimal import Decimal

import pytest
from rest_framework.test import APIClient

from apps.insight.intelligence.methods import mycelium
from apps.reference.signals.quality import TooFewInputs
from tests.intelligence.conftest import ask
from tests.intelligence.sample_inputs import sample


@pytest.mark.django_db
def test_it_answers_and_its_nodes_sum_to_the_score(buyer: APIClient) -> None:
    answer = ask(buyer, "mycelium")
    assert answer.status_code == 200, answer.content
    body = answer.json()
    summed = sum(Decimal(str(component["contribution"])) for component in body["components"])
    assert summed == Decimal(str(body["myceliumScore"]))
    assert body["hub"] == body["components"][0]["series"]
    assert sum(
        Decimal(str(component["weight"])) for component in body["components"]
    ) == pytest.approx(Decimal(1), abs=Decimal("0.002"))


@pytest.mark.django_db
def test_it_rests_on_public_series_alone(buyer: APIClient) -> None:
    body = ask(buyer, "mycelium").json()
    assert {source["series"] for source in body["sources"]} == set(mycelium.SERIES)


def test_a_larger_move_of_a_node_is_more_strain_whichever_way_it_goes() -> None:
    method_inputs = sample(mycelium.SERIES)
    day, value = method_inputs.past["gold"][-1]
    for moved in (value * 2, value / 2):
        past = {**method_inputs.past, "gold": [*method_inputs.past["gold"][:-1], (day, moved)]}
        assert mycelium.measure_node_strain(replace(method_inputs, past=past), "gold") == 100


def test_a_node_that_is_missing_is_not_taken_as_calm() -> None:
    method_inputs = sample(mycelium.SERIES)
    fewer = replace(
        method_inputs, points={k: v for k, v in method_inputs.points.items() if k != "wheat"}
    )
    method_result = mycelium.compute_mycelium(fewer)
    assert method_result.quality.missing == ("wheat",)
    strained = [component["score"] for component in method_result.body["components"]]
    assert min(strained) <= method_result.body["mycelium_score"] <= max(strained)


def test_a_short_history_has_no_web() -> None:
    with pytest.raises(TooFewInputs):
        mycelium.compute_mycelium(sample(mycelium.SERIES, "2016-01-15"))
