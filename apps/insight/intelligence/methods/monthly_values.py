"""Histories by month: the last value of each, so that series of several cadences join."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def month_index(day: date) -> int:
    """Return the number of a month, counted since the year 0."""
    return day.year * 12 + day.month - 1


def first_day_of_month(month: int) -> date:
    """Return the first day of a month that is given by its number."""
    return date(month // 12, month % 12 + 1, 1)


def last_value_by_month(history: Sequence[tuple[date, Decimal]]) -> dict[int, float]:
    """Return the last value of each month."""
    return {month_index(day): float(value) for day, value in history}


def place_by_month(values: Mapping[int, float], direction: int = 1) -> dict[int, float]:
    """Return the percentile of each month's value among all; ties have the higher one."""
    if not values:
        return {}
    signed = np.array([direction * value for value in values.values()])
    ranks = np.searchsorted(np.sort(signed), signed, side="right")
    return dict(zip(values, (100.0 * ranks / len(signed)).tolist(), strict=True))
