"""Shift of rain in ten farming zones: 2021 to 2023 against 1972 to 1974 (3 §2.7)."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult, round_or_none
from apps.insight.intelligence.methods import trend_statistics
from apps.insight.intelligence.methods.gauge_scores import combine_strains
from apps.insight.intelligence.methods.stale_inputs import mark_held_series
from apps.insight.intelligence.rules import farming_zones
from apps.insight.intelligence.rules.bands import label_of_score
from apps.insight.intelligence.rules.farming_zones import ZONES, Zone
from apps.insight.intelligence.weighted_scores import ScoredInput
from apps.reference.signals.composition import rank_in_history


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneRain:
    """Rainfall measures of a zone; None where years are missing."""

    zone: Zone
    shift: Decimal | None
    doubt: Decimal | None
    long: Decimal | None
    error: Decimal | None
    dryness: Decimal | None

    @property
    def word(self) -> str:
        """The class of the shift."""
        return (
            farming_zones.UNKNOWN
            if self.shift is None
            else label_of_score(self.shift, farming_zones.CLASSES)
        )

    @property
    def beyond_chance(self) -> bool | None:
        """Whether the shift between normals is significant."""
        if self.long is None or self.error is None:
            return None
        return abs(self.long) > farming_zones.CHANCE_ERRORS * self.error


def compute_climate(known: MethodInputs) -> MethodResult:
    """Return the shift of rain; raises TooFewInputs with fewer than six zones known."""
    then = known.ageless
    ageless = [measure_zone_rain(then, zone) for zone in ZONES]
    # a zone at risk stays so, with its last figures, until new data says otherwise
    zone_rains = [
        rain
        if rain.word in farming_zones.AT_RISK or known.point(rain.zone.series)
        else measure_zone_rain(known, rain.zone)
        for rain in ageless
    ]
    weight = Decimal(1) / len(zone_rains)
    strains = combine_strains(
        known,
        [
            ScoredInput(
                series=rain.zone.series,
                weight=weight,
                score=None if rain.shift is None else rain.dryness,
            )
            for rain in ageless
        ],
    )
    at_risk = [rain.zone for rain in zone_rains if rain.word in farming_zones.AT_RISK]
    body: dict[str, Any] = {
        "climate_score": strains.score,
        "summary": {
            "global_food_system_risk": label_of_score(strains.score, farming_zones.RISKS),
            "regions_at_risk": [zone.name for zone in at_risk],
            "critical_commodities": farming_zones.list_critical_crops(at_risk),
            "cascade_signals": farming_zones.list_possible_cascades(at_risk),
        },
        "regions": [_serialize_zone(rain) for rain in zone_rains],
        "transmission": {
            "food_inflation_pressure": label_of_score(Decimal(len(at_risk)), farming_zones.FOOD),
            "migration_pressure": label_of_score(
                Decimal(sum(zone.hungry for zone in at_risk)), farming_zones.LEAVING
            ),
        },
        "components": strains.components,
    }
    quality = mark_held_series(
        known, strains.quality, [zone.series for zone in at_risk], of=len(ZONES)
    )
    return MethodResult(body=body, quality=quality)


def measure_zone_rain(known: MethodInputs, zone: Zone) -> ZoneRain:
    """Return the rain of a zone compared with its normal."""
    values = trend_statistics.values_by_year(known.history(zone.series))
    spans = [
        trend_statistics.values_of_years(values, years[0], years[-1])
        for years in (
            farming_zones.EARLY,
            farming_zones.LATE,
            farming_zones.BEFORE,
            farming_zones.AFTER,
        )
    ]
    early, late, before, after = spans
    scatter = (
        (trend_statistics.sample_variance(before) + trend_statistics.sample_variance(after)) / 2
        if before and after
        else None
    )
    return ZoneRain(
        zone=zone,
        shift=trend_statistics.shift_pct(early, late) if early and late else None,
        doubt=trend_statistics.scatter_error_pct(early, late, scatter)
        if early and late and scatter
        else None,
        long=trend_statistics.shift_pct(before, after) if before and after else None,
        error=trend_statistics.shift_error_pct(before, after) if before and after else None,
        dryness=measure_dryness(values),
    )


def measure_dryness(values: dict[int, Decimal]) -> Decimal | None:
    """Return how dry the newest three years are, 0 to 100: the share of all runs of three years
    since 1961 that were not drier. None with fewer than thirty such runs.
    """
    runs = {
        year: sum(run, Decimal(0))
        for year in values
        if year >= farming_zones.FIRST_YEAR + 2
        and (run := trend_statistics.values_of_years(values, year - 2, year))
    }
    # the newest run must end with the newest year: a gap in the last three years makes it old
    if len(runs) < 30 or max(runs) != max(values):
        return None
    return rank_in_history(runs[max(runs)], sorted(runs.values()), -1)


def _serialize_zone(zone_rain: ZoneRain) -> dict[str, Any]:
    return {
        "name": zone_rain.zone.name,
        "precipitation_shift_pct": round_or_none(zone_rain.shift),
        "precipitation_shift_error_pct": round_or_none(zone_rain.doubt),
        "classification": zone_rain.word,
        "commodities": list(zone_rain.zone.commodities),
        "normal_shift_pct": round_or_none(zone_rain.long),
        "normal_shift_error_pct": round_or_none(zone_rain.error),
        "beyond_chance": zone_rain.beyond_chance,
    }
