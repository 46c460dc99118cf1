"""Serialize fees and quotes for the API."""

from decimal import Decimal
from typing import Any

from apps.insight.stability.fees.rules.esg_fee_tiers import format_tier, tier_of_score
from apps.insight.stability.fees.rules.fees import Fees, rate_to_bps
from apps.insight.stability.fees.services.quotes import QUOTE_LIFETIME
from apps.insight.stability.models import Quote
from apps.platform.common.money import from_micro
from config.prices import LICENSE_BPS, MICRO

# basis points of one per cent
PER_CENT = Decimal(100)
MOCK = "MOCK-"
SANDBOX_NOTE = (
    "SANDBOX: fees are computed as in production; the settlement reference is a mock and settles "
    "nothing."
)


def serialize_fees(fees: Fees) -> dict[str, Any]:
    """Return what a payment costs; see FeesOut."""
    fee_rows: dict[str, dict[str, Any]] = {
        fee.name: {"bps": rate_to_bps(fee.rate), "usd": from_micro(fee.units)}
        for fee in fees.listed
    }
    score = Decimal(fees.payment.score) / MICRO
    more: dict[str, dict[str, Any]] = {
        "core": {"tier": fees.tier.name, "discount_percent": fees.tier.discount},
        "esg": {"score": score, "tier": format_tier(tier_of_score(score))},
        "license": {"display": f"{LICENSE_BPS / PER_CENT:.4f}%"},
    }
    bps = rate_to_bps(fees.rate)
    total = {"bps": bps, "pct": bps / PER_CENT, "usd": from_micro(fees.total)}
    return {name: fee | more.get(name, {}) for name, fee in fee_rows.items()} | {"total": total}


def serialize_quote(quote: Quote, priced: Fees) -> dict[str, Any]:
    """Return a quote; see QuoteOut."""
    settlement: dict[str, Any] = {"amount_usd": quote.amount, "net_usd": from_micro(priced.net)}
    payload = {
        "quote_id": str(quote.quote_id),
        "fees": serialize_fees(priced),
        "settlement": settlement,
        "valid_for_seconds": int(QUOTE_LIFETIME.total_seconds()),
        "quoted_at": quote.quoted_at,
        "expires_at": quote.expires_at,
        "schedule_version": quote.schedule,
        "sandbox": quote.sandbox,
    }
    if quote.sandbox:
        settlement |= {"reference": f"{MOCK}{quote.quote_id}", "mock": True}
        payload["note"] = SANDBOX_NOTE
    return payload
