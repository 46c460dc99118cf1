"""Shift of rain in ten farming zones: 2021 to 2023 against 1972 to 1974 (3 §2.7)."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from apps.intelligence.known import Known, Made, rounded
from apps.intelligence.methods import averages
from apps.intelligence.methods.gauging import Strain, weigh
from apps.intelligence.methods.lapsing import held
from apps.intelligence.rules import zones
from apps.intelligence.rules.gauges import word_of
from apps.intelligence.rules.zones import ZONES, Zone
from apps.signals.composing import place

HUNDREDTH = Decimal("0.01")


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What the rain of a zone came to; None where years are missing."""

    zone: Zone
    shift: Decimal | None
    doubt: Decimal | None
    long: Decimal | None
    error: Decimal | None
    dryness: Decimal | None

    @property
    def word(self) -> str:
        """The class of the shift."""
        return zones.UNKNOWN if self.shift is None else word_of(self.shift, zones.CLASSES)

    @property
    def beyond_chance(self) -> bool | None:
        """Whether the shift between normals is more than chance would make of none."""
        if self.long is None or self.error is None:
            return None
        return abs(self.long) > zones.BEYOND * self.error


def compute(known: Known) -> Made:
    """Return the shift of rain; raises Unavailable where six zones are not known."""
    then = known.ageless
    ageless = [seen(then, zone) for zone in ZONES]
    # what was at risk stays so, with its last figures, until somebody tells otherwise
    found = [
        one if one.word in zones.AT_RISK or known.point(one.zone.series) else seen(known, one.zone)
        for one in ageless
    ]
    weight = Decimal(1) / len(found)
    made = weigh(
        known,
        [
            Strain(
                series=one.zone.series,
                weight=weight,
                score=None if one.shift is None else one.dryness,
            )
            for one in ageless
        ],
    )
    at_risk = [one.zone for one in found if one.word in zones.AT_RISK]
    body: dict[str, Any] = {
        "climate_score": made.score,
        "summary": _summary(made.score, at_risk),
        "regions": [_region(one) for one in found],
        "transmission": {
            "food_inflation_pressure": word_of(Decimal(len(at_risk)), zones.FOOD),
            "migration_pressure": word_of(
                Decimal(sum(zone.hungry for zone in at_risk)), zones.LEAVING
            ),
        },
        "components": made.components,
    }
    quality = held(known, made.quality, [zone.series for zone in at_risk], of=len(ZONES))
    return Made(body=body, quality=quality)


def seen(known: Known, zone: Zone) -> Seen:
    """Return what the rain of a zone came to."""
    values = averages.by_year(known.history(zone.series))
    spans = [
        averages.of_years(values, one[0], one[-1])
        for one in (zones.EARLY, zones.LATE, zones.BEFORE, zones.AFTER)
    ]
    early, late, before, after = spans
    scatter = (
        (averages.variance(before) + averages.variance(after)) / 2 if before and after else None
    )
    return Seen(
        zone=zone,
        shift=averages.shift_pct(early, late) if early and late else None,
        doubt=averages.scatter_error_pct(early, late, scatter)
        if early and late and scatter
        else None,
        long=averages.shift_pct(before, after) if before and after else None,
        error=averages.shift_error_pct(before, after) if before and after else None,
        dryness=dryness(values),
    )


def dryness(values: dict[int, Decimal]) -> Decimal | None:
    """Return how dry the newest three years are, 0 to 100: the share of all runs of three years
    since 1961 that were not drier. None with fewer than thirty such runs.
    """
    runs = {
        year: sum(run, Decimal(0))
        for year in values
        if year >= zones.SINCE + 2 and (run := averages.of_years(values, year - 2, year))
    }
    if len(runs) < 30 or max(runs) != max(values):
        return None
    return place(runs[max(runs)], sorted(runs.values()), -1)


def _summary(score: Decimal, at_risk: list[Zone]) -> dict[str, Any]:
    return {
        "global_food_system_risk": word_of(score, zones.RISKS),
        "regions_at_risk": [zone.name for zone in at_risk],
        "critical_commodities": zones.critical(at_risk),
        "cascade_signals": zones.cascades(at_risk),
    }


def _region(one: Seen) -> dict[str, Any]:
    return {
        "name": one.zone.name,
        "precipitation_shift_pct": _shown(one.shift),
        "precipitation_shift_error_pct": _shown(one.doubt),
        "classification": one.word,
        "commodities": list(one.zone.commodities),
        "normal_shift_pct": _shown(one.long),
        "normal_shift_error_pct": _shown(one.error),
        "beyond_chance": one.beyond_chance,
    }


def _shown(value: Decimal | None) -> Decimal | None:
    return None if value is None else rounded(value, HUNDREDTH)
