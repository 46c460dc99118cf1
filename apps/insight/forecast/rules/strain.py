"""Convert figures to strain, 0 to 100, which never falls as the figure worsens. Pure."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from decimal import Decimal

NONE, ALL, MIDDLE = Decimal(0), Decimal(100), Decimal(50)
# the drought index where all land is in D2, severe (US Drought Monitor)
SEVERE = Decimal(300)
# storms at once in one region with alert orange or red that make a strain of 100
STORMS = Decimal(3)
# one storm shuts production at sea: platforms are evacuated before it arrives
AT_SEA = Decimal(1)
# wildfires at once in one region that make a strain of 100
FIRES = Decimal(20)


def strain_of_high_value(value: Decimal, past: Sequence[Decimal]) -> Decimal:
    """Return the strain of a high value: 0 up to the median of its past, 100 above all past values.

    `past` is sorted and holds at least one value.
    """
    share = ALL * bisect_right(past, value) / len(past)
    return max(NONE, 2 * (share - MIDDLE))


def strain_of_low_value(value: Decimal, past: Sequence[Decimal]) -> Decimal:
    """Return the strain of a low value: 0 down to the median of its past, 100 below all past
    values.
    """
    share = ALL * (len(past) - bisect_left(past, value)) / len(past)
    return max(NONE, 2 * (share - MIDDLE))


def strain_of_count(value: Decimal, worst: Decimal) -> Decimal:
    """Return the strain of a count or an index: 0 at 0, 100 from `worst`."""
    return min(ALL, max(NONE, ALL * value / worst))
