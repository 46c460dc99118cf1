"""A missing input lowers the coverage, and never the stress: over all products of the catalogue.

Missing is what has grown too old, as where a publisher falls silent, and what was never observed.
Of the first its last figure is known, under which no score may fall because of the silence. Of the
second nothing is known: it must not count as calm.
"""

import json
import random
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from apps.insight.intelligence.catalogue import PRODUCTS, Product, product_of
from apps.insight.intelligence.method_inputs import MethodInputs
from apps.reference.signals.composites import find_composite
from apps.reference.signals.quality import TooFewInputs
from tests.conftest import NOON
from tests.intelligence.test_method_properties import (
    BY_SERIES,
    NO_SERIES,
    SUMS,
    at,
    base,
    exact,
    moved,
    wire,
    without,
)

FINE = Decimal("0.001")
AGES = timedelta(days=100_000)
LONG_AGO = NOON.date() - AGES - timedelta(days=2)
# headlines of which less is worse
HEALTH = {"earth-systems": ("sustainability.earthHealthIndex",)}
# what has no score that could fall, and why
UNSCORED = {
    "energy-transition": "it tells rates of change side by side, and no score",
    "causal-graph": "it tells a graph, and no score",
}
PLAIN = [one for one in BY_SERIES if one.name not in UNSCORED]
# products whose score is not a mean of inputs: what lapsed is looked at as it is, at no extreme
WEBS = {
    "mycelium": "its nodes are weighed by all of their past",
    "resonance": "it is the place of a ratio of all inputs",
    "contagion": "it is a loss that goes through all inputs",
    "butterfly": "it is a shock that goes through a graph",
    "aftershock": "it has one input, without which there is no answer",
}
MEANS = [one for one in PLAIN if one.name not in WEBS]
products = pytest.mark.parametrize("product", PLAIN, ids=lambda one: one.name)
means = pytest.mark.parametrize("product", MEANS, ids=lambda one: one.name)


@cache
def observed(name: str) -> MethodInputs:
    """Return what the sample lets a product know, as if publishers had told it just now."""
    product = product_of(name)
    assert product is not None
    method_inputs = base(product)
    points = {
        series: replace(one, source="PUBLISHER", kind="observed", max_age=AGES)
        for series, one in method_inputs.points.items()
    }
    return replace(method_inputs, points=points)


def silent(known: MethodInputs, names: Iterable[str]) -> MethodInputs:
    """Return the same where some publishers told nothing for too long."""
    aged = {
        name: replace(known.points[name], day=LONG_AGO) for name in names if name in known.points
    }
    return replace(known, points={**known.points, **aged})


def told(product: Product, known: MethodInputs) -> Mapping[str, Any] | None:
    """Return an answer; None where it is refused."""
    try:
        return wire(product, known)
    except TooFewInputs:
        return None


def observed_answer(
    product: Product, *, silent: Iterable[str] = (), newest: tuple[str, Decimal] | None = None
) -> Mapping[str, Any]:
    """Return the answer to what is observed; raises TooFewInputs where it is refused.

    `silent` are publishers that told nothing for too long, `newest` is another value of a series.
    """
    found = observed_answer_or_none(product, silent=silent, newest=newest)
    if found is None:
        raise TooFewInputs("Too little is known.")
    return found


def observed_answer_or_none(
    product: Product, *, silent: Iterable[str] = (), newest: tuple[str, Decimal] | None = None
) -> Mapping[str, Any] | None:
    """Return the same; None where it is refused."""
    found: Mapping[str, Any] | None = json.loads(
        _observed_answer(product.name, frozenset(silent), newest)
    )
    return found


@cache
def _observed_answer(name: str, names: frozenset[str], newest: tuple[str, Decimal] | None) -> str:
    """Return the answer as JSON: of several tests each asks for the same thousands of answers."""
    product = product_of(name)
    assert product is not None
    method_inputs = observed(name)
    then = moved(method_inputs, *newest) if newest else method_inputs
    return json.dumps(told(product, silent(then, names)))


def extremes(product: Product, series: str) -> list[tuple[str, Decimal]]:
    """Return a series at its best and at its worst, or nothing where it has no past."""
    values = [value for _, value in observed(product.name).past[series]]
    return [(series, min(values)), (series, max(values))] if values else []


def stress(product: Product, body: Mapping[str, Any]) -> dict[str, Decimal]:
    """Return the scores of an answer that are given, each so that more is worse."""
    found = {path: at(body, path) for _, path in SUMS[product.name]}
    worse = -1 if product.name in HEALTH else 1
    return {path: worse * exact(one) for path, one in found.items() if one is not None}


def not_lower(product: Product, whole: Mapping[str, Any], left: Mapping[str, Any] | None) -> None:
    if left is None:
        return
    before = stress(product, whole)
    for path, score in stress(product, left).items():
        assert score >= before[path], path
    assert exact(left["coverage"]) <= exact(whole["coverage"])


def test_every_product_stands_in_the_tables() -> None:
    assert {product.name for product in PRODUCTS} == {one.name for one in PLAIN} | {
        *UNSCORED
    } | NO_SERIES
    assert {*WEBS} <= {one.name for one in PLAIN}


