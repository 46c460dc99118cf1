"""Weighs strains of series into one score: what is missing gives its weight to the others."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from apps.insight.intelligence import component_payloads
from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult, round_to_step
from apps.insight.intelligence.rules.gauges import REGIMES, SIGNALS, Gauge, word_in_bands
from apps.reference.signals import held_inputs
from apps.reference.signals.composition import split_score
from apps.reference.signals.lapsed_inputs import choose_held_inputs
from apps.reference.signals.quality import Quality, is_input_counted


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesStrain:
    """What one series brings: its weight, and its strain of 0 to 100, of its last figure however
    old; None where there is none.
    """

    series: str
    weight: Decimal
    score: Decimal | None
    required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedStrain:
    """A score of 0 to 100, to which the contributions of `components` sum, and how good it is."""

    score: Decimal
    components: list[dict[str, Any]]
    quality: Quality


def measure_strains(known: MethodInputs, gauges: Iterable[Gauge]) -> list[SeriesStrain]:
    """Return the strain of every gauge; None where nothing is known of its series."""
    return [
        SeriesStrain(
            series=one.series,
            weight=one.weight,
            score=one.strain(known.points[one.series].value)
            if one.series in known.points
            else None,
            required=one.required,
        )
        for one in gauges
    ]


def combine_strains(known: MethodInputs, parts: Sequence[SeriesStrain]) -> WeightedStrain:
    """Return the weighted mean of strains; raises TooFewInputs where too little counts.

    What is too old is held where it is more strained than the rest (signals/lapsed_inputs.py).
    """
    inputs = [known.input(one.series, one.weight, required=one.required) for one in parts]
    held = [
        one if part.score is not None else known.unusable(one)
        for one, part in zip(inputs, parts, strict=True)
    ]
    quality = known.judge(held)
    there = {one.name: (one.weight, part.score) for one, part in zip(held, parts, strict=True)
             if one.point is not None and part.score is not None}  # fmt: skip
    good = {one.name for one in held if is_input_counted(one, as_of=known.as_of)}
    old = {name: there[name] for name in there if name not in good}
    kept = choose_held_inputs([there[name] for name in there if name in good], old)
    counted = [one for one in parts if one.series in good.union(kept)]
    whole = sum((one.weight for one in counted), Decimal(0))
    aged = sum((old[name][0] for name in kept), Decimal(0))
    shares = split_score([one.weight * (one.score or 0) for one in counted], held=whole)
    told = {
        one.series: _serialize_strain(known, one, one.weight / whole, share)
        for one, share in zip(counted, shares, strict=True)
    }
    return WeightedStrain(
        score=sum(shares, Decimal(0)),
        components=[
            told.get(one.series) or component_payloads.serialize_missing_component(one.series)
            for one in parts
        ],
        quality=held_inputs.label_held_inputs(quality, kept, share=aged / whole),
    )


def _serialize_strain(
    known: MethodInputs, one: SeriesStrain, weight: Decimal, share: Decimal
) -> dict[str, Any]:
    assert one.score is not None
    return component_payloads.serialize_component(
        known.points[one.series], score=one.score, signal=word_in_bands(one.score, SIGNALS)
    ) | {"weight": round_to_step(weight, component_payloads.FOUR_DECIMALS), "contribution": share}


def build_gauge_answer(
    known: MethodInputs,
    gauges: Sequence[Gauge],
    *,
    headline: str,
    beside: Sequence[SeriesStrain] = (),
) -> MethodResult:
    """Return a score of gauges, and of strains beside them, under the name `headline`."""
    made = combine_strains(known, [*measure_strains(known, gauges), *beside])
    marks = {one.series: {"calm": one.calm, "worst": one.worst, "basis": one.why} for one in gauges}
    body = {
        headline: made.score,
        "regime": word_in_bands(made.score, REGIMES),
        "components": [one | marks.get(one["series"], {}) for one in made.components],
    }
    return MethodResult(body=body, quality=made.quality)
