"""Heat and drought of eight regions of the United States (3 §2.7)."""

from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

from apps.insight.intelligence.method_inputs import (
    HUNDREDTH,
    MethodInputs,
    MethodResult,
    round_to_step,
)
from apps.insight.intelligence.methods.gauge_scores import combine_strains
from apps.insight.intelligence.methods.stale_inputs import mark_held_series
from apps.insight.intelligence.rules import us_regions
from apps.insight.intelligence.rules.bands import label_of_score
from apps.insight.intelligence.rules.gauges import FINE, REGIMES
from apps.insight.intelligence.rules.history_percentile_labels import UNKNOWN, signal_of_place
from apps.insight.intelligence.rules.sustainability_gauges import DROUGHTS
from apps.insight.intelligence.rules.us_regions import REGIONS, Region
from apps.insight.intelligence.weighted_scores import ScoredInput
from apps.reference.signals.composition import rank_in_history
from apps.reference.signals.means import decimal_mean

_DROUGHT_GAUGES = {drought.series: drought for drought in DROUGHTS}


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionWarmth:
    """A month of a climate region: degrees C over its normal, percentile, degrees Fahrenheit."""

    anomaly: Decimal
    place: Decimal
    degrees: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionWeather:
    """What a region has; None where nothing of it is known."""

    region: Region
    warmth: RegionWarmth | None
    drought: Decimal | None

    @property
    def heat_word(self) -> str:
        """How unusual the heat is; a month no warmer than its normal is normal."""
        if self.warmth is None:
            return UNKNOWN
        warm = self.warmth.anomaly > 0
        return signal_of_place(self.warmth.place if warm else Decimal(0))

    @property
    def drought_word(self) -> str:
        """How severe the drought is."""
        return (
            UNKNOWN if self.drought is None else label_of_score(self.drought, us_regions.DROUGHTS)
        )

    @property
    def word(self) -> str:
        """The more severe of both signals."""
        return us_regions.more_severe_word(self.heat_word, self.drought_word)

    @property
    def tiring(self) -> bool:
        """Whether it is so warm that work slows."""
        return self.warmth is not None and self.warmth.degrees >= us_regions.TIRING_FAHRENHEIT


def compute_climate_pulse(known: MethodInputs) -> MethodResult:
    """Return heat and drought of regions; raises TooFewInputs if too few are known."""
    then = known.ageless
    strains = combine_strains(
        known, [part for region in REGIONS for part in _strains_of_region(then, region)]
    )
    last = [_measure_weather(then, region) for region in REGIONS]
    region_weathers = [_hide_stale_calm(known, weather) for weather in last]
    strong = [region_weather for region_weather in last if region_weather.word in us_regions.STRONG]
    tiring = [region_weather for region_weather in last if region_weather.tiring]
    summarize_regions = {
        "overall_signal": label_of_score(strains.score, REGIMES),
        "regions_with_heat_anomaly": [
            region_weather.region.name
            for region_weather in last
            if region_weather.heat_word in us_regions.STRONG
        ],
        "regions_with_drought": [
            region_weather.region.name
            for region_weather in last
            if region_weather.drought_word in us_regions.STRONG
        ],
        "commodity_signal": label_of_score(Decimal(len(strong)), us_regions.SUPPLY),
        "labor_productivity_impact": label_of_score(Decimal(len(tiring)), us_regions.WORK),
    }
    body: dict[str, Any] = {
        "pulse_index": strains.score,
        "summary": summarize_regions,
        "regions": [_serialize_region(weather) for weather in region_weathers],
        "components": strains.components,
    }
    rests = [name for weather in last for name in _series_behind_words(weather)]
    count = sum(len(region.heat) + 1 for region in REGIONS)
    return MethodResult(
        body=body, quality=mark_held_series(known, strains.quality, rests, of=count)
    )


