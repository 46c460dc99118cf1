"""The outcome of an outlook: the move of a price over three months. Pure.

A price that moved by less than a third of all moves of its past did neither. What is usual is the
most frequent of the three in that past: a forecast that knows nothing else would always say it.
"""

from collections.abc import Sequence
from datetime import timedelta
from decimal import ROUND_HALF_EVEN, Decimal

from apps.insight.forecast.rules.lights_and_outlooks import DETERIORATING, IMPROVING, STABLE

AHEAD = timedelta(days=91)  # from an outlook to the day on which it is held against the price
NEWER = timedelta(days=60)  # by which the price must be of later, to say what came
FEWEST = 20  # outcomes below which a hit rate would tell chance and nothing else
HIGHER, LOWER, UNCHANGED = "HIGHER", "LOWER", "UNCHANGED"
DIRECTIONS = (HIGHER, LOWER, UNCHANGED)
# risk to supply that grows is said to raise the price, and the other way round
EXPECTED_DIRECTION = {DETERIORATING: HIGHER, IMPROVING: LOWER, STABLE: UNCHANGED}
FINE = Decimal("0.0001")


def unchanged_band(moves: Sequence[Decimal]) -> Decimal:
    """Return the size below which a third of all moves lie; there is at least one move."""
    sizes = sorted(abs(move) for move in moves)
    return sizes[len(sizes) // 3].quantize(FINE, ROUND_HALF_EVEN)


def direction_of_move(move: Decimal, band: Decimal) -> str:
    """Return what a price did: a move of the band itself counts."""
    if abs(move) < band:
        return UNCHANGED
    return HIGHER if move > 0 else LOWER


def direction_shares(moves: Sequence[Decimal], band: Decimal) -> dict[str, Decimal]:
    """Return how often each was, in steps of 0.0001."""
    directions = [direction_of_move(move, band) for move in moves]
    return {
        name: (Decimal(directions.count(name)) / len(directions)).quantize(FINE, ROUND_HALF_EVEN)
        for name in DIRECTIONS
    }


def most_frequent_direction(past: dict[str, Decimal]) -> str:
    """Return the most frequent; of equals the first of HIGHER, LOWER, UNCHANGED."""
    return max(DIRECTIONS, key=lambda name: past[name])


def is_hit(outlook: str, came: str) -> bool | None:
    """Tell whether an outlook said what came; None where it said nothing."""
    expected = EXPECTED_DIRECTION.get(outlook)
    return None if expected is None else expected == came
