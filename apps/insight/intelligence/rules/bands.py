"""Labels of scores by the bands they are in. Pure."""

from decimal import Decimal

from apps.reference.signals.composites.catalogue import CALM
from apps.reference.signals.composites.definitions import Bands

CALM_WORDS = tuple(word for _, word in CALM)


def label_of_score(score: Decimal, bands: Bands) -> str:
    """Return the label of the first bound above a score; the last label has no upper bound."""
    return next((label for bound, label in bands if score < bound), bands[-1][1])


def labels_of_bands(bands: Bands) -> tuple[str, ...]:
    """Return all labels of bands, the calmest first."""
    return tuple(label for _, label in bands)
