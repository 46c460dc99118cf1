"""Says a market and a region in the words of the API: bodies, sentences, sources. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

from apps.forecast.known import Known
from apps.forecast.rules.growing import REGIONS
from apps.forecast.rules.markets import COLD, DROUGHT, FIRE, FLOOD, HEAT, PRICE, STORM, Market
from apps.forecast.rules.status import Status
from apps.forecast.strains import Strain
from apps.signals.points import Point
from apps.signals.quality import Quality

HUNDREDTH, TENTH, ONE = Decimal("0.0001"), Decimal("0.1"), Decimal(1)
METHOD = "docs/forecast-method.md"
ALERT = Decimal(60)  # strain from which a region is under alert
NAMED = 3  # parts that a sentence names
WORDS = {
    HEAT: "heat", COLD: "cold", DROUGHT: "drought", FLOOD: "wet ground", STORM: "storms and floods",
    FIRE: "wildfires", PRICE: "the rise of its price",
}  # fmt: skip
# what is under way in a region is counted; of the rest the strain is told
COUNTED = {STORM: ("storm or flood", "storms or floods"), FIRE: ("wildfire", "wildfires")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a market came to, to be said."""

    market: Market
    price: Point
    score: Decimal
    light: Status
    outlook: str
    moved: Decimal | None
    parts: list[dict[str, Any]]


def parts(found: Sequence[Strain], adds: Sequence[Decimal]) -> list[dict[str, Any]]:
    """Return what each thing adds, the most first; see PartOut. They sum to the score."""
    rows = [
        {
            "component": one.component,
            "region": REGIONS[one.region].name if one.region else "",
            "series": one.series,
            "as_of": one.at,
            "value": None if one.value is None else _fine(one.value),
            "strain": None if one.score is None else _fine(one.score),
            "weight": _fine(one.weight),
            "season": one.season,
            "contribution": add,
        }
        for one, add in zip(found, adds, strict=True)
    ]
    return sorted(rows, key=lambda one: -Decimal(str(one["contribution"])))


def _fine(value: Decimal) -> Decimal:
    return value.quantize(HUNDREDTH, ROUND_HALF_EVEN) + 0


def body(told: Told) -> dict[str, Any]:
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
        "signal": signal(told),
        "reasoning": reasoning(told),
        "contributions": told.parts,
    }


def signal(told: Told) -> str:
    """Return the line of the heat check."""
    first = told.parts[0]
    if not first["contribution"]:
        return f"{told.light.name}: nothing is under strain."
    return f"{told.light.name}, {told.light.says}: {_said(first)}, of {_tenth(told.score)} in all."


def reasoning(told: Told) -> str:
    """Return sentences on a market, each of its numbers."""
    adding = [one for one in told.parts if one["contribution"]][:NAMED]
    said = (
        f"The climate risk of {told.market.symbol} is {_tenth(told.score)} of 100, "
        f"{told.light.name}: {told.light.says}. "
    )
    said += f"Of it {'; '.join(map(_said, adding))}. " if adding else "Nothing is under strain. "
    if told.moved is None:
        return said + "Too little is known of three months ago to say which way it goes."
    return said + f"Over three months it moved by {told.moved:+} points: {told.outlook}."


def _said(part: dict[str, Any]) -> str:
    where = f" in {part['region']}" if part["region"] else ""
    priced = part["component"] == PRICE and part["as_of"]
    when = f" to {part['as_of']:%B %Y}" if priced else ""
    return f"{_tenth(part['contribution'])} come from {WORDS[part['component']]}{where}{when}"


def _tenth(value: Decimal) -> str:
    return f"{value.quantize(TENTH, ROUND_HALF_EVEN)}"


def alerts(found: Sequence[Strain]) -> list[str]:
    """Return what a region is under: what is counted there, and strain from 60 on."""
    said = []
    for one in found:
        if one.component in COUNTED and one.value:
            name = COUNTED[one.component][one.value != 1]
            said.append(f"{one.value:.0f} {name} under way")
        elif one.component not in COUNTED and one.score is not None and one.score >= ALERT:
            strain = one.score.quantize(ONE, ROUND_HALF_EVEN)
            said.append(f"{WORDS[one.component].capitalize()}: strain {strain} of 100")
    return said


def described(quality: Quality, *, version: str) -> dict[str, Any]:
    """Return how good an answer is; see Described."""
    return {
        "data_quality": quality.label,
        "as_of": quality.as_of,
        "coverage": _fine(quality.coverage),
        "reasons": list(quality.reasons),
        "missing": list(quality.missing),
        "methodology_version": version,
        "method": METHOD,
    }


def sources(known: Known, names: Iterable[str]) -> list[dict[str, Any]]:
    """Return where each series that counts comes from, on what terms; see SourceOut."""
    points = [point for name in dict.fromkeys(names) if (point := known.point(name))]
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
