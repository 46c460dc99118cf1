"""What a clock that was ahead has planned, once it is set back: it is due now, not in hours.

Whoever plans work writes the moment at which that was done beside it. One that lies in the future
was written by a clock that has been set back since, and so was the time that it chose.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Max, Q
from django_q.models import Schedule

from apps.platform.common.clock import SKEW
from apps.platform.jobs.models import Job, JobState
from apps.platform.jobs.registry import JOBS

AT_ONCE = 500
ZERO = timedelta()


def recall_tick(*, now: datetime) -> int:
    """Let the minute's tick be due that was planned further ahead than it ever is; 1 if it was.

    Without it nothing periodic is planned and nothing lost is found, for as long as the clock was
    ahead. `now` is the clock of the system, by which django-q2 goes.
    """
    ahead = Schedule.objects.filter(name="tick", next_run__gt=now + 2 * SKEW)
    return ahead.update(next_run=now) if ahead.exists() else 0  # a look takes no lock


def find_jobs_planned_ahead(*, now: datetime) -> list[tuple[Job, datetime]]:
    """Return jobs that a clock that was ahead has planned, each with when it is due instead.

    That is as long after now as it was to be after it was planned. `nudged_at` is the time that was
    chosen, until the task is sent anew: so a job is moved once.
    """
    later = now + SKEW
    rows = Job.objects.filter(state=JobState.PENDING, nudged_at__gt=later)
    rows = rows.annotate(ran=Max("runs__started_at"))
    ahead = rows.filter(Q(created_at__gt=later) | Q(ran__gt=later)).order_by("eta")
    return [(row, now + max(row.eta - _planned_at(row), ZERO)) for row in ahead[:AT_ONCE]]


def _planned_at(row: Any) -> datetime:
    return max(row.created_at, row.ran) if row.ran else row.created_at


def shorten_overlong_leases(*, now: datetime) -> int:
    """Shorten the leases of runs that last longer than any does; returns how many.

    A runner that lives has the whole of its lease from now; one that died is found after it.
    """
    shortened = 0
    running = Job.objects.filter(state=JobState.RUNNING, lease_until__gt=now + SKEW)
    for name in set(running.values_list("name", flat=True)) & set(JOBS):
        lease = JOBS[name].lease
        longer = running.filter(name=name, lease_until__gt=now + lease + SKEW)
        shortened += longer.update(lease_until=now + lease, nudged_at=now)
    return shortened
