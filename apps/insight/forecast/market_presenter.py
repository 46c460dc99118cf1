"""Says a market and a region in the words of the API: bodies, sentences, sources. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

from apps.insight.forecast.component_strains import ComponentStrain
from apps.insight.forecast.rules.markets import (
    COLD,
    DROUGHT,
    FIRE,
    FLOOD,
    HEAT,
    PRICE,
    STORM,
    Market,
)
from apps.insight.forecast.rules.regions import REGIONS
from apps.insight.forecast.rules.risk_lights import RiskLight
from apps.insight.forecast.series_snapshot import SeriesSnapshot
from apps.reference.signals.points import Point
from apps.reference.signals.quality import Quality

HUNDREDTH, TENTH, ONE = Decimal("0.0001"), Decimal("0.1"), Decimal(1)
METHOD = "docs/forecast-method.md"
ALERT = Decimal(60)  # strain from which a region is under alert
NAMED = 3  # parts that a sentence names
COMPONENT_LABELS = {
    HEAT: "heat", COLD: "cold", DROUGHT: "drought", FLOOD: "wet ground", STORM: "storms and floods",
    FIRE: "wildfires", PRICE: "the rise of its price",
}  # fmt: skip
# what is under way in a region is counted; of the rest the strain is told
COUNTED_COMPONENTS = {
    STORM: ("storm or flood", "storms or floods"),
    FIRE: ("wildfire", "wildfires"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketAssessment:
    """What a market came to, to be said."""

    market: Market
    price: Point
    score: Decimal
    light: RiskLight
    outlook: str
    moved: Decimal | None
    parts: list[dict[str, Any]]


def serialize_parts(
    found: Sequence[ComponentStrain], adds: Sequence[Decimal]
) -> list[dict[str, Any]]:
    """Return what each thing adds, the most first; see PartOut. They sum to the score."""
    rows = [
        {
            "component": one.component,
            "region": REGIONS[one.region].name if one.region else "",
            "series": one.series,
            "as_of": one.at,
            "value": None if one.value is None else _round_fine(one.value),
            "strain": None if one.score is None else _round_fine(one.score),
            "weight": _round_fine(one.weight),
            "season": one.season,
            "contribution": add,
        }
        for one, add in zip(found, adds, strict=True)
    ]
    return sorted(rows, key=lambda row: -Decimal(str(row["contribution"])))


def _round_fine(value: Decimal) -> Decimal:
    return value.quantize(HUNDREDTH, ROUND_HALF_EVEN) + 0


def build_market_body(told: MarketAssessment) -> dict[str, Any]:
    """Return what of a market's answer follows from what it came to; see CommodityOut."""
    return {
        "symbol": told.market.symbol,
        "title": told.market.title,
        "current_price": told.price.value,
        "price_unit": told.price.unit,
        "price_as_of": told.price.at,
        "price_note": told.market.proxy,
        "climate_risk_score": told.score,
        "status": told.light.name,
        "outlook": told.outlook,
        "change_3m": told.moved,
        "signal": describe_signal(told),
        "reasoning": describe_market(told),
        "contributions": told.parts,
    }


def describe_signal(told: MarketAssessment) -> str:
    """Return the line of the heat check."""
    first = told.parts[0]
    if not first["contribution"]:
        return f"{told.light.name}: nothing is under strain."
    return (
        f"{told.light.name}, {told.light.says}: {_describe_part(first)}, of "
        f"{_format_tenth(told.score)} in all."
    )


def describe_market(told: MarketAssessment) -> str:
    """Return sentences on a market, each of its numbers."""
    adding = [part for part in told.parts if part["contribution"]][:NAMED]
    said = (
        f"The climate risk of {told.market.symbol} is {_format_tenth(told.score)} of 100, "
        f"{told.light.name}: {told.light.says}. "
    )
    said += (
        f"Of it {'; '.join(map(_describe_part, adding))}. "
        if adding
        else "Nothing is under strain. "
    )
    if told.moved is None:
        return said + "Too little is known of three months ago to say which way it goes."
    return said + f"Over three months it moved by {told.moved:+} points: {told.outlook}."


def _describe_part(part: dict[str, Any]) -> str:
    where = f" in {part['region']}" if part["region"] else ""
    priced = part["component"] == PRICE and part["as_of"]
    when = f" to {part['as_of']:%B %Y}" if priced else ""
    return (
        f"{_format_tenth(part['contribution'])} come from "
        f"{COMPONENT_LABELS[part['component']]}{where}{when}"
    )


def _format_tenth(value: Decimal) -> str:
    return f"{value.quantize(TENTH, ROUND_HALF_EVEN)}"


def list_alerts(found: Sequence[ComponentStrain]) -> list[str]:
    """Return what a region is under: what is counted there, and strain from 60 on."""
    said = []
    for component in found:
        if component.component in COUNTED_COMPONENTS and component.value:
            name = COUNTED_COMPONENTS[component.component][component.value != 1]
            said.append(f"{component.value:.0f} {name} under way{_describe_lapsed_date(component)}")
        elif (
            component.component not in COUNTED_COMPONENTS
            and component.score is not None
            and component.score >= ALERT
        ):
            strain = component.score.quantize(ONE, ROUND_HALF_EVEN)
            said.append(
                f"{COMPONENT_LABELS[component.component].capitalize()}: strain {strain} of "
                f"100{_describe_lapsed_date(component)}"
            )
    return said


def _describe_lapsed_date(component_strain: ComponentStrain) -> str:
    """Return of when a figure is that has grown too old; nothing of one in age."""
    return (
        f", as last told on {component_strain.at:%d %B %Y}"
        if component_strain.held and component_strain.at
        else ""
    )


def serialize_quality(quality: Quality, *, version: str) -> dict[str, Any]:
    """Return how good an answer is; see Described."""
    return {
        "data_quality": quality.label,
        "as_of": quality.as_of,
        "coverage": _round_fine(quality.coverage),
        "reasons": list(quality.reasons),
        "missing": list(quality.missing),
        "methodology_version": version,
        "method": METHOD,
    }


def serialize_sources(
    known: SeriesSnapshot, names: Iterable[str], *, held: Iterable[str] = ()
) -> list[dict[str, Any]]:
    """Return where each series that counts or is held comes from, on what terms; see SourceOut."""
    last = {name: known.points[name] for name in held}
    points = [
        point
        for name in dict.fromkeys([*names, *last])
        if (point := known.point(name) or last.get(name))
    ]
    return [
        {
            "series": one.series,
            "source": one.source,
            "licence": one.licence,
            "as_of": one.at,
            "cadence": one.cadence,
            "kind": one.kind,
        }
        for one in points
    ]
