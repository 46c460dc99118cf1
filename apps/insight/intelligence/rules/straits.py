"""Traffic through straits and canals: the current count compared with the usual one. Pure."""

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from statistics import median

from apps.reference.signals.means import decimal_mean

WEEK = timedelta(days=7)
# length of a history below which no traffic is usual
LEAST_HISTORY = timedelta(days=365)
# points for each per cent of shortfall. Satellite counts begin in 2019, too late for a percentile
# in ten years, so the scale is its own: half of the usual traffic is 100, as in the Suez canal in
# 2024
STRAIN_PER_PERCENT = 2
# per cent under what is usual -> status
STATUS_BANDS: tuple[tuple[int, str], ...] = ((10, "OPEN"), (25, "REDUCED"), (50, "DISRUPTED"))
WORST, UNKNOWN = "AVOIDED", "UNKNOWN"
WORDS = (*(word for _, word in STATUS_BANDS), WORST, UNKNOWN)

TrafficHistory = Sequence[tuple[date, Decimal]]


def current_traffic(past: TrafficHistory) -> Decimal | None:
    """Return the mean of the last seven days of a history."""
    if not past:
        return None
    last = [value for day, value in past if day > past[-1][0] - WEEK]
    return decimal_mean(last)


def usual_traffic(past: TrafficHistory) -> Decimal | None:
    """Return the median of a history; None where it spans less than a year."""
    if not past or past[-1][0] - past[0][0] < LEAST_HISTORY:
        return None
    # the median: months of blockage must not lower what is usual
    return Decimal(median(value for _, value in past))


def traffic_shortfall_pct(past: TrafficHistory) -> Decimal | None:
    """Return by how many per cent the last week is below usual traffic; negative if above."""
    base, current = usual_traffic(past), current_traffic(past)
    if current is None or not base:
        return None
    return 100 * (base - current) / base


def strain_of_shortfall(missing: Decimal | None) -> Decimal | None:
    """Return 0 to 100 for a shortfall in per cent."""
    return (
        None
        if missing is None
        else min(max(STRAIN_PER_PERCENT * missing, Decimal(0)), Decimal(100))
    )


def status_of_shortfall(missing: Decimal | None) -> str:
    """Return the word for a shortfall in per cent."""
    if missing is None:
        return UNKNOWN
    return next((word for bound, word in STATUS_BANDS if missing < bound), WORST)
