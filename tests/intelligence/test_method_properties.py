"""What holds of every method: one test per property, over all products of the catalogue.

What a property does not hold of stands in a table with the reason; a product that stands in none
fails.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from functools import cache
from typing import Any

import pytest

from apps.insight.intelligence.catalogue import PRODUCTS, Product, product_of
from apps.insight.intelligence.method_inputs import MethodInputs
from apps.insight.intelligence.services import paid_answers
from apps.insight.intelligence.views import build_example_request
from apps.reference.signals.models import Observation
from apps.reference.signals.quality import TooFewInputs
from apps.reference.signals.selectors import series_values
from tests import sampling
from tests.conftest import NOON
from tests.intelligence.sample_inputs import sample

# product -> the list whose contributions sum to a headline, and that headline
SUMS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "macro-stress": (("contributions", "stressIndex"),),
    "commodity": (("contributions", "stressIndex"),),
    "sovereign-debt": (("contributions", "debtStressIndex"),),
    "48h-call": (("components", "stressIndex"),),
    "supply-chain": (("contributions", "pressureIndex"),),
    "currency-stress": (("components", "stressIndex"),),
    "shipping-stress": (("components", "stressIndex"),),
    "fx-settlement": (("components", "settlementRiskIndex"),),
    "climate": (("components", "climateScore"),),
    "climate-pulse": (("components", "pulseIndex"),),
    "earth-systems": (("components", "sustainability.earthHealthIndex"),),
    "water-risk": (("components", "waterRiskScore"),),
    "biodiversity": (("components", "biodiversityRiskScore"),),
    "gender-risk": (("components", "genderRiskScore"),),
    "cascade": (("nervousSystem.layers", "nervousSystem.systemicRiskScore"),),
    "instability": (
        ("usComponents", "usInstabilityScore"),
        ("fiscalComponents", "fiscalDominanceScore"),
    ),
    "aftershock": (("contributions", "aftershockScore"),),
    "butterfly": (("effects", "impactScore"),),
    "contagion": (("components", "contagionScore"),),
    "resonance": (("components", "resonanceScore"),),
    "tectonic": (("components", "tectonicScore"),),
    "mycelium": (("components", "myceliumScore"),),
    "transition-risk": (("components", "currentScore"),),
}
UNSUMMED = {
    "energy-transition": "it tells rates of change side by side, and no score",
    "causal-graph": "it tells a graph, and no score",
    "ledger": "it tells what came of predictions, and no score",
    "esg": "it rests on an entity's score, whose factors test_entity_esg.py sums",
}
BY_SERIES = [product for product in PRODUCTS if product.series]
NO_SERIES = {"ledger", "esg"}
# headlines of how series move together or by how much: more of one input is not more stress
UNDIRECTED = {
    "fx-settlement": "volatility: a move either way raises it",
    "climate-pulse": "departures from the mean",
    "aftershock": "shocks are moves, either way",
    "butterfly": "weights are regressions of months on months",
    "contagion": "correlations of moves",
    "resonance": "the absorption ratio of moves",
    "mycelium": "sizes of moves",
}
OF_COMPOSITE = (
    "macro-stress",
    "commodity",
    "sovereign-debt",
    "48h-call",
    "supply-chain",
    "currency-stress",
    "transition-risk",
)
products = pytest.mark.parametrize("product", BY_SERIES, ids=lambda one: one.name)


def base(product: Product) -> MethodInputs:
    """Return what the sample lets a product know, asked by its own example."""
    return _base(product.name)


@cache
def _base(name: str) -> MethodInputs:
    product = product_of(name)
    assert product is not None
    return sample(product.series, **dict(build_example_request(product)))


def wire(product: Product, known: MethodInputs) -> dict[str, Any]:
    """Return a product's whole answer as the wire has it."""
    return dict(paid_answers.build_wire_answer(product, known, product.compute(known)))


def at(body: Mapping[str, Any], path: str) -> Any:
    """Return what stands at a path of a body."""
    found: Any = body
    for name in path.split("."):
        found = found[name]
    return found


def exact(value: Any) -> Decimal:
    """Return a number of the wire as it is written."""
    return Decimal(str(value or 0))


def moved(known: MethodInputs, series: str, value: Decimal) -> MethodInputs:
    """Return the same with another newest value of a series."""
    past = known.past[series]
    return replace(
        known,
        points={**known.points, series: replace(known.points[series], value=value)},
        past={**known.past, series: [*past[:-1], (past[-1][0], value)]},
    )


def headlines(product: Product, known: MethodInputs) -> list[Decimal]:
    """Return the scores of a product."""
    body = wire(product, known)
    return [exact(at(body, path)) for _, path in SUMS[product.name]]


def test_every_product_stands_in_the_tables() -> None:
    names = {product.name for product in PRODUCTS}
    assert {*SUMS, *UNSUMMED} == names
    assert not {*SUMS} & {*UNSUMMED}
    assert {one.name for one in BY_SERIES} == names - NO_SERIES
    assert {*UNDIRECTED} <= {*SUMS}


