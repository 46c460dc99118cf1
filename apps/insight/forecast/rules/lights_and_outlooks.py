"""Lights of scores, outlooks from their change, and confidence. Pure.

Bounds are ours. With all weather of its largest grower at its worst in season, and its price at its
record, each market is YELLOW, most are RED: docs/forecast-method.md has the score of each.
"""

from dataclasses import dataclass
from decimal import Decimal

GREEN, YELLOW, RED = "GREEN", "YELLOW", "RED"
IMPROVING, STABLE, DETERIORATING, UNCERTAIN = "IMPROVING", "STABLE", "DETERIORATING", "UNCERTAIN"
OUTLOOKS = (IMPROVING, STABLE, DETERIORATING, UNCERTAIN)


@dataclass(frozen=True, slots=True)
class RiskLight:
    """A light: the lowest score that has it, its meaning and its reference."""

    name: str
    least: Decimal
    says: str
    ref: str


RISK_LIGHTS: tuple[RiskLight, ...] = (
    RiskLight(RED, Decimal(45), "active disruption, impact likely", "3 §2.8 RED"),
    RiskLight(YELLOW, Decimal(25), "elevated, hedging recommended", "3 §2.8 YELLOW"),
    RiskLight(GREEN, Decimal(0), "low risk", "3 §2.8 GREEN"),
)
LEAST = {risk_light.name: risk_light.least for risk_light in RISK_LIGHTS}
LIGHTS = (GREEN, YELLOW, RED)
# points over three months from which a score counts as changed
MOVED = Decimal(5)
# factor of confidence by data quality; ours
SURE = {"LIVE": Decimal(1), "PARTIAL": Decimal("0.8"), "ESTIMATED": Decimal("0.5")}
# confidence below which no direction is given
UNSURE = Decimal("0.3")


def light_of_score(score: Decimal) -> RiskLight:
    """Return the light of a score of 0 to 100: the first whose bound it reaches."""
    return next(risk_light for risk_light in RISK_LIGHTS if score >= risk_light.least)


def outlook_of_change(change: Decimal | None, *, confidence: Decimal) -> str:
    """Return the direction of a score over three months; UNCERTAIN if it is not known."""
    if change is None or confidence < UNSURE:
        return UNCERTAIN
    # the score is a risk: a rise is a deterioration
    if change >= MOVED:
        return DETERIORATING
    return IMPROVING if change <= -MOVED else STABLE


def compute_confidence(coverage: Decimal, label: str) -> Decimal:
    """Return 0 to 1: the part of the weight that counted, times how good the figures are."""
    return (coverage * SURE[label]).quantize(Decimal("0.01"))
