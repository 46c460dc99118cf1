"""Serialize markets and regions for the API: bodies, sentences, sources. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

from apps.insight.forecast.component_strains import ComponentStrain
from apps.insight.forecast.rules.lights_and_outlooks import RiskLight
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
from apps.insight.forecast.series_snapshot import SeriesSnapshot
from apps.reference.signals.points import Point
from apps.reference.signals.quality import Quality

HUNDREDTH, TENTH, ONE = Decimal("0.0001"), Decimal("0.1"), Decimal(1)
METHOD = "docs/forecast-method.md"
# strain from which a region is under alert
ALERT = Decimal(60)
# parts that a sentence names
NAMED = 3
COMPONENT_LABELS = {
    HEAT: "heat", COLD: "cold", DROUGHT: "drought", FLOOD: "excess rain",
    STORM: "storms and floods", FIRE: "wildfires", PRICE: "rising prices",
}  # fmt: skip
# components reported as counts of current events; the others are reported as strain
COUNTED_COMPONENTS = {
    STORM: ("storm or flood", "storms or floods"),
    FIRE: ("wildfire", "wildfires"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketAssessment:
    """The results of a market, for presentation."""

    market: Market
    price: Point
    score: Decimal
    light: RiskLight
    outlook: str
    moved: Decimal | None
    parts: list[dict[str, Any]]


def serialize_parts(
    component_strains: Sequence[ComponentStrain], adds: Sequence[Decimal]
) -> list[dict[str, Any]]:
    """Return the contribution of each component, largest first; see PartOut. They sum to the
    score.
    """
    rows = [
        {
            "component": strain.component,
            "region": REGIONS[strain.region].name if strain.region else "",
            "series": strain.series,
            "as_of": strain.at,
            "value": None if strain.value is None else _round_fine(strain.value),
            "strain": None if strain.score is None else _round_fine(strain.score),
            "weight": _round_fine(strain.weight),
            "season": strain.season,
            "contribution": add,
        }
        for strain, add in zip(component_strains, adds, strict=True)
    ]
    return sorted(rows, key=lambda row: -Decimal(str(row["contribution"])))


def _round_fine(value: Decimal) -> Decimal:
    return value.quantize(HUNDREDTH, ROUND_HALF_EVEN) + 0


def build_market_body(market_assessment: MarketAssessment) -> dict[str, Any]:
    """Return the fields of a market's answer that follow from its assessment; see CommodityOut."""
    return {
        "symbol": market_assessment.market.symbol,
        "title": market_assessment.market.title,
        "current_price": market_assessment.price.value,
        "price_unit": market_assessment.price.unit,
        "price_as_of": market_assessment.price.at,
        "price_note": market_assessment.market.proxy,
        "climate_risk_score": market_assessment.score,
        "status": market_assessment.light.name,
        "outlook": market_assessment.outlook,
        "change_3m": market_assessment.moved,
        "signal": describe_signal(market_assessment),
        "reasoning": describe_market(market_assessment),
        "contributions": market_assessment.parts,
    }


def describe_signal(market: MarketAssessment) -> str:
    """Return the line of the heat check."""
    first = market.parts[0]
    if not first["contribution"]:
        return f"{market.light.name}: no component is under strain."
    return (
        f"{market.light.name}, {market.light.says}: {_describe_part(first)}, "
        f"{_format_tenth(market.score)} in total."
    )


def describe_market(assessed: MarketAssessment) -> str:
    """Return sentences on a market, generated from its numbers."""
    adding = [part for part in assessed.parts if part["contribution"]][:NAMED]
    description = (
        f"The climate risk of {assessed.market.symbol} is {_format_tenth(assessed.score)} of 100, "
        f"{assessed.light.name}: {assessed.light.says}. "
    )
    description += (
        f"Components: {'; '.join(map(_describe_part, adding))}. "
        if adding
        else "No component is under strain. "
    )
    if assessed.moved is None:
        return description + (
            "There is not enough data from three months ago to say which way the score is moving."
        )
    return description + f"Change over three months: {assessed.moved:+} points, {assessed.outlook}."


def _describe_part(part: dict[str, Any]) -> str:
    where = f" in {part['region']}" if part["region"] else ""
    priced = part["component"] == PRICE and part["as_of"]
    when = f" to {part['as_of']:%B %Y}" if priced else ""
    return (
        f"{_format_tenth(part['contribution'])} points from "
        f"{COMPONENT_LABELS[part['component']]}{where}{when}"
    )


def _format_tenth(value: Decimal) -> str:
    return f"{value.quantize(TENTH, ROUND_HALF_EVEN)}"


def list_alerts(component_strains: Sequence[ComponentStrain]) -> list[str]:
    """Return a region's alerts: counted events, and strain from 60."""
    alerts = []
    for component in component_strains:
        if component.component in COUNTED_COMPONENTS and component.value:
            name = COUNTED_COMPONENTS[component.component][component.value != 1]
            alerts.append(
                f"{component.value:.0f} {name} under way{_describe_lapsed_date(component)}"
            )
        elif (
            component.component not in COUNTED_COMPONENTS
            and component.score is not None
            and component.score >= ALERT
        ):
            strain = component.score.quantize(ONE, ROUND_HALF_EVEN)
            alerts.append(
                f"{COMPONENT_LABELS[component.component].capitalize()}: strain {strain} of "
                f"100{_describe_lapsed_date(component)}"
            )
    return alerts


def _describe_lapsed_date(component_strain: ComponentStrain) -> str:
    """Return the date of a figure that is too old; empty for a current one."""
    return (
        f", as last published on {component_strain.at:%d %B %Y}"
        if component_strain.held and component_strain.at
        else ""
    )


def serialize_quality(quality: Quality, *, version: str) -> dict[str, Any]:
    """Return the quality of an answer; see Described."""
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
    """Return the source and licence of each series that counts or is held; see SourceOut."""
    last = {name: known.points[name] for name in held}
    points = [
        point
        for name in dict.fromkeys([*names, *last])
        if (point := known.point(name) or last.get(name))
    ]
    return [
        {
            "series": used_point.series,
            "source": used_point.source,
            "licence": used_point.licence,
            "as_of": used_point.at,
            "cadence": used_point.cadence,
            "kind": used_point.kind,
        }
        for used_point in points
    ]
