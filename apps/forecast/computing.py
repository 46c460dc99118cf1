"""Computes each market and each region of what is known: score, light, outlook, signals. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

from apps.forecast import strains, telling
from apps.forecast.known import Known
from apps.forecast.rules.growing import (
    GROWTHS,
    REGIONS,
    THREATS,
    Growth,
    growths_of,
    symbols_of,
)
from apps.forecast.rules.markets import COLD, DROUGHT, FIRE, FLOOD, HEAT, MARKETS, STORM, Market
from apps.forecast.rules.status import confidence_of, outlook_of, status_of
from apps.forecast.strains import Months, Strain
from apps.signals.composing import split
from apps.signals.points import Point
from apps.signals.quality import Unavailable, judge

VERSION = "forecast-1"
TENTH = Decimal("0.1")
NOTHING = Decimal(0)
# weights of a region's own score: those of a crop without its price
OWN: Mapping[str, Decimal] = {
    HEAT: Decimal("0.25"), DROUGHT: Decimal("0.35"), FLOOD: Decimal("0.15"),
    STORM: Decimal("0.15"), FIRE: Decimal("0.10"),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """A market at a moment: its body in the names of its shape, and what is reckoned with."""

    symbol: str
    score: Decimal
    status: str
    outlook: str
    price: Point
    quality: str
    body: dict[str, Any]


def names() -> tuple[str, ...]:
    """Return every series that is read."""
    prices = [name for one in MARKETS for name in (*one.prices, one.months)]
    weather = [
        name
        for growth in GROWTHS
        for component in OWN
        if (name := strains.component_series(growth.region, component))
    ]
    return tuple(dict.fromkeys([*prices, *weather, "sea.enso"]))


def market(known: Known, row: Market) -> Outlook:
    """Return a market; raises Unavailable without its price, or below a coverage of 0.6."""
    month = known.as_of.month
    point = next((one for name in row.prices if (one := known.point(name))), None)
    if point is None:
        raise Unavailable(f"There is no price of {row.title} in age: there is no outlook without.")
    found = strains.of_market(known, row, known.month)
    quality = judge(_inputs(known, found), as_of=known.as_of)
    adds = contributions(found)
    score = sum(adds, NOTHING)
    moved = strains.change(found, strains.of_market(known.before(strains.BACK), row, known.month))
    sure = confidence_of(quality.coverage, quality.label)
    told = telling.Told(
        market=row,
        price=point,
        score=score,
        light=status_of(score),
        outlook=outlook_of(moved, confidence=sure),
        moved=None if moved is None else moved.quantize(TENTH, ROUND_HALF_EVEN),
        parts=telling.parts(found, adds),
    )
    body = {
        **telling.body(told),
        "signals": signals(known, row),
        "confidence": sure,
        "production_regions": _production(row, month, adds, found),
        **telling.described(quality, version=VERSION),
        "sources": telling.sources(known, [point.series, *(one.series for one in found)]),
    }
    return Outlook(
        symbol=row.symbol, score=score, status=told.light.name, outlook=told.outlook, price=point,
        quality=quality.label, body=body,
    )  # fmt: skip


def contributions(found: Sequence[Strain]) -> list[Decimal]:
    """Return what each thing adds to the score, in steps of 0.0001; they sum to it exactly.

    What is not known adds nothing, and its weight goes to the rest.
    """
    held = sum((one.weight for one in found if one.score is not None), NOTHING)
    if not held:
        return [NOTHING] * len(found)
    weighed = [one.weight * one.season * (one.score or NOTHING) for one in found]
    return split(weighed, held=held)


def _inputs(known: Known, found: Sequence[Strain]) -> list[Any]:
    """Return the series as they are judged: one on which several things rest, with their sum."""
    weights: dict[str, Decimal] = {}
    for one in found:
        weights[one.series] = weights.get(one.series, NOTHING) + one.weight
    lacking = {one.series for one in found if one.score is None}
    inputs = [known.input(name, weight) for name, weight in weights.items()]
    return [replace(one, point=None) if one.name in lacking else one for one in inputs]


def signals(known: Known, row: Market) -> dict[str, Any]:
    """Return the four figures of the specification; null where nothing of them is known.

    Heat and drought are means over regions, weighted by what they yield; fires, storms and floods
    are sums.
    """
    growths = growths_of(row.symbol)
    drought = [
        (one.share, told[1])
        for one in growths
        if (told := strains.scored(known, one.region, DROUGHT))
    ]
    heat = _figures(known, row, HEAT)
    return {
        "temperature_anomaly": _mean(heat, Decimal("0.01")),
        "drought_index": _mean(drought, TENTH),
        "wildfire_activity": _total(_figures(known, row, FIRE)),
        "extreme_weather_events": _total(_figures(known, row, STORM)),
    }


def _figures(known: Known, row: Market, component: str) -> list[tuple[Decimal, Decimal]]:
    return [
        (one.share, told[0])
        for one in growths_of(row.symbol)
        if (told := strains.scored(known, one.region, component))
    ]


def _mean(found: Sequence[tuple[Decimal, Decimal]], step: Decimal) -> Decimal | None:
    if not found:
        return None
    whole = sum((share for share, _ in found), NOTHING)
    mean = sum((share * value for share, value in found), NOTHING) / whole
    return mean.quantize(step, ROUND_HALF_EVEN) + 0


def _total(found: Sequence[tuple[Decimal, Decimal]]) -> int | None:
    return int(sum(value for _, value in found)) if found else None


def _production(
    row: Market, month: int, adds: Sequence[Decimal], found: Sequence[Strain]
) -> list[dict[str, Any]]:
    return [
        {
            "region": REGIONS[one.region].name,
            "country": REGIONS[one.region].country,
            "share_pct": 100 * one.share,
            "source": one.source,
            "in_season": one.decides(month),
            "contribution": sum(
                (add for add, told in zip(adds, found, strict=True) if told.region == one.region),
                NOTHING,
            ),
        }
        for one in growths_of(row.symbol)
    ]


def regions(known: Known) -> list[dict[str, Any]]:
    """Return the regions of which enough is known, the gravest first; see RegionOut."""
    found = [made for name in REGIONS if (made := region(known, name))]
    return sorted(found, key=lambda one: (-one["climate_risk_score"], one["region"]))


def region(known: Known, name: str) -> dict[str, Any] | None:
    """Return a region; None below a coverage of 0.6."""
    growths = [one for one in GROWTHS if one.region == name]
    now = list(_own(known, name, growths, known.month))
    try:
        quality = judge(_inputs(known, now), as_of=known.as_of)
    except Unavailable:
        return None
    adds = contributions(now)
    moved = strains.change(now, list(_own(known.before(strains.BACK), name, growths, known.month)))
    sure = confidence_of(quality.coverage, quality.label)
    worst = max(zip(adds, now, strict=True), key=lambda one: one[0])
    return {
        "region": REGIONS[name].name,
        "country": REGIONS[name].country,
        "commodities": list(symbols_of(name)),
        "climate_risk_score": sum(adds, NOTHING),
        "active_alerts": telling.alerts(now),
        "primary_threat": THREATS[worst[1].component if worst[0] else REGIONS[name].usual],
        "outlook": outlook_of(moved, confidence=sure),
        "in_season": any(one.decides(known.as_of.month) for one in growths),
        "contributions": telling.parts(now, adds),
        **telling.described(quality, version=VERSION),
    }


def _own(known: Known, name: str, growths: Sequence[Growth], months: Months) -> Iterable[Strain]:
    having = {one: weight for one, weight in OWN.items() if strains.component_series(name, one)}
    whole = sum(having.values(), NOTHING)
    for component, weight in having.items():
        series = strains.component_series(name, component)
        month = months(series)
        cold = component == HEAT and strains.is_cold(growths, month)
        told = strains.scored(known, name, COLD if cold else component)
        yield Strain(
            component=COLD if cold else component,
            series=series,
            weight=weight / whole,
            region=name,
            season=max(one.season(month, cold=cold) for one in growths),
            at=strains.moment(known, series),
            value=told[0] if told else None,
            score=told[1] if told else None,
        )
