"""POST /v1/intelligence/contagion."""

from decimal import Decimal
from typing import Any

import numpy
import pytest
from rest_framework.test import APIClient

from apps.insight.intelligence.catalogue import product_of
from apps.insight.intelligence.methods.comovement import (
    align_monthly_moves,
    connectedness_matrix,
    correlation_matrix,
    joint_moves_matrix,
    measure_against_mean,
    node_centrality,
)
from apps.insight.intelligence.methods.contagion import compute_debt_rank
from apps.insight.intelligence.rules.bands import label_of_score
from apps.insight.intelligence.rules.currency_web import (
    CONTAGION_BANDS,
    SOVEREIGNS,
)
from apps.reference.signals.quality import TooFewInputs
from tests.intelligence.conftest import ask
from tests.intelligence.sample_inputs import at_sample


@pytest.mark.django_db
def test_its_example_is_answered(buyer: APIClient) -> None:
    row = product_of("contagion")
    assert row is not None
    answer = ask(buyer, "contagion", **row.example)
    assert answer.status_code == 200, answer.content
    body = answer.json()
    summed = sum(Decimal(str(component["contribution"])) for component in body["components"])
    assert summed == Decimal(str(body["contagionScore"]))
    assert {component["sovereign"] for component in body["components"]} == set(SOVEREIGNS)
    assert answer["X-SVC-Cache-Hit"] == "false"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"origin": "XX", "lossShare": 1}, "origin"),
        ({"origin": "US", "lossShare": 0}, "lossShare"),
        ({"origin": "US", "lossShare": 2}, "lossShare"),
        ({"origin": "US"}, "lossShare"),
        ({"origin": "US", "lossShare": 1, "countryShare": 0.1}, "countryShare"),
        ({"origin": "HWUPKR0MPOU8FGXBT394", "lossShare": 1}, "countryShare"),
        ({"origin": "HWUPKR0MPOU8FGXBT394", "lossShare": 1, "countryShare": 0}, "countryShare"),
        ({"origin": "HWUPKR0MPOU8FGXBT394", "lossShare": 1, "countryShare": 1.01}, "countryShare"),
        ({"origin": "HWUPKR0MPOU8FGXBT395", "lossShare": 1, "countryShare": 0.1}, "origin"),
        ({"origin": "Deutsche Bank", "lossShare": 1, "countryShare": 0.1}, "origin"),
        ({"origin": "DEUTDEFF", "lossShare": 1, "countryShare": 0.1}, "origin"),
    ],
)
def test_a_loss_that_is_none_is_refused_by_its_field(
    refused: APIClient, body: dict[str, Any], field: str
) -> None:
    answer = ask(refused, "contagion", **body)
    assert answer.status_code == 400
    assert field in str(answer.json()["errors"])


@pytest.mark.parametrize("origin", SOVEREIGNS)
def test_who_loses_more_takes_more_along(origin: str) -> None:
    small, large = (_losses(origin, share) for share in ("0.2", "0.9"))
    assert small[origin] >= Decimal("0.2")
    assert all(0 <= small[name] <= large[name] <= 1 for name in SOVEREIGNS)


def test_distress_is_passed_on_once_and_never_round_in_circles() -> None:
    ring = numpy.array([[0, 0.5, 0], [0, 0, 0.5], [0.5, 0, 0]])
    losses, rounds = compute_debt_rank(ring, numpy.array([1.0, 0.0, 0.0]))
    assert losses.tolist() == [1.0, 0.5, 0.25]
    assert rounds == 3
    losses, _ = compute_debt_rank(ring, numpy.array([0.4, 0.0, 0.0]))
    assert losses.tolist() == pytest.approx([0.45, 0.2, 0.1])


def test_nobody_loses_more_than_all() -> None:
    heavy = numpy.ones((3, 3))
    losses, _ = compute_debt_rank(heavy, numpy.array([1.0, 1.0, 0.0]))
    assert losses.tolist() == [1.0, 1.0, 1.0]


def test_who_moves_against_another_takes_no_loss_of_it() -> None:
    random = numpy.random.default_rng(5)
    common = random.normal(size=(300, 1))
    values = numpy.hstack([common, common, -common]) + 0.1 * random.normal(size=(300, 3))
    joined = joint_moves_matrix(values)
    assert joined[0, 1] > 0.3 and joined[0, 2] == joined[2, 0] == 0
    losses, _ = compute_debt_rank(joined.T, numpy.array([1.0, 0.0, 0.0]))
    assert losses[1] > 0.3 and losses[2] == 0


def test_impacts_are_parts_of_what_moves_and_sum_to_one() -> None:
    random = numpy.random.default_rng(3)
    common = random.normal(size=(200, 1))
    values = numpy.hstack(
        [common + 0.1 * random.normal(size=(200, 2)), random.normal(size=(200, 1))]
    )
    joined = connectedness_matrix(values)
    assert joined.sum(axis=1).tolist() == pytest.approx([1, 1, 1])
    assert joined[0, 1] > 0.4 > 0.05 > joined[0, 2]
    assert node_centrality(joined)[2] < node_centrality(joined)[0]
    assert correlation_matrix(numpy.zeros((50, 2))).tolist() == [[0, 0], [0, 0]]


def test_moves_need_three_years_in_common() -> None:
    short = {month: 1.0 + month for month in range(36)}
    with pytest.raises(TooFewInputs):
        align_monthly_moves({"a": short})
    long = {month: 1.0 + month for month in range(37)}
    against_mean = measure_against_mean(align_monthly_moves({"b": long}, extra=("a",)))
    assert against_mean.names == ("a", "b")
    assert numpy.allclose(against_mean.values.sum(axis=1), 0)
    assert (against_mean.values[:, 1] < 0).all()  # more of it for a euro: it fell


def test_each_bound_belongs_to_the_higher() -> None:
    words = [
        label_of_score(Decimal(one), CONTAGION_BANDS) for one in ("4.9", "5", "15", "30", "100")
    ]
    assert words == ["CONTAINED", "SPREADING", "BROAD", "SYSTEMIC", "SYSTEMIC"]


def _losses(origin: str, share: str) -> dict[str, Decimal]:
    body = at_sample("contagion", origin=origin, loss_share=Decimal(share)).body
    return {component["sovereign"]: component["value"] for component in body["components"]}
