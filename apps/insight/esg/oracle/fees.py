"""The ESG fee in the words of the API: the formula of entities, the arithmetic of quotes."""

from decimal import Decimal
from typing import Any

from apps.insight.stability.fees.rules.esg_fee_tiers import (
    FORMULA,
    TIERS,
    esg_fee_bps,
    format_tier,
    tier_of_score,
)
from apps.insight.stability.fees.rules.fees import WHOLE, bps_to_rate
from apps.platform.common.money import from_micro

BPS_OF_PER_CENT = 100
STEPS = range(100, -1, -10)


def serialize_fee(score: Decimal) -> dict[str, Any]:
    """Return the fee of a score; see FeeOut."""
    bps = esg_fee_bps(score)
    return {
        "pct": bps / BPS_OF_PER_CENT,
        "bps": bps,
        "tier": format_tier(tier_of_score(score)),
        "formula": FORMULA,
    }


def compute_fee_usd(*, amount: int, score: Decimal) -> Decimal:
    """Return the ESG fee in USD of an amount in micro-units, rounded down as in a quote."""
    return from_micro(amount * bps_to_rate(esg_fee_bps(score)) // WHOLE)


def build_fee_schedule() -> dict[str, Any]:
    """Return the ESG fee table across tiers and scores; see ScheduleOut."""
    # a tier ends where the next better one begins; TIERS has the best first
    ends = [Decimal(100), *(Decimal(tier.least) for tier in TIERS)]
    return {
        "currency": "USD",
        "formula": FORMULA,
        "tiers": [
            {"label": format_tier(tier), "from_score": tier.least, "below_score": end,
             "bps_at_from": esg_fee_bps(tier.least), "bps_at_end": esg_fee_bps(end)}
            for tier, end in zip(TIERS, ends, strict=False)
        ],
        "scores": [{"score": score, **serialize_fee(Decimal(score))} for score in STEPS],
        "goes_to": "All of it goes to impact pools.",
    }  # fmt: skip
