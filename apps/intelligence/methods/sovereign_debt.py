"""Debt of four governments: what they owe and lack, and whether strain spreads (3 §2.7)."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

from apps.intelligence import telling
from apps.intelligence.known import Known, Made, rounded
from apps.intelligence.rules.signals import signal_of
from apps.intelligence.rules.sovereigns import (
    COMPOSITE,
    SOVEREIGNS,
    Sovereign,
    contagion,
    impact,
)
from apps.intelligence.weighing import place_now
from apps.signals import holding
from apps.signals.composing import Composed
from apps.signals.composites import composite_of

CREDIT = composite_of("credit-stress")
SPREAD, TEN_YEARS = "euro.btp_bund", "us.dgs10"
SHOWN = (SPREAD, TEN_YEARS)
FIVE_YEARS = timedelta(days=5 * 365)


def compute(known: Known) -> Made:
    """Return the strain of debt; raises Unavailable without the debt of the two largest."""
    made = known.compose(COMPOSITE)
    then = known.ageless  # fear that was seen is not over because nobody tells of it any more
    credit = known.composed_or_none(CREDIT) or then.composed_or_none(CREDIT)
    risk = contagion(then.value(SPREAD), credit.band if credit else None)
    body: dict[str, Any] = {
        "debt_stress_index": made.score,
        "systemic_signals": {
            "global_debt_regime": made.band,
            "contagion_risk": risk,
            "settlement_impact": impact(made.band, risk),
        },
        "sovereigns": {one.name: _sovereign(known, made, one) for one in SOVEREIGNS},
        "markets": [_seen(known, name) for name in SHOWN],
        "contributions": telling.components(made),
    }
    old = [one for one in (SPREAD,) if one in known.points and known.point(one) is None]
    return Made(body=body, quality=holding.told(made.quality, old, share=Decimal(0)))


def _sovereign(known: Known, made: Composed, one: Sovereign) -> dict[str, Any]:
    """Return one debtor; see SovereignOut."""
    point, balance = known.point(one.debt), known.value(one.balance)
    places = {part.series: part.score for part in made.contributions}
    return {
        "title": one.title,
        "debt_to_gdp_pct": point.value if point else None,
        "debt_signal": signal_of(places.get(one.debt)),
        "debt_change_5y": _since(known, one.debt),
        "balance_to_gdp_pct": balance,
        "balance_signal": signal_of(places.get(one.balance)),
        "year": point.day.year if point else None,
        "source": point.source if point else "",
    }


def _since(known: Known, series: str) -> Decimal | None:
    """Return by how many percentage points debt differs from five years before."""
    now, before = known.value(series), known.before(series, FIVE_YEARS)
    return None if now is None or before is None else rounded(now - before)


def _seen(known: Known, series: str) -> dict[str, Any]:
    point = known.point(series)
    if point is None:
        return telling.absent(series)
    return telling.seen(point, score=place_now(known, series))
