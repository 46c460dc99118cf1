"""The operator's part of the home page: health, jobs that need somebody, schedules that are off."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import QuerySet

from apps.core.models import Job, JobState, Periodic
from apps.desk import health, times
from apps.desk.faults import Fault
from apps.desk.faults import told as told_fault
from apps.desk.home import Panel
from config.jobs import JOBS

if TYPE_CHECKING:
    from django.contrib.auth.models import User

OVERDUE = timedelta(minutes=5)
SHOWN = 10


@dataclass(frozen=True, slots=True)
class Needy:
    """A job that failed, or that should have run minutes ago."""

    job: Job
    title: str
    failed: bool
    when: str
    fault: Fault


@dataclass(frozen=True, slots=True)
class Off:
    """A schedule that is off, what stops meanwhile, and whether that is as it should be."""

    periodic: Periodic
    title: str
    stops: str
    tone: str


@dataclass(frozen=True, slots=True)
class Operations:
    """What an operator sees first; None or empty for what the reader may not see."""

    services: list[tuple[str, list[health.Check]]] | None
    jobs: list[Needy]
    more: int
    off: list[Off]
    calm: list[Off]
    may_retry: bool


def overdue(moment: datetime) -> QuerySet[Job]:
    """Return the jobs that should have run minutes ago: no worker takes them."""
    return Job.objects.due(moment - OVERDUE)


def panel(user: "User", now: datetime) -> Panel | None:
    """Return the operator's part of the home page; None for who may not see jobs."""
    if not user.has_perm("core.view_job"):
        return None
    needy, more = _needy(now)
    off = _off() if user.has_perm("core.view_periodic") else []
    work = Operations(
        # what the health address says, by the same functions: the two never contradict
        services=health.report(now) if user.has_perm("oversight.view_health") else None,
        jobs=needy,
        more=more,
        off=[one for one in off if one.tone],
        calm=[one for one in off if not one.tone],
        may_retry=user.has_perm("core.change_job"),
    )
    return Panel("desk/operators.html", work)


def _needy(now: datetime) -> tuple[list[Needy], int]:
    """Return failed jobs, then overdue ones, the newest first; and how many are left out."""
    failed = Job.objects.failing()
    late = overdue(now)
    rows = [*failed.order_by("-pk")[:SHOWN], *late.order_by("-pk")[:SHOWN]][:SHOWN]
    total = failed.count() + late.count() if len(rows) == SHOWN else len(rows)
    return [_needed(job, now) for job in rows], total - len(rows)


def _needed(job: Job, now: datetime) -> Needy:
    failed = job.state == JobState.FAILED
    moment = (job.finished_at or job.eta) if failed else job.lease_until or job.eta
    return Needy(job, str(job), failed, times.until(moment, now), told_fault(job.last_error))


def _off() -> list[Off]:
    return [told(row) for row in Periodic.objects.filter(enabled=False).order_by("name")]


def told(periodic: Periodic) -> Off:
    """Return a schedule that is off in words; a sandbox begins with those that call others off.

    `tone` is bad for what must not be off, warn for the others, empty for what is as it should be.
    """
    work = JOBS.get(periodic.name)
    if work is None:
        return Off(periodic, periodic.name, "Nothing runs it any more.", "warn")
    calm = work.upstream and not settings.PRODUCTION
    return Off(periodic, work.title, work.stops, "" if calm else "bad" if work.vital else "warn")
