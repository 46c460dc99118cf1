"""Months and years of values: what has not ended has no mean, and no month counts twice."""

from datetime import date, timedelta
from decimal import Decimal

import pytest

from apps.reference.signals.derivations import monthly_mean, trailing_year_mean
from apps.reference.signals.format_drift import _last_complete_year_end
from apps.reference.signals.selectors import series_values
from apps.reference.signals.series import FEEDS


def daily(first: date, last: date) -> dict[date, Decimal]:
    days = (last - first).days + 1
    return {first + timedelta(days=n): Decimal(n) for n in range(days)}


@pytest.mark.parametrize(
    ("last", "newest"),
    [(date(2026, 3, 3), date(2026, 2, 28)), (date(2026, 3, 26), date(2026, 2, 28)),
     (date(2026, 3, 27), date(2026, 3, 27)), (date(2026, 3, 31), date(2026, 3, 31))],
)  # fmt: skip
def test_a_month_that_runs_has_no_mean(last: date, newest: date) -> None:
    assert max(monthly_mean([daily(date(2026, 1, 1), last)])) == newest


def test_what_comes_once_a_month_is_its_month_whenever_it_comes() -> None:
    values = {date(2026, month, 15): Decimal(month) for month in range(1, 6)}
    assert monthly_mean([values]) == values


def test_a_year_of_months_has_twelve_however_their_days_fall() -> None:
    values = {date(2025, 8, 31): Decimal(100)}
    values |= {date(2025, month, 28): Decimal(10) for month in range(9, 13)}
    values |= {date(2026, month, 21): Decimal(10) for month in range(1, 9)}
    assert trailing_year_mean([values])[date(2026, 8, 21)] == Decimal(10)


@pytest.mark.parametrize(
    ("today", "year"),
    [(date(2026, 12, 31), 2025), (date(2027, 1, 1), 2025), (date(2027, 4, 30), 2025),
     (date(2027, 5, 1), 2026)],
)  # fmt: skip
def test_a_year_counts_once_it_is_no_forecast_any_more(today: date, year: int) -> None:
    feed = next(one for one in FEEDS if one.name == "imf-debt")
    assert _last_complete_year_end(today, feed) == date(year, 12, 31)


@pytest.mark.parametrize(
    ("name", "days", "cadence"),
    [
        ("us.epu.month", 5 + 31, "month"),
        ("us.epu.30d", 5, "day"),
        ("us.dgs10.swing", 6 + 31, "month"),
        ("fx.usd.EUR.swing", 6 + 31, "month"),
        ("copper.swing", 40, "month"),
        ("us.cpi.yoy", 50, "month"),
    ],
)
def test_a_figure_of_a_whole_month_is_in_age_until_the_next_is_over(
    name: str, days: int, cadence: str
) -> None:
    assert series_values.series_max_age(name) == timedelta(days=days)
    assert series_values.series_cadence(name) == cadence
