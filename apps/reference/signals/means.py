"""Means of decimal figures. Pure."""

from collections.abc import Sequence
from decimal import Decimal


def decimal_mean(values: Sequence[Decimal]) -> Decimal:
    """Return the mean of at least one value."""
    return sum(values, Decimal(0)) / len(values)