@products
def test_a_publisher_that_falls_silent_lowers_no_score_and_raises_no_coverage(
    product: Product,
) -> None:
    method_inputs = observed(product.name)
    whole = observed_answer(product)
    assert whole["missing"] == [one for one in product.series if one not in method_inputs.points]
    for series in method_inputs.points:
        left = observed_answer_or_none(product, silent=[series])
        not_lower(product, whole, left)
        assert left is None or series in left["missing"], series


@means
def test_nor_where_it_was_at_its_worst_or_at_its_best(product: Product) -> None:
    for series in observed(product.name).points:
        for newest in extremes(product, series):
            whole = observed_answer(product, newest=newest)
            left = observed_answer_or_none(product, newest=newest, silent=[series])
            not_lower(product, whole, left)


@products
def test_nor_do_several_that_fall_silent_together(product: Product) -> None:
    known, draw = observed(product.name), random.Random(product.name)
    whole, names = observed_answer(product), sorted(known.points)
    for count in range(2, 7):
        chosen = draw.sample(names, min(count, len(names)))
        not_lower(product, whole, observed_answer_or_none(product, silent=chosen))


@products
def test_nor_does_a_further_one_beside_those_that_are_silent(product: Product) -> None:
    known, draw = observed(product.name), random.Random(product.name)
    names = sorted(known.points)
    for _ in range(8):
        chosen = draw.sample(names, min(draw.randint(2, 6), len(names)))
        first, further = (
            observed_answer_or_none(product, silent=some) for some in (chosen[:-1], chosen)
        )
        if first is not None:
            not_lower(product, first, further)


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        ("resonance", ["cotton", "fx.usd.EUR", "corn", "fx.usd.GBP", "fx.usd.CNY"]),
        ("resonance", ["fx.usd.CAD", "fx.usd.AUD", "fx.usd.INR", "wheat", "fx.usd.GBP"]),
        ("mycelium", ["fx.eur.CAD", "fx.eur.USD", "corn", "cotton"]),
        ("mycelium", ["corn", "fx.eur.GBP", "wheat", "fx.eur.CAD", "oil.brent.month"]),
        ("contagion", ["fx.eur.AUD", "fx.eur.CAD", "fx.eur.JPY"]),
        ("contagion", ["fx.eur.GBP", "fx.eur.CHF", "fx.eur.CNY"]),
    ],
)
def test_a_web_is_no_calmer_with_each_further_silence(name: str, chosen: list[str]) -> None:
    product = product_of(name)
    assert product is not None
    answers = [observed_answer(product, silent=chosen[:count]) for count in range(len(chosen) + 1)]
    for before, after in pairwise(answers):
        not_lower(product, before, after)
    # of months alone that all have: the others go on while one stands still
    assert {answer["windowMonths"] for answer in answers} == {60}


@means
def test_what_was_never_observed_is_never_counted_as_calm(product: Product) -> None:
    method_inputs = observed(product.name)
    whole = observed_answer(product)
    for series in method_inputs.points:
        left = told(product, without(method_inputs, series))
        if left is None:
            continue
        for listed, path in SUMS[product.name]:
            adds = [exact(one["contribution"]) for one in at(whole, listed) if of(one, series)]
            if at(left, path) is not None and product.name not in HEALTH:
                assert exact(at(left, path)) >= exact(at(whole, path)) - sum(adds) - FINE, series
            elif product.name in HEALTH:
                assert (
                    100 - exact(at(left, path))
                    >= sum(
                        exact(one["weight"]) * exact(one["score"])
                        for one in at(whole, listed)
                        if not of(one, series)
                    )
                    - 100 * FINE
                ), series


def of(part: Mapping[str, Any], series: str) -> bool:
    """Tell whether a part of a score rests on a series."""
    if "composite" in part:
        return series in {one.series for one in find_composite(part["composite"]).parts}
    return bool(part["series"] == series)


def test_what_is_held_is_told_and_is_no_observation() -> None:
    product = product_of("currency-stress")
    assert product is not None
    method_inputs = observed("currency-stress")
    worst = max(value for _, value in method_inputs.past["fx.usd.INR"])
    then = moved(method_inputs, "fx.usd.INR", worst)
    whole, left = wire(product, then), wire(product, silent(then, ["fx.usd.INR"]))
    assert left["stressIndex"] == whole["stressIndex"]
    assert (whole["dataQuality"], left["dataQuality"]) == ("LIVE", "ESTIMATED")
    assert {"stale:fx.usd.INR", "held:fx.usd.INR"} <= {*left["reasons"]}
    assert left["missing"] == ["fx.usd.INR"] and left["coverage"] == 0.85
    assert "fx.usd.INR" in {source["series"] for source in left["sources"]}


def test_what_was_calmer_than_the_rest_is_not_held() -> None:
    product = product_of("currency-stress")
    assert product is not None
    method_inputs = observed("currency-stress")
    calm = min(value for _, value in method_inputs.past["fx.usd.INR"])
    left = wire(product, silent(moved(method_inputs, "fx.usd.INR", calm), ["fx.usd.INR"]))
    assert "stale:fx.usd.INR" in left["reasons"] and "held:fx.usd.INR" not in left["reasons"]
    assert "fx.usd.INR" not in {component["series"] for component in left["components"]}
    assert left["dataQuality"] == "PARTIAL"
