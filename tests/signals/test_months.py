"""Months and years of values: what has not ended has no mean, and no month counts twice."""

from datetime import date, timedelta
from decimal import Decimal

import pytest

from apps.signals.deriving import monthly, trailing_year
from apps.signals.drift import _over
from apps.signals.series import FEEDS


def daily(first: date, last: date) -> dict[date, Decimal]:
    days = (last - first).days + 1
    return {first + timedelta(days=n): Decimal(n) for n in range(days)}


@pytest.mark.parametrize(
    ("last", "newest"),
    [(date(2026, 3, 3), date(2026, 2, 28)), (date(2026, 3, 26), date(2026, 2, 28)),
     (date(2026, 3, 27), date(2026, 3, 27)), (date(2026, 3, 31), date(2026, 3, 31))],
)  # fmt: skip
def test_a_month_that_runs_has_no_mean(last: date, newest: date) -> None:
    assert max(monthly([daily(date(2026, 1, 1), last)])) == newest


def test_what_comes_once_a_month_is_its_month_whenever_it_comes() -> None:
    values = {date(2026, month, 15): Decimal(month) for month in range(1, 6)}
    assert monthly([values]) == values


def test_a_year_of_months_has_twelve_however_their_days_fall() -> None:
    values = {date(2025, 8, 31): Decimal(100)}
    values |= {date(2025, month, 28): Decimal(10) for month in range(9, 13)}
    values |= {date(2026, month, 21): Decimal(10) for month in range(1, 9)}
    assert trailing_year([values])[date(2026, 8, 21)] == Decimal(10)


@pytest.mark.parametrize(
    ("today", "year"),
    [(date(2026, 12, 31), 2025), (date(2027, 1, 1), 2025), (date(2027, 4, 30), 2025),
     (date(2027, 5, 1), 2026)],
)  # fmt: skip
def test_a_year_counts_once_it_is_no_forecast_any_more(today: date, year: int) -> None:
    feed = next(one for one in FEEDS if one.name == "imf-debt")
    assert _over(today, feed) == date(year, 12, 31)
