"""GET /v1/intelligence/resonance."""

from dataclasses import replace
from decimal import Decimal

import numpy
import pytest
from rest_framework.test import APIClient

from apps.insight.intelligence.methods import resonance
from apps.insight.intelligence.rules.bands import label_of_score
from apps.insight.intelligence.rules.currency_web import RESONANCE_BANDS
from apps.reference.signals.quality import TooFewInputs
from tests.intelligence.conftest import ask
from tests.intelligence.sample_inputs import sample


@pytest.mark.django_db
def test_it_answers_and_its_series_sum_to_the_score(buyer: APIClient) -> None:
    answer = ask(buyer, "resonance")
    assert answer.status_code == 200, answer.content
    body = answer.json()
    summed = sum(Decimal(str(component["contribution"])) for component in body["components"])
    assert summed == Decimal(str(body["resonanceScore"]))
    assert {"value", "signal", "source", "asOf"} <= set(body["components"][0])
    assert 0 < body["absorptionRatio"] < 1


def test_what_moves_as_one_is_absorbed_and_what_moves_alone_is_not() -> None:
    random = numpy.random.default_rng(5)
    alone = random.normal(size=(60, 10))
    common = random.normal(size=(60, 1)) + 0.01 * alone
    assert resonance.absorbed_shares(common).sum() == pytest.approx(1, abs=0.01)
    assert resonance.absorbed_shares(alone).sum() < 0.5
    scaled = alone * numpy.arange(1, 11)
    assert resonance.absorbed_shares(scaled).tolist() == pytest.approx(
        resonance.absorbed_shares(alone).tolist()
    )


def test_the_order_of_series_does_not_matter() -> None:
    method_inputs = sample(resonance.SERIES)
    turned = replace(
        method_inputs,
        points=dict(reversed(method_inputs.points.items())),
        past=dict(reversed(method_inputs.past.items())),
    )
    assert (
        resonance.compute_resonance(turned).body == resonance.compute_resonance(method_inputs).body
    )


def test_a_series_that_is_missing_lowers_the_coverage() -> None:
    method_inputs = sample(resonance.SERIES)
    fewer = replace(
        method_inputs, points={k: v for k, v in method_inputs.points.items() if k != "gold"}
    )
    method_result = resonance.compute_resonance(fewer)
    assert method_result.quality.missing == ("gold",) and method_result.quality.coverage < 1
    assert "gold" not in {component["series"] for component in method_result.body["components"]}


def test_a_short_history_has_no_resonance() -> None:
    with pytest.raises(TooFewInputs):
        resonance.compute_resonance(sample(resonance.SERIES, "2016-01-15"))


@pytest.mark.parametrize(("series", "kept"), [(1, 1), (5, 1), (10, 2), (17, 3), (18, 4)])
def test_a_fifth_of_the_eigenvectors_is_kept(series: int, kept: int) -> None:
    assert resonance.count_kept_eigenvectors(series) == kept


def test_each_bound_belongs_to_the_higher() -> None:
    words = [
        label_of_score(Decimal(one), RESONANCE_BANDS) for one in ("59.9", "60", "80", "95", "100")
    ]
    assert words == ["DAMPED", "COUPLED", "RESONANT", "LOCKED", "LOCKED"]
