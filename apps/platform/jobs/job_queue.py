"""Background work: `enqueue_job` puts a row and a django-q2 task into the caller's transaction.

The task claims its row by compare-and-set, runs one handler outside any transaction, records the
attempt and never raises. Once a minute the sweeper sends a new task for each job whose task was
lost. A run that outlives its lease is ended, so that two runners never do one job at once.

Jobs that go out to others' servers have a lane, and workers, of their own: however long an
upstream takes, sealing, tidying and escalating go on.
"""

import logging
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q
from django_q.conf import Conf
from django_q.exceptions import TimeoutException
from django_q.humanhash import uuid as task_name
from django_q.models import OrmQ
from django_q.signing import SignedPackage

from apps.platform.common import clock
from apps.platform.db.compiled_queries import fetch_first, update_where
from apps.platform.db.compiled_statements import insert_if_absent, insert_row
from apps.platform.jobs import clock_skew
from apps.platform.jobs.job_context import CURRENT_RUN, JobRun
from apps.platform.jobs.models import Heartbeat, Job, JobAttempt, JobState, Periodic
from apps.platform.jobs.registry import JOBS, JobSpec

logger = logging.getLogger(__name__)
HEARTBEAT = "jobs"
TICK_PATH = "apps.platform.jobs.job_queue.run_tick"
# a task starts within 0.3 s of its time where a worker is free; this late it counts as lost
OVERDUE = timedelta(seconds=60)
SWEPT_AT_ONCE = 500  # jobs; the others wait for the next minute's tick
LONGEST_ERROR = 2000  # characters
RUNNER_DIED = "The runner died, or overran its lease."
MOST_DEATHS = 3  # limits a job that crashes its runner each time


class RetryLater(Exception):
    """Raised by a handler that must run again at `eta` without this run counting as failed."""

    def __init__(self, eta: datetime) -> None:
        super().__init__(f"again at {eta.isoformat()}")
        self.eta = eta


class ForeignTask(RuntimeError):
    """A task of unknown origin, written directly into the database."""


def refuse_foreign_schedules(*, task: dict[str, Any], **_: Any) -> None:
    """Raise ForeignTask unless a schedule runs our own tick."""
    if task.get("func") != TICK_PATH:
        raise ForeignTask(
            f"a schedule names {task.get('func')!r}, which is not a function of this platform"
        )


def refuse_foreign_functions(*, func: Any, **_: Any) -> None:
    """Raise ForeignTask before a worker runs any function but our two."""
    if func not in (run_job, run_tick):
        raise ForeignTask(f"a task names {func!r}, which is not a function of this platform")


def enqueue_job(*, job: str, key: str = "", now: datetime, eta: datetime | None = None) -> None:
    """Plan one run of a registered job; while one is pending, no second is added.

    Call it inside the business transaction: the job exists when that commits, and not before.
    KeyError for a name that no app registers.
    """
    JOBS.require(job)
    due = eta or now
    row = Job(name=job, key=key, eta=due, nudged_at=due, created_at=now)
    with transaction.atomic(savepoint=False):
        # the unique constraint decides, not a look-up before: two callers may enqueue at once
        while not insert_if_absent(row):
            if _join_pending_job(job, key, due):
                return
            # it was just claimed, and may not have seen this transaction's writes
        _send_task(row, due)


def _join_pending_job(job: str, key: str, due: datetime) -> bool:
    """Let the pending run do this work too; False if none is pending any more."""
    # the lock lasts until the caller commits: a run that
    # claimed the row earlier would not see the caller's writes
    pending = {"name": job, "key": key, "state": JobState.PENDING.value}
    row = fetch_first(Job, where=pending, order=("pk",), lock=True)
    if row is not None and due < row.eta:
        Job.objects.filter(pk=row.pk).update(eta=due, nudged_at=due)
        _send_task(row, due)
    return row is not None


@transaction.atomic
def enqueue_new_jobs(*, job: str, due: Mapping[str, datetime], now: datetime) -> None:
    """Plan one run for each key, as `enqueue_job` would; for keys that are new in this transaction.

    KeyError for a name that no app registers.
    """
    JOBS.require(job)
    created = Job.objects.bulk_create(
        Job(name=job, key=key, eta=eta, nudged_at=eta, created_at=now) for key, eta in due.items()
    )
    OrmQ.objects.bulk_create(_build_task(row, row.eta) for row in created)


def _send_task(job: Job, due: datetime) -> None:
    """Insert the task itself."""
    insert_row(_build_task(job, due))


