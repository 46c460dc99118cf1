"""The wallet-independent inputs of a flow: weights, stability oracle, live score and rate.

They are looked up in parallel, so that one that does not answer delays no other. Requests that do
not settle use what the process read within the last second.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from decimal import ROUND_HALF_EVEN, Decimal
from functools import partial
from typing import Any

from apps.compliance.aml import active_weights
from apps.insight.stability.oracle.selectors import latest_run
from apps.payments.payments.selectors.esg_score import load_live_esg_score
from apps.payments.settlement import wallet_fact_cache
from apps.reference.signals.exchange_rates import MICRO, UsdAmount, convert_to_usd

WEIGHTS, ORACLE, LIVE, RATE = "weights", "oracle", "live score", "rate"
# seconds; shorter than for facts about a wallet, because rates and the oracle move
CACHE_SECONDS = 1.0

Figures = Mapping[str, Any]


def load_cached_market_data(
    recipient: str, *, currency: str, now: datetime
) -> tuple[Any, dict[str, Any]]:
    """Return a wallet's data cached in this process, and the cached figures, by name."""
    keys = [recipient, *(_cache_key(name, currency) for name in NAMES)]
    wallet, *cached = wallet_fact_cache.get_cached_values(keys, now=now)
    cached_by_name = zip(NAMES, cached, strict=True)
    return wallet, {name: value for name, value in cached_by_name if value is not None}


def cache_market_data(figures: Figures, *, currency: str, now: datetime) -> None:
    """Cache the figures that were found, without exceptions and missing ones."""
    for name, value in figures.items():
        if value is not None and not isinstance(value, Exception):
            wallet_fact_cache.cache_value(
                _cache_key(name, currency), value, now=now, most=CACHE_SECONDS
            )


def market_data_tasks(*, currency: str, now: datetime) -> dict[str, Callable[[], Any]]:
    """Return the look-up of each figure, by name."""
    unit = partial(convert_to_usd, amount=Decimal(1), currency=currency, now=now)
    return {
        WEIGHTS: partial(active_weights.load_active_weights, now),
        ORACLE: partial(latest_run.load_latest_run, now),
        LIVE: partial(load_live_esg_score, now),
        RATE: unit,
    }


NAMES = (WEIGHTS, ORACLE, LIVE, RATE)


def convert_amount_at_rate(amount: Decimal, unit: Any) -> UsdAmount | None:
    """Return an amount in USD by the rate of one unit; None if no rate is known."""
    if not isinstance(unit, UsdAmount):
        return None
    # banker's rounding to micro-units, as convert_to_usd rounds
    return replace(unit, amount_usd=(amount * unit.rate).quantize(MICRO, ROUND_HALF_EVEN))


def _cache_key(name: str, currency: str) -> tuple[str, ...]:
    return (name, currency) if name == RATE else (name,)