@pytest.mark.parametrize("name", SUMS)
def test_contributions_sum_exactly_to_the_headline(name: str) -> None:
    product = product_of(name)
    assert product is not None
    body = wire(product, base(product))
    for listed, headline in SUMS[name]:
        parts = [exact(one.get("contribution")) for one in at(body, listed)]
        assert sum(parts) == exact(at(body, headline))


@products
def test_the_order_in_which_inputs_come_changes_nothing(product: Product) -> None:
    method_inputs = base(product)
    turned = replace(
        method_inputs,
        points=dict(reversed([*method_inputs.points.items()])),
        past=dict(reversed([*method_inputs.past.items()])),
    )
    assert json.dumps(wire(product, turned)) == json.dumps(wire(product, method_inputs))


@pytest.mark.parametrize("name", [name for name in SUMS if name not in UNDIRECTED])
def test_the_headline_goes_one_way_with_each_input(name: str) -> None:
    product = product_of(name)
    assert product is not None
    method_inputs = base(product)
    for series in product.series:
        if not method_inputs.history(series):
            continue
        values = sorted(value for _, value in method_inputs.past[series])
        steps = [values[0], values[len(values) // 2], values[-1]]
        told = [headlines(product, moved(method_inputs, series, value)) for value in steps]
        for scores in zip(*told, strict=True):
            assert list(scores) in (sorted(scores), sorted(scores, reverse=True)), (series, scores)


@pytest.mark.parametrize("name", OF_COMPOSITE)
def test_more_stress_of_an_input_is_never_less_of_a_composite(name: str) -> None:
    product = product_of(name)
    assert product is not None
    method_inputs = base(product)
    for part in product.composites[0].parts:
        if not method_inputs.history(part.series):
            continue
        values = sorted(
            (value for _, value in method_inputs.past[part.series]), reverse=part.direction < 0
        )
        low, high = (
            headlines(product, moved(method_inputs, part.series, values[n]))[0] for n in (0, -1)
        )
        assert low < high, part.series


@products
def test_an_input_that_is_missing_is_named_and_lowers_the_coverage_where_it_weighs(
    product: Product,
) -> None:
    method_inputs = base(product)
    whole = wire(product, method_inputs)
    weigh = {part.series for row in product.composites[:1] for part in row.parts}
    for series in product.series:
        if method_inputs.point(series) is None:
            assert series in whole["missing"]
            continue
        try:
            told = wire(product, without(method_inputs, series))
        except TooFewInputs:
            continue
        assert series in told["missing"], series
        assert exact(told["coverage"]) <= exact(whole["coverage"]), series
        if series in weigh:
            assert exact(told["coverage"]) < exact(whole["coverage"]), series


@pytest.mark.parametrize("name", OF_COMPOSITE)
def test_an_input_that_is_missing_is_never_counted_as_calm(name: str) -> None:
    product = product_of(name)
    assert product is not None
    known, row = base(product), product.composites[0]
    whole = {contribution.series: contribution for contribution in known.compose(row).contributions}
    for series, gone in whole.items():
        try:
            left = headlines(product, without(known, series))[0]
        except TooFewInputs:
            continue
        rest = [one for one in whole.values() if one is not gone]
        held = sum(one.weight for one in rest)
        mean = sum(one.weight * one.score for one in rest) / held
        assert abs(left - mean) < Decimal("0.1"), series


def without(known: MethodInputs, series: str) -> MethodInputs:
    """Return the same where nothing was ever observed of a series."""
    return replace(
        known,
        points={name: one for name, one in known.points.items() if name != series},
        past={name: one for name, one in known.past.items() if name != series},
    )


@pytest.mark.django_db
def test_a_past_answer_is_the_same_to_the_byte_after_new_vintages_came() -> None:
    sampling.load(now=NOON)
    then = NOON - timedelta(days=10)
    first = {one.name: replayed(one, then) for one in BY_SERIES}
    assert sum(told is not None for told in first.values()) > len(first) / 2
    names = {leaf for one in BY_SERIES for leaf in series_values.list_stored_series(one.series)}
    rows = list(
        Observation.objects.filter(series__in=names, observed_on__gte=then - timedelta(days=400))
    )
    assert len(rows) > 500
    for row in rows:
        value = None if row.value is None else row.value * 2 + 1
        row.pk, row.value, row.vintage = None, value, NOON + timedelta(days=1)
    Observation.objects.bulk_create(rows, ignore_conflicts=True)
    later = {one.name: replayed(one, then) for one in BY_SERIES}
    assert later == first


def replayed(product: Product, then: Any) -> str | None:
    """Return the bytes of an answer at a past moment; None where too little was known."""
    try:
        return json.dumps(
            paid_answers.compute_answer(
                product, asked=build_example_request(product), now=then
            ).wire
        )
    except TooFewInputs:
        return None
