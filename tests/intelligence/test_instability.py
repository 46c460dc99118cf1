"""GET /v1/intelligence/instability."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.insight.intelligence.methods.instability import weighted_score_of_parts
from apps.insight.intelligence.methods.instability_parts import (
    InstabilityPart,
    changes_over_year,
    deficit_over_mean,
    quarter_over_year,
)
from apps.insight.intelligence.rules import instability as rules
from tests.intelligence.conftest import ask
from tests.intelligence.sample_inputs import at_sample

D = Decimal


@pytest.mark.django_db
def test_it_answers_to_the_field(buyer: APIClient) -> None:
    answer = ask(buyer, "instability")
    assert answer.status_code == 200, answer.content
    body = answer.json()
    assert answer["X-SVC-US-Instability"] == str(body["usInstabilityScore"])
    assert answer["X-SVC-Instability-Intensity"] == body["overallIntensity"]
    assert set(body["dataAsOf"]) == {"epuDate", "tradeDate", "deficitDate"}
    assert body["dataAsOf"]["epuDate"] == "2025-08-22"
    russia = next(origin for origin in body["origins"] if origin["actor"] == "Russia")
    assert russia["ongoingSince"] == "2022-02-24"
    shares = [us_component["contribution"] for us_component in body["usComponents"]]
    assert sum(D(str(share)) for share in shares) == D(str(body["usInstabilityScore"]))
    told = [
        *body["watchList"],
        *(key_signal for row in body["origins"] for key_signal in row["keySignals"]),
    ]
    assert told and not any("00000" in one for one in told)


def test_scenarios_have_the_shape_of_cascades() -> None:
    (made,) = [
        scenario
        for scenario in at_sample("instability").body["scenarios"]
        if scenario["type"] == "US_POLICY_INSTABILITY"
    ]
    assert made["confidence"] == 1
    assert [one["layer"] for one in made["propagation"]] == ["L1", "L3", "L5", "L7"]


def test_the_weights_are_those_of_the_specification() -> None:
    assert list(rules.US_WEIGHTS.values()) == [D("0.4"), D("0.2"), D("0.2"), D("0.2")]
    assert list(rules.FISCAL_WEIGHTS.values()) == [D("0.4"), D("0.3"), D("0.3")]
    parts = _parts(rules.US_WEIGHTS, 100, 0, 50, 10)
    assert weighted_score_of_parts(parts, rules.US_WEIGHTS) == 52
    assert (
        weighted_score_of_parts(_parts(rules.FISCAL_WEIGHTS, 50, 100, 0), rules.FISCAL_WEIGHTS)
        == 50
    )


def test_what_is_not_known_of_a_score_is_not_taken_as_zero() -> None:
    assert (
        weighted_score_of_parts(_parts(rules.US_WEIGHTS, 80, None, 80, 80), rules.US_WEIGHTS) == 80
    )
    assert (
        weighted_score_of_parts(_parts(rules.FISCAL_WEIGHTS, None, 100, 100), rules.FISCAL_WEIGHTS)
        == 100
    )
    assert (
        weighted_score_of_parts(_parts(rules.FISCAL_WEIGHTS, 100, None, None), rules.FISCAL_WEIGHTS)
        is None
    )


def test_a_score_rises_with_each_of_its_parts() -> None:
    base = weighted_score_of_parts(_parts(rules.US_WEIGHTS, 50, 50, 50, 50), rules.US_WEIGHTS)
    for at in range(4):
        values = [60 if at == index else 50 for index in range(4)]
        raised = weighted_score_of_parts(_parts(rules.US_WEIGHTS, *values), rules.US_WEIGHTS)
        assert raised is not None and base is not None and raised > base


@pytest.mark.parametrize(
    ("american", "fiscal", "word"),
    [
        ("70", "0", "ACUTE"), ("69.9999", "0", "ELEVATED"), ("0", "70", "ACUTE"),
        ("45", "0", "ELEVATED"), ("44.9999", "0", "MODERATE"), ("20", "19", "MODERATE"),
        ("19.9999", "0", "LOW"), (None, "20", "MODERATE"), (None, None, "NONE"),
    ],
)  # fmt: skip
def test_intensity_is_that_of_the_higher_score(
    american: str | None, fiscal: str | None, word: str
) -> None:
    scores = [None if one is None else D(one) for one in (american, fiscal)]
    assert rules.intensity_of(*scores) == word


def test_the_united_states_are_an_origin_from_twenty() -> None:
    assert [rules.is_us_origin(one) for one in (D("19.9999"), D(20), None)] == [False, True, False]


@pytest.mark.parametrize(
    ("level", "fall", "held"),
    [
        ("7.25", "2", (False, False)), ("7.2501", "2", (True, False)),
        ("7.25", "2.0001", (False, True)), ("7.3", "3", (True, True)), (None, None, (False, False)),
    ],
)  # fmt: skip
def test_china_is_one_above_7_25_or_a_fall_of_2_per_cent(
    level: str | None, fall: str | None, held: tuple[bool, bool]
) -> None:
    assert rules.check_china_conditions(level and D(level), fall and D(fall)) == held  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("spread", "fall", "held"),
    [
        ("200", "3", (False, False)), ("200.1", "3", (True, False)), ("200", "3.1", (False, True)),
        (None, None, (False, False)),
    ],
)  # fmt: skip
def test_the_union_is_one_above_200_basis_points_or_a_fall_of_3_per_cent(
    spread: str | None, fall: str | None, held: tuple[bool, bool]
) -> None:
    assert rules.check_union_conditions(spread and D(spread), fall and D(fall)) == held  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("signal", "score_", "made"),
    [("HIGH", "30", True), ("EXTREME", "30", True), ("ELEVATED", "99", False),
     ("HIGH", "29.9999", False), ("EXTREME", None, False)],
)  # fmt: skip
def test_policy_is_a_scenario_where_uncertainty_is_high_and_the_score_thirty(
    signal: str, score_: str | None, made: bool
) -> None:
    assert rules.is_policy_scenario(signal, score_ and D(score_)) is made  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("debt", "worse", "inflation", "score_", "made"),
    [
        ("100", True, "9", "99", False), ("100.1", True, "0", "30", True),
        ("100.1", False, "2.5", "99", False), ("100.1", False, "2.51", "30", True),
        ("100.1", None, None, "99", False), ("120", True, "9", "29.9999", False),
        (None, True, "9", "99", False),
    ],
)  # fmt: skip
def test_fiscal_dominance_is_one_where_debt_is_above_gdp_and_it_gets_worse(
    debt: str | None, worse: bool | None, inflation: str | None, score_: str, made: bool
) -> None:
    told = rules.is_fiscal_scenario(
        D(debt) if debt else None,
        deteriorating=worse,
        inflation=D(inflation) if inflation else None,
        score=D(score_),
    )
    assert told is made


def test_moves_are_taken_over_the_times_that_are_told() -> None:
    months = [(date(2020, 1, 1) + timedelta(days=30 * at), D(100 + at)) for at in range(14)]
    assert changes_over_year(months)[-1] == (months[-1][0], 100 * (D(113) / D(100) - 1))
    assert quarter_over_year([(day, D(5)) for day, _ in months])[-1][1] == 0
    years = [(date(2020 + at, 12, 31), D(value)) for at, value in enumerate((-3, -3, -3, -6))]
    assert deficit_over_mean(years) == [(date(2023, 12, 31), D(3))]


def _parts(weights: Any, *scores: int | None) -> dict[str, InstabilityPart]:
    named = zip(weights, scores, strict=True)
    return {
        name: InstabilityPart(name, None, None if one is None else D(one), "")
        for name, one in named
    }
