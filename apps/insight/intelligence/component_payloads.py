"""Serialize inputs for the API: components, and sources. Pure."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from apps.insight.intelligence.method_inputs import MethodInputs, round_to_step
from apps.insight.intelligence.rules.history_percentile_labels import signal_of_place
from apps.reference.signals.composition import ComposedScore, Contribution
from apps.reference.signals.points import Point
from apps.reference.signals.series import find_series

FOUR_DECIMALS = Decimal("0.0001")


def serialize_components(composed: ComposedScore) -> list[dict[str, Any]]:
    """Return the inputs of a composite; see ComponentOut. Their contributions sum to its score."""
    held_weight = sum((contribution.weight for contribution in composed.contributions), Decimal(0))
    return [
        _serialize_share(contribution, contribution.weight / held_weight)
        for contribution in composed.contributions
    ]


def _serialize_share(contribution: Contribution, weight: Decimal) -> dict[str, Any]:
    return serialize_component(contribution.point, score=contribution.score) | {
        "weight": round_to_step(weight, FOUR_DECIMALS),
        "contribution": contribution.share,
    }


def serialize_component(
    point: Point, *, score: Decimal | None = None, signal: str = ""
) -> dict[str, Any]:
    """Return one input; see ComponentOut. `score` is its percentile in its own history."""
    row = find_series(point.series)
    component: dict[str, Any] = {
        "series": point.series,
        "title": row.title if row else point.series,
        "value": point.value,
        "unit": point.unit,
        "signal": signal or signal_of_place(score),
        "source": point.source,
        "as_of": point.at,
    }
    return component if score is None else component | {"score": score}


def serialize_missing_component(series: str) -> dict[str, Any]:
    """Return an input of which nothing counts; see ComponentOut."""
    row = find_series(series)
    return {
        "series": series,
        "title": row.title if row else series,
        "value": None,
        "unit": row.unit_of(series) if row else "",
        "signal": signal_of_place(None),
        "source": "",
    }


def select_used_points(
    known: MethodInputs, names: Iterable[str], held: Iterable[str]
) -> list[Point]:
    """Return the points that an answer rests on: those that count, and those that are held."""
    held_names = set(held)
    points_by_name = ((name, known.points.get(name)) for name in names)
    return [
        point
        for name, point in points_by_name
        if point and (name in held_names or known.point(name))
    ]


def serialize_sources(points: Iterable[Point]) -> list[dict[str, Any]]:
    """Return the source and licence of each series that is used; see SourceOut."""
    return [
        {
            "series": point.series,
            "source": point.source,
            "licence": point.licence,
            "as_of": point.at,
            "cadence": point.cadence,
            "kind": point.kind,
        }
        for point in points
    ]
