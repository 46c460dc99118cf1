"""Backtest month by month: each forecast uses only what was known at the time. Pure."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from apps.insight.intelligence.regimes import transition_model
from apps.insight.intelligence.regimes.past_months import RegimeMonth
from apps.insight.intelligence.rules import forecast_scores
from apps.insight.intelligence.rules.regimes import HORIZONS, MONTH, REGIMES, regime_index

Method = Callable[[Sequence[RegimeMonth], RegimeMonth, int], list[float]]
# months before the first forecast
LEAST_PAST_MONTHS = 60
# months that the bootstrap draws together: neighbouring forecasts share their outcomes
BLOCK_MONTHS = 12
OURS, WITHOUT = "chain with leading signals", "chain without them"
REFERENCES = ("climatology", "persistence", "plain Markov chain")
# the method of `transition-risk`, its references, and alternatives that were tried
METHODS: dict[str, Method] = {
    OURS: lambda past, now, days: transition_model.forecast_regime_chances(past, now, days),
    WITHOUT: lambda past, now, days: transition_model.forecast_regime_chances(
        past, now, days, leads=()
    ),
    "ordered regression": lambda past, now, days: transition_model.regression_chances(
        past, now.score, days
    ),
    "climatology": lambda past, now, days: transition_model.climatology_chances(past),
    "persistence": lambda past, now, days: transition_model.persistence_chances(now.score),
    "plain Markov chain": lambda past, now, days: transition_model.markov_chances(
        past, now.score, days
    ),
}


@dataclass(frozen=True, slots=True)
class BacktestForecast:
    """One forecast of one method, made at the end of a month, and its outcome."""

    method: str
    days: int
    month: RegimeMonth
    chances: tuple[float, ...]
    came: int


def walk_forward(
    months: Sequence[RegimeMonth], progress: Callable[[int, int], None]
) -> Iterator[BacktestForecast]:
    """Yield the forecasts of every method from the end of each month whose outcome is known.

    `progress(done, of)` is called after each month.
    """
    numbered = {month.number: month for month in months}
    for at in range(LEAST_PAST_MONTHS, len(months)):
        # a month is known by its end, so it belongs to the past of its own forecast; later ones do
        # not
        now, past = months[at], months[: at + 1]
        for days in HORIZONS:
            later = numbered.get(now.number + days // MONTH)
            if later is not None:
                for name, method in METHODS.items():
                    forecast = tuple(method(past, now, days))
                    yield BacktestForecast(name, days, now, forecast, regime_index(later.score))
        progress(at + 1 - LEAST_PAST_MONTHS, len(months) - LEAST_PAST_MONTHS)


def build_backtest_report(
    months: Sequence[RegimeMonth], progress: Callable[[int, int], None]
) -> dict[str, Any]:
    """Return the scores of each method at each horizon; None where they cannot be computed."""
    backtest_forecasts = list(walk_forward(months, progress))
    return {
        "months": len(months),
        "from": months[0].day.isoformat() if months else None,
        "to": months[-1].day.isoformat() if months else None,
        "regimes": {
            name: sum(regime_index(month.score) == at for month in months)
            for at, name in enumerate(REGIMES)
        },
        "horizons": {
            f"h{days}": _report_horizon(
                [forecast for forecast in backtest_forecasts if forecast.days == days]
            )
            for days in HORIZONS
        },
    }


def _report_horizon(backtest_forecasts: Sequence[BacktestForecast]) -> dict[str, Any]:
    by_method = {
        name: [
            backtest_forecast
            for backtest_forecast in backtest_forecasts
            if backtest_forecast.method == name
        ]
        for name in METHODS
    }
    brier = {
        name: [
            forecast_scores.brier_score(forecast.chances, forecast.came)
            for forecast in forecasts_of_method
        ]
        for name, forecasts_of_method in by_method.items()
    }
    return {
        "n": len(by_method[OURS]),
        "methods": {
            name: _report_method(forecasts_of_method, brier, name)
            for name, forecasts_of_method in by_method.items()
        },
        "leadsAdd": {
            "whole": skill_with_interval(brier[OURS], brier[WITHOUT]),
            "laterHalf": skill_with_interval(_later_half(brier[OURS]), _later_half(brier[WITHOUT])),
        },
        "reliability": serialize_reliability_bins(
            (
                max(forecast.chances),
                1,
                int(forecast.chances[forecast.came] == max(forecast.chances)),
            )
            for forecast in by_method[OURS]
        ),
    }


def _later_half(scores: list[float]) -> list[float]:
    """Return the later half: of the past on which signals were chosen it is the smaller part."""
    return scores[len(scores) // 2 :]


def _report_method(
    forecasts: Sequence[BacktestForecast], brier: dict[str, list[float]], name: str
) -> dict[str, Any]:
    if not forecasts:
        return {}
    ranked = [
        forecast_scores.ranked_probability_score(backtest_forecast.chances, backtest_forecast.came)
        for backtest_forecast in forecasts
    ]
    right = [
        backtest_forecast.chances[backtest_forecast.came] == max(backtest_forecast.chances)
        for backtest_forecast in forecasts
    ]
    return {
        "brier": _round_or_none(sum(brier[name]) / len(forecasts)),
        "rps": _round_or_none(sum(ranked) / len(forecasts)),
        "accuracy": _round_or_none(sum(right) / len(forecasts)),
        "skill": {
            reference: skill_with_interval(brier[name], brier[reference])
            for reference in REFERENCES
            if reference != name
        },
        "skillByHalf": [
            _round_or_none(
                forecast_scores.skill_score(brier[name][half], brier["climatology"][half])
            )
            for half in (slice(0, len(forecasts) // 2), slice(len(forecasts) // 2, None))
        ],
    }


def skill_with_interval(scores: Sequence[float], other: Sequence[float]) -> dict[str, Any]:
    """Return the skill of scores against others, with its interval."""
    within = forecast_scores.skill_interval(scores, other, block=BLOCK_MONTHS)
    return {
        "skill": _round_or_none(forecast_scores.skill_score(scores, other)),
        "interval": [_round_or_none(bound) for bound in within] if within else None,
    }


def serialize_reliability_bins(cases: Any) -> list[dict[str, Any]]:
    """Return reliability bins as serialized."""
    return [
        {"from": interval.low, "to": interval.high, "n": interval.count,
         "said": _round_or_none(interval.said), "came": _round_or_none(interval.came)}
        for interval in forecast_scores.bin_by_confidence(cases)
    ]  # fmt: skip


def _round_or_none(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
