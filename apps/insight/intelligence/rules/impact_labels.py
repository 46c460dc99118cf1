"""Words for how far a shock goes. Pure."""

from decimal import Decimal

# mean of what arrives at the layers, of 0 to 100 -> word. A shock of 100 that reaches no other
# layer comes to 14.3: what is above 15 has spread whatever its size, and above 30 its sum is more
# than that of two layers in full
IMPACTS: tuple[tuple[int, str], ...] = ((5, "CONTAINED"), (15, "SPREADING"), (30, "BROAD"))
SYSTEMIC = "SYSTEMIC"
IMPACT_WORDS = (*(word for _, word in IMPACTS), SYSTEMIC)


def word_of_impact(score: Decimal) -> str:
    """Return the word for an impact of 0 to 100."""
    return next((word for bound, word in IMPACTS if score < bound), SYSTEMIC)
