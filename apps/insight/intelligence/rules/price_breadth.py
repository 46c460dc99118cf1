"""Whether several prices go one way. Pure."""

from collections.abc import Sequence
from decimal import Decimal

# share of the known prices that must move one way
BROAD_SHARE = Decimal(2) / 3
# known prices below which there is no breadth
LEAST_PRICES = 3
RISE, FALL, MIXED, UNKNOWN = "BROAD_RISE", "BROAD_FALL", "MIXED", "UNKNOWN"
WORDS = (RISE, FALL, MIXED, UNKNOWN)

# from the least to the most strained: rising prices are the strain
ORDER = (UNKNOWN, FALL, MIXED, RISE)


def more_strained_word(first: str, other: str) -> str:
    """Return the more strained of two words."""
    return max(first, other, key=ORDER.index)


def breadth_of_changes(changes: Sequence[Decimal | None]) -> str:
    """Return the word for changes of which at least two thirds rose, or fell."""
    known = [change for change in changes if change is not None]
    if len(known) < LEAST_PRICES:
        return UNKNOWN
    if sum(change > 0 for change in known) >= BROAD_SHARE * len(known):
        return RISE
    return FALL if sum(change < 0 for change in known) >= BROAD_SHARE * len(known) else MIXED
