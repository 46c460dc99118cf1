"""Rules of attempts to sign in: how many may fail within which time, and when a wait is over."""

from collections.abc import Sequence
from datetime import datetime, timedelta

WITHIN = timedelta(minutes=15)
MOST_OF_ACCOUNT = 10
MOST_OF_ADDRESS = 50  # an office shares one; who sprays passwords over names tries far more


def compute_retry_time(*, failures: Sequence[datetime], most: int) -> datetime | None:
    """Return until when one more attempt is refused; None when it is let through.

    `failures` are the moments of the latest ones that count, at most `most` of them.
    """
    return min(failures) + WITHIN if len(failures) >= most else None