def _build_task(job: Job, due: datetime) -> OrmQ:
    """Return the task of a job, which starts when it is due.

    It is built of internals of django-q2, so only here, and a test runs it on the real cluster.
    """
    name, identifier = task_name()
    task = {
        "id": identifier,
        "name": name,
        "func": "apps.platform.jobs.job_queue.run_job",
        "args": (job.pk,),
        "kwargs": {},
        "started": due,
    }
    work = JOBS.get(job.name)
    if work:
        task["timeout"] = int(work.lease.total_seconds())
    # not this process's lane: a job may enqueue one of the other lane
    lane = (work.cluster if work else "") or Conf.PREFIX
    # a lock in the future is how the ORM broker delays a task: it starts at most 0.3 s after it
    # passes, whereas a one-off Schedule is up to 30 s late
    return OrmQ(key=lane, payload=SignedPackage.dumps(task), lock=due)


def run_job(job_id: int) -> None:
    """Run one job if it is due and unclaimed; django-q2 calls this."""
    # a task may come twice: both the sweeper and a restarted cluster send one again
    claimed = _claim_job(job_id, clock.now())
    if claimed is None:
        return
    job, attempt, work = claimed
    current = JobRun(job, attempt, work)
    before = CURRENT_RUN.set(current)
    try:
        work.handler(job.key, attempt.started_at)
    except RetryLater as again:
        _record_run_end(job, attempt, work, again=again.eta)
    # django-q2's TimeoutException is no Exception; it ends a run that outlasts its lease
    except (Exception, TimeoutException) as error:
        logger.exception("job %s %s failed", job.name, job.key)
        _record_run_end(
            job, attempt, work, error=f"{type(error).__name__}: {error}"[:LONGEST_ERROR]
        )
    else:
        if not current.ended:
            _record_run_end(job, attempt, work)
    finally:
        CURRENT_RUN.reset(before)


def record_run_done() -> None:
    """Record a handler's run as done, together with its last writes; does nothing outside a run.

    Call it within the transaction of those writes. If that is rolled back, the run goes on.
    """
    current = CURRENT_RUN.get()
    if current is None:
        return
    _record_run_end(current.job, current.attempt, current.work)
    transaction.on_commit(current.end)


@transaction.atomic
def _claim_job(job_id: int, now: datetime) -> tuple[Job, JobAttempt, JobSpec] | None:
    """Claim a due job by compare-and-set, or fail one that cannot run."""
    job = fetch_first(Job, where={"pk": job_id})
    if job is None or not job.due(now):
        return None
    work = JOBS.get(job.name)
    # due while running means that its lease has passed
    dead = job.state == JobState.RUNNING
    if dead:
        JobAttempt.objects.filter(job=job, number=job.attempts).update(error=RUNNER_DIED)
    as_seen = {"pk": job_id, "state": job.state, "attempts": job.attempts}
    failures = job.failures + dead
    if work is None or (dead and failures > max(MOST_DEATHS, len(work.retries))):
        reason = RUNNER_DIED if work else f"no app registers the job {job.name}"
        failed = {"state": JobState.FAILED, "finished_at": now, "last_error": reason}
        update_where(Job, where=as_seen, change=failed | {"failures": failures})
        return None
    taken = {"state": JobState.RUNNING, "attempts": job.attempts + 1, "failures": failures}
    # compare-and-set: `attempts` changes with each claim, so of two runners only one finds the row
    if not update_where(Job, where=as_seen, change=taken | {"lease_until": now + work.lease}):
        return None
    job.state, job.attempts, job.failures = JobState.RUNNING, job.attempts + 1, failures
    attempt = JobAttempt(job=job, number=job.attempts, started_at=now)
    insert_row(attempt)
    return job, attempt, work


@transaction.atomic(savepoint=False)
def _record_run_end(
    job: Job, attempt: JobAttempt, work: JobSpec, *, error: str = "", again: datetime | None = None
) -> None:
    """Record how a run ended and plan the next attempt, if there is one."""
    now = clock.now()
    ended = {"finished_at": now, "error": error}
    update_where(JobAttempt, where={"pk": attempt.pk}, change=ended)
    # a run that outlived its lease was taken over: the
    # attempt number differs, and it changes nothing
    running = {"pk": job.pk, "state": JobState.RUNNING, "attempts": job.attempts}
    failures = job.failures + 1 if error else 0
    if again is None and not error:
        done = {"state": JobState.DONE, "finished_at": now, "last_error": ""}
        update_where(Job, where=running, change=done)
        return
    mine = Job.objects.filter(**running)
    if failures > len(work.retries):
        mine.update(state=JobState.FAILED, finished_at=now, last_error=error, failures=failures)
        return
    due = again or now + work.retries[failures - 1]
    try:
        # a savepoint: on PostgreSQL the failed statement would otherwise void the whole transaction
        with transaction.atomic():
            changed = mine.update(
                state=JobState.PENDING,
                eta=due,
                nudged_at=due,
                last_error=error,
                failures=failures,
            )
    except IntegrityError:  # the same work has been enqueued again
        mine.update(state=JobState.DONE, finished_at=now, last_error=error)
        return
    if changed:
        _send_task(job, due)


