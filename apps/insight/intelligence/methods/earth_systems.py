"""Planetary health: heat, air, ice and sea, and nine tipping elements (3 §2.7)."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

from apps.insight.intelligence import component_payloads
from apps.insight.intelligence.method_inputs import (
    HUNDREDTH,
    MethodInputs,
    MethodResult,
    round_to_step,
)
from apps.insight.intelligence.rules import tipping_elements
from apps.insight.intelligence.rules.bands import label_of_score
from apps.reference.signals import carried_forward_labels
from apps.reference.signals.composites import find_composite
from apps.reference.signals.composition import ComposedScore, History, split_score
from apps.reference.signals.means import decimal_mean
from apps.reference.signals.quality import TooFewInputs, missing_input_error

CLIMATE_STRESS = find_composite("climate-stress")
CO2, WARMTH = "air.co2", "heat.anomaly.noaa"
# baseline of the Paris Agreement and of the thresholds (IPCC AR6)
BASE_YEARS = (1850, 1900)
# fewest of the 612 months of these years for a baseline
FEWEST_BASE_MONTHS = 600
# months
YEAR, DECADE = 12, 120
WARMTH_WEIGHT = Decimal("0.5")


def compute_earth_systems(known: MethodInputs) -> MethodResult:
    """Return planetary health; raises TooFewInputs without temperature since 1850."""
    composed = known.compose(CLIMATE_STRESS)
    year, decade = measure_warming(known.history(WARMTH))
    co2 = known.value(CO2)
    if co2 is None:
        raise missing_input_error(known.input(CO2))
    # by the last ten years: thresholds refer to long-term warming, not to a single hot year
    points = [_serialize_element(element, decade) for element in tipping_elements.ELEMENTS]
    body: dict[str, Any] = {
        "sustainability": {
            "earth_health_index": 100 - composed.score,
            "planetary_status": composed.band,
            "tipping_point_alert": tipping_elements.highest_alert(
                [point["proximity_risk"] for point in points]
            ),
        },
        "atmosphere": {
            "co2": {"current_ppm": co2, "signal": label_of_score(co2, tipping_elements.CO2)},
            "temperature": {
                "current_anomaly_c": round_to_step(year, HUNDREDTH),
                "decade_anomaly_c": round_to_step(decade, HUNDREDTH),
                "distance_to_paris_c": round_to_step(tipping_elements.PARIS_GOAL - year, HUNDREDTH),
            },
        },
        "tipping_points": points,
        "planetary_boundaries": {
            "crossed": [name for name, crossed in tipping_elements.BOUNDARIES if crossed],
            "inside": [name for name, crossed in tipping_elements.BOUNDARIES if not crossed],
            "reference": tipping_elements.BOUNDARIES_SOURCE,
        },
        "components": serialize_health_inputs(composed),
    }
    inputs = [
        known.input(part.series, part.weight, required=part.required)
        for part in CLIMATE_STRESS.parts
    ]
    series_inputs = [
        input_ if input_.name not in composed.quality.missing else replace(input_, point=None)
        for input_ in inputs
    ]
    both = known.judge([*series_inputs, known.input(WARMTH, WARMTH_WEIGHT, required=True)])
    return MethodResult(
        body=body, quality=carried_forward_labels.merge_held_inputs(both, composed.quality)
    )


def measure_warming(past: History) -> tuple[Decimal, Decimal]:
    """Return the mean of the newest year and of the newest ten, degrees C over 1850 to 1900.

    Raises TooFewInputs where months are missing.
    """
    base = [value for day, value in past if BASE_YEARS[0] <= day.year <= BASE_YEARS[1]]
    newest = past[-DECADE:]
    # ten years and some days: the newest 120 values must have no gap
    whole = len(newest) == DECADE and (newest[-1][0] - newest[0][0]).days < 3660
    if len(base) < FEWEST_BASE_MONTHS or not whole:
        raise TooFewInputs(
            f"There is no result without {WARMTH}: {len(past)} months are known, but months from "
            f"{BASE_YEARS[0]} to {BASE_YEARS[1]} or of the last {DECADE} are missing."
        )
    level = decimal_mean(base)
    values = [value for _, value in newest]
    return decimal_mean(values[-YEAR:]) - level, decimal_mean(values) - level


def serialize_health_inputs(composed: ComposedScore) -> list[dict[str, Any]]:
    """Return the inputs of the index; each adds its weight times 100 less its strain."""
    components = component_payloads.serialize_components(composed)
    held_weight = sum((contribution.weight for contribution in composed.contributions), Decimal(0))
    shares = split_score(
        [
            contribution.weight * (100 - contribution.score)
            for contribution in composed.contributions
        ],
        held=held_weight,
    )
    return [
        component | {"contribution": share}
        for component, share in zip(components, shares, strict=True)
    ]


def _serialize_element(
    tipping_element: tipping_elements.TippingElement, warmth: Decimal
) -> dict[str, Any]:
    band = tipping_element.band(warmth)
    return {
        "name": tipping_element.name,
        "proximity_risk": tipping_elements.RISKS[band],
        "band": band,
        "threshold": {
            "min_c": tipping_element.least,
            "central_c": tipping_element.central,
            "max_c": tipping_element.most,
        },
        "distance_to_central_c": round_to_step(tipping_element.central - warmth, HUNDREDTH),
        "reference": tipping_elements.ELEMENTS_SOURCE,
    }
