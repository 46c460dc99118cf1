"""One run of the oracle: from the newest values of all series to score, signals and quality.

What is kept of it is what is told of it: the payload of a run has the names of the answer's shapes
(serializers.py), and `series` beside them, every value that it rests on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from apps.signals import keeping, reading
from apps.signals.points import Point
from apps.signals.quality import Input as Weighed
from apps.signals.quality import Quality, counts, judge
from apps.stability.oracle.rules import layers, usd_outlook
from apps.stability.oracle.rules.confidence import Held, confidence
from apps.stability.oracle.rules.curves import signal_at
from apps.stability.oracle.rules.layers import FINEST, LAYERS, SHARES, WHOLE, Counted, Part, Weights
from apps.stability.oracle.rules.measures import Facts, Seen
from apps.stability.oracle.rules.usd_signals import USD_SIGNALS

BACK = timedelta(days=400)  # of histories: a year's change, and some
TENTHS = 10
Points = Mapping[str, Point]


@dataclass(frozen=True, slots=True)
class Computed:
    """What a run came to. `deviation` in basis points; `told` is its payload."""

    score: int
    deviation: Decimal
    quality: Quality
    told: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Known:
    """What was known at a moment: the newest points, and as facts those that count."""

    points: Points
    facts: Facts
    as_of: datetime


def known(*, as_of: datetime) -> Known:
    """Return what is known of every series of the oracle; in at most four queries."""
    points = keeping.heard_of(reading.latest(layers.series_of(), as_of=as_of), as_of=as_of)
    good = {
        name: point
        for name, point in points.items()
        if counts(_weighed(name, Decimal(1), point), as_of=as_of)
    }
    # of the sample also what is old counts, and its moves are those of its own time
    oldest = min((one.day for one in good.values()), default=as_of.date())
    past = reading.histories(good, as_of=as_of, since=oldest - BACK)
    facts = {name: Seen(one.day, one.value, past[name]) for name, one in good.items()}
    return Known(points, facts, as_of)


def compute(found: Known, *, weights: Weights) -> Computed:
    """Return what the oracle says of what is known.

    Raises Unavailable where less than 0.6 of the weight counts, or the peg is not known.
    """
    counted = layers.count(found.facts, weights=weights)
    inputs = _inputs(found, weights)
    quality = judge(inputs, as_of=found.as_of)
    peg = next(p.value for p in _layer(counted, "basket").parts if p.input.id == "peg")
    assert peg is not None  # it is required: there would be no quality
    score = layers.score(counted)
    told = {
        "score": Decimal(score) / FINEST,
        "peg": {"deviation_bps": peg},
        "confidence": confidence(_held(inputs, found.as_of)),
        "data_quality": quality.label,
        "coverage": quality.coverage.quantize(Decimal("0.0001")),
        "as_of": quality.as_of,
        "reasons": list(quality.reasons),
        "missing": list(dict.fromkeys(quality.missing)),
        "layers": [_told(one, found) for one in counted],
        "usd_health": _usd_health(counted, found),
        "votes": usd_outlook.votes(found.facts),
        "series": evidence(found),
    }
    return Computed(score, peg, quality, told)


def evidence(found: Known) -> dict[str, Any]:
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
            "counts": name in found.facts,
            "licence": point.licence,
        }
        for name, point in found.points.items()
    }


def _inputs(found: Known, weights: Weights) -> list[Weighed]:
    """Return what each series weighs in the score; one that its input cannot use counts nothing."""
    return [
        _weighed(
            name,
            Decimal(weights[layer.id] * one.weight) / len(one.measure.series),
            found.points.get(name) if one.measure.of(found.facts) is not None else None,
            required=one.required,
        )
        for layer in LAYERS
        for one in layer.inputs
        for name in one.measure.series
    ]


def _weighed(name: str, weight: Decimal, point: Point | None, *, required: bool = False) -> Weighed:
    return Weighed(name=name, weight=weight, point=point, required=required)


def _held(inputs: Sequence[Weighed], as_of: datetime) -> list[Held]:
    return [
        Held(
            one.weight, counts(one, as_of=as_of), one.point is not None and not one.point.estimated
        )
        for one in inputs
    ]


def _layer(counted: Sequence[Counted], name: str) -> Counted:
    return next(one for one in counted if one.layer.id == name)


def _told(one: Counted, found: Known) -> dict[str, Any]:
    """Return one layer as it is told; what is not known of it is null."""
    names = [name for part in one.parts if part.weight for name in part.input.measure.series]
    return {
        "id": one.layer.id,
        "value": Decimal(one.value) / SHARES if one.known else None,
        "signal": one.signal if one.known else None,
        "weight": Decimal(one.weight) / WHOLE,
        "contribution": Decimal(one.contribution) / FINEST,
        **_origin(names, found),
        "inputs": [_part(part, found) for part in one.parts],
    }


def _part(part: Part, found: Known) -> dict[str, Any]:
    lacks = part.value is None
    return {
        "id": part.input.id,
        "value": part.value,
        "points": None if lacks else Decimal(part.tenths) / TENTHS,
        "signal": None if lacks else signal_at(part.tenths),
        "weight": Decimal(part.weight) / WHOLE,
        "share": Decimal(part.share) / SHARES,
        **_origin(() if lacks else part.input.measure.series, found),
    }


def _origin(names: Sequence[str], found: Known) -> dict[str, Any]:
    """Return publishers of some series and their oldest moment; empty and None for no series."""
    points = [found.points[name] for name in dict.fromkeys(names)]
    sources = {source for one in points for source in one.source.split("+")}
    return {
        "source": "+".join(sorted(sources)),
        "as_of": min((one.at for one in points), default=None),
    }


def _usd_health(counted: Sequence[Counted], found: Known) -> dict[str, Any]:
    layer = _layer(counted, "usd")
    parts = {part.input.id: part for part in layer.parts}
    cast = usd_outlook.votes(found.facts)
    blocks = {one.field: one.block(found.facts) for one in USD_SIGNALS if one.block}
    told = {
        one.field: None
        if (block := blocks[one.field]) is None
        else block
        | {"signal": _signal(parts[one.id]), **_origin(_seen(one.measure.series, found), found)}
        for one in USD_SIGNALS
        if one.field
    }
    return {
        "score": Decimal(layer.value) / SHARES,
        "structural_outlook": usd_outlook.outlook(cast),
        "confidence_in_official_data": usd_outlook.trust(blocks["truflation_vs_bls"]),
        "usd_strength_consensus": usd_outlook.consensus(cast),
        **told,
        "divergence_alerts": usd_outlook.divergences(blocks=blocks, cast=cast),
        "alerts": usd_outlook.alerts(blocks),
    }


def _seen(names: Sequence[str], found: Known) -> list[str]:
    return [name for name in names if name in found.facts]


def _signal(part: Part) -> str | None:
    """Return what a signal is called; null where its value is known but not its move."""
    return None if part.value is None else signal_at(part.tenths)
