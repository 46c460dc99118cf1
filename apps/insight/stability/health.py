"""Health of the stability service: whether its two fee computations agree."""

from datetime import datetime
from typing import Any

from apps.insight.stability.fees.rules.fee_contract_preview import preview_fees
from apps.insight.stability.fees.rules.fees import (
    PricedPayment,
    bps_to_rate,
    compute_fees,
    core_rate_of_tier,
    tier_of_volume,
)
from apps.platform.desk.health import CheckWording
from config.prices import FX_BPS, MICRO

# one payment of each volume tier, with and without exchange; the odd micro-unit makes the
# components round
PROBES = tuple(
    PricedPayment(amount * MICRO + 1, fx, score * MICRO, volume * MICRO)
    for amount, fx, score, volume in (
        (1, False, 50, 0),
        (999_999_999, True, 0, 100_000),
        (12_345, True, 73, 1_000_000),
        (700, False, 100, 10_000_000),
    )
)


def check_fees(now: datetime) -> dict[str, Any]:
    """Compare the fee table with its second implementation; a difference is an outage."""
    agree = all(fees_match_preview(probe) for probe in PROBES)
    return {"status": "ok" if agree else "down"}


def fees_match_preview(payment: PricedPayment) -> bool:
    """Tell whether both fee implementations agree on a payment."""
    fees = compute_fees(payment)
    seen = preview_fees(
        core_rate=core_rate_of_tier(tier_of_volume(0)),
        fx_rate=bps_to_rate(FX_BPS),
        amount=payment.amount,
        has_fx=payment.fx,
        esg_score=payment.score,
        monthly_volume=payment.monthly_volume,
    )
    ours = (*(fee.units for fee in fees.listed), fees.total, fees.net)
    return ours == (seen.core, seen.fx, seen.esg, seen.license, seen.total, seen.net)


def _describe_health(check: dict[str, Any]) -> list[str]:
    if check["status"] == "ok":
        return ["Both computations of the fees agree."]
    return ["The fee table and its second implementation differ: no quote can be trusted."]


WORDS = CheckWording("Fees", _describe_health)
