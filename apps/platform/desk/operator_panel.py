"""The operator's part of the home page: health, jobs that need attention, disabled schedules."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import QuerySet

from apps.platform.desk import health, time_formats
from apps.platform.desk.error_messages import ErrorMessage, explain_error
from apps.platform.desk.home import Panel
from apps.platform.jobs.models import Job, JobState, Periodic
from apps.platform.jobs.registry import JOBS

if TYPE_CHECKING:
    from django.contrib.auth.models import User

OVERDUE = timedelta(minutes=5)  # the sweeper restarts a lost job within two
SHOWN = 10  # jobs


@dataclass(frozen=True, slots=True)
class UrgentJob:
    """A job that failed, or that should have run minutes ago."""

    job: Job
    title: str
    failed: bool
    when: str
    fault: ErrorMessage


@dataclass(frozen=True, slots=True)
class DisabledSchedule:
    """A disabled schedule, what stops while it is off, and whether that is intended."""

    periodic: Periodic
    title: str
    stops: str
    tone: str


@dataclass(frozen=True, slots=True)
class OperatorPanel:
    """The operator's summary; None or empty for what the reader may not see."""

    services: list[tuple[str, list[health.DescribedCheck]]] | None
    jobs: list[UrgentJob]
    more: int
    off: list[DisabledSchedule]
    calm: list[DisabledSchedule]
    may_retry: bool


def overdue_jobs(moment: datetime) -> QuerySet[Job]:
    """Return the jobs that should have run minutes ago: no worker takes them."""
    return Job.objects.due(moment - OVERDUE)


def build_operator_panel(user: "User", now: datetime) -> Panel | None:
    """Return the operator's part of the home page; None for readers who may not see jobs."""
    if not user.has_perm("core.view_job"):
        return None
    failed = Job.objects.failing()
    late = overdue_jobs(now)
    # counted only when the rows may not be all
    rows = [*failed.order_by("-pk")[:SHOWN], *late.order_by("-pk")[:SHOWN]][:SHOWN]
    total = failed.count() + late.count() if len(rows) == SHOWN else len(rows)
    needy, more = [_describe_urgent_job(job, now) for job in rows], total - len(rows)
    off = _list_disabled_schedules() if user.has_perm("core.view_periodic") else []
    work = OperatorPanel(
        # the health endpoint uses the same functions, so the two never contradict
        services=health.describe_service_health(now)
        if user.has_perm("oversight.view_health")
        else None,
        jobs=needy,
        more=more,
        off=[schedule for schedule in off if schedule.tone],
        calm=[schedule for schedule in off if not schedule.tone],
        may_retry=user.has_perm("core.change_job"),
    )
    return Panel("desk/operators.html", work)


def _describe_urgent_job(job: Job, now: datetime) -> UrgentJob:
    failed = job.state == JobState.FAILED
    # when it failed, when its worker should have ended, or when it should have begun
    moment = (job.finished_at or job.eta) if failed else job.lease_until or job.eta
    return UrgentJob(
        job,
        str(job),
        failed,
        time_formats.format_time_until(moment, now),
        explain_error(job.last_error),
    )


def _list_disabled_schedules() -> list[DisabledSchedule]:
    return [
        describe_disabled_schedule(row)
        for row in Periodic.objects.filter(enabled=False).order_by("name")
    ]


def describe_disabled_schedule(periodic: Periodic) -> DisabledSchedule:
    """Describe a disabled schedule; a sandbox starts with those that call upstreams off.

    `tone` is bad for one that must not be off, warn for the others, empty if it is as intended.
    """
    work = JOBS.get(periodic.name)
    if work is None:
        return DisabledSchedule(periodic, periodic.name, "It is no longer run.", "warn")
    # a sandbox starts with schedules that call upstreams switched off
    calm = work.upstream and not settings.PRODUCTION
    return DisabledSchedule(
        periodic, work.title, work.stops, "" if calm else "bad" if work.vital else "warn"
    )
