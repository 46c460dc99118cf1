"""Plans that a signed root is time-stamped, where there is an authority."""

from datetime import datetime

from django.conf import settings

from apps.platform.jobs.job_queue import enqueue_job
from apps.platform.jobs.models import Job, JobState

STAMP_JOB = "travelrule.stamp"


def plan_stamp(now: datetime) -> None:
    """Plan that the last root is stamped; part of the transaction that signs it.

    A run that waits for its time takes this root as well: an authority that is down is not asked
    more often because the ledger grows.
    """
    if not settings.TSA_URL:
        return
    if not Job.objects.filter(name=STAMP_JOB, state=JobState.PENDING).exists():
        enqueue_job(job=STAMP_JOB, now=now)
