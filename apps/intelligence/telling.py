"""Says inputs in the words of the API: components, and sources. Pure."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from apps.intelligence.known import Known, rounded
from apps.intelligence.rules.signals import signal_of
from apps.signals.composing import Composed, Share
from apps.signals.points import Point
from apps.signals.series import row_of

HUNDREDTH = Decimal("0.0001")


def components(made: Composed) -> list[dict[str, Any]]:
    """Return the inputs of a composite; see ComponentOut. Their contributions sum to its score."""
    held = sum((one.weight for one in made.contributions), Decimal(0))
    return [_weighed(one, one.weight / held) for one in made.contributions]


def _weighed(one: Share, weight: Decimal) -> dict[str, Any]:
    return seen(one.point, score=one.score) | {
        "weight": rounded(weight, HUNDREDTH),
        "contribution": one.share,
    }


def seen(point: Point, *, score: Decimal | None = None, signal: str = "") -> dict[str, Any]:
    """Return one input; see ComponentOut. `score` is its place in its own history, 0 to 100."""
    row = row_of(point.series)
    told: dict[str, Any] = {
        "series": point.series,
        "title": row.title if row else point.series,
        "value": point.value,
        "unit": point.unit,
        "signal": signal or signal_of(score),
        "source": point.source,
        "as_of": point.at,
    }
    return told if score is None else told | {"score": score}


def absent(series: str) -> dict[str, Any]:
    """Return an input of which nothing counts; see ComponentOut."""
    row = row_of(series)
    return {
        "series": series,
        "title": row.title if row else series,
        "value": None,
        "unit": row.unit_of(series) if row else "",
        "signal": signal_of(None),
        "source": "",
    }


def used(known: Known, names: Iterable[str], held: Iterable[str]) -> list[Point]:
    """Return the points that an answer rests on: those that count, and those that are held."""
    kept = set(held)
    found = ((name, known.points.get(name)) for name in names)
    return [point for name, point in found if point and (name in kept or known.point(name))]


def sources(points: Iterable[Point]) -> list[dict[str, Any]]:
    """Return where each series that is used comes from, on what terms; see SourceOut."""
    return [
        {
            "series": one.series,
            "source": one.source,
            "licence": one.licence,
            "as_of": one.at,
            "cadence": one.cadence,
            "kind": one.kind,
        }
        for one in points
    ]
