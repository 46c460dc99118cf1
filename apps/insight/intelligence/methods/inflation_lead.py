"""Measure how the changes of a series lead those of consumer prices."""

from typing import Any

from apps.insight.intelligence.component_payloads import FOUR_DECIMALS
from apps.insight.intelligence.method_inputs import MethodInputs, round_to_step
from apps.insight.intelligence.rules import lead_lag
from apps.insight.intelligence.rules.lead_lag import LevelByPeriod
from apps.platform.common.days import month_number

CONSUMER_PRICES = "us.cpi.yoy"
# months over which the changes of both are measured
CHANGE_MONTHS = 3


def measure_inflation_lead(known: MethodInputs, leader: LevelByPeriod) -> dict[str, Any]:
    """Return what a monthly leader tells of inflation; see InflationLeadOut.

    `leader` is by month (`month_number`). Its quarterly changes are correlated with those of yearly
    inflation at lags of 1 to 18 months.
    """
    moves = lead_lag.change_by_period(leader, CHANGE_MONTHS)
    prices = lead_lag.last_value_by_period(known.history(CONSUMER_PRICES), month_number)
    best_lag = lead_lag.find_best_lag(
        moves, lead_lag.change_by_period(prices, CHANGE_MONTHS), lead_lag.MONTH_LAGS
    )
    return {
        "signal": lead_lag.word_of_lead(best_lag, moves, lead_lag.PRICES),
        "lead_months": best_lag.lag if best_lag and best_lag.significant else None,
        "correlation": round_to_step(best_lag.correlation, FOUR_DECIMALS) if best_lag else None,
        "pairs": best_lag.pairs if best_lag else 0,
    }
