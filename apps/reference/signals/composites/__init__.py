"""Composites: scores of 0 to 100 made of several series, one row for each.

An input becomes the share, in hundredths, of all values since the composite's fixed `start` that
are not above it (100·ECDF over an expanding window): 0 is the calmest that was ever seen and 100
the most strained. `manage.py check` validates the table (apps/reference/signals/checks.py).
"""

from apps.reference.signals.composites.catalogue import COMPOSITES
from apps.reference.signals.composites.definitions import Composite, Part

__all__ = ["COMPOSITES", "Composite", "Part", "find_composite"]

_NAMED = {row.name: row for row in COMPOSITES}


def find_composite(name: str) -> Composite:
    """Return the row of a composite; KeyError for one that is not in the table."""
    return _NAMED[name]