def measure_warmth(known: MethodInputs, series: str) -> RegionWarmth | None:
    """Return how warm the newest month of a climate region is; None without twenty years of it."""
    past = known.history(series)
    if not past:
        return None
    day, value = past[-1]
    same = [(past_day.year, warmth) for past_day, warmth in past if past_day.month == day.month]
    first, last = us_regions.NORMAL_YEARS
    usual = [warmth for year, warmth in same if first <= year <= last]
    if len(usual) < us_regions.FEWEST_NORMAL_YEARS:
        return None
    since = sorted(warmth for year, warmth in same if year >= first)
    return RegionWarmth(
        # NOAA publishes degrees Fahrenheit; a difference converts without the 32
        anomaly=(value - decimal_mean(usual)) * us_regions.CELSIUS_PER_FAHRENHEIT,
        place=rank_in_history(value, since, 1),
        degrees=value,
    )


def _measure_weather(method_inputs: MethodInputs, region: Region) -> RegionWeather:
    region_warmths = [
        warmth for series in region.heat if (warmth := measure_warmth(method_inputs, series))
    ]
    return RegionWeather(
        region=region,
        warmth=_average_warmth(region_warmths) if region_warmths else None,
        drought=method_inputs.value(region.drought),
    )


def _hide_stale_calm(method_inputs: MethodInputs, last: RegionWeather) -> RegionWeather:
    """Return a region without its calm signals that are too old."""
    # an old alarm stays, an old calm is unknown: missing data must not make words calmer
    region = last.region
    hot = last.heat_word != us_regions.CALM or not method_inputs.lapsed(region.heat)
    dry = last.drought_word != us_regions.CALM or not method_inputs.lapsed([region.drought])
    return RegionWeather(
        region=region,
        warmth=last.warmth if hot else None,
        drought=last.drought if dry else None,
    )


def _series_behind_words(region_weather: RegionWeather) -> list[str]:
    """Return the series of a region whose signals are not calm."""
    hot = region_weather.heat_word != us_regions.CALM or region_weather.tiring
    dry = region_weather.drought_word != us_regions.CALM
    return [
        *(region_weather.region.heat if hot else ()),
        *([region_weather.region.drought] if dry else ()),
    ]


def _average_warmth(region_warmths: list[RegionWarmth]) -> RegionWarmth:
    return RegionWarmth(
        anomaly=decimal_mean([region_warmth.anomaly for region_warmth in region_warmths]),
        place=decimal_mean([region_warmth.place for region_warmth in region_warmths]),
        degrees=decimal_mean([region_warmth.degrees for region_warmth in region_warmths]),
    )


def _strains_of_region(method_inputs: MethodInputs, region: Region) -> list[ScoredInput]:
    """Return the strains of a region: heat is one half, drought the other."""
    half = Decimal("0.5") / len(REGIONS)
    heats = [
        ScoredInput(
            series=series,
            weight=half / len(region.heat),
            score=_round_fine(us_regions.heat_strain_of_place(warmth.place))
            if (warmth := measure_warmth(method_inputs, series))
            else None,
        )
        for series in region.heat
    ]
    index = method_inputs.value(region.drought)
    dry = None if index is None else _DROUGHT_GAUGES[region.drought].strain(index)
    return [*heats, ScoredInput(series=region.drought, weight=half, score=dry)]


def _round_fine(value: Decimal) -> Decimal:
    return value.quantize(FINE, ROUND_HALF_EVEN)


def _serialize_region(region_weather: RegionWeather) -> dict[str, Any]:
    anomaly = (
        None
        if region_weather.warmth is None
        else round_to_step(region_weather.warmth.anomaly, HUNDREDTH)
    )
    return {
        "name": region_weather.region.name,
        "temp_anomaly": anomaly,
        "heat_signal": region_weather.heat_word,
        "drought_severity": region_weather.drought,
        "drought_signal": region_weather.drought_word,
        "commodity_impact": list(region_weather.region.commodities)
        if region_weather.word in us_regions.STRONG
        else [],
        "signal": region_weather.word,
    }
