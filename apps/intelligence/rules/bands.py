"""Labels of scores of 0 to 100. Pure."""

from decimal import Decimal

from apps.signals.composites.rows import CALM
from apps.signals.composites.shape import Bands

CALM_WORDS = tuple(word for _, word in CALM)


def band(score: Decimal, bands: Bands) -> str:
    """Return the label of a score: a score below a bound has its label, the last has the rest."""
    return next((label for bound, label in bands if score < bound), bands[-1][1])
