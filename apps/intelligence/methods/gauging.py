"""Weighs strains of series into one score: what is missing gives its weight to the others."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from apps.intelligence import telling
from apps.intelligence.known import Known, Made, rounded
from apps.intelligence.rules.gauges import REGIMES, SIGNALS, Gauge, word_of
from apps.signals import holding
from apps.signals.composing import split
from apps.signals.quality import Quality, counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Strain:
    """What one series brings: its weight, and its strain of 0 to 100, of its last figure however
    old; None where there is none.
    """

    series: str
    weight: Decimal
    score: Decimal | None
    required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """A score of 0 to 100, to which the contributions of `components` sum, and how good it is."""

    score: Decimal
    components: list[dict[str, Any]]
    quality: Quality


def strains(known: Known, gauges: Iterable[Gauge]) -> list[Strain]:
    """Return the strain of every gauge; None where nothing is known of its series."""
    return [
        Strain(
            series=one.series,
            weight=one.weight,
            score=one.strain(known.points[one.series].value)
            if one.series in known.points
            else None,
            required=one.required,
        )
        for one in gauges
    ]


def weigh(known: Known, parts: Sequence[Strain]) -> Weighed:
    """Return the weighted mean of strains; raises Unavailable where too little counts.

    What is too old is held where it is more strained than the rest (apps/signals/holding.py).
    """
    inputs = [known.input(one.series, one.weight, required=one.required) for one in parts]
    held = [
        one if part.score is not None else replace(one, point=None)
        for one, part in zip(inputs, parts, strict=True)
    ]
    quality = known.judge(held)
    there = {one.name: (one.weight, part.score) for one, part in zip(held, parts, strict=True)
             if one.point is not None and part.score is not None}  # fmt: skip
    good = {one.name for one in held if counts(one, as_of=known.as_of)}
    old = {name: there[name] for name in there if name not in good}
    kept = holding.held([there[name] for name in there if name in good], old)
    counted = [one for one in parts if one.series in good.union(kept)]
    whole = sum((one.weight for one in counted), Decimal(0))
    aged = sum((old[name][0] for name in kept), Decimal(0))
    shares = split([one.weight * (one.score or 0) for one in counted], held=whole)
    told = {
        one.series: _told(known, one, one.weight / whole, share)
        for one, share in zip(counted, shares, strict=True)
    }
    return Weighed(
        score=sum(shares, Decimal(0)),
        components=[told.get(one.series) or telling.absent(one.series) for one in parts],
        quality=holding.told(quality, kept, share=aged / whole),
    )


def _told(known: Known, one: Strain, weight: Decimal, share: Decimal) -> dict[str, Any]:
    assert one.score is not None
    return telling.seen(
        known.points[one.series], score=one.score, signal=word_of(one.score, SIGNALS)
    ) | {"weight": rounded(weight, telling.HUNDREDTH), "contribution": share}


def answer(
    known: Known, gauges: Sequence[Gauge], *, headline: str, beside: Sequence[Strain] = ()
) -> Made:
    """Return a score of gauges, and of strains beside them, under the name `headline`."""
    made = weigh(known, [*strains(known, gauges), *beside])
    marks = {one.series: {"calm": one.calm, "worst": one.worst, "basis": one.why} for one in gauges}
    body = {
        headline: made.score,
        "regime": word_of(made.score, REGIMES),
        "components": [one | marks.get(one["series"], {}) for one in made.components],
    }
    return Made(body=body, quality=made.quality)
