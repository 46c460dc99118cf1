"""Convert figures to strain, 0 to 100, which never falls as the figure grows worse. Pure."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from decimal import Decimal

NONE, ALL, MIDDLE = Decimal(0), Decimal(100), Decimal(50)
SEVERE = Decimal(300)  # the drought index where all land is in D2, severe (US Drought Monitor)
STORMS = Decimal(3)  # at once, of alert orange or red, in one region: the worst
AT_SEA = Decimal(1)  # of them that shuts what stands at sea: platforms are left before it comes
FIRES = Decimal(20)  # under way at once in one region: the worst


def strain_of_high_value(value: Decimal, past: Sequence[Decimal]) -> Decimal:
    """Return the strain of a high value: nothing up to the median of its past, 100 above all.

    `past` is sorted and holds at least one value.
    """
    share = ALL * bisect_right(past, value) / len(past)
    return max(NONE, 2 * (share - MIDDLE))


def strain_of_low_value(value: Decimal, past: Sequence[Decimal]) -> Decimal:
    """Return the strain of a low value: nothing down to the median of its past, 100 under all."""
    share = ALL * (len(past) - bisect_left(past, value)) / len(past)
    return max(NONE, 2 * (share - MIDDLE))


def strain_of_count(value: Decimal, worst: Decimal) -> Decimal:
    """Return the strain of a count or an index: nothing at 0, 100 at the worst and beyond."""
    return min(ALL, max(NONE, ALL * value / worst))
