"""Compute weighted means of scores that are no composites; contributions sum to them. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from apps.insight.intelligence import component_payloads
from apps.insight.intelligence.method_inputs import MethodInputs, round_to_step
from apps.reference.signals import carried_forward_labels
from apps.reference.signals.carried_forward_inputs import choose_carried_forward_inputs
from apps.reference.signals.composition import LONG_ENOUGH, rank_in_history, split_score
from apps.reference.signals.quality import Quality, SeriesInput


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredInput:
    """One input: its strain of 0 to 100, from its last figure however old; None without one."""

    series: str
    weight: Decimal
    score: Decimal | None
    required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedScore:
    """The headline, the contribution of each input (see ComponentOut), and the quality."""

    score: Decimal
    components: list[dict[str, Any]]
    quality: Quality


Serializer = Callable[[MethodInputs, ScoredInput, Decimal, Decimal], dict[str, Any]]


def serialize_scored_input(
    known: MethodInputs, scored_input: ScoredInput, weight: Decimal, share: Decimal
) -> dict[str, Any]:
    """Return an input that counts, with its weight and what it adds to the headline."""
    assert scored_input.score is not None
    score = round_to_step(scored_input.score, component_payloads.FOUR_DECIMALS)
    payload = component_payloads.serialize_component(known.points[scored_input.series], score=score)
    weight = round_to_step(weight, component_payloads.FOUR_DECIMALS)
    return payload | {"weight": weight, "contribution": share}


def combine_scored_inputs(
    known: MethodInputs,
    inputs: Sequence[ScoredInput],
    *,
    serialize: Serializer = serialize_scored_input,
    with_missing: bool = False,
) -> WeightedScore:
    """Return the weighted mean of the known scores, scaled to their weight.

    An input that is too old is held if it is more strained (signals/carried_forward_inputs.py).
    `with_missing` also lists what does not count. Raises TooFewInputs if too little counts.
    """
    quality = known.judge([_build_quality_input(known, input_) for input_ in inputs])
    rated = {input_.series: (input_.weight, input_.score) for input_ in inputs
             if input_.score is not None and input_.series in known.points}  # fmt: skip
    old = {name: pair for name, pair in rated.items() if not known.point(name)}
    kept_names = choose_carried_forward_inputs(
        [pair for name, pair in rated.items() if name not in old], old
    )
    counted = [
        input_ for input_ in inputs if input_.series in rated.keys() - old.keys() | set(kept_names)
    ]
    held_weight = sum((scored_input.weight for scored_input in counted), Decimal(0))
    shares = split_score(
        [scored_input.weight * (scored_input.score or 0) for scored_input in counted],
        held=held_weight,
    )
    components = {
        scored_input.series: serialize(
            known, scored_input, scored_input.weight / held_weight, share
        )
        for scored_input, share in zip(counted, shares, strict=True)
    }
    if with_missing:
        components = {
            input_.series: components.get(input_.series)
            or component_payloads.serialize_missing_component(input_.series)
            for input_ in inputs
        }
    aged = sum((old[name][0] for name in kept_names), Decimal(0))
    return WeightedScore(
        score=sum(shares, Decimal(0)),
        components=[*components.values()],
        quality=carried_forward_labels.label_carried_forward_inputs(
            quality, kept_names, share=aged / held_weight
        ),
    )


def _build_quality_input(method_inputs: MethodInputs, scored_input: ScoredInput) -> SeriesInput:
    series_input = method_inputs.input(
        scored_input.series, scored_input.weight, required=scored_input.required
    )
    return series_input if scored_input.score is not None else method_inputs.unusable(series_input)


def newest_place_of_series(
    known: MethodInputs, series: str, *, direction: int = 1
) -> Decimal | None:
    """Return the percentile of the newest value in its own history; None if that is too short."""
    return place_of_last_value(known.history(series), direction=direction)


def place_of_last_value(
    past: Sequence[tuple[date, Decimal | float]], *, direction: int = 1
) -> Decimal | None:
    """Return the percentile of the last value among all; None below ten years of them."""
    if not past or past[-1][0] - past[0][0] < LONG_ENOUGH:
        return None
    values = [Decimal(value) for _, value in past]
    return rank_in_history(values[-1], sorted(values), direction)
