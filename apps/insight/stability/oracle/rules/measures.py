"""What an input measures: pure functions of one or two series. Pure."""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

HUNDRED = Decimal(100)
BPS = Decimal(10_000)
EXACT = Decimal("0.000001")
# days by which the value for an earlier day may be older than that day
LATE = 16
# the same for monthly series
MONTHLY_LATE = 46


@dataclass(frozen=True, slots=True)
class SeriesValues:
    """What is known of a series: its newest value, of which day, and those before, oldest first."""

    day: date
    value: Decimal
    past: Sequence[tuple[date, Decimal]] = ()

    def before(self, days: int, *, late: int = LATE) -> Decimal | None:
        """Return the value of so many days earlier; None where none is near enough.

        It is the last one of that day or before it, and not older than `late` days more.
        """
        day = self.day - timedelta(days=days)
        # infinity sorts after every value of that day, so its own value is found too
        place = bisect_right(self.past, (day, Decimal("Infinity"))) - 1
        if place < 0 or self.past[place][0] < day - timedelta(days=late):
            return None
        return self.past[place][1]


Facts = Mapping[str, SeriesValues]


@dataclass(frozen=True, slots=True)
class Measure:
    """What is measured, of which series, and how; `of` returns None where something lacks."""

    method: str
    series: tuple[str, ...]
    unit: str
    of: Callable[[Facts], Decimal | None]


def round_exact(value: Decimal) -> Decimal:
    """Return a value with six decimals."""
    return value.quantize(EXACT)


def measure_level(series: str, *, unit: str) -> Measure:
    """Measure the newest value."""

    def of(facts: Facts) -> Decimal | None:
        return round_exact(facts[series].value) if series in facts else None

    return Measure("newest value", (series,), unit, of)


def measure_swing(series: str, *, days: int, late: int = LATE) -> Measure:
    """Measure how far a series moved over some days, in per cent, up or down alike."""

    def of(facts: Facts) -> Decimal | None:
        change = percent_change(facts, series, days=days, late=late)
        return None if change is None else abs(change)

    return Measure(f"change over {days} days, up or down", (series,), "per cent", of)


def measure_gap(first: str, second: str) -> Measure:
    """Measure how far two series of one unit are apart, in percentage points."""

    def of(facts: Facts) -> Decimal | None:
        if first not in facts or second not in facts:
            return None
        return round_exact(abs(facts[first].value - facts[second].value))

    return Measure("difference of the two", (first, second), "percentage points", of)


def measure_largest_deviation(*series: str, target: Decimal) -> Measure:
    """Measure the largest deviation of several prices from a target, in basis points of it."""

    def of(facts: Facts) -> Decimal | None:
        # the deviation of one coin alone might be the smaller one
        if any(name not in facts for name in series):
            return None
        return round_exact(max(abs(facts[name].value - target) / target * BPS for name in series))

    return Measure(f"largest deviation from {target}", series, "basis points", of)


def percent_change(facts: Facts, series: str, *, days: int, late: int = LATE) -> Decimal | None:
    """Return the change of a series over some days in per cent, or None."""
    seen = facts.get(series)
    base = seen.before(days, late=late) if seen else None
    # a base of 0 has no percentage
    if seen is None or not base:
        return None
    # abs(): oil traded below zero in April 2020, and a rise must stay positive
    return round_exact(HUNDRED * (seen.value - base) / abs(base))
