"""A year of calls by the sandbox's clients, and a job that failed: nothing that officers do."""

from datetime import datetime, timedelta

from apps.access.keys.metering import get_month
from apps.access.keys.models import Account, UsageCount
from apps.access.keys.usage_integrity import record_usage
from apps.platform.jobs.models import Job, JobAttempt, JobState
from apps.platform.jobs.registry import JOBS
from apps.reference.watchlists.models import Source
from config.prices import UNITS

MONTHS = 12
# calls of the first unit a month, for the accounts in their order; further units take less
CALLS = (9_400, 31_000, 2_150, 118_000)
FAILED_JOB, FAILED_KEY = "watchlists.refresh", "un-sc"
NO_ANSWER = "UpstreamError: un-sc: the deadline passed"


def seed_usage(*, now: datetime) -> int:
    """Count the calls of a year up to the month before, and record the counts as each hour does.

    What is counted already stays.
    """
    count = 0
    accounts = Account.objects.order_by("pk")[: len(CALLS)]
    for account, base in zip(accounts, CALLS, strict=False):
        day = now.replace(day=1)
        for ago in range(1, MONTHS + 1):
            day = (day - timedelta(days=1)).replace(day=1)
            for place, unit in enumerate(UNITS.values()):
                # fewer the further back, with a ripple of three months; further units take less
                calls = base * (100 - 4 * ago + 7 * (ago % 3)) // (100 * (1 + 9 * place))
                count += _seed_month_calls(account, get_month(day), unit.name, calls)
    record_usage("", now)
    return count


def _seed_month_calls(account: Account, month: str, unit: str, calls: int) -> int:
    """Count a month's calls of a unit, unless some were counted; returns how many it counted."""
    if UsageCount.objects.filter(account=account, month=month, unit=unit).exists():
        return 0
    UsageCount.objects.create(account=account, month=month, unit=unit, shard=0, calls=calls)
    return calls


def seed_failed_job(*, now: datetime) -> bool:
    """Leave one refresh that failed on every attempt; False if it was tried already."""
    if Job.objects.filter(name=FAILED_JOB, key=FAILED_KEY).exists():
        return False
    # the list shows the error too, as after any refresh that failed
    for source in Source.objects.filter(slug=FAILED_KEY):
        source.note_error(NO_ANSWER.partition(": ")[2])
    waits = (timedelta(0), *JOBS[FAILED_JOB].retries)
    begun = now - timedelta(hours=7)
    job = Job.objects.create(
        name=FAILED_JOB, key=FAILED_KEY, state=JobState.FAILED, eta=begun, created_at=begun,
        attempts=len(waits), failures=len(waits), last_error=NO_ANSWER,
    )  # fmt: skip
    started = begun
    for number, wait in enumerate(waits, 1):
        started = min(started + wait, now - timedelta(minutes=2))
        done = started + timedelta(seconds=61)
        JobAttempt.objects.create(
            job=job, number=number, started_at=started, finished_at=done, error=NO_ANSWER
        )
    Job.objects.filter(pk=job.pk).update(finished_at=done, eta=started)
    return True
