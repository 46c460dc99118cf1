"""A clock that was ahead is set back: which payments wait for its time, and which go on."""

from datetime import datetime, timedelta

import pytest

from apps.payments.payments.models import Payment
from apps.payments.payments.services.advance_payment import RETRY_DELAYS, _next_due_at

HOURS, SECONDS = timedelta(hours=2), timedelta(seconds=30)


@pytest.mark.parametrize(
    ("state", "tries", "submitted", "due", "ahead"),
    [
        ("SUBMITTED", 0, HOURS, HOURS, True),
        ("SUBMITTED", 0, SECONDS, SECONDS, False),  # two hosts' clocks differ a little
        ("SUBMITTED", 0, HOURS, 24 * HOURS, False),  # to be executed on another day
        ("SUBMITTED", 1, HOURS, HOURS, True),
        ("SUBMITTED", len(RETRY_DELAYS), -HOURS, RETRY_DELAYS[-1], False),
        ("SUBMITTED", len(RETRY_DELAYS), HOURS, RETRY_DELAYS[-1] + HOURS, True),
        ("VERIFIED", 0, HOURS, HOURS, True),
        ("VERIFIED", 4, -HOURS, RETRY_DELAYS[3], False),
        ("AWAITING_SETTLEMENT", 0, -HOURS, 4 * SECONDS, False),  # a look at the rail
        ("AWAITING_SETTLEMENT", 0, HOURS, HOURS + 4 * SECONDS, True),
    ],
)
def test_what_a_clock_that_was_ahead_has_planned_goes_on(
    noon: datetime, state: str, tries: int, submitted: timedelta, due: timedelta, ahead: bool
) -> None:
    payment = Payment(
        state=state, tries=tries, submitted_at=noon + submitted, due_at=noon + due, instruction={}
    )
    assert _next_due_at(payment, noon) == (noon if ahead else noon + due)


@pytest.mark.parametrize(("ahead", "after"), [(3, 1), (3, 0), (1, 1)])
def test_a_payment_waits_for_its_day_where_the_clock_that_was_ahead_had_it_past(
    noon: datetime, ahead: int, after: int
) -> None:
    day = noon.replace(hour=0) + timedelta(days=after)
    given = noon + timedelta(days=ahead)
    payment = Payment(
        state="SUBMITTED", submitted_at=given, due_at=max(given, day),
        instruction={"execution_date": day.date().isoformat()},
    )  # fmt: skip
    assert _next_due_at(payment, noon) == max(noon, day)
