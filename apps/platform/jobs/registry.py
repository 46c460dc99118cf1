"""Background jobs, as apps register them: what may run, how long, and how often.

A handler takes `(key, now)`, does one thing and may be run twice. `every` makes a job
periodic; its rhythm is then the operator's, in the admin. An app keeps its jobs in `jobs.py` and
registers them in `ready()`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.exceptions import ImproperlyConfigured

from apps.platform.common.registry import Registry
from config.lanes import LONGEST_JOB_LEASE, OUTBOUND

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
BACKOFF = (5 * MINUTE, 30 * MINUTE, 2 * HOUR)


@dataclass(frozen=True, kw_only=True)
class JobSpec:
    """One kind of job.

    `lease` bounds a run: one that takes longer is ended and counts as failed, and when the
    runner died another takes over. A failed run comes again after each of `retries`.
    `upstream` says that it goes out to others' servers: it then has workers of its own, and a
    periodic one is off in a sandbox until switched on. `lane` names workers of its own kind alone.
    `stops` says in a sentence what stops while its schedule is off; a `vital` one must not be off
    in production. One `by_the_clock` runs at whole multiples of its rhythm since 1970, because each
    such stretch of time is to have one run.
    """

    handler: Callable[[str, datetime], None]
    title: str
    lease: timedelta = 10 * MINUTE
    retries: tuple[timedelta, ...] = BACKOFF
    every: timedelta | None = None
    first: timedelta = MINUTE
    upstream: bool = False
    lane: str = ""
    stops: str = ""
    vital: bool = False
    by_the_clock: bool = False

    @property
    def cluster(self) -> str:
        """The lane whose workers run it; empty for jobs without a lane of their own."""
        return self.lane or (OUTBOUND if self.upstream else "")


JOBS: Registry[JobSpec] = Registry("job")


def register_jobs(jobs: Mapping[str, JobSpec]) -> None:
    """Add the jobs of an app, by name.

    ImproperlyConfigured for a lease that the cluster would not wait for: it would send the job to
    a second worker while the first still runs it.
    """
    for name, work in jobs.items():
        if work.lease > LONGEST_JOB_LEASE:
            raise ImproperlyConfigured(
                f"The lease of the job {name} is {work.lease}; the longest that workers wait for "
                f"is {LONGEST_JOB_LEASE} (config/lanes.py)."
            )
        JOBS.register(name, work)


def job_title(name: str) -> str:
    """Return what a job is called; one of another release, which none registers, by its name."""
    return JOBS[name].title if name in JOBS else name
