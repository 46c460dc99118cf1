"""Plan the time-stamp of a signed root, if an authority is configured."""

from datetime import datetime

from django.conf import settings

from apps.platform.jobs.job_queue import enqueue_job
from apps.platform.jobs.models import Job, JobState

STAMP_JOB = "travelrule.stamp"


def plan_stamp(now: datetime) -> None:
    """Plan that the last root is stamped; part of the transaction that signs it."""
    if not settings.TSA_URL:
        return
    # A planned run stamps the last root there is, so also this one. An authority that is down is
    # not called more often because the ledger grows.
    if not Job.objects.filter(name=STAMP_JOB, state=JobState.PENDING).exists():
        enqueue_job(job=STAMP_JOB, now=now)
