"""Labels of scores of 0 to 100. Pure."""

from decimal import Decimal

from apps.reference.signals.composites.definitions import Bands
from apps.reference.signals.composites.rows import CALM

CALM_WORDS = tuple(word for _, word in CALM)


def label_of_score(score: Decimal, bands: Bands) -> str:
    """Return the label of a score: a score below a bound has its label, the last has the rest."""
    return next((label for bound, label in bands if score < bound), bands[-1][1])
