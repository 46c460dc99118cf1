"""A clock that was ahead is set back: which payments wait for its time, and which go on."""

from datetime import datetime, timedelta

import pytest

from apps.payments.advancing import WAITS, _planned_ahead
from apps.payments.models import Payment

HOURS, SECONDS = timedelta(hours=2), timedelta(seconds=30)


@pytest.mark.parametrize(
    ("state", "tries", "submitted", "due", "ahead"),
    [
        ("SUBMITTED", 0, HOURS, HOURS, True),
        ("SUBMITTED", 0, SECONDS, SECONDS, False),  # two hosts' clocks differ a little
        ("SUBMITTED", 0, HOURS, 24 * HOURS, False),  # to be executed on another day
        ("SUBMITTED", 1, HOURS, HOURS, True),
        ("SUBMITTED", len(WAITS), -HOURS, WAITS[-1], False),
        ("SUBMITTED", len(WAITS), HOURS, WAITS[-1] + HOURS, True),
        ("VERIFIED", 0, HOURS, HOURS, True),
        ("VERIFIED", 4, -HOURS, WAITS[3], False),
        ("AWAITING_SETTLEMENT", 0, -HOURS, 4 * SECONDS, False),  # a look at the rail
        ("AWAITING_SETTLEMENT", 0, HOURS, HOURS + 4 * SECONDS, True),
    ],
)
def test_what_a_clock_that_was_ahead_has_planned_goes_on(
    noon: datetime, state: str, tries: int, submitted: timedelta, due: timedelta, ahead: bool
) -> None:
    payment = Payment(state=state, tries=tries, submitted_at=noon + submitted, due_at=noon + due)
    assert _planned_ahead(payment, noon) is ahead
