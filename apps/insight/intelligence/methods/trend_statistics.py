"""Means of histories, and the standard error of a shift between two of them. Pure."""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from apps.reference.signals.composition import History
from apps.reference.signals.means import decimal_mean


def values_by_year(history: History) -> dict[int, Decimal]:
    """Return the values of a yearly series by year; of several in a year the last."""
    return {day.year: value for day, value in history}


def values_of_years(values: Mapping[int, Decimal], first: int, last: int) -> list[Decimal] | None:
    """Return the values of all years of a span; None where one is missing."""
    years = range(first, last + 1)
    return [values[year] for year in years] if all(year in values for year in years) else None


def sample_variance(values: Sequence[Decimal]) -> Decimal:
    """Return the variance of a sample of at least two."""
    middle = decimal_mean(values)
    return sum(((value - middle) ** 2 for value in values), Decimal(0)) / (len(values) - 1)


def shift_pct(before: Sequence[Decimal], after: Sequence[Decimal]) -> Decimal:
    """Return by how many per cent one mean is above another, for positive values."""
    base = decimal_mean(before)
    return 100 * (decimal_mean(after) - base) / base


def shift_error_pct(before: Sequence[Decimal], after: Sequence[Decimal]) -> Decimal:
    """Return the standard error of `shift_pct`, in percentage points.

    By the delta method for a ratio of two independent means.
    """
    # years count as independent, which yearly rainfall nearly is
    base, ratio = decimal_mean(before), decimal_mean(after) / decimal_mean(before)
    late = sample_variance(after) / len(after)
    early = sample_variance(before) / len(before)
    return 100 * (late + ratio * ratio * early).sqrt() / base


def scatter_error_pct(
    before: Sequence[Decimal], after: Sequence[Decimal], scatter: Decimal
) -> Decimal:
    """Return the standard error of `shift_pct` of a few years each, in percentage points.

    `scatter` is the variance of single years over a longer time.
    """
    # the variance of three years says next to nothing, so it is not taken from `before` and `after`
    base, ratio = decimal_mean(before), decimal_mean(after) / decimal_mean(before)
    error = (scatter / len(after) + ratio * ratio * scatter / len(before)).sqrt()
    return 100 * error / base


def yearly_slope(values: Mapping[int, Decimal], years: int) -> Decimal | None:
    """Return the yearly change of the newest `years` years by least squares.

    None where fewer than five of them have a value.
    """
    newest = max(values, default=0)
    points = [(year, value) for year, value in values.items() if year > newest - years]
    if len(points) < 5:
        return None
    middle = decimal_mean([Decimal(year) for year, _ in points])
    level = decimal_mean([value for _, value in points])
    spread = sum(((year - middle) ** 2 for year, _ in points), Decimal(0))
    moved = sum(((year - middle) * (value - level) for year, value in points), Decimal(0))
    return moved / spread
