"""Limits on failed sign-in attempts within a period, and the end of a wait. Pure."""

from collections.abc import Sequence
from datetime import datetime, timedelta

WITHIN = timedelta(minutes=15)
# failures within WITHIN
MOST_OF_ACCOUNT = 10
MOST_OF_ADDRESS = 50  # an office shares one address; password spraying over names tries far more


def compute_retry_time(*, failures: Sequence[datetime], most: int) -> datetime | None:
    """Return until when one more attempt is refused; None if it is allowed.

    `failures` are the moments of the latest failures that count, at most `most` of them.
    """
    return min(failures) + WITHIN if len(failures) >= most else None
