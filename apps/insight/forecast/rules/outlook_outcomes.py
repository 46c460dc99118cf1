"""The outcome of an outlook: the move of a price over three months. Pure.

A price that moved less than a third of all past moves is unchanged. Climatology is the most
frequent of the three outcomes in the past: a forecast without other information would always give
it.
"""

from collections.abc import Sequence
from datetime import timedelta
from decimal import ROUND_HALF_EVEN, Decimal

from apps.insight.forecast.rules.lights_and_outlooks import DETERIORATING, IMPROVING, STABLE

# from an outlook to the day on which it is compared with the price
AHEAD = timedelta(days=91)
# least time between the price at the outlook and the price that decides the outcome: monthly prices
# are published late, and one of nearly the same month would always be unchanged
NEWER = timedelta(days=60)
# outcomes below which a hit rate is not distinguishable from chance
FEWEST = 20
HIGHER, LOWER, UNCHANGED = "HIGHER", "LOWER", "UNCHANGED"
DIRECTIONS = (HIGHER, LOWER, UNCHANGED)
# growing supply risk is expected to raise the price, and the reverse
EXPECTED_DIRECTION = {DETERIORATING: HIGHER, IMPROVING: LOWER, STABLE: UNCHANGED}
FINE = Decimal("0.0001")


def unchanged_band(moves: Sequence[Decimal]) -> Decimal:
    """Return the size below which a third of all moves lie; there is at least one move."""
    sizes = sorted(abs(move) for move in moves)
    return sizes[len(sizes) // 3].quantize(FINE, ROUND_HALF_EVEN)


def direction_of_move(move: Decimal, band: Decimal) -> str:
    """Return the direction of a move; a move equal to the band counts."""
    if abs(move) < band:
        return UNCHANGED
    return HIGHER if move > 0 else LOWER


def direction_shares(moves: Sequence[Decimal], band: Decimal) -> dict[str, Decimal]:
    """Return the share of each direction, in steps of 0.0001."""
    directions = [direction_of_move(move, band) for move in moves]
    return {
        name: (Decimal(directions.count(name)) / len(directions)).quantize(FINE, ROUND_HALF_EVEN)
        for name in DIRECTIONS
    }


def most_frequent_direction(past: dict[str, Decimal]) -> str:
    """Return the most frequent direction; on a tie the first of HIGHER, LOWER, UNCHANGED."""
    return max(DIRECTIONS, key=lambda name: past[name])


def is_hit(outlook: str, came: str) -> bool | None:
    """Tell whether an outlook was right; None if it made no forecast."""
    expected = EXPECTED_DIRECTION.get(outlook)
    return None if expected is None else expected == came
