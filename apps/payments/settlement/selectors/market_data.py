"""What a flow rests on whoever is paid: weights, stability oracle, live score and rate.

Each is looked up beside the others, so that one that does not answer holds up nobody. Who only
asks is answered by what a process read within the last second.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from decimal import ROUND_HALF_EVEN, Decimal
from functools import partial
from typing import Any

from apps.compliance.aml import active_weights
from apps.insight.stability.oracle.selectors import latest_run
from apps.payments.payments.selectors import esg_score as live
from apps.payments.settlement import flow_cache
from apps.reference.signals.exchange_rates import MICRO, UsdAmount, convert_to_usd

WEIGHTS, ORACLE, LIVE, RATE = "weights", "oracle", "live score", "rate"
CACHE_SECONDS = 1.0  # seconds

Figures = Mapping[str, Any]


def load_cached_market_data(
    recipient: str, *, currency: str, now: datetime
) -> tuple[Any, dict[str, Any]]:
    """Return what a process holds of a wallet, and the figures that it holds, by name."""
    keys = [recipient, *(_cache_key(name, currency) for name in NAMES)]
    wallet, *found = flow_cache.get_cached_values(keys, now=now)
    held = zip(NAMES, found, strict=True)
    return wallet, {name: one for name, one in held if one is not None}


def cache_market_data(found: Figures, *, currency: str, now: datetime) -> None:
    """Keep the figures that were found; what was raised, or is not there, is none."""
    for name, one in found.items():
        if one is not None and not isinstance(one, Exception):
            flow_cache.cache_value(_cache_key(name, currency), one, now=now, most=CACHE_SECONDS)


def market_data_tasks(*, currency: str, now: datetime) -> dict[str, Callable[[], Any]]:
    """Return what looks up each figure, by name."""
    unit = partial(convert_to_usd, amount=Decimal(1), currency=currency, now=now)
    return {
        WEIGHTS: partial(active_weights.load_active_weights, now),
        ORACLE: partial(latest_run.load_latest_run, now),
        LIVE: partial(live.load_live_esg_score, now),
        RATE: unit,
    }


NAMES = (WEIGHTS, ORACLE, LIVE, RATE)


def convert_amount_at_rate(amount: Decimal, unit: Any) -> UsdAmount | None:
    """Return an amount in USD by what one unit comes to; None where no rate is known."""
    if not isinstance(unit, UsdAmount):
        return None
    return replace(unit, amount_usd=(amount * unit.rate).quantize(MICRO, ROUND_HALF_EVEN))


def _cache_key(name: str, currency: str) -> tuple[str, ...]:
    return (name, currency) if name == RATE else (name,)
