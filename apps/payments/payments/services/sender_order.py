"""Has payments of one sender, or to one payee, judged in the order in which they were accepted.

What a payment comes to counts against those that its institution sends after it: whoever tries to
pay a listed wallet is looked at from then on, and so is who was refused by name. Two workers would
else judge a later payment while an earlier one is still being looked up, and settle it as if
nothing had been tried.
"""

import time
from datetime import datetime, timedelta

from django.db.models import Q

from apps.payments.payments.models import Payment
from apps.payments.payments.transitions import ADVANCE
from apps.platform.common.clock import SKEW
from apps.platform.jobs import job_queue
from apps.platform.jobs.models import Job, JobState

LONGEST_WAIT = timedelta(seconds=1)  # a worker is worth more than the order of one sender
POLL_SECONDS = 0.02  # between looks at a payment that another worker judges


def judge_earlier_payments(payment: Payment, *, now: datetime) -> None:
    """Return once earlier payments of the sender, or to the payee, are judged.

    Call it outside transactions. One that waits for a worker is carried on here, and one that
    another worker has is waited for. Raises RetryLater where that takes longer than LONGEST_WAIT.
    Not waited for is one that is to be executed on a later day, that could not be checked and waits
    for its next try, or that was altered: nobody's payments stand still for those.
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
    unchecked = Payment.objects.filter(
        Q(sender_account=payment.sender_account) | Q(creditor_wallet=payment.creditor_wallet),
        state="SUBMITTED",
        owner=payment.owner,
    )
    due = unchecked.filter(
        pk__lt=payment.pk, tries=0, trouble="", due_at__lte=payment.due_at + SKEW
    )
    return due.order_by("pk").values_list("pk", flat=True).first()
