"""Labels for the place of a value in its own history. Pure."""

from decimal import Decimal

# an input's place among all its values since the window began, in hundredths -> its word
SIGNALS: tuple[tuple[int, str], ...] = ((60, "NORMAL"), (80, "ELEVATED"), (95, "HIGH"))
EXTREME, UNKNOWN = "EXTREME", "UNKNOWN"
WORDS = (*(word for _, word in SIGNALS), EXTREME, UNKNOWN)


def signal_of_place(place: Decimal | None) -> str:
    """Return the word for a place of 0 to 100; UNKNOWN where there is none."""
    if place is None:
        return UNKNOWN
    return next((word for bound, word in SIGNALS if place < bound), EXTREME)
