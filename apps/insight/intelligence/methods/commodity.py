"""Compute commodity stress from six prices, with their ratios (3 §2.7)."""

from decimal import Decimal
from typing import Any

from apps.insight.intelligence import component_payloads
from apps.insight.intelligence.component_payloads import FOUR_DECIMALS
from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult, round_to_step
from apps.insight.intelligence.methods import inflation_lead
from apps.insight.intelligence.methods.stale_inputs import mark_held_series
from apps.insight.intelligence.rules import lead_lag
from apps.insight.intelligence.rules.history_percentile_labels import signal_of_place
from apps.insight.intelligence.rules.price_breadth import breadth_of_changes, more_strained_word
from apps.platform.common.days import month_number
from apps.reference.signals.composites import find_composite
from apps.reference.signals.composition import ComposedScore
from apps.reference.signals.derivations import yearly_change_percent

COMMODITY_STRESS = find_composite("commodity-stress")
# name in the answer -> its series; the field that only it has, and the other series of that field
PRICES: dict[str, tuple[str, str, str]] = {
    "oil": ("oil.wti.month", "brent_premium", "oil.brent.month"),
    "natural_gas": ("gas.us.month", "europe_premium", "gas.europe"),
    "gold": ("gold", "silver_ratio", "silver"),
    "wheat": ("wheat", "corn_ratio", "corn"),
    "corn": ("corn", "soybean_ratio", "soybeans"),
    "copper": ("copper", "gold_ratio", "gold"),
}
SERIES = tuple(series for series, _, _ in PRICES.values())
SHOWN = (*dict.fromkeys(other for _, _, other in PRICES.values()), inflation_lead.CONSUMER_PRICES)
MONTH, YEAR = 1, 12


def compute_commodity_stress(known: MethodInputs) -> MethodResult:
    """Return the stress of raw materials; raises TooFewInputs without oil."""
    composed = known.compose(COMMODITY_STRESS)
    prices = {
        name: _serialize_price(known, composed, *price_row) for name, price_row in PRICES.items()
    }
    yearly = [price["change_year_pct"] for price in prices.values()]
    lead = inflation_lead.measure_inflation_lead(known, _mean_yearly_changes(known))
    # the common direction by the last figures too: it must not become calmer because series stopped
    last = [_change_over_months(known.ageless, series, YEAR) for series in SERIES]
    cross = more_strained_word(breadth_of_changes(yearly), breadth_of_changes(last))
    rests = SERIES if cross != breadth_of_changes(yearly) else ()
    body: dict[str, Any] = {
        "stress_index": composed.score,
        "regime": composed.band,
        "commodities": prices,
        "cross_commodity_signal": cross,
        "inflation_lead_signal": lead["signal"],
        "inflation_lead": lead,
        "contributions": component_payloads.serialize_components(composed),
        "narrative": _describe_commodities(composed, yearly, lead),
    }
    return MethodResult(
        body=body, quality=mark_held_series(known, composed.quality, rests, of=len(SERIES))
    )


def _serialize_price(
    method_inputs: MethodInputs, composed_score: ComposedScore, series: str, field: str, other: str
) -> dict[str, Any]:
    """Return one price; see the shapes of CommoditiesOut."""
    place = next(
        (
            contribution.score
            for contribution in composed_score.contributions
            if contribution.series == series
        ),
        None,
    )
    point = method_inputs.point(series)
    seen = (
        component_payloads.serialize_component(point, score=place)
        if point
        else component_payloads.serialize_missing_component(series)
    )
    mine, theirs = method_inputs.value(series), method_inputs.value(other)
    if mine is None or theirs is None or not theirs:
        comparison = None
    else:
        comparison = round_to_step(
            mine / theirs if field.endswith("ratio") else theirs - mine, FOUR_DECIMALS
        )
    return seen | {
        "change_month_pct": _change_over_months(method_inputs, series, MONTH),
        "change_year_pct": _change_over_months(method_inputs, series, YEAR),
        "signal": signal_of_place(place),
        field: comparison,
    }


def _change_over_months(method_inputs: MethodInputs, series: str, months: int) -> Decimal | None:
    """Return the change in per cent over some months; None if that month has no value."""
    levels = lead_lag.last_value_by_period(method_inputs.history(series), month_number)
    if not levels:
        return None
    newest = max(levels)
    base = levels.get(newest - months)
    return round_to_step(100 * (levels[newest] / base - 1)) if base else None


def _mean_yearly_changes(method_inputs: MethodInputs) -> dict[int, float]:
    """Return by month the mean of the yearly changes of all six, where all are known."""
    yearly = [
        lead_lag.last_value_by_period(
            sorted(yearly_change_percent([dict(method_inputs.history(series))]).items()),
            month_number,
        )
        for series, _, _ in PRICES.values()
    ]
    months = set.intersection(*map(set, yearly))
    return {
        month: sum(yearly_changes[month] for yearly_changes in yearly) / len(yearly)
        for month in sorted(months)
    }


def _describe_commodities(
    composed_score: ComposedScore, yearly: list[Decimal | None], lead: dict[str, Any]
) -> str:
    risen = sum(change is not None and change > 0 for change in yearly)
    text = (
        f"Commodity stress is {composed_score.score:.1f} of 100 ({composed_score.band}); {risen} "
        f"of {len(yearly)} prices are higher than a year before."
    )
    if lead["lead_months"] is None:
        return f"{text} Their lead over inflation is not distinguishable from chance."
    months = "a month" if lead["lead_months"] == 1 else f"{lead['lead_months']} months"
    return (
        f"{text} Inflation has followed their yearly changes after {months} (correlation "
        f"{lead['correlation']}, {lead['pairs']} pairs)."
    )
