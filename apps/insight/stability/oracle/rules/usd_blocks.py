"""The seven named fields of `usdHealth`, each with its thresholds (document 3 section 2.3). Pure.

A block is None where nothing is known of what it is about. A threshold that the specification calls
"above" or "over" does not hold at the value itself.
"""

from decimal import Decimal
from typing import Any

from apps.insight.stability.oracle.rules import series_names
from apps.insight.stability.oracle.rules.measures import (
    BPS,
    HUNDRED,
    MONTHLY_LATE,
    Facts,
    percent_change,
    round_exact,
)

# document 3 section 2.3, usdHealth
# per cent: the Federal Reserve's inflation target
TARGET = Decimal(2)
# per cent, 10-year breakeven
ELEVATED_ABOVE = Decimal("2.75")
# percentage points between independent and official inflation
DIVERGES_OVER = Decimal("1.5")
# USD per ounce of gold
DEBASES_ABOVE = Decimal(2500)
# percentage points, 10 years less 2
INVERTED_BELOW = Decimal(0)
# basis points off the peg, as for settlement
STRESS_FROM = Decimal(50)
# ours
# percentage points from which the curve is normal; flat below
NORMAL_FROM = Decimal("0.5")
# per cent in a quarter, beyond which a balance or index moves
STEADY = Decimal(1)
# per cent by which both market caps together fall in 30 days
SHRINKS_BY = Decimal(5)
# days
QUARTER, MONTH = 91, 30
CURRENCIES = 26
BILLION = 1_000_000_000

Block = dict[str, Any] | None


def trend_of_change(change: Decimal | None) -> str:
    """Return what a change in per cent over a quarter is called."""
    if change is None:
        return "UNKNOWN"
    if abs(change) <= STEADY:
        return "FLAT"
    return "RISING" if change > 0 else "FALLING"


def build_trade_weighted_block(facts: Facts) -> Block:
    """Return the dollar against 26 currencies, and where it goes."""
    seen = facts.get(series_names.DOLLAR)
    if seen is None:
        return None
    moved = percent_change(facts, series_names.DOLLAR, days=QUARTER)
    return {
        "index": round_exact(seen.value),
        "currencies": CURRENCIES,
        "change_pct": moved,
        "trend": trend_of_change(moved),
    }


def build_yield_curve_block(facts: Facts) -> Block:
    """Return the spread of ten years over two, and whether it points to a recession."""
    seen = facts.get(series_names.CURVE)
    if seen is None:
        return None
    state = state_of_yield_curve(seen.value)
    return {
        "spread": round_exact(seen.value),
        "state": state,
        "recession_signal": state == "INVERTED",
    }


def state_of_yield_curve(spread: Decimal) -> str:
    """Return INVERTED below 0, NORMAL from half a point, FLAT between."""
    if spread < INVERTED_BELOW:
        return "INVERTED"
    return "NORMAL" if spread >= NORMAL_FROM else "FLAT"


def build_breakeven_block(facts: Facts) -> Block:
    """Return ten-year breakeven inflation, compared with the target."""
    seen = facts.get(series_names.BREAKEVEN)
    if seen is None:
        return None
    return {
        "value_pct": round_exact(seen.value),
        "target_pct": TARGET,
        "above_target_pp": round_exact(seen.value - TARGET),
        "elevated": seen.value > ELEVATED_ABOVE,
    }


def build_fed_balance_block(facts: Facts) -> Block:
    """Return the Federal Reserve's assets in trillions, and whether they grow."""
    seen, moved = (
        facts.get(series_names.FED_ASSETS),
        percent_change(facts, series_names.FED_ASSETS, days=QUARTER),
    )
    # without a known change the field has no trend: STABLE would be a claim
    if seen is None or moved is None:
        return None
    return {
        "assets_trillions": round_exact(seen.value),
        "change_pct": moved,
        "trend": trend_of_balance_sheet(moved),
    }


def trend_of_balance_sheet(change: Decimal) -> str:
    """Return EXPANDING or CONTRACTING for a change of more than 1 % in a quarter, else STABLE."""
    if abs(change) <= STEADY:
        return "STABLE"
    return "EXPANDING" if change > 0 else "CONTRACTING"


def build_gold_block(facts: Facts) -> Block:
    """Return the price of gold in USD, and whether it says that the dollar is debased."""
    seen = facts.get(series_names.GOLD)
    if seen is None:
        return None
    moved = percent_change(facts, series_names.GOLD, days=QUARTER, late=MONTHLY_LATE)
    return {
        "price_usd": round_exact(seen.value),
        "change_pct": moved,
        "trend": trend_of_change(moved),
        "debasement_signal": seen.value > DEBASES_ABOVE,
    }


def build_stablecoin_block(facts: Facts) -> Block:
    """Return how large the two great stablecoins are, and whether they are under stress."""
    prices = [facts.get(name) for name in (series_names.USDT_PRICE, series_names.USDC_PRICE)]
    caps = [facts.get(name) for name in (series_names.USDT_CAP, series_names.USDC_CAP)]
    deviations = [round_exact(abs(price.value - 1) * BPS) for price in prices if price is not None]
    if not deviations:
        return None
    # the series count in billions of USD
    usdt, usdc = (None if cap is None else cap.value * BILLION for cap in caps)
    total = None if usdt is None or usdc is None else usdt + usdc
    shrunk = market_cap_change(facts)
    return {
        "usdt_market_cap_usd": usdt,
        "usdc_market_cap_usd": usdc,
        "dominance_ratio": round_exact(usdt / total) if usdt is not None and total else None,
        "deviation_bps": max(deviations),
        "market_cap_change_pct": shrunk,
        "stress_signal": is_under_stress(deviation=max(deviations), change=shrunk),
    }


def is_under_stress(*, deviation: Decimal, change: Decimal | None) -> bool:
    """Tell whether stablecoins are under stress: 50 bps off the peg, or both market caps down 5
    %."""
    return deviation >= STRESS_FROM or (change is not None and change <= -SHRINKS_BY)


def market_cap_change(facts: Facts) -> Decimal | None:
    """Return the change of both market caps together over 30 days in per cent, or None."""
    seen = [facts.get(name) for name in (series_names.USDT_CAP, series_names.USDC_CAP)]
    bases = [values.before(MONTH) if values else None for values in seen]
    then = sum((base for base in bases if base is not None), Decimal(0))
    if None in seen or None in bases or not then:
        return None
    now = sum((values.value for values in seen if values is not None), Decimal(0))
    return round_exact(HUNDRED * (now - then) / then)


def build_inflation_block(facts: Facts) -> Block:
    """Return independent and official inflation, and whether they are too far apart."""
    series_values, official = facts.get(series_names.INDEPENDENT), facts.get(series_names.CPI)
    if series_values is None or official is None:
        return None
    apart = round_exact(series_values.value - official.value)
    return {
        "independent_pct": round_exact(series_values.value),
        "official_pct": round_exact(official.value),
        "gap_pp": apart,
        "divergence_flag": is_divergent(apart),
    }


def is_divergent(apart: Decimal) -> bool:
    """Tell whether two measures of inflation differ by more than 1.5 percentage points."""
    return abs(apart) > DIVERGES_OVER
