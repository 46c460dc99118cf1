"""What the tests of background jobs share."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django_q.models import OrmQ
from django_q.signing import SignedPackage

from apps.platform.jobs import job_queue
from apps.platform.jobs.models import Job, JobState

SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
RETRIES = (MINUTE, 5 * MINUTE)


class Clock:
    """A clock that tests move; the jobs module reads it."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def __call__(self) -> datetime:
        return self.at


def add(name: str = "test.note", key: str = "k", **options: Any) -> Job:
    """Enqueue a job at noon and return its row."""
    now = options.pop("now", datetime(2026, 11, 20, 12, tzinfo=UTC))
    job_queue.enqueue_job(job=name, key=key, now=now, **options)
    return Job.objects.get(name=name, key=key, state=JobState.PENDING)


def state(job: Job) -> tuple[str, int, int]:
    """Return a job's state, attempts and failures as they are now."""
    job.refresh_from_db()
    return job.state, job.attempts, job.failures


def nudges() -> list[tuple[int, datetime]]:
    """Return job id and time of each task that waits in the broker."""
    rows = OrmQ.objects.order_by("pk")
    return [(SignedPackage.loads(row.payload)["args"][0], row.lock) for row in rows]
