"""Health of the stability service: its words, and whether its two fee computations agree."""

from datetime import datetime
from typing import Any

from apps.desk.health import Words
from apps.stability.rules.fees import Payment, core_rate, fees, parts, tier_at
from apps.stability.rules.preview import preview
from config.prices import FX_BPS, MICRO

# one payment of each tier, on either side of currencies
PROBES = tuple(
    Payment(amount * MICRO + 1, fx, score * MICRO, volume * MICRO)
    for amount, fx, score, volume in (
        (1, False, 50, 0),
        (999_999_999, True, 0, 100_000),
        (12_345, True, 73, 1_000_000),
        (700, False, 100, 10_000_000),
    )
)


def check_fees(now: datetime) -> dict[str, Any]:
    """Hold the fee table against its second implementation; one that differs is down."""
    agree = all(agrees(one) for one in PROBES)
    return {"status": "ok" if agree else "down"}


def agrees(payment: Payment) -> bool:
    """Tell whether both implementations of the fees say the same of a payment."""
    found = fees(payment)
    seen = preview(
        core_rate=core_rate(tier_at(0)),
        fx_rate=parts(FX_BPS),
        amount=payment.amount,
        has_fx=payment.fx,
        esg_score=payment.score,
        monthly_volume=payment.monthly_volume,
    )
    ours = (*(one.units for one in found.listed), found.total, found.net)
    return ours == (seen.core, seen.fx, seen.esg, seen.license, seen.total, seen.net)


def _sentences(check: dict[str, Any]) -> list[str]:
    if check["status"] == "ok":
        return ["Both computations of the fees agree."]
    return ["The fee table and its second implementation differ: no quote can be trusted."]


WORDS = Words("Fees", _sentences)
