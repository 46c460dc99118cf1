"""Stress of financial markets: a composite of the categories of the OFR index (3 §2.7)."""

from decimal import Decimal
from typing import Any

from apps.intelligence import telling
from apps.intelligence.known import Known, Made, rounded
from apps.intelligence.rules import leads
from apps.intelligence.rules.signals import signal_of
from apps.intelligence.trails import trail_of
from apps.signals.composing import Composed
from apps.signals.composites import composite_of

ROW = composite_of("macro-stress")
DOLLAR = "us.dollar.broad"
# raw figures beside the index, where they are known, and what it is held against
SHOWN = ("us.credit.spread", "us.vix", DOLLAR)
# the specification's name -> the series of its raw figure, the category that stands for it
COMPONENTS: dict[str, tuple[str, str]] = {
    "ig_spread": ("us.credit.spread", "ofr.fsi.credit"),
    "hy_spread": ("", "ofr.fsi.credit"),
    "vix": ("us.vix", "ofr.fsi.volatility"),
}


def compute(known: Known) -> Made:
    """Return the stress of markets; raises Unavailable without credit and volatility."""
    made = known.compose(ROW)
    inputs = telling.components(made)
    body: dict[str, Any] = {
        "stress_index": made.score,
        "regime": made.band,
        "components": {
            name: _component(known, made, raw, stands) for name, (raw, stands) in COMPONENTS.items()
        },
        "contributions": inputs,
        "lead_signals": _lead(known),
    }
    return Made(body=body, quality=made.quality)


def _component(known: Known, made: Composed, raw: str, stands: str) -> dict[str, Any]:
    """Return a component of the specification: its raw figure, and the signal of its category."""
    place = next((one.score for one in made.contributions if one.series == stands), None)
    value: Decimal | None = known.value(raw) if raw else None
    return {"value": value, "signal": signal_of(place), "proxy": stands}


def _lead(known: Known) -> dict[str, Any]:
    """Return what the index has told of the dollar; see LeadOut."""
    stress = leads.periods(trail_of(known, ROW), leads.week_of)
    dollar = leads.periods(known.history(DOLLAR), leads.week_of)
    moves = leads.changes(stress)
    found = leads.lead(moves, leads.changes(dollar), leads.WEEKS)
    return {
        "fx_implication": leads.turned(found, moves, leads.DOLLAR),
        "look_ahead_weeks": found.lag if found and found.stands else None,
        "correlation": rounded(found.correlation, telling.HUNDREDTH) if found else None,
        "pairs": found.pairs if found else 0,
    }
