"""Resume payment files whose work was lost, and delete those whose retention is over."""

from datetime import datetime, timedelta

from apps.payments.payments.pain001.models import PaymentFile
from apps.payments.payments.pain001.services.receive_message import WORK
from apps.platform.jobs import job_queue

# as long as records of the travel rule (document 2 section 2.3): 5 x 365.25 days
KEPT = timedelta(seconds=5 * 31_557_600)
AT_ONCE = 200


def enqueue_unfinished_files(key: str, now: datetime) -> None:
    """Plan the work of files that are not done; while it is pending, none more."""
    payment_files = PaymentFile.objects.filter(finished_at=None, trouble="").order_by("pk")
    for pk in payment_files.values_list("pk", flat=True)[:AT_ONCE]:
        job_queue.enqueue_job(job=WORK, key=str(pk), now=now)


def delete_expired_files(key: str, now: datetime) -> None:
    """Delete files that were completed long ago, with their bytes and lines.

    The outcome of each payment is in the ledger of payments, which has its own retention.
    """
    old = PaymentFile.objects.filter(finished_at__lte=now - KEPT).order_by("pk")
    # until none is left: more files may expire between two runs than are read at once
    while numbers := list(old.values_list("pk", flat=True)[:AT_ONCE]):
        for pk in numbers:
            # one by one: each deletes thousands of lines with it
            PaymentFile.objects.filter(pk=pk).delete()