@transaction.atomic
def retry_job(*, job_id: int, now: datetime) -> bool:
    """Restart a failed job with all its attempts (the operator's button).

    False if it is not failed, or if the same work is already pending.
    """
    job = Job.objects.select_for_update().filter(pk=job_id, state=JobState.FAILED).first()
    if job is None:
        return False
    try:
        with transaction.atomic():
            Job.objects.filter(pk=job_id).update(
                state=JobState.PENDING, eta=now, nudged_at=now, failures=0, finished_at=None
            )
    except IntegrityError:
        return False
    _send_task(job, now)
    return True


def run_tick() -> None:
    """Run once a minute: write the heartbeat, resend overdue jobs, plan periodic ones."""
    now = clock.now()
    Heartbeat.objects.update_or_create(name=HEARTBEAT, defaults={"at": now})
    resend_lost_jobs(now=now)
    enqueue_due_schedules(now=now)


def resend_lost_jobs(*, now: datetime) -> int:
    """Send a new task for each job whose task was lost or whose runner died; returns how many.

    Jobs that were planned by a clock that has since been set back are due, too.
    """
    # the jobs are not run here: one long job would hold up the heartbeat and all the others
    clock_skew.shorten_overlong_leases(now=now)
    sent = sum(
        _resend_job(job, now, due) for job, due in clock_skew.find_jobs_planned_ahead(now=now)
    )
    overdue = Job.objects.due(now - OVERDUE).filter(
        Q(nudged_at=None) | Q(nudged_at__lte=now - OVERDUE)
    )
    late = overdue.order_by("eta")[:SWEPT_AT_ONCE]
    return sent + sum(_resend_job(job, now) for job in late)


@transaction.atomic
def _resend_job(job: Job, now: datetime, due: datetime | None = None) -> bool:
    """Send a task for an unchanged job, moved to `due` if given; False if the job has changed."""
    # two hosts may sweep at once; the one that moves `nudged_at` sends the task
    same = Job.objects.filter(pk=job.pk, state=job.state, nudged_at=job.nudged_at)
    won = bool(same.update(nudged_at=now, **({"eta": due} if due else {})))
    if won:
        _send_task(job, due or now)
    return won


def enqueue_due_schedules(*, now: datetime) -> None:
    """Enqueue each enabled schedule whose time has come; missed slots are not made up."""
    for periodic in Periodic.objects.filter(enabled=True):
        period = timedelta(seconds=periodic.every_seconds)
        # a time further ahead than the interval was planned by a clock that has since been set
        # back: without the upper bound the job would not run until then
        if now < periodic.next_at <= now + period + OVERDUE:
            continue
        following = _next_slot(periodic, now)
        with transaction.atomic():
            # compare-and-set: ticks of two hosts plan one run
            won = Periodic.objects.filter(pk=periodic.pk, next_at=periodic.next_at).update(
                next_at=following
            )
            if won and periodic.name in JOBS:
                enqueue_job(job=periodic.name, now=now)


def _next_slot(periodic: Periodic, now: datetime) -> datetime:
    """Return when a schedule is next due.

    The time is in step with the last one, or with the clock for jobs that are `by_the_clock`.
    """
    period = timedelta(seconds=periodic.every_seconds)
    work = JOBS.get(periodic.name)
    since = datetime.fromtimestamp(0, UTC) if work and work.by_the_clock else periodic.next_at
    # a multiple of the interval, not `now` plus the interval: a late tick must not shift the rhythm
    return since + ((now - since) // period + 1) * period


def sync_schedules(*, now: datetime) -> None:
    """Create the rows of schedules of registered jobs that the database lacks.

    In a sandbox schedules of jobs that call upstreams start switched off; an operator may switch
    them on.
    """
    from django_q.models import Schedule

    Schedule.objects.update_or_create(
        name="tick",
        defaults={
            "func": TICK_PATH,
            "schedule_type": Schedule.MINUTES,
            "minutes": 1,
            "repeats": -1,
        },
    )
    for name, work in JOBS.items():
        if work.every:
            seconds = int(work.every.total_seconds())
            begins = {
                "every_seconds": seconds,
                "next_at": now + work.first,
                # real lists would mix with the sample, and there may be no network
                "enabled": settings.PRODUCTION or not work.upstream,
            }
            Periodic.objects.get_or_create(name=name, defaults=begins)
    # jobs of an earlier release
    Periodic.objects.exclude(name__in=JOBS).delete()
