"""Judge payments of one sender, or to one payee, in the order in which they were accepted.

The outcome of a payment affects later ones of its institution: a sender that tried to pay a listed
wallet, or was refused by name, is reviewed from then on. Otherwise two workers could judge a later
payment while an earlier one is still being looked up, and settle it as if nothing had happened.
"""

import time
from datetime import datetime, timedelta

from apps.payments.payments.models import Payment
from apps.payments.payments.record_transition import ADVANCE
from apps.platform.common.clock import SKEW
from apps.platform.db.compiled_queries import fetch_columns
from apps.platform.jobs import job_queue
from apps.platform.jobs.models import Job, JobState

# a worker is worth more than the order of one sender
LONGEST_WAIT = timedelta(seconds=1)
# between checks on a payment that another worker judges
POLL_SECONDS = 0.02


def judge_earlier_payments(payment: Payment, *, now: datetime) -> None:
    """Return once earlier payments of the sender, or to the payee, are judged.

    Call it outside transactions. A payment that waits for a worker is processed here; one that
    another worker has is waited for. Raises RetryLater if that takes longer than LONGEST_WAIT. It
    does not wait for a payment that executes on a later day, that could not be checked and waits
    for its next attempt, or that was altered: those must not block others.
    """
    until = time.monotonic() + LONGEST_WAIT.total_seconds()
    while (earlier := _find_earlier_payment(payment)) is not None:
        if time.monotonic() > until:
            raise job_queue.RetryLater(now + 2 * LONGEST_WAIT)
        waiting = Job.objects.filter(
            name=ADVANCE, key=str(earlier), state=JobState.PENDING, eta__lte=now
        )
        job = waiting.values_list("pk", flat=True).first()
        if job is None:
            time.sleep(POLL_SECONDS)
        else:
            job_queue.run_job(job)


def _find_earlier_payment(payment: Payment) -> int | None:
    """Return the number of the first payment that is to be judged before this one, if any."""
    unchecked = {
        "state": "SUBMITTED",
        "owner": payment.owner,
        "pk__lt": payment.pk,
        # tries and trouble: one that waits for its next attempt, or was altered, must not block
        # others
        "tries": 0,
        "trouble": "",
        "due_at__lte": payment.due_at + SKEW,
    }
    # each side has an index of its own
    sides = (
        {"sender_account": payment.sender_account},
        {"creditor_wallet": payment.creditor_wallet},
    )
    earlier = (
        fetch_columns(Payment, ("pk",), where={**side, **unchecked}, order=("pk",))
        for side in sides
    )
    return min((number for rows in earlier for (number,) in rows), default=None)
