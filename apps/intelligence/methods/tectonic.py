"""Slow strain against its release: what has built up over years while markets show no stress."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from apps.intelligence.known import Known, Made, rounded
from apps.intelligence.methods.months import last_values
from apps.intelligence.methods.triggering import FINE, placed
from apps.intelligence.rules.faults import FAULTS, RELEASE, YEARS, Fault
from apps.intelligence.rules.signals import signal_of
from apps.intelligence.rules.webs import TECTONIC, band
from apps.signals import holding
from apps.signals.composing import place, split
from apps.signals.quality import Unavailable

LEAST = 10  # years that the figures of a fault must span


def compute(known: Known) -> Made:
    """Return the strain that was not let go; raises Unavailable without the stress of markets."""
    inputs = [known.input(one.series, one.weight) for one in FAULTS]
    quality = known.judge([*inputs, known.input(RELEASE, Decimal("0.2"), required=True)])
    release = placed(known, RELEASE)
    strains, kept = _strains(known)
    quality = holding.told(quality, kept, share=len(kept) / Decimal(len(strains) or 1))
    held = sum((one.weight for one in FAULTS if one.name in strains), Decimal(0))
    aged = sum((one.weight for one in FAULTS if one.series in kept), Decimal(0))
    if release is None or held - aged < Decimal("0.6"):
        raise Unavailable("Too few of the slow series that this rests on have fifteen years.")
    shares = _shares(strains, release, held)
    score = sum(shares.values(), Decimal(0))
    body: dict[str, Any] = {
        "tectonic_score": score,
        "regime": band(TECTONIC, score),
        "strain": rounded(
            sum(
                (one.weight * strains[one.name] for one in FAULTS if one.name in strains),
                Decimal(0),
            )
            / held,
            FINE,
        ),
        "release": release,
        "years": YEARS,
        "components": [
            _component(known, one, strains.get(one.name), shares.get(one.name)) for one in FAULTS
        ],
    }
    return Made(body=body, quality=quality)


def _strains(known: Known) -> tuple[dict[str, Decimal], list[str]]:
    """Return the strains by fault, and the series of those that are held though too old."""
    then = known.ageless
    found = {one.name: made for one in FAULTS if (made := strain(then, one)) is not None}
    old = {one.series: (one.weight, found.pop(one.name)) for one in FAULTS
           if one.name in found and not known.point(one.series)}  # fmt: skip
    kept = holding.held([(one.weight, found[one.name]) for one in FAULTS if one.name in found], old)
    return found | {one.name: old[one.series][1] for one in FAULTS if one.series in kept}, kept


def _shares(strains: Mapping[str, Decimal], release: Decimal, held: Decimal) -> dict[str, Decimal]:
    """Return what each fault adds: its strain, less what stress of markets lets go of it."""
    weighed = {
        one.name: one.weight * strains[one.name] * (100 - release) / 100
        for one in FAULTS
        if one.name in strains
    }
    return dict(zip(weighed, split([*weighed.values()], held=held), strict=True))


def strain(known: Known, fault: Fault) -> Decimal | None:
    """Return the place of the change over five years among all such changes, 0 to 100.

    None where the figures span less than ten years, or the newest has none of five years before.
    """
    months = last_values(known.history(fault.series))
    back = 12 * YEARS
    pairs = {
        at: (months[at - back], value) for at, value in months.items() if months.get(at - back)
    }
    if not pairs or max(months) - min(months) < 12 * LEAST or max(pairs) != max(months):
        return None
    changes = [
        rounded(now - then if fault.points else now / then - 1, Decimal("1e-9"))
        for then, now in pairs.values()
    ]
    return place(changes[-1], sorted(changes), fault.direction)


def _component(
    known: Known, one: Fault, strained: Decimal | None, share: Decimal | None
) -> dict[str, Any]:
    point = known.points.get(one.series) if strained is not None else known.point(one.series)
    return {
        "fault": one.name,
        "series": one.series,
        "value": point.value if point else None,
        "score": strained,
        "signal": signal_of(strained),
        "source": point.source if point else "",
        "weight": one.weight,
        "contribution": share,
        "why": one.why,
        "reference": one.reference,
    }
