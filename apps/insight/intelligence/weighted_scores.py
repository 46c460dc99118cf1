"""A headline that is no composite: scores of 0 to 100, weighed, whose shares sum to it. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from apps.insight.intelligence import component_payloads
from apps.insight.intelligence.method_inputs import MethodInputs, round_to_step
from apps.reference.signals import held_inputs
from apps.reference.signals.composition import LONG_ENOUGH, rank_in_history, split_score
from apps.reference.signals.lapsed_inputs import choose_held_inputs
from apps.reference.signals.quality import Quality, SeriesInput


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredInput:
    """One input: its strain of 0 to 100, of its last figure however old; None without any."""

    series: str
    weight: Decimal
    score: Decimal | None
    required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedScore:
    """The headline, what each input adds (see ComponentOut), and how good it is."""

    score: Decimal
    components: list[dict[str, Any]]
    quality: Quality


def combine_scored_inputs(known: MethodInputs, inputs: Sequence[ScoredInput]) -> WeightedScore:
    """Return the weighted mean of what is known; the weights of the rest go to it.

    What is too old is held where it is more strained (signals/lapsed_inputs.py). Raises
    Unavailable below a coverage of 0.6 and without a required input.
    """
    quality = known.judge([_build_quality_input(known, one) for one in inputs])
    rated = [(one, one.score) for one in inputs
             if one.score is not None and one.series in known.points]  # fmt: skip
    kept = _choose_held_series(known, rated)
    good = [pair for pair in rated if known.point(pair[0].series) or pair[0].series in kept]
    held = sum((one.weight for one, _ in good), Decimal(0))
    old = sum((one.weight for one, _ in good if one.series in kept), Decimal(0))
    shares = split_score([one.weight * score for one, score in good], held=held)
    return WeightedScore(
        score=sum(shares, Decimal(0)),
        components=[
            _serialize_scored_input(known, one, score, share, held)
            for (one, score), share in zip(good, shares, strict=True)
        ],
        quality=held_inputs.label_held_inputs(quality, kept, share=old / held),
    )


def _choose_held_series(
    known: MethodInputs, rated: Sequence[tuple[ScoredInput, Decimal]]
) -> list[str]:
    told = {one.series: (one.weight, score) for one, score in rated}
    old = {name: told.pop(name) for name in [*told] if not known.point(name)}
    return choose_held_inputs(told.values(), old)


def _build_quality_input(known: MethodInputs, one: ScoredInput) -> SeriesInput:
    found = known.input(one.series, one.weight, required=one.required)
    if one.score is not None:
        return found
    return known.unusable(found)


def _serialize_scored_input(
    known: MethodInputs, one: ScoredInput, score: Decimal, share: Decimal, held: Decimal
) -> dict[str, Any]:
    point = known.points[one.series]
    told = component_payloads.serialize_component(
        point, score=round_to_step(score, component_payloads.FOUR_DECIMALS)
    )
    return told | {
        "weight": round_to_step(one.weight / held, component_payloads.FOUR_DECIMALS),
        "contribution": share,
    }


def newest_place_of_series(
    known: MethodInputs, series: str, *, direction: int = 1
) -> Decimal | None:
    """Return the place of the newest value in its own history; None where that spans too little."""
    return place_of_last_value(known.history(series), direction=direction)


def place_of_last_value(
    past: Sequence[tuple[date, Decimal | float]], *, direction: int = 1
) -> Decimal | None:
    """Return the place of the last of these values among all; None under ten years of them."""
    if not past or past[-1][0] - past[0][0] < LONG_ENOUGH:
        return None
    values = [Decimal(value) for _, value in past]
    return rank_in_history(values[-1], sorted(values), direction)
