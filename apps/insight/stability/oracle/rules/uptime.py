"""How often the oracle had a number when one was due. Pure.

Time is divided into slots of ten minutes; one run is due in each. A run without a score counts as
missing, because requests at that time got no score.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import ROUND_DOWN, Decimal

from apps.insight.stability.oracle.rules.decision import EVERY

SLOT = int(EVERY.total_seconds())
# slots in thirty days
WINDOW = 30 * 24 * 3600 // SLOT
CENT = Decimal("0.01")


def slot_of_moment(moment: datetime) -> int:
    """Return the slot that a moment lies in."""
    return int(moment.timestamp()) // SLOT


def start_of_slot(slot: int) -> datetime:
    """Return when a slot begins."""
    return datetime.fromtimestamp(slot * SLOT, UTC)


@dataclass(frozen=True, slots=True)
class Uptime:
    """How many runs were due over the window, and how many had a number, up to a slot."""

    slot: int
    due: int
    good: int

    def at(self, slot: int) -> "Uptime":
        """Return it as of a later slot: a slot that is over and has no run was missed.

        The slot that has begun is not due until it is over.
        """
        missed = max(0, slot - self.slot - 1)
        return Uptime(self.slot, self.due + missed, self.good)

    @property
    def percent(self) -> Decimal:
        """Return it in per cent, rounded down, so that 100 means that none was missed."""
        if not self.due:
            return Decimal(0)
        return (Decimal(100 * self.good) / self.due).quantize(CENT, ROUND_DOWN)


def measure_uptime(*, first: int, slot: int, good: int) -> Uptime:
    """Return the uptime as a run of `slot` knows it.

    `first` is the slot of the first run ever, `good` how many slots of the window had a number.
    """
    due = min(slot - first + 1, WINDOW)
    # never more than were due, should the clock have been set back
    return Uptime(slot, due, min(good, due))
