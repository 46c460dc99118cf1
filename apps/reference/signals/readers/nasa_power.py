"""Daily weather at a point from NASA POWER, as months compared with those of 1991 to 2020.

Parameter `parameter` of a series: `T2M`, degrees C: the mean of a month less the mean of the same
months; or `PRECTOTCORR`, mm a day: the rain of three months in per cent of the same three. Only
whole months count. A day without a value is -999.
"""

import json
from calendar import monthrange
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from apps.reference.signals.row_parsing import (
    FileRow,
    Malformed,
    decode_text,
    last_day_of_month,
    require_param,
)
from apps.reference.signals.series.definitions import Feed, Series

Month = tuple[int, int]
FIRST_NORMAL_YEAR, LAST_NORMAL_YEAR = 1991, 2020  # the climatological normal (WMO-No. 1203)
FEWEST = 20  # of these years, below which there is no normal
MISSING_VALUE = -999.0  # POWER's mark for a day without a value
DECIMALS = 3


def read_nasa_power(body: bytes, feed: Feed, wanted: Sequence[Series]) -> Iterator[FileRow]:
    """Yield a month's value of each series; Malformed for any breach of the shape."""
    try:
        document = json.loads(decode_text(body))
        parameter = document["properties"]["parameter"]
    except (ValueError, RecursionError, KeyError, TypeError) as error:
        raise Malformed("the file is not a POWER response") from error
    if not isinstance(parameter, dict):
        raise Malformed("the file has no parameters")
    for row in wanted:
        name = require_param(row, "parameter")
        days = parameter.get(name)
        if not isinstance(days, dict):
            raise Malformed(f"parameter {name} is missing")
        means = _monthly_means(days)
        values = _temperature_anomalies(means) if name == "T2M" else _rain_shares(means)
        for (year, month), value in sorted(values.items()):
            yield FileRow(row.name, last_day_of_month(year, month), f"{value:.{DECIMALS}f}")


def _monthly_means(days: Mapping[str, Any]) -> dict[Month, float]:
    """Return the mean of each month all of whose days have a value."""
    values_by_month: dict[Month, list[float]] = {}
    for key, value in days.items():
        if len(key) != 8 or not key.isdigit() or not isinstance(value, int | float):
            raise Malformed(f"{key[:20]!r} is not a day with a value")
        if float(value) != MISSING_VALUE:
            values_by_month.setdefault((int(key[:4]), int(key[4:6])), []).append(float(value))
    return {
        month: sum(values) / len(values)
        for month, values in values_by_month.items()
        if 1 <= month[1] <= 12 and len(values) == monthrange(*month)[1]
    }


def _monthly_normals(values: Mapping[Month, float]) -> dict[int, float]:
    """Return the mean of each month of the year; Malformed with fewer than twenty years."""
    values_by_month: dict[int, list[float]] = {}
    for (year, month), value in values.items():
        if FIRST_NORMAL_YEAR <= year <= LAST_NORMAL_YEAR:
            values_by_month.setdefault(month, []).append(value)
    if len(values_by_month) < 12 or min(map(len, values_by_month.values())) < FEWEST:
        raise Malformed(
            f"fewer than {FEWEST} years of {FIRST_NORMAL_YEAR} to {LAST_NORMAL_YEAR} are whole"
        )
    return {
        month: sum(month_values) / len(month_values)
        for month, month_values in values_by_month.items()
    }


def _temperature_anomalies(means: Mapping[Month, float]) -> dict[Month, float]:
    normals = _monthly_normals(means)
    return {month: value - normals[month[1]] for month, value in means.items()}


def _rain_shares(means: Mapping[Month, float]) -> dict[Month, float]:
    """Return the rain of three months in per cent of its normal; none where that is zero."""
    sums = {}
    for month in means:
        three = [month, _month_before(month), _month_before(_month_before(month))]
        if all(month_of_season in means for month_of_season in three):
            sums[month] = sum(
                # mm a day times the days of the month
                means[month_of_season] * monthrange(*month_of_season)[1]
                for month_of_season in three
            )
    normals = _monthly_normals(sums)
    return {
        month: 100 * value / normals[month[1]]
        for month, value in sums.items()
        if normals[month[1]] > 0
    }


def _month_before(month: Month) -> Month:
    year, number = month
    return (year, number - 1) if number > 1 else (year - 1, 12)
