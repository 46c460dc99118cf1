"""GET /v1/intelligence/tectonic."""

from dataclasses import replace
from decimal import Decimal

import pytest
from rest_framework.test import APIClient

from apps.insight.intelligence.catalogue import product_of
from apps.insight.intelligence.method_inputs import MethodInputs
from apps.insight.intelligence.methods import tectonic
from apps.insight.intelligence.rules.tectonic_faults import FAULTS, RELEASE_SERIES
from apps.reference.signals.quality import TooFewInputs
from tests.intelligence.conftest import ask
from tests.intelligence.sample_inputs import sample


@pytest.mark.django_db
def test_it_answers_and_its_faults_sum_to_the_score(buyer: APIClient) -> None:
    answer = ask(buyer, "tectonic")
    assert answer.status_code == 200, answer.content
    body = answer.json()
    shares = [
        component["contribution"]
        for component in body["components"]
        if component["contribution"] is not None
    ]
    assert sum(Decimal(str(share)) for share in shares) == Decimal(str(body["tectonicScore"]))
    assert {component["fault"] for component in body["components"]} == {
        fault.name for fault in FAULTS
    }


def test_weights_of_faults_are_whole() -> None:
    assert sum(fault.weight for fault in FAULTS) == 1


def test_the_score_is_the_strain_that_was_not_let_go() -> None:
    body = tectonic.compute_tectonic(_known()).body
    exact = body["strain"] * (100 - body["release"]) / 100
    assert abs(body["tectonic_score"] - exact) < Decimal("0.001")


def test_more_strain_raises_it_and_stress_of_markets_lowers_it() -> None:
    base = tectonic.compute_tectonic(_known()).body["tectonic_score"]
    assert tectonic.compute_tectonic(_with("us.cpi", "900")).body["tectonic_score"] >= base
    assert tectonic.compute_tectonic(_with("us.cpi", "100")).body["tectonic_score"] < base
    assert tectonic.compute_tectonic(_with(RELEASE_SERIES, "30")).body["tectonic_score"] < base


def test_without_stress_of_markets_there_is_no_answer() -> None:
    method_inputs = _known()
    points = {name: one for name, one in method_inputs.points.items() if name != RELEASE_SERIES}
    with pytest.raises(TooFewInputs):
        tectonic.compute_tectonic(replace(method_inputs, points=points))


def test_too_short_a_history_is_no_strain() -> None:
    method_inputs = _known()
    fault = next(one for one in FAULTS if one.series == "gold")
    assert tectonic.measure_fault_strain(method_inputs, fault) is not None
    short = {**method_inputs.past, "gold": method_inputs.past["gold"][-100:]}
    assert tectonic.measure_fault_strain(replace(method_inputs, past=short), fault) is None


def _known() -> MethodInputs:
    row = product_of("tectonic")
    assert row is not None
    return sample(row.series)


def _with(series: str, value: str) -> MethodInputs:
    """Return what is known with another newest value of a series."""
    known, new = _known(), Decimal(value)
    past = [*known.past[series][:-1], (known.past[series][-1][0], new)]
    points = {**known.points, series: replace(known.points[series], value=new)}
    return replace(known, points=points, past={**known.past, series: past})
