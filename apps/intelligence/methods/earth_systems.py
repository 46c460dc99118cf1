"""Health of the earth: heat, air, ice and sea, and how near nine tipping elements are (3 §2.7)."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

from apps.intelligence import telling
from apps.intelligence.known import Known, Made, rounded
from apps.intelligence.methods import averages
from apps.intelligence.rules import tipping
from apps.intelligence.rules.gauges import word_of
from apps.signals import holding
from apps.signals.composing import Composed, History, split
from apps.signals.composites import composite_of
from apps.signals.quality import Quality, Unavailable

ROW = composite_of("climate-stress")
CO2, WARMTH = "air.co2", "heat.anomaly.noaa"
BASE = (1850, 1900)  # what the Paris Agreement and the thresholds are counted from (IPCC AR6)
FEWEST = 600  # of the 612 months of these years, below which there is no base
YEAR, DECADE = 12, 120  # months
HUNDREDTH = Decimal("0.01")
WARMTH_WEIGHT = Decimal("0.5")


def compute(known: Known) -> Made:
    """Return the health of the earth; raises Unavailable without temperature since 1850."""
    made = known.compose(ROW)
    year, decade = warming(known.history(WARMTH))
    co2 = known.value(CO2)
    if co2 is None:
        raise Unavailable(f"There is no {CO2} in age: there is no answer without it.")
    points = [_element(one, decade) for one in tipping.ELEMENTS]
    body: dict[str, Any] = {
        "sustainability": {
            "earth_health_index": 100 - made.score,
            "planetary_status": made.band,
            "tipping_point_alert": tipping.alert([one["proximity_risk"] for one in points]),
        },
        "atmosphere": {
            "co2": {"current_ppm": co2, "signal": word_of(co2, tipping.CO2)},
            "temperature": {
                "current_anomaly_c": rounded(year, HUNDREDTH),
                "decade_anomaly_c": rounded(decade, HUNDREDTH),
                "distance_to_paris_c": rounded(tipping.PARIS - year, HUNDREDTH),
            },
        },
        "tipping_points": points,
        "planetary_boundaries": {
            "crossed": [name for name, crossed in tipping.BOUNDARIES if crossed],
            "inside": [name for name, crossed in tipping.BOUNDARIES if not crossed],
            "reference": tipping.BOUNDARIES_SOURCE,
        },
        "components": health(made),
    }
    return Made(body=body, quality=_quality(known, made))


def warming(past: History) -> tuple[Decimal, Decimal]:
    """Return the mean of the newest year and of the newest ten, degrees C over 1850 to 1900.

    Raises Unavailable where months are missing.
    """
    base = [value for day, value in past if BASE[0] <= day.year <= BASE[1]]
    newest = past[-DECADE:]
    whole = len(newest) == DECADE and (newest[-1][0] - newest[0][0]).days < 3660
    if len(base) < FEWEST or not whole:
        raise Unavailable(f"There are too few months of {WARMTH}: there is no answer without it.")
    level = averages.mean(base)
    values = [value for _, value in newest]
    return averages.mean(values[-YEAR:]) - level, averages.mean(values) - level


def health(made: Composed) -> list[dict[str, Any]]:
    """Return the inputs of the index; what each adds to health is its weight less its strain."""
    told = telling.components(made)
    held = sum((one.weight for one in made.contributions), Decimal(0))
    shares = split([one.weight * (100 - one.score) for one in made.contributions], held=held)
    return [one | {"contribution": share} for one, share in zip(told, shares, strict=True)]


def _element(one: tipping.Element, warmth: Decimal) -> dict[str, Any]:
    band = one.band(warmth)
    return {
        "name": one.name,
        "proximity_risk": tipping.RISKS[band],
        "band": band,
        "threshold": {"min_c": one.least, "central_c": one.central, "max_c": one.most},
        "distance_to_central_c": rounded(one.central - warmth, HUNDREDTH),
        "reference": tipping.SOURCE,
    }


def _quality(known: Known, made: Composed) -> Quality:
    """Return how good the composite and the temperature are together."""
    inputs = [known.input(part.series, part.weight, required=part.required) for part in ROW.parts]
    held = [one if one.name not in made.quality.missing else replace(one, point=None)
            for one in inputs]  # fmt: skip
    both = known.judge([*held, known.input(WARMTH, WARMTH_WEIGHT, required=True)])
    return holding.also(both, made.quality)
