"""What follows for the climate report: rain, heat and drought, raw materials, outlook. Pure."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from apps.forecast.rules.status import LEAST
from apps.reports.rules.bands import Band, banded
from apps.reports.rules.bounds import AnyOf, Bounds, Equals, compare, compare_each
from apps.reports.rules.charts import Chart, Row
from apps.reports.rules.findings import Data, Level, Rule
from apps.reports.rules.reading import at, count, day, listed, num, words

RAIN, PULSE, GOODS = "3 §2.7 climate", "3 §2.7 climate-pulse", "3 §2.7 commodity"
EARTH, WATER = "3 §2.7 earth-systems", "3 §2.7 water-risk"
MARKETS = "3 §2.8 heat-check"
DRYING, SEVERE = -10, -20  # per cent, WMO normals: from here a zone dries, and severely
DROUGHT = 200  # index of severity and coverage, from which the pulse says HIGH
HIGH_PRICE = 95  # share of its history below which a price lay, from which it is EXTREME
PARIS = 0.3  # degrees C to 1.5: about fifteen years of warming at 0.2 a decade
WATER_RISK = 50  # of 100
NEAR = AnyOf(("HIGH", "CRITICAL", "EXTREME"))  # proximityRisk of a tipping element


def _rain(data: Data, score: float) -> str:
    zones = listed(data, "rain.regions")
    dry = [one for one in zones if (one["precipitationShiftPct"] or 0) <= DRYING]
    return (
        f"Rain in farming zones is at a strain of {num(score)} of 100: "
        f"{count(len(dry), 'zone')} of {len(zones)} had {-DRYING} per cent less than fifty years "
        "before, or worse."
    )


def _dried(data: Data, zone: Any) -> str:
    return (
        f"{zone['name']} dried by {num(-zone['precipitationShiftPct'])} per cent; grown there: "
        f"{', '.join(zone['commodities'])}."
    )


def _pulse(data: Data, index: float) -> str:
    hot = len(listed(data, "pulse.summary.regionsWithHeatAnomaly"))
    dry = len(listed(data, "pulse.summary.regionsWithDrought"))
    return (
        f"Heat and drought of the United States are at {num(index)} of 100: {hot} regions are hot, "
        f"{dry} dry, of {len(listed(data, 'pulse.regions'))}."
    )


def _drought(data: Data, region: Any) -> str:
    return (
        f"Drought in the region {region['name']} stands at {num(region['droughtSeverity'])} of 500."
    )


def _goods(data: Data, index: float) -> str:
    return (
        f"The stress of raw materials is {num(index)} of 100 "
        f"({words(at(data, 'commodities.regime'))}), as of {day(at(data, 'commodities.asOf'))}."
    )


def _commodities(data: Data) -> list[Any]:
    return [*(at(data, "commodities.commodities") or {}).values()]


def _price(data: Data, commodity: Any) -> str:
    change = commodity.get("changeYearPct")
    moved = f", {num(change)} per cent in a year" if change is not None else ""
    return (
        f"{commodity['title']} costs {num(commodity['value'], 2)} {commodity['unit']}{moved}: "
        f"dearer than {num(commodity['score'])} per cent of its history."
    )


def _inflation(data: Data, signal: str) -> str:
    lead = at(data, "commodities.inflationLead")
    return (
        f"Raw materials point to rising inflation in {count(lead['leadMonths'], 'month')} "
        f"(correlation {num(lead['correlation'], 2)} over {lead['pairs']} months)."
    )


def _tipping(data: Data) -> Iterator[str]:
    elements = listed(data, "outlook.tippingPoints")
    near = [element for element in elements if NEAR.holds(element["proximityRisk"])]
    if near:
        first = min(near, key=lambda one: float(one["distanceToCentralC"]))
        yield (
            f"{count(len(near), 'tipping element')} of {len(elements)}"
            f" may tip at the warming of the last ten years; nearest is {first['name']}, "
            f"{num(first['distanceToCentralC'], 2)} degrees C from its best estimate."
        )


def _paris(data: Data, left: float) -> str:
    now = at(data, "outlook.atmosphere.temperature.currentAnomalyC")
    month = at(data, "outlook.asOf")[:7]
    return (
        f"The last twelve months known, as of {month}, were {num(now, 2)} degrees C warmer "
        f"than 1850 to 1900: {num(left, 2)} are left to the goal of Paris."
    )


def _water(data: Data, score: float) -> str:
    return f"The risk of water is {num(score)} of 100 ({words(at(data, 'water.regime'))})."


def _lit(data: Data, *lights: str) -> list[Any]:
    """Return the markets that have one of these lights, the highest score first."""
    rows = [one for one in listed(data, "markets.commodities") if one["status"] in lights]
    return sorted(rows, key=lambda one: -float(one["climateRiskScore"]))


def _market(
    light: str, scores: Bounds, *, says: str, level: Level, weight: int, advice: str
) -> Rule:
    """Return the rule for markets of one status; `scores` are those that the forecasts call so."""

    def say(data: Data, market: Any) -> str:
        return (
            f"{market['title']} is {light} at {num(market['climateRiskScore'])} of 100, {says}; "
            f"over three months its outlook is {words(market['outlook'])}."
        )

    rule = compare_each(
        code=f"CLIM-MARKET-{light}",
        ref=MARKETS,
        level=level,
        weight=weight,
        title="a market's status",
        rows=lambda data: _lit(data, light),
        field="status",
        condition=Equals(light),
        say=say,
        advice=advice,
    )
    return replace(rule, condition=f"{rule.condition}: its climateRiskScore is {scores}")


RULES: tuple[Rule, ...] = (
    *banded(
        (
            Band(least=0, code="LOW", level="LOW"),
            Band(least=25, code="MODERATE", level="MODERATE"),
            Band(least=50, code="HIGH", level="ELEVATED",
                 advice="Hold stocks of the crops that grow where it dries, or buy them forward."),
            Band(least=75, code="SEVERE", level="HIGH",
                 advice="Secure supply of the crops that grow where it dries before the season."),
        ),
        code="CLIM-RAIN", ref=RAIN, weight=90, path="rain.climateScore",
        title="rain.climateScore", say=_rain,
    ),
    *banded(
        (
            Band(least=0, code="CALM", level="LOW"),
            Band(least=25, code="MODERATE", level="MODERATE"),
            Band(least=50, code="STRESSED", level="ELEVATED",
                 advice="Expect dearer feed and power from the regions that are hot or dry."),
            Band(least=75, code="CRISIS", level="HIGH",
                 advice="Review exposures to the regions that are hot or dry this week."),
        ),
        code="CLIM-PULSE", ref=PULSE, weight=80, path="pulse.pulseIndex",
        title="pulse.pulseIndex", say=_pulse,
    ),
    *banded(
        (
            Band(least=0, code="CALM", level="LOW"),
            Band(least=25, code="MODERATE", level="MODERATE"),
            Band(least=50, code="STRESSED", level="ELEVATED",
                 advice="Fix prices of raw materials that are dear by their own history."),
            Band(least=75, code="CRISIS", level="HIGH",
                 advice="Hedge raw materials for the next two quarters; their stress is a crisis."),
        ),
        code="CLIM-GOODS", ref=GOODS, weight=85, path="commodities.stressIndex",
        title="commodities.stressIndex", say=_goods,
    ),
    _market("RED", Bounds(least=float(LEAST["RED"])), says="disruption is under way",
            level="HIGH", weight=75,
            advice="Secure supply of the markets that are RED now, and hedge what is open in "
            "them."),
    _market("YELLOW", Bounds(least=float(LEAST["YELLOW"]), below=float(LEAST["RED"])),
            says="its risk is elevated", level="ELEVATED", weight=68,
            advice="Hedge open positions in the markets that are YELLOW."),
    compare_each(
        code="CLIM-DRIED", ref=RAIN, level="ELEVATED", weight=70,
        title="a zone's precipitationShiftPct", rows="rain.regions",
        field="precipitationShiftPct", condition=Bounds(most=SEVERE), say=_dried,
        advice="Look for other origins of what grows in zones that dried severely.",
    ),
    compare_each(
        code="CLIM-DROUGHT", ref=PULSE, level="MODERATE", weight=65,
        title="a region's droughtSeverity", rows="pulse.regions", field="droughtSeverity",
        condition=Bounds(least=DROUGHT), say=_drought,
    ),
    compare_each(
        code="CLIM-PRICE", ref=GOODS, level="MODERATE", weight=60,
        title="a raw material's score", rows=_commodities, field="score",
        condition=Bounds(least=HIGH_PRICE), say=_price,
    ),
    compare(
        code="CLIM-INFLATION", ref=GOODS, level="MODERATE", weight=55,
        title="commodities.inflationLead.signal", value="commodities.inflationLead.signal",
        condition=Equals("RISING"), say=_inflation,
        advice="Index contracts that run past the lead of raw materials over inflation.",
    ),
    Rule(code="CLIM-TIPPING", ref=EARTH, level="MODERATE", weight=50,
         condition=f"an element's proximityRisk is {NEAR}", finds=_tipping),
    compare(
        code="CLIM-PARIS", ref=EARTH, level="MODERATE", weight=45, title="distanceToParisC",
        value="outlook.atmosphere.temperature.distanceToParisC",
        condition=Bounds(most=PARIS), say=_paris,
    ),
    compare(
        code="CLIM-WATER", ref=WATER, level="MODERATE", weight=40,
        title="water.waterRiskScore", value="water.waterRiskScore",
        condition=Bounds(least=WATER_RISK), say=_water,
    ),
)  # fmt: skip


def headline(data: Data) -> str:
    """Return the last sentence of the summary."""
    return (
        f"Strain of rain {num(at(data, 'rain.climateScore'))}, of heat and drought "
        f"{num(at(data, 'pulse.pulseIndex'))}, of raw materials "
        f"{num(at(data, 'commodities.stressIndex'))}, each of 100."
    )


def told_physical(data: Data) -> str:
    """Tell the physical risk: rain, heat, drought, water."""
    zones = listed(data, "rain.regions")
    chance = [one for one in zones if one["beyondChance"]]
    hot = listed(data, "pulse.summary.regionsWithHeatAnomaly")
    water = at(data, "water.waterRiskScore")
    also = f" The risk of water is {num(water)} of 100." if water is not None else ""
    return (
        f"Of {len(zones)} farming zones {len(listed(data, 'rain.summary.regionsAtRisk'))} dried by "
        f"a tenth or more in 2021 to 2023 against 1972 to 1974; in {len(chance)} the normals of "
        "thirty years moved by more than chance. In the United States heat stands out in "
        f"{len(hot)} regions{': ' + ', '.join(hot) if hot else ''}, drought in "
        f"{len(listed(data, 'pulse.summary.regionsWithDrought'))}.{also}"
    )


def told_goods(data: Data) -> str:
    """Tell the stress of raw materials by what adds to it."""
    rows = listed(data, "commodities.contributions")
    most = sorted(rows, key=lambda one: -float(one["contribution"]))[:3]
    named = "; ".join(f"{one['title']} {num(one['contribution'])}" for one in most)
    return (
        f"The stress of raw materials is {num(at(data, 'commodities.stressIndex'))} of 100 "
        f"({words(at(data, 'commodities.regime'))}); most points come of {named}. Together: "
        f"{words(at(data, 'commodities.crossCommoditySignal'))}."
    )


def told_outlook(data: Data) -> str:
    """Tell where the climate goes, by what was measured."""
    crossed = len(listed(data, "outlook.planetaryBoundaries.crossed"))
    inside = len(listed(data, "outlook.planetaryBoundaries.inside"))
    return (
        f"The index of the earth's health is "
        f"{num(at(data, 'outlook.sustainability.earthHealthIndex'))} of 100. Carbon dioxide is at "
        f"{num(at(data, 'outlook.atmosphere.co2.currentPpm'))} ppm; the last ten years were "
        f"{num(at(data, 'outlook.atmosphere.temperature.decadeAnomalyC'), 2)} degrees C warmer "
        f"than 1850 to 1900. {crossed} of {crossed + inside} planetary boundaries are crossed."
    )


def told_markets(data: Data) -> str:
    """Tell the outlook of the eleven commodity markets; nothing where it is not known."""
    rows = listed(data, "markets.commodities")
    if not rows:
        return ""
    lights = ", ".join(f"{len(_lit(data, one))} {one}" for one in ("RED", "YELLOW", "GREEN"))
    most = _lit(data, "RED", "YELLOW", "GREEN")[:3]
    named = "; ".join(f"{one['title']} {num(one['climateRiskScore'])}" for one in most)
    worse = [one["title"] for one in rows if one["outlook"] == "DETERIORATING"]
    also = f": {'; '.join(worse)}" if worse else ""
    return (
        f"Of {len(rows)} commodity markets: {lights}; the highest scores, of 100, are "
        f"{named}. Over three months {len(worse)} got worse{also}."
    )


def zones(data: Data) -> Iterator[Row]:
    """Yield how rain shifted, by zone."""
    for one in listed(data, "rain.regions"):
        shift = one["precipitationShiftPct"]
        yield one["name"], shift, "not known" if shift is None else f"{num(shift)} %"


def regions(data: Data) -> Iterator[Row]:
    """Yield the severity of drought, by region."""
    for one in listed(data, "pulse.regions"):
        index = one["droughtSeverity"]
        yield one["name"], index, "not known" if index is None else num(index)


def endangered(data: Data) -> Iterator[Row]:
    """Yield the climate risk of commodity markets, the highest first."""
    for one in _lit(data, "RED", "YELLOW", "GREEN"):
        score = one["climateRiskScore"]
        yield one["title"], score, f"{num(score)}, {one['status']}"


def prices(data: Data) -> Iterator[Row]:
    """Yield where prices stand in their own history."""
    for one in _commodities(data):
        score = one.get("score")
        yield one["title"], score, "not known" if score is None else num(score)


CHARTS: tuple[Chart, ...] = (
    Chart(title="Shift of rain in farming zones, per cent", bars=zones),
    Chart(title="Climate risk of commodity markets, 0 to 100", bars=endangered, low=0, high=100,
          mark=(float(LEAST["RED"]), f"{LEAST['RED']}: RED")),
    Chart(title="Drought by region, 0 to 500", bars=regions, low=0, high=500,
          mark=(DROUGHT, f"{DROUGHT}: high")),
    Chart(title="Raw materials: share of their history that was cheaper", bars=prices, low=0,
          high=100, mark=(HIGH_PRICE, f"{HIGH_PRICE}: extreme")),
)  # fmt: skip
