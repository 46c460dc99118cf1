"""Words for the reach of a shock. Pure."""

from decimal import Decimal

# mean effect on the layers, 0 to 100 -> word. A shock of 100 that reaches no other layer has a mean
# of 14.3, so a mean above 15 has spread whatever its size, and above 30 the sum exceeds two full
# layers
IMPACTS: tuple[tuple[int, str], ...] = ((5, "CONTAINED"), (15, "SPREADING"), (30, "BROAD"))
SYSTEMIC = "SYSTEMIC"
IMPACT_WORDS = (*(word for _, word in IMPACTS), SYSTEMIC)


def word_of_impact(score: Decimal) -> str:
    """Return the word for an impact of 0 to 100."""
    return next((word for bound, word in IMPACTS if score < bound), SYSTEMIC)
