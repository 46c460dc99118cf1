"""The fee table as it is published (document 3 section 2.1)."""

from typing import Any

from apps.insight.stability.fees.presenters import serialize_fees
from apps.insight.stability.fees.rules import fees as fee_rules
from apps.insight.stability.fees.rules.esg_fee_tiers import FORMULA, TIERS, esg_fee_bps, format_tier
from apps.insight.stability.fees.rules.fees import PricedPayment, compute_fees
from apps.platform.common.money import from_micro
from config.prices import CORE_BPS, FX_BPS, LICENSE_BPS, MICRO

SERVICE = "stability"
_SAME = {"core": CORE_BPS, "fx": FX_BPS, "license": LICENSE_BPS}

# title, amount in USD, crosses currencies, score, volume of the month in USD
SCENARIOS: tuple[tuple[str, int, bool, int, int], ...] = (
    ("A first payment in one currency, with the default ESG score", 10_000, False, 50, 0),
    ("The same across currencies", 10_000, True, 50, 0),
    ("A payee with the best ESG score, in one currency", 10_000, False, 100, 0),
    ("A payee with the worst ESG score, across currencies", 10_000, True, 0, 0),
    ("A growing treasury across currencies", 250_000, True, 72, 100_000),
    ("An institution in one currency", 2_500_000, False, 85, 1_000_000),
    ("A sovereign payer across currencies", 50_000_000, True, 60, 10_000_000),
)


def build_fee_schedule() -> dict[str, Any]:
    """Return the whole fee table; see FeeScheduleOut."""
    tiers = sorted(fee_rules.VOLUME_TIERS, key=lambda volume_tier: volume_tier.least)
    ends = [{"below_usd": following.least} for following in tiers[1:]]
    return {
        "version": fee_rules.VERSION,
        "currency": "USD",
        "components": [_serialize_component(component) for component in fee_rules.COMPONENTS],
        "volume_tiers": [
            {
                "code": tier.code,
                "name": tier.name,
                "from_usd": tier.least,
                "core_discount_percent": tier.discount,
                "core_bps": fee_rules.rate_to_bps(fee_rules.core_rate_of_tier(tier)),
                **end,
            }
            for tier, end in zip(tiers, [*ends, {}], strict=True)
        ],
        "esg_tiers": [
            {
                "label": format_tier(tier),
                "from_score": tier.least,
                "bps_at_from": esg_fee_bps(tier.least),
            }
            for tier in TIERS
        ],
        "rounding": {
            "unit_usd": "0.000001",
            "rule": "Each component is rounded down separately; the total is their sum.",
        },
        "scenarios": [_serialize_scenario(*scenario) for scenario in SCENARIOS],
    }


def _serialize_component(fee_component: fee_rules.FeeComponent) -> dict[str, Any]:
    payload = {
        "code": fee_component.code,
        "name": fee_component.name,
        "title": fee_component.title,
        "reference": fee_component.ref,
    }
    same = _SAME.get(fee_component.name)
    return payload | ({"formula": FORMULA} if same is None else {"bps": same})


def _serialize_scenario(
    title: str, amount: int, fx: bool, score: int, volume: int
) -> dict[str, Any]:
    fees = compute_fees(PricedPayment(amount * MICRO, fx, score * MICRO, volume * MICRO))
    return {
        "title": title,
        "amount_usd": amount,
        "has_fx": fx,
        "esg_score": score,
        "monthly_volume_usd": volume,
        "fees": serialize_fees(fees),
        "net_usd": from_micro(fees.net),
    }
