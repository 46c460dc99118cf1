"""GET /v1/intelligence/causal-graph."""

import math

import numpy
import pytest
from rest_framework.test import APIClient

from apps.insight.intelligence.methods.layer_graph import (
    blend_edge_weight,
    find_strongest_path,
    layer_score_by_month,
    measure_influence,
)
from apps.insight.intelligence.methods.layer_regression import (
    EdgeEvidence,
    regress_edge,
    select_discoveries,
)
from apps.insight.intelligence.methods.monthly_values import place_by_month
from apps.insight.intelligence.rules.layer_links import (
    LEAST_MONTHS,
    LINKS,
    MAIN,
    phase_of_graph,
    share_of_figures,
)
from apps.insight.intelligence.rules.layers import CODES, LAYERS
from tests.intelligence.conftest import ask
from tests.intelligence.sample_inputs import at_sample, sample

LINK = next(link for link in LINKS if link.weight == MAIN)


@pytest.mark.django_db
def test_it_answers_to_the_field(buyer: APIClient) -> None:
    answer = ask(buyer, "causal-graph")
    assert answer.status_code == 200, answer.content
    body = answer.json()
    assert set(body["topology"]) == {
        "phase", "dominantCausalPath", "mostInfluential", "description",
    }  # fmt: skip
    assert body["topology"]["phase"] == "BLENDING"
    assert body["topology"]["dominantCausalPath"][0] == body["topology"]["mostInfluential"]
    assert body["evidence"]["edges"] == len(LINKS)
    assert "prior:edges" in body["reasons"]


def test_the_same_figures_give_the_same_answer() -> None:
    assert at_sample("causal-graph").body == at_sample("causal-graph").body


def test_each_link_is_between_two_layers_and_says_why() -> None:
    pairs = [(link.source, link.target) for link in LINKS]
    assert len(set(pairs)) == len(pairs)
    assert all(
        link.source != link.target and {link.source, link.target} <= set(CODES) for link in LINKS
    )
    assert all(
        link.why and link.reference and 0 < link.weight < 1 and link.months > 0 for link in LINKS
    )


def test_what_was_made_to_follow_is_found_and_chance_is_not() -> None:
    random = numpy.random.default_rng(7)
    source = {at: float(value) for at, value in enumerate(random.normal(size=240))}
    noise = random.normal(size=240)
    follows = {at: 0.6 * source.get(at - 3, 0.0) + 0.5 * float(noise[at]) for at in range(240)}
    other = {at: float(value) for at, value in enumerate(random.normal(size=240))}
    edge = regress_edge(source, follows, 3)
    assert edge.strength > 0.5 and edge.p < 1e-6 and edge.months == 237
    assert regress_edge(source, {at: -value for at, value in follows.items()}, 3).strength < -0.5
    assert regress_edge(other, follows, 3).p > 0.05


def test_too_few_months_say_nothing() -> None:
    few = {at: math.sin(at) for at in range(LEAST_MONTHS)}
    assert regress_edge(few, few, 1) == EdgeEvidence(months=LEAST_MONTHS - 1)
    assert (share_of_figures(LEAST_MONTHS - 1), share_of_figures(120)) == (0.0, 0.5)


def test_a_series_that_stands_still_says_nothing() -> None:
    still = dict.fromkeys(range(100), 5.0)
    assert regress_edge(still, {at: math.sin(at) for at in range(100)}, 1).p == 1


def test_false_discoveries_are_bounded_as_benjamini_and_hochberg_bound_them() -> None:
    # their example, 1995, section 3.2: at 5 % four of fifteen stand
    chances = [
        0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240,
        0.4262, 0.5719, 0.6528, 0.7590, 1.0,
    ]  # fmt: skip
    assert select_discoveries(chances, 0.05) == [True] * 4 + [False] * 11
    assert select_discoveries(chances[::-1], 0.05) == [False] * 11 + [True] * 4
    assert select_discoveries([0.9, 0.8], 0.05) == [False, False]


def test_theory_gives_way_to_figures_as_these_grow() -> None:
    prior = float(LINK.weight)
    assert (
        blend_edge_weight(LINK, EdgeEvidence(months=10, strength=0.9, p=0.0, found=True)) == prior
    )
    strong = [
        blend_edge_weight(LINK, EdgeEvidence(months=n, strength=0.9, p=0.0, found=True))
        for n in (40, 120, 900)
    ]
    assert prior < strong[0] < strong[1] < strong[2] < 0.9
    assert strong[1] == pytest.approx((prior + 0.9) / 2)
    for edge in (
        EdgeEvidence(months=120, strength=-0.9, p=0.0, found=True),
        EdgeEvidence(months=120, strength=0.9),
    ):
        assert blend_edge_weight(LINK, edge) == pytest.approx(prior / 2)


@pytest.mark.parametrize(
    ("share", "phase"),
    [
        (0.0, "PRIOR"),
        (0.0499, "PRIOR"),
        (0.05, "BLENDING"),
        (0.7999, "BLENDING"),
        (0.8, "EMPIRICAL"),
    ],
)
def test_the_phase_is_told_by_the_part_of_the_figures(share: float, phase: str) -> None:
    assert phase_of_graph(share) == phase


def test_the_strongest_way_and_the_influence_of_a_small_graph() -> None:
    matrix = numpy.array([[0, 0.5, 0.4], [0, 0, 0.9], [0, 0, 0]])
    assert find_strongest_path(matrix, 0) == [0, 1, 2]
    assert find_strongest_path(matrix, 1) == [1, 2]
    assert find_strongest_path(matrix, 2) == [2]
    assert measure_influence(matrix).tolist() == pytest.approx([1.35, 0.9, 0.0])


def test_a_layer_by_months_is_the_mean_of_places_and_not_of_what_is_missing() -> None:
    row = LAYERS[6].row
    method_inputs = sample(tuple(part.series for part in row.parts))
    months = layer_score_by_month(method_inputs, row)
    assert months and all(0 <= value <= 100 for value in months.values())
    assert place_by_month({1: 5.0, 2: 7.0, 3: 7.0, 4: 1.0}) == {
        1: 50.0,
        2: 100.0,
        3: 100.0,
        4: 25.0,
    }
