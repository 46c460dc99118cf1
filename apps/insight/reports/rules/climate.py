"""What follows for the climate report: rain, heat and drought, raw materials, outlook. Pure."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from apps.insight.forecast.rules.lights_and_outlooks import LEAST
from apps.insight.reports.rules.band_findings import Band, build_band_rules
from apps.insight.reports.rules.charts import BarRow, Chart
from apps.insight.reports.rules.conditions import AnyOf, Equals, build_row_rule, build_value_rule
from apps.insight.reports.rules.findings import Data, Level, Rule
from apps.insight.reports.rules.report_data import (
    format_code,
    format_day,
    format_number,
    list_at_path,
    value_at_path,
)
from apps.platform.common.bounds import Bounds
from apps.platform.common.counts import format_count

RAIN, PULSE, GOODS = "3 §2.7 climate", "3 §2.7 climate-pulse", "3 §2.7 commodity"
EARTH, WATER = "3 §2.7 earth-systems", "3 §2.7 water-risk"
MARKETS = "3 §2.8 heat-check"
# per cent of the WMO normals from which a zone dries, and dries severely
DRYING, SEVERE = -10, -20
# index of severity and coverage (0 to 500), from which the pulse says HIGH
DROUGHT_INDEX = 200
# per cent of its history that was cheaper, from which a price is EXTREME
EXTREME_PRICE_PLACE = 95
# degrees C to 1.5: about fifteen years of warming at 0.2 a decade
PARIS_MARGIN = 0.3
# of 100
HIGH_WATER_RISK = 50
# proximityRisk of a tipping element
NEAR_RISKS = AnyOf(("HIGH", "CRITICAL", "EXTREME"))


def _say_rain(data: Data, score: float) -> str:
    zones = list_at_path(data, "rain.regions")
    dry = [zone for zone in zones if (zone["precipitationShiftPct"] or 0) <= DRYING]
    return (
        f"Rainfall strain in farming zones is {format_number(score)} of 100: "
        f"{format_count(len(dry), 'zone')} of {len(zones)} had at least {-DRYING} per cent less "
        "rain than fifty years before."
    )


def _say_dried_zone(data: Data, zone: Any) -> str:
    return (
        f"{zone['name']} lost {format_number(-zone['precipitationShiftPct'])} per cent of its "
        f"rainfall; crops grown there: {', '.join(zone['commodities'])}."
    )


def _say_pulse(data: Data, index: float) -> str:
    hot = len(list_at_path(data, "pulse.summary.regionsWithHeatAnomaly"))
    dry = len(list_at_path(data, "pulse.summary.regionsWithDrought"))
    return (
        f"Heat and drought in the United States are at {format_number(index)} of 100: of "
        f"{len(list_at_path(data, 'pulse.regions'))} regions, {hot} have abnormal heat and {dry} "
        "have drought."
    )


def _say_drought(data: Data, region: Any) -> str:
    return (
        f"The drought index of the region {region['name']} is "
        f"{format_number(region['droughtSeverity'])} of 500."
    )


def _say_commodity_stress(data: Data, index: float) -> str:
    return (
        f"Commodity stress is {format_number(index)} of 100 "
        f"({format_code(value_at_path(data, 'commodities.regime'))}), as of "
        f"{format_day(value_at_path(data, 'commodities.asOf'))}."
    )


def _list_commodities(data: Data) -> list[Any]:
    return [*(value_at_path(data, "commodities.commodities") or {}).values()]


def _say_extreme_price(data: Data, commodity: Any) -> str:
    change = commodity.get("changeYearPct")
    moved = f", {format_number(change)} per cent in a year" if change is not None else ""
    return (
        f"{commodity['title']} costs {format_number(commodity['value'], 2)} "
        f"{commodity['unit']}{moved}, higher than {format_number(commodity['score'])} per cent of "
        "its history."
    )


def _say_inflation_lead(data: Data, signal: str) -> str:
    lead = value_at_path(data, "commodities.inflationLead")
    return (
        "Commodity prices point to rising inflation in "
        f"{format_count(lead['leadMonths'], 'month')} (correlation "
        f"{format_number(lead['correlation'], 2)} over {lead['pairs']} months)."
    )


def _find_near_tipping(data: Data) -> Iterator[str]:
    elements = list_at_path(data, "outlook.tippingPoints")
    near = [element for element in elements if NEAR_RISKS.holds(element["proximityRisk"])]
    if near:
        first = min(near, key=lambda market: float(market["distanceToCentralC"]))
        yield (
            f"{format_count(len(near), 'tipping element')} of {len(elements)} may tip at the "
            f"warming of the last ten years; the nearest is {first['name']}, "
            f"{format_number(first['distanceToCentralC'], 2)} degrees C from the best estimate of "
            "its threshold."
        )


def _say_paris_distance(data: Data, left: float) -> str:
    now = value_at_path(data, "outlook.atmosphere.temperature.currentAnomalyC")
    month = value_at_path(data, "outlook.asOf")[:7]
    return (
        f"The latest twelve months, to {month}, were {format_number(now, 2)} degrees C warmer "
        f"than 1850 to 1900: {format_number(left, 2)} degrees are left to the Paris goal."
    )


def _say_water_risk(data: Data, score: float) -> str:
    return (
        f"Water risk is {format_number(score)} of 100 "
        f"({format_code(value_at_path(data, 'water.regime'))})."
    )


def _markets_with_status(data: Data, *lights: str) -> list[Any]:
    """Return the markets that have one of these lights, the highest score first."""
    rows = [
        commodity
        for commodity in list_at_path(data, "markets.commodities")
        if commodity["status"] in lights
    ]
    return sorted(rows, key=lambda row: -float(row["climateRiskScore"]))


def _build_market_rule(
    light: str, scores: Bounds, *, says: str, level: Level, weight: int, advice: str
) -> Rule:
    """Return the rule for markets of one status; `scores` are those that the forecasts call so."""

    def say(data: Data, market: Any) -> str:
        return (
            f"{market['title']} is {light} at {format_number(market['climateRiskScore'])} "
            f"of 100, {says}; over three months its outlook is {format_code(market['outlook'])}."
        )

    rule = build_row_rule(
        code=f"CLIM-MARKET-{light}",
        ref=MARKETS,
        level=level,
        weight=weight,
        title="a market's status",
        rows=lambda data: _markets_with_status(data, light),
        field="status",
        condition=Equals(light),
        say=say,
        advice=advice,
    )
    # printed with the bounds of the forecast's own table, which decide the status
    return replace(rule, condition=f"{rule.condition}: its climateRiskScore is {scores}")


RULES: tuple[Rule, ...] = (
    *build_band_rules(
        (
            Band(least=0, code="LOW", level="LOW"),
            Band(least=25, code="MODERATE", level="MODERATE"),
            Band(least=50, code="HIGH", level="ELEVATED",
                 advice="Hold stocks of crops from drying zones, or buy them forward."),
            Band(least=75, code="SEVERE", level="HIGH",
                 advice="Secure supply of crops from drying zones before the season."),
        ),
        code="CLIM-RAIN", ref=RAIN, weight=90, path="rain.climateScore",
        title="rain.climateScore", say=_say_rain,
    ),
    *build_band_rules(
        (
            Band(least=0, code="CALM", level="LOW"),
            Band(least=25, code="MODERATE", level="MODERATE"),
            Band(least=50, code="STRESSED", level="ELEVATED",
                 advice="Expect higher feed and power prices from regions with heat or drought."),
            Band(least=75, code="CRISIS", level="HIGH",
                 advice="Review exposures to regions with heat or drought this week."),
        ),
        code="CLIM-PULSE", ref=PULSE, weight=80, path="pulse.pulseIndex",
        title="pulse.pulseIndex", say=_say_pulse,
    ),
    *build_band_rules(
        (
            Band(least=0, code="CALM", level="LOW"),
            Band(least=25, code="MODERATE", level="MODERATE"),
            Band(least=50, code="STRESSED", level="ELEVATED",
                 advice="Fix prices of commodities that are expensive by their own history."),
            Band(least=75, code="CRISIS", level="HIGH",
                 advice="Hedge commodities for the next two quarters; their stress is at crisis "
                 "level."),
        ),
        code="CLIM-GOODS", ref=GOODS, weight=85, path="commodities.stressIndex",
        title="commodities.stressIndex", say=_say_commodity_stress,
    ),
    _build_market_rule("RED", Bounds(least=float(LEAST["RED"])), says="disruption is under way",
            level="HIGH", weight=75,
            advice="Secure supply in RED markets now, and hedge open positions in them."),
    _build_market_rule("YELLOW", Bounds(least=float(LEAST["YELLOW"]), below=float(LEAST["RED"])),
            says="its risk is elevated", level="ELEVATED", weight=68,
            advice="Hedge open positions in YELLOW markets."),
    build_row_rule(
        code="CLIM-DRIED", ref=RAIN, level="ELEVATED", weight=70,
        title="a zone's precipitationShiftPct", rows="rain.regions",
        field="precipitationShiftPct", condition=Bounds(most=SEVERE), say=_say_dried_zone,
        advice="Find other origins for crops from severely drying zones.",
    ),
    build_row_rule(
        code="CLIM-DROUGHT", ref=PULSE, level="MODERATE", weight=65,
        title="a region's droughtSeverity", rows="pulse.regions", field="droughtSeverity",
        condition=Bounds(least=DROUGHT_INDEX), say=_say_drought,
    ),
    build_row_rule(
        code="CLIM-PRICE", ref=GOODS, level="MODERATE", weight=60,
        title="a commodity's score", rows=_list_commodities, field="score",
        condition=Bounds(least=EXTREME_PRICE_PLACE), say=_say_extreme_price,
    ),
    build_value_rule(
        code="CLIM-INFLATION", ref=GOODS, level="MODERATE", weight=55,
        title="commodities.inflationLead.signal", value="commodities.inflationLead.signal",
        condition=Equals("RISING"), say=_say_inflation_lead,
        advice="Index contracts that run longer than the lead of commodity prices over inflation.",
    ),
    Rule(code="CLIM-TIPPING", ref=EARTH, level="MODERATE", weight=50,
         condition=f"an element's proximityRisk is {NEAR_RISKS}", finds=_find_near_tipping),
    build_value_rule(
        code="CLIM-PARIS", ref=EARTH, level="MODERATE", weight=45, title="distanceToParisC",
        value="outlook.atmosphere.temperature.distanceToParisC",
        condition=Bounds(most=PARIS_MARGIN), say=_say_paris_distance,
    ),
    build_value_rule(
        code="CLIM-WATER", ref=WATER, level="MODERATE", weight=40,
        title="water.waterRiskScore", value="water.waterRiskScore",
        condition=Bounds(least=HIGH_WATER_RISK), say=_say_water_risk,
    ),
)  # fmt: skip


def climate_headline(data: Data) -> str:
    """Return the last sentence of the summary."""
    return (
        f"Rainfall strain {format_number(value_at_path(data, 'rain.climateScore'))}, heat and "
        f"drought {format_number(value_at_path(data, 'pulse.pulseIndex'))}, commodity stress "
        f"{format_number(value_at_path(data, 'commodities.stressIndex'))}, each of 100."
    )


def describe_physical_risk(data: Data) -> str:
    """Describe the physical risk: rain, heat, drought, water."""
    zones = list_at_path(data, "rain.regions")
    chance = [zone for zone in zones if zone["beyondChance"]]
    hot = list_at_path(data, "pulse.summary.regionsWithHeatAnomaly")
    water = value_at_path(data, "water.waterRiskScore")
    also = f" Water risk is {format_number(water)} of 100." if water is not None else ""
    return (
        f"Of {len(zones)} farming zones, {len(list_at_path(data, 'rain.summary.regionsAtRisk'))} "
        f"lost a tenth of their rainfall or more from 1972-1974 to 2021-2023; in {len(chance)} "
        f"the thirty-year normals shifted by more than chance. In the United States {len(hot)} "
        f"regions have abnormal heat{(': ' + ', '.join(hot) if hot else '')} and "
        f"{len(list_at_path(data, 'pulse.summary.regionsWithDrought'))} have drought.{also}"
    )


def describe_commodity_stress(data: Data) -> str:
    """Describe commodity stress by its components."""
    rows = list_at_path(data, "commodities.contributions")
    most = sorted(rows, key=lambda row: -float(row["contribution"]))[:3]
    named = "; ".join(
        f"{commodity['title']} {format_number(commodity['contribution'])}" for commodity in most
    )
    return (
        f"Commodity stress is {format_number(value_at_path(data, 'commodities.stressIndex'))} of "
        f"100 ({format_code(value_at_path(data, 'commodities.regime'))}); the largest "
        f"contributions are {named}. Common direction: "
        f"{format_code(value_at_path(data, 'commodities.crossCommoditySignal'))}."
    )


def describe_climate_outlook(data: Data) -> str:
    """Describe the climate outlook from measurements."""
    crossed = len(list_at_path(data, "outlook.planetaryBoundaries.crossed"))
    inside = len(list_at_path(data, "outlook.planetaryBoundaries.inside"))
    anomaly = format_number(value_at_path(data, "outlook.atmosphere.temperature.decadeAnomalyC"), 2)
    return (
        "The planetary health index is "
        f"{format_number(value_at_path(data, 'outlook.sustainability.earthHealthIndex'))} of 100. "
        "Carbon dioxide is at "
        f"{format_number(value_at_path(data, 'outlook.atmosphere.co2.currentPpm'))} ppm; the last "
        f"ten years were {anomaly} degrees C warmer than 1850 to 1900. {crossed} of "
        f"{crossed + inside} planetary boundaries are crossed."
    )


def describe_market_outlook(data: Data) -> str:
    """Describe the outlook of the eleven commodity markets; empty if not known."""
    rows = list_at_path(data, "markets.commodities")
    if not rows:
        return ""
    lights = ", ".join(
        f"{len(_markets_with_status(data, status))} {status}"
        for status in ("RED", "YELLOW", "GREEN")
    )
    most = _markets_with_status(data, "RED", "YELLOW", "GREEN")[:3]
    named = "; ".join(
        f"{market['title']} {format_number(market['climateRiskScore'])}" for market in most
    )
    worse = [row["title"] for row in rows if row["outlook"] == "DETERIORATING"]
    also = f": {'; '.join(worse)}" if worse else ""
    return (
        f"Of {len(rows)} commodity markets: {lights}; the highest scores, of 100, are {named}. "
        f"Over three months {len(worse)} worsened{also}."
    )


def rain_shift_bars(data: Data) -> Iterator[BarRow]:
    """Yield how rain shifted, by zone."""
    for region in list_at_path(data, "rain.regions"):
        shift = region["precipitationShiftPct"]
        yield region["name"], shift, "not known" if shift is None else f"{format_number(shift)} %"


def drought_bars(data: Data) -> Iterator[BarRow]:
    """Yield the severity of drought, by region."""
    for region in list_at_path(data, "pulse.regions"):
        index = region["droughtSeverity"]
        yield region["name"], index, "not known" if index is None else format_number(index)


def market_risk_bars(data: Data) -> Iterator[BarRow]:
    """Yield the climate risk of commodity markets, the highest first."""
    for market in _markets_with_status(data, "RED", "YELLOW", "GREEN"):
        score = market["climateRiskScore"]
        yield market["title"], score, f"{format_number(score)}, {market['status']}"


def price_place_bars(data: Data) -> Iterator[BarRow]:
    """Yield the percentile of each price in its own history."""
    for commodity in _list_commodities(data):
        score = commodity.get("score")
        yield commodity["title"], score, "not known" if score is None else format_number(score)


CHARTS: tuple[Chart, ...] = (
    Chart(title="Rainfall shift in farming zones, per cent", bars=rain_shift_bars),
    Chart(
        title="Climate risk of commodity markets, 0 to 100",
        bars=market_risk_bars,
        low=0,
        high=100,
        mark=(float(LEAST["RED"]), f"{LEAST['RED']}: RED"),
    ),
    Chart(
        title="Drought by region, 0 to 500",
        bars=drought_bars,
        low=0,
        high=500,
        mark=(DROUGHT_INDEX, f"{DROUGHT_INDEX}: high"),
    ),
    Chart(
        title="Commodities: share of their history that was cheaper",
        bars=price_place_bars,
        low=0,
        high=100,
        mark=(EXTREME_PRICE_PLACE, f"{EXTREME_PRICE_PLACE}: extreme"),
    ),
)
