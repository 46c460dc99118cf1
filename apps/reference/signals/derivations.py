"""Series that are computed from others, day by day: one table of pure operations.

A day for which an input is missing has no value: nothing is filled in, and values are joined by
their day, not by their position. So a year-on-year change has no value where the month of a year
ago was never published, such as October 2025 of the US consumer prices.
"""

from calendar import monthrange
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import ROUND_HALF_EVEN, Decimal
from itertools import groupby, pairwise

from apps.platform.common.days import month_number
from apps.reference.signals.means import decimal_mean

Values = Mapping[date, Decimal]
EXACT = Decimal("0.00000001")  # the eight decimals that an observation stores
MONTHLY_FROM_DAYS = 20  # days between values that come once a month, at least
MONTH_END_DAYS = 4  # days that a month may have after its last value: a long weekend
FEWEST_OF_THIRTY = 20  # values in thirty days, of which there is a mean
MONTHS_IN_SWING = 6  # changes of months that tell how much a price moves


def subtract_values(inputs: Sequence[Values]) -> dict[date, Decimal]:
    """Return the first less the second, for the days that both have."""
    first, second = inputs
    return {day: first[day] - second[day] for day in sorted(first.keys() & second.keys())}


def subtract_as_basis_points(inputs: Sequence[Values]) -> dict[date, Decimal]:
    """Return a hundred times the first less the second: percentage points as basis points."""
    return {day: 100 * value for day, value in subtract_values(inputs).items()}


def divide_values(inputs: Sequence[Values]) -> dict[date, Decimal]:
    """Return the first over the second, for the days that both have and the second is not 0."""
    first, second = inputs
    days = sorted(day for day in first.keys() & second.keys() if second[day])
    return {day: _round_exact(first[day] / second[day]) for day in days}


def invert_values(inputs: Sequence[Values]) -> dict[date, Decimal]:
    """Return one over the values, where they are not 0."""
    (values,) = inputs
    return {day: _round_exact(1 / values[day]) for day in sorted(values) if values[day]}


def percentage_of_sum(inputs: Sequence[Values]) -> dict[date, Decimal]:
    """Return the first as a percentage of the sum of both."""
    first, second = inputs
    total = {day: first[day] + second[day] for day in first.keys() & second.keys()}
    return {day: _round_exact(100 * first[day] / total[day]) for day in sorted(total) if total[day]}


def yearly_change_percent(inputs: Sequence[Values]) -> dict[date, Decimal]:
    """Return the change in per cent over the same day of the year before."""
    (values,) = inputs
    changes = {}
    for day in sorted(values):
        # the last day of a month is compared with the last day of that month a year before
        last = monthrange(day.year, day.month)[1]
        before = monthrange(day.year - 1, day.month)[1]
        # of 29 February the day of the year before is the 28th, the last one
        year_before = day.replace(year=day.year - 1, day=before if day.day == last else day.day)
        base = values.get(year_before)
        if base:
            changes[day] = _round_exact(100 * (values[day] - base) / base)
    return changes


def trailing_year_mean(inputs: Sequence[Values]) -> dict[date, Decimal]:
    """Return the mean of the year that ends with each day, which removes the seasons.

    A year with fewer than twelve values, or without one in its first month, has no mean. The same
    month of the year before does not belong to a month's year, however its days fall.
    """
    (values,) = inputs
    days, means, first, total = sorted(values), {}, 0, Decimal(0)
    seldom = all((after - before).days >= MONTHLY_FROM_DAYS for before, after in pairwise(days))
    for place, day in enumerate(days):
        total += values[day]
        # a running sum over a window: each value enters and leaves it once
        while (day - days[first]).days >= 365 or _is_a_year_on(days[first], day, monthly=seldom):
            total -= values[days[first]]
            first += 1
        count = place - first + 1
        # twelve months from the first to the last value
        # span 334 days, a year of other values nearly 365
        if count >= 12 and (day - days[first]).days >= (320 if seldom else 330):
            means[day] = _round_exact(total / count)
    return means


def _is_a_year_on(before: date, day: date, *, monthly: bool) -> bool:
    """Return whether two monthly values are of the same month of different years."""
    return monthly and before.month == day.month and before < day


def sum_values(inputs: Sequence[Values]) -> dict[date, Decimal]:
    """Return the sum of all inputs, for the days that all have."""
    days = set.intersection(*(set(values) for values in inputs))
    return {day: sum((values[day] for values in inputs), Decimal(0)) for day in sorted(days)}


