"""Background jobs, as apps register them: what may run, for how long, and how often.

A handler takes `(key, now)`, does one thing and may run twice. `every` makes a job periodic; the
operator can then change its interval in the admin. An app keeps its jobs in `jobs.py` and registers
them in `ready()`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.exceptions import ImproperlyConfigured

from apps.platform.common.registry import Registry
from config.lanes import LONGEST_JOB_LEASE, OUTBOUND

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
# waits before a second, third and fourth run
BACKOFF = (5 * MINUTE, 30 * MINUTE, 2 * HOUR)


@dataclass(frozen=True, kw_only=True)
class JobSpec:
    """One kind of job.

    `lease` limits a run: a longer one is ended and counts as failed, and if the runner died another
    takes over. A failed run is repeated after each of `retries`. `upstream` says that the job calls
    others' servers: it then has workers of its own, and a periodic one is off in a sandbox until
    switched on. `lane` names workers for this kind of job only. `stops` says in a sentence what
    stops while its schedule is off; a `vital` one must not be off in production. A job that is
    `by_the_clock` runs at whole multiples of its interval since 1970, because each such period
    needs exactly one run.
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
    """Add the jobs of an app, by name; ImproperlyConfigured for a lease that is too long."""
    for name, work in jobs.items():
        # django-q2 sends a task again after its `retry`, which is set just above the longest lease
        if work.lease > LONGEST_JOB_LEASE:
            raise ImproperlyConfigured(
                f"The lease of the job {name} is {work.lease}; the longest that workers wait for "
                f"is {LONGEST_JOB_LEASE} (config/lanes.py)."
            )
        JOBS.register(name, work)


def job_title(name: str) -> str:
    """Return the title of a job; an unregistered one of another release has its name."""
    return JOBS[name].title if name in JOBS else name
