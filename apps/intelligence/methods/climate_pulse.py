"""Heat and drought of eight regions of the United States (3 §2.7)."""

from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

from apps.intelligence.known import Known, Made, rounded
from apps.intelligence.methods import averages
from apps.intelligence.methods.gauging import Strain, weigh
from apps.intelligence.methods.lapsing import held
from apps.intelligence.rules import regions
from apps.intelligence.rules.gauges import FINE, REGIMES, word_of
from apps.intelligence.rules.nature import DROUGHTS
from apps.intelligence.rules.regions import REGIONS, Region
from apps.intelligence.rules.signals import UNKNOWN, signal_of
from apps.signals.composing import place

HUNDREDTH = Decimal("0.01")
_DROUGHT = {one.series: one for one in DROUGHTS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Warmth:
    """A month of a climate region: degrees C over its normal, its place among all of its months."""

    anomaly: Decimal
    place: Decimal
    degrees: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Weather:
    """What a region has; None where nothing of it is known."""

    region: Region
    warmth: Warmth | None
    drought: Decimal | None

    @property
    def heat_word(self) -> str:
        """How unusual the heat is; a month no warmer than its normal is normal."""
        if self.warmth is None:
            return UNKNOWN
        warm = self.warmth.anomaly > 0
        return signal_of(self.warmth.place if warm else Decimal(0))

    @property
    def drought_word(self) -> str:
        """How severe the drought is."""
        return UNKNOWN if self.drought is None else word_of(self.drought, regions.DROUGHTS)

    @property
    def word(self) -> str:
        """The graver of both."""
        return regions.graver(self.heat_word, self.drought_word)

    @property
    def tiring(self) -> bool:
        """Whether it is so warm that work slows."""
        return self.warmth is not None and self.warmth.degrees >= regions.TIRING


def compute(known: Known) -> Made:
    """Return heat and drought of regions; raises Unavailable where too few are known."""
    then = known.ageless
    made = weigh(known, [part for one in REGIONS for part in _parts(then, one)])
    last = [_weather(then, region) for region in REGIONS]
    found = [_shown(known, one) for one in last]
    body: dict[str, Any] = {
        "pulse_index": made.score,
        "summary": _summary(made.score, last),
        "regions": [_region(one) for one in found],
        "components": made.components,
    }
    rests = [name for one in last for name in _rests(one)]
    every = sum(len(region.heat) + 1 for region in REGIONS)
    return Made(body=body, quality=held(known, made.quality, rests, of=every))


def warmth(known: Known, series: str) -> Warmth | None:
    """Return how warm the newest month of a climate region is; None without twenty years of it."""
    past = known.history(series)
    if not past:
        return None
    day, value = past[-1]
    same = [(one.year, held) for one, held in past if one.month == day.month]
    first, last = regions.NORMAL
    usual = [held for year, held in same if first <= year <= last]
    if len(usual) < regions.FEWEST:
        return None
    since = sorted(held for year, held in same if year >= first)
    return Warmth(
        anomaly=(value - averages.mean(usual)) * regions.CELSIUS,
        place=place(value, since, 1),
        degrees=value,
    )


def _weather(known: Known, region: Region) -> Weather:
    found = [one for series in region.heat if (one := warmth(known, series))]
    return Weather(
        region=region,
        warmth=_together(found) if found else None,
        drought=known.value(region.drought),
    )


def _shown(known: Known, last: Weather) -> Weather:
    """Return what is shown of a region: what is too old at its last figures, unless it was calm."""
    region = last.region
    hot = last.heat_word != regions.CALM or not known.lapsed(region.heat)
    dry = last.drought_word != regions.CALM or not known.lapsed([region.drought])
    return Weather(
        region=region,
        warmth=last.warmth if hot else None,
        drought=last.drought if dry else None,
    )


def _rests(one: Weather) -> list[str]:
    """Return the series of a region by which anything is told of it but calm."""
    hot = one.heat_word != regions.CALM or one.tiring
    dry = one.drought_word != regions.CALM
    return [*(one.region.heat if hot else ()), *([one.region.drought] if dry else ())]


def _together(found: list[Warmth]) -> Warmth:
    return Warmth(
        anomaly=averages.mean([one.anomaly for one in found]),
        place=averages.mean([one.place for one in found]),
        degrees=averages.mean([one.degrees for one in found]),
    )


def _parts(known: Known, region: Region) -> list[Strain]:
    """Return the strains of a region: heat is one half, drought the other."""
    half = Decimal("0.5") / len(REGIONS)
    heats = [
        Strain(
            series=series,
            weight=half / len(region.heat),
            score=_fine(regions.doubled(one.place)) if (one := warmth(known, series)) else None,
        )
        for series in region.heat
    ]
    index = known.value(region.drought)
    dry = None if index is None else _DROUGHT[region.drought].strain(index)
    return [*heats, Strain(series=region.drought, weight=half, score=dry)]


def _fine(value: Decimal) -> Decimal:
    return value.quantize(FINE, ROUND_HALF_EVEN)


def _summary(score: Decimal, found: list[Weather]) -> dict[str, Any]:
    strong = [one for one in found if one.word in regions.STRONG]
    tiring = [one for one in found if one.tiring]
    return {
        "overall_signal": word_of(score, REGIMES),
        "regions_with_heat_anomaly": [
            one.region.name for one in found if one.heat_word in regions.STRONG
        ],
        "regions_with_drought": [
            one.region.name for one in found if one.drought_word in regions.STRONG
        ],
        "commodity_signal": word_of(Decimal(len(strong)), regions.SUPPLY),
        "labor_productivity_impact": word_of(Decimal(len(tiring)), regions.WORK),
    }


def _region(one: Weather) -> dict[str, Any]:
    anomaly = None if one.warmth is None else rounded(one.warmth.anomaly, HUNDREDTH)
    return {
        "name": one.region.name,
        "temp_anomaly": anomaly,
        "heat_signal": one.heat_word,
        "drought_severity": one.drought,
        "drought_signal": one.drought_word,
        "commodity_impact": list(one.region.commodities) if one.word in regions.STRONG else [],
        "signal": one.word,
    }
