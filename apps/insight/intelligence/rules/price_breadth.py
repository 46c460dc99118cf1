"""Whether several prices go one way. Pure."""

from collections.abc import Sequence
from decimal import Decimal

BROAD_SHARE = Decimal(2) / 3  # of those that are known
LEAST_PRICES = 3  # prices, under which there is no breadth
RISE, FALL, MIXED, UNKNOWN = "BROAD_RISE", "BROAD_FALL", "MIXED", "UNKNOWN"
WORDS = (RISE, FALL, MIXED, UNKNOWN)

ORDER = (UNKNOWN, FALL, MIXED, RISE)  # what costs more is the strain


def more_strained_word(first: str, other: str) -> str:
    """Return the graver of two words."""
    return max(first, other, key=ORDER.index)


def breadth_of_changes(changes: Sequence[Decimal | None]) -> str:
    """Return the word for changes of which at least two thirds rose, or fell."""
    known = [change for change in changes if change is not None]
    if len(known) < LEAST_PRICES:
        return UNKNOWN
    if sum(change > 0 for change in known) >= BROAD_SHARE * len(known):
        return RISE
    return FALL if sum(change < 0 for change in known) >= BROAD_SHARE * len(known) else MIXED
