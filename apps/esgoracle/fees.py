"""The ESG fee in the words of the API: the formula of entities, the arithmetic of quotes."""

from decimal import Decimal
from typing import Any

from apps.core.money import from_micro
from apps.esg.rules.tiers import FORMULA, TIERS, fee_bps, label, tier_of
from apps.stability.rules.fees import WHOLE, parts

BPS_OF_PER_CENT = 100
STEPS = range(100, -1, -10)


def fee_said(score: Decimal) -> dict[str, Any]:
    """Return the fee of a score; see FeeOut."""
    bps = fee_bps(score)
    return {
        "pct": bps / BPS_OF_PER_CENT,
        "bps": bps,
        "tier": label(tier_of(score)),
        "formula": FORMULA,
    }


def taken(*, amount: int, score: Decimal) -> Decimal:
    """Return the ESG fee in USD of an amount in micro-units, rounded down as in a quote."""
    return from_micro(amount * parts(fee_bps(score)) // WHOLE)


def schedule() -> dict[str, Any]:
    """Return the ESG fee table across tiers and scores; see ScheduleOut."""
    ends = [Decimal(100), *(Decimal(one.least) for one in TIERS)]
    return {
        "currency": "USD",
        "formula": FORMULA,
        "tiers": [
            {"label": label(one), "from_score": one.least, "below_score": end,
             "bps_at_from": fee_bps(one.least), "bps_at_end": fee_bps(end)}
            for one, end in zip(TIERS, ends, strict=False)
        ],
        "scores": [{"score": score, **fee_said(Decimal(score))} for score in STEPS],
        "goes_to": "All of it goes to impact pools.",
    }  # fmt: skip
