"""Combine strains of series into one score; the weight of missing ones goes to the others."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from apps.insight.intelligence import component_payloads
from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult, round_to_step
from apps.insight.intelligence.rules.bands import label_of_score
from apps.insight.intelligence.rules.gauges import REGIMES, SIGNALS, Gauge
from apps.insight.intelligence.weighted_scores import (
    ScoredInput,
    WeightedScore,
    combine_scored_inputs,
)


def measure_strains(known: MethodInputs, gauges: Iterable[Gauge]) -> list[ScoredInput]:
    """Return the strain of every gauge; None where nothing is known of its series."""
    return [
        ScoredInput(
            series=gauge.series,
            weight=gauge.weight,
            score=gauge.strain(known.points[gauge.series].value)
            if gauge.series in known.points
            else None,
            required=gauge.required,
        )
        for gauge in gauges
    ]


def combine_strains(known: MethodInputs, parts: Sequence[ScoredInput]) -> WeightedScore:
    """Return the weighted mean of strains, with what is missing; raises TooFewInputs."""
    return combine_scored_inputs(known, parts, serialize=_serialize_strain, with_missing=True)


def _serialize_strain(
    known: MethodInputs, scored_input: ScoredInput, weight: Decimal, share: Decimal
) -> dict[str, Any]:
    assert scored_input.score is not None
    return component_payloads.serialize_component(
        known.points[scored_input.series],
        score=scored_input.score,
        signal=label_of_score(scored_input.score, SIGNALS),
    ) | {"weight": round_to_step(weight, component_payloads.FOUR_DECIMALS), "contribution": share}


def build_gauge_answer(
    known: MethodInputs,
    gauges: Sequence[Gauge],
    *,
    headline: str,
    beside: Sequence[ScoredInput] = (),
) -> MethodResult:
    """Return the score of gauges and further strains, under the name `headline`."""
    strains = combine_strains(known, [*measure_strains(known, gauges), *beside])
    marks = {
        gauge.series: {"calm": gauge.calm, "worst": gauge.worst, "basis": gauge.why}
        for gauge in gauges
    }
    body = {
        headline: strains.score,
        "regime": label_of_score(strains.score, REGIMES),
        "components": [
            component | marks.get(component["series"], {}) for component in strains.components
        ],
    }
    return MethodResult(body=body, quality=strains.quality)
