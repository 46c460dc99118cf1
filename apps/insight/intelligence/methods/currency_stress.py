"""Currency stress: how expensive the dollar is in five currencies, and how far ten move."""

from datetime import timedelta
from typing import Any

from apps.insight.intelligence import component_payloads
from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult, round_to_step
from apps.insight.intelligence.methods.stale_inputs import mark_held_series
from apps.insight.intelligence.rules import price_volatility
from apps.insight.intelligence.rules.currency_pressure import TRENDS, is_under_pressure
from apps.insight.intelligence.rules.history_percentile_labels import signal_of_place
from apps.insight.intelligence.rules.price_breadth import breadth_of_changes, more_strained_word
from apps.insight.intelligence.weighted_scores import place_of_last_value
from apps.reference.signals.composites import find_composite

CURRENCY_STRESS = find_composite("currency-stress")
CODES = ("EUR", "CNY", "JPY", "GBP", "INR", "AUD", "CAD", "CHF", "MXN", "SEK")
SERIES = {code: f"fx.usd.{code}" for code in CODES}
MONTH, YEAR = timedelta(days=30), timedelta(days=365)


def compute_currency_stress(known: MethodInputs) -> MethodResult:
    """Return the stress of currencies; raises TooFewInputs without the euro's rate."""
    composed = known.compose(CURRENCY_STRESS)
    # a currency under pressure stays so until new data says otherwise
    then = known.ageless
    losses = {code: then.change_pct(series, MONTH) for code, series in SERIES.items()}
    pressured = [code for code, loss in losses.items() if is_under_pressure(loss)]
    rows = [
        _serialize_currency(known, code, series) | {"pressured": code in pressured}
        for code, series in SERIES.items()
    ]
    now, last = (
        breadth_of_changes([row["change_month_pct"] for row in rows]),
        breadth_of_changes([*losses.values()]),
    )
    trend = more_strained_word(now, last)
    rests = SERIES.values() if trend != now else [SERIES[code] for code in pressured]
    body: dict[str, Any] = {
        "stress_index": composed.score,
        "regime": composed.band,
        "dollar_trend": TRENDS[trend],
        "pressured": pressured,
        "currencies": rows,
        "components": component_payloads.serialize_components(composed),
    }
    return MethodResult(
        body=body, quality=mark_held_series(known, composed.quality, rests, of=len(SERIES))
    )


def _serialize_currency(method_inputs: MethodInputs, code: str, series: str) -> dict[str, Any]:
    """Return one currency against the dollar; see CurrencyOut, but for `pressured`."""
    point, month = method_inputs.point(series), method_inputs.change_pct(series, MONTH)
    year = method_inputs.change_pct(series, YEAR)
    past = price_volatility.rolling_volatilities(method_inputs.history(series))
    return {
        "code": code,
        "per_usd": point.value if point else None,
        "change_month_pct": None
        if month is None
        else round_to_step(month, component_payloads.FOUR_DECIMALS),
        "change_year_pct": None
        if year is None
        else round_to_step(year, component_payloads.FOUR_DECIMALS),
        "volatility_pct": round_to_step(past[-1][1], component_payloads.FOUR_DECIMALS)
        if past
        else None,
        "volatility_signal": signal_of_place(place_of_last_value(past)),
        "source": point.source if point else "",
        "as_of": point.at if point else None,
    }