def drought_severity(inputs: Sequence[Values]) -> dict[date, Decimal]:
    """Return the first, twice the second, three times the third and so on, summed.

    Of the drought monitor's five classes, each by the part of the land that is in it alone, that is
    the drought severity and coverage index, 0 to 500.
    """
    days = set.intersection(*(set(values) for values in inputs))
    return {
        day: sum((n * values[day] for n, values in enumerate(inputs, start=1)), Decimal(0))
        for day in sorted(days)
    }


def monthly_mean(inputs: Sequence[Values]) -> dict[date, Decimal]:
    """Return the mean of each calendar month, at the last day of it that has a value.

    The last month has none before it is over.
    """
    (values,) = inputs
    months = [
        list(days) for _, days in groupby(sorted(values), key=lambda day: (day.year, day.month))
    ]
    # a series with one value a month is its own mean, and its last month is whole
    if len(months) > 1 and len(months[-2]) > 1 and not _is_month_over(months[-1][-1]):
        months.pop()
    return {days[-1]: _round_exact(decimal_mean([values[day] for day in days])) for days in months}


def thirty_day_mean(inputs: Sequence[Values]) -> dict[date, Decimal]:
    """Return the mean of the thirty days that end with each day; none for fewer than 20 values."""
    (values,) = inputs
    days, means, first, total = sorted(values), {}, 0, Decimal(0)
    for place, day in enumerate(days):
        total += values[day]
        while (day - days[first]).days >= 30:
            total -= values[days[first]]
            first += 1
        if (count := place - first + 1) >= FEWEST_OF_THIRTY:
            means[day] = _round_exact(total / count)
    return means


def monthly_swing_percent(inputs: Sequence[Values]) -> dict[date, Decimal]:
    """Return how much a price moves, in per cent.

    It is the root mean square of the last six changes of its monthly means; there is none where a
    month of them is missing.
    """
    return _rolling_swings(inputs, lambda before, after: 100 * (after - before) / before)


def monthly_swing_points(inputs: Sequence[Values]) -> dict[date, Decimal]:
    """Return the same of a yield: its changes are counted in points."""
    return _rolling_swings(inputs, lambda before, after: after - before)


def _rolling_swings(
    inputs: Sequence[Values], change: Callable[[Decimal, Decimal], Decimal]
) -> dict[date, Decimal]:
    means = monthly_mean(inputs)
    days = list(means)
    squares: list[Decimal | None] = [
        _square_of(change(means[before], means[after]))
        # a change over a gap would be that of two months or more
        if month_number(after) - month_number(before) == 1 and means[before]
        else None
        for before, after in pairwise(days)
    ]
    swings = {}
    for at in range(MONTHS_IN_SWING, len(days)):
        window = [square for square in squares[at - MONTHS_IN_SWING : at] if square is not None]
        if len(window) == MONTHS_IN_SWING:
            swings[days[at]] = _round_exact(decimal_mean(window).sqrt())
    return swings


def _square_of(move: Decimal) -> Decimal:
    return move * move


def _is_month_over(day: date) -> bool:
    """Return whether no working day of a month, or the last alone, is after a day."""
    return monthrange(day.year, day.month)[1] - day.day <= MONTH_END_DAYS


def _round_exact(value: Decimal) -> Decimal:
    return value.quantize(EXACT, ROUND_HALF_EVEN)


# operation -> how many inputs it takes (0: one or more), and its function
OPERATIONS: dict[str, tuple[int, Callable[[Sequence[Values]], dict[date, Decimal]]]] = {
    "difference": (2, subtract_values),
    "hundredfold": (2, subtract_as_basis_points),
    "ratio": (2, divide_values),
    "inverse": (1, invert_values),
    "share": (2, percentage_of_sum),
    "yearly_change": (1, yearly_change_percent),
    "trailing_year": (1, trailing_year_mean),
    "total": (0, sum_values),
    "severity": (0, drought_severity),
    "monthly": (1, monthly_mean),
    "thirty_days": (1, thirty_day_mean),
    "swing": (1, monthly_swing_percent),
    "swing_points": (1, monthly_swing_points),
}
# those whose values are of whole months, whatever their inputs come by
MONTHLY = frozenset({"monthly", "swing", "swing_points"})
# those for which a value needs more than its own day
WHOLE_YEARS = frozenset({"yearly_change", "trailing_year", "monthly", "swing", "swing_points"})
