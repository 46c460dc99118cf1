"""One run of the oracle: from the newest values of all series to score, signals and quality.

The stored payload of a run has the field names of the answer's shapes (serializers/runs.py), plus
`series`: every value used.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from typing import Any

from apps.insight.stability.oracle.rules import layers, usd_outlook
from apps.insight.stability.oracle.rules.confidence import WeighedSeries, compute_confidence
from apps.insight.stability.oracle.rules.curves import signal_of_points
from apps.insight.stability.oracle.rules.layers import (
    FINEST,
    LAYERS,
    SHARES,
    WHOLE,
    InputScore,
    LayerScore,
    Weights,
)
from apps.insight.stability.oracle.rules.measures import Facts, Measure
from apps.insight.stability.oracle.rules.usd_signals import AGAINST, USD_SIGNALS
from apps.insight.stability.oracle.series_snapshot import SeriesSnapshot, build_weighed_input
from apps.reference.signals import carried_forward_labels
from apps.reference.signals.points import Point
from apps.reference.signals.quality import Quality, is_input_counted, judge_quality

TENTHS = 10


@dataclass(frozen=True, slots=True)
class ComputedRun:
    """The result of a run. `score` is in units of FINEST, `deviation` in basis points."""

    score: int
    deviation: Decimal
    quality: Quality
    payload: dict[str, Any]


def compute_run(series_snapshot: SeriesSnapshot, *, weights: Weights) -> ComputedRun:
    """Return the oracle's result for the known data.

    Raises TooFewInputs if less than 0.6 of the weight counts, or the peg is not known.
    """
    counted = layers.score_layers(series_snapshot.facts, last=series_snapshot.last, weights=weights)
    # each series of an input carries an equal part of its weight; a point that its measure cannot
    # use, such as one without a value a month earlier, does not count
    inputs = [
        build_weighed_input(
            name,
            Decimal(weights[layer.id] * input_.weight) / len(input_.measure.series),
            _select_point(input_.measure, name, series_snapshot),
            required=input_.required,
        )
        for layer in LAYERS
        for input_ in layer.inputs
        for name in input_.measure.series
    ]
    # inputs that are carried forward must show in the label: their share of the score and names
    held_parts = [
        (score, part) for score in counted for part in score.parts if part.held and score.weight
    ]
    names = [name for _, part in held_parts for name in part.input.measure.series]
    share = sum((Decimal(score.weight * part.weight) for score, part in held_parts), Decimal(0))
    lapsed = [name for name in dict.fromkeys(names) if name not in series_snapshot.facts]
    quality = carried_forward_labels.label_carried_forward_inputs(
        judge_quality(inputs, as_of=series_snapshot.as_of), lapsed, share=share / WHOLE / WHOLE
    )
    peg = next(p.value for p in _layer_of_id(counted, "basket").parts if p.input.id == "peg")
    # the peg is required: without it judge_quality() has raised TooFewInputs
    assert peg is not None
    score = layers.sum_contributions(counted)
    confidence_inputs = [
        WeighedSeries(
            input_.weight,
            is_input_counted(input_, as_of=series_snapshot.as_of),
            input_.point is not None and not input_.point.estimated,
        )
        for input_ in inputs
    ]
    statement = {
        "score": Decimal(score) / FINEST,
        "peg": {"deviation_bps": peg},
        "confidence": compute_confidence(confidence_inputs),
        "data_quality": quality.label,
        # rounded down: 0.79999 must not pass for the 0.8 that a stable run needs
        "coverage": quality.coverage.quantize(Decimal("0.0001"), ROUND_DOWN),
        "as_of": quality.as_of,
        "reasons": list(quality.reasons),
        "missing": list(dict.fromkeys(quality.missing)),
        "layers": [_serialize_layer(layer_score, series_snapshot) for layer_score in counted],
        "usd_health": _build_usd_health(counted, series_snapshot),
        "votes": usd_outlook.collect_votes(_select_usd_facts(counted, series_snapshot)),
        "series": serialize_evidence(series_snapshot),
    }
    return ComputedRun(score, peg, quality, statement)


def serialize_evidence(series_snapshot: SeriesSnapshot) -> dict[str, Any]:
    """Return every value that was known to a run: of what day, from whom, since when, on what
    terms, and whether it was young enough to count.
    """
    return {
        name: {
            "value": point.value,
            "day": point.day,
            "source": point.source,
            "kind": point.kind,
            "vintage": point.vintage,
            "counts": name in series_snapshot.facts,
            "licence": point.licence,
        }
        for name, point in series_snapshot.points.items()
    }


def _select_point(measure: Measure, name: str, series_snapshot: SeriesSnapshot) -> Point | None:
    """Return the point of a series for an input if it counts, or if it is only too old."""
    if measure.of(series_snapshot.facts) is not None:
        return series_snapshot.points.get(name)
    # a series that is too old is reported as such, one without a usable history as missing
    lapsed = name not in series_snapshot.facts and measure.of(series_snapshot.last) is not None
    return series_snapshot.points.get(name) if lapsed else None


def _layer_of_id(counted: Sequence[LayerScore], name: str) -> LayerScore:
    return next(layer_score for layer_score in counted if layer_score.layer.id == name)


def _serialize_layer(layer_score: LayerScore, series_snapshot: SeriesSnapshot) -> dict[str, Any]:
    """Return one serialized layer; unknown values are null."""
    names = [
        name for part in layer_score.parts if part.weight for name in part.input.measure.series
    ]
    return {
        "id": layer_score.layer.id,
        "value": Decimal(layer_score.value) / SHARES if layer_score.known else None,
        "signal": layer_score.signal if layer_score.known else None,
        "weight": Decimal(layer_score.weight) / WHOLE,
        "contribution": Decimal(layer_score.contribution) / FINEST,
        **_serialize_origin(names, series_snapshot),
        "inputs": [_serialize_input(part, series_snapshot) for part in layer_score.parts],
    }


def _serialize_input(part: InputScore, series_snapshot: SeriesSnapshot) -> dict[str, Any]:
    lacks = part.value is None
    return {
        "id": part.input.id,
        "value": part.value,
        "points": None if lacks else Decimal(part.tenths) / TENTHS,
        "signal": None if lacks else signal_of_points(part.tenths),
        "weight": Decimal(part.weight) / WHOLE,
        "share": Decimal(part.share) / SHARES,
        **_serialize_origin(() if lacks else part.input.measure.series, series_snapshot),
    }


def _serialize_origin(names: Sequence[str], series_snapshot: SeriesSnapshot) -> dict[str, Any]:
    """Return publishers of some series and their oldest moment; empty and None for no series."""
    points = [series_snapshot.points[name] for name in dict.fromkeys(names)]
    # a derived point names all its publishers, joined by +
    sources = {source for point in points for source in point.source.split("+")}
    return {
        "source": "+".join(sorted(sources)),
        "as_of": min((point.at for point in points), default=None),
    }


def _build_usd_health(
    counted: Sequence[LayerScore], series_snapshot: SeriesSnapshot
) -> dict[str, Any]:
    layer = _layer_of_id(counted, "usd")
    parts = {part.input.id: part for part in layer.parts}
    facts = _select_usd_facts(counted, series_snapshot)
    cast = usd_outlook.collect_votes(facts)
    blocks = {
        usd_signal.field: usd_signal.block(facts) for usd_signal in USD_SIGNALS if usd_signal.block
    }
    block_fields = {
        usd_signal.field: None
        if (block := blocks[usd_signal.field]) is None
        or not (used := [name for name in usd_signal.measure.series if name in facts])
        else block
        | {
            "signal": _signal_of_input(parts[usd_signal.id]),
            "proxy": any(series_snapshot.points[name].kind == "proxy" for name in used),
            **_serialize_origin(used, series_snapshot),
        }
        for usd_signal in USD_SIGNALS
        if usd_signal.field
    }
    return {
        "score": Decimal(layer.value) / SHARES,
        "structural_outlook": usd_outlook.dollar_outlook(cast),
        "confidence_in_official_data": usd_outlook.official_data_trust(blocks["truflation_vs_bls"]),
        "usd_strength_consensus": usd_outlook.dollar_consensus(cast),
        **block_fields,
        # votes of the last figures, however old: a disagreement does not end because a source stops
        "divergence_alerts": usd_outlook.list_divergences(
            blocks=blocks, cast=usd_outlook.collect_votes(series_snapshot.last)
        ),
        "alerts": usd_outlook.list_alerts(blocks),
    }


def _select_usd_facts(counted: Sequence[LayerScore], series_snapshot: SeriesSnapshot) -> Facts:
    """Return the facts for the dollar's health: those that count, and the last figures of stopped
    signals that are held or that voted against the dollar.
    """
    ids = {part.input.id for part in _layer_of_id(counted, "usd").parts if part.held}
    last = usd_outlook.collect_votes(series_snapshot.last)
    names = {
        name
        for usd_signal in USD_SIGNALS
        if usd_signal.id in ids or last.get(usd_signal.id) == AGAINST
        for name in usd_signal.measure.series
        if name in series_snapshot.last
    }
    return {**series_snapshot.facts, **{name: series_snapshot.last[name] for name in names}}


def _signal_of_input(part: InputScore) -> str | None:
    """Return the band of a signal, None if it has a value but no change to measure."""
    return None if part.value is None else signal_of_points(part.tenths)
