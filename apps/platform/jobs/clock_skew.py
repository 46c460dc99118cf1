"""Make work due now that a clock planned while it was ahead, once it is set back.

Planned work has the moment of its planning beside it. A moment in the future was written by a clock
that has since been set back, and so was the time that the clock chose for the work.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Max, Q
from django_q.models import Schedule

from apps.platform.common.clock import SKEW
from apps.platform.jobs.models import Job, JobState
from apps.platform.jobs.registry import JOBS

AT_ONCE = 500  # jobs moved in one tick; the rest follow a minute later
ZERO = timedelta()


def make_overdue_tick_due(*, now: datetime) -> int:
    """Make the minute's tick due if it is planned further ahead than it ever is; 1 if it was.

    Otherwise no periodic job would be planned and no lost job found for as long as the clock was
    ahead. `now` is the system clock, which django-q2 uses.
    """
    # it is planned one minute ahead, and clocks of hosts may differ by SKEW
    ahead = Schedule.objects.filter(name="tick", next_run__gt=now + 2 * SKEW)
    return ahead.update(next_run=now) if ahead.exists() else 0  # a read takes no lock


def find_jobs_planned_ahead(*, now: datetime) -> list[tuple[Job, datetime]]:
    """Return jobs that a clock planned while it was ahead, each with its corrected due time.

    That is as long after now as it originally was after the planning. `nudged_at` is the corrected
    time until the task is sent again, so that a job is moved only once.
    """
    later = now + SKEW
    rows = Job.objects.filter(state=JobState.PENDING, nudged_at__gt=later)
    rows = rows.annotate(ran=Max("runs__started_at"))
    ahead = rows.filter(Q(created_at__gt=later) | Q(ran__gt=later)).order_by("eta")
    return [(row, now + max(row.eta - _planned_at(row), ZERO)) for row in ahead[:AT_ONCE]]


def _planned_at(row: Any) -> datetime:
    return max(row.created_at, row.ran) if row.ran else row.created_at


def shorten_overlong_leases(*, now: datetime) -> int:
    """Shorten the leases of runs that exceed the longest possible one; returns how many.

    A live runner has its whole lease from now; a dead one is found after it.
    """
    shortened = 0
    running = Job.objects.filter(state=JobState.RUNNING, lease_until__gt=now + SKEW)
    # a job that no app registers any more has no known lease; it is failed when its own lease ends
    for name in set(running.values_list("name", flat=True)) & set(JOBS):
        lease = JOBS[name].lease
        longer = running.filter(name=name, lease_until__gt=now + lease + SKEW)
        shortened += longer.update(lease_until=now + lease, nudged_at=now)
    return shortened
