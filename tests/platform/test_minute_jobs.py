"""Once a minute: the sweeper, the heartbeat and what is periodic; health and tidying."""

from datetime import datetime, timedelta
from inspect import signature
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django_q.models import OrmQ, Schedule

from apps.platform import tasks
from apps.platform.health import checks as health_checks
from apps.platform.jobs import job_queue
from apps.platform.jobs.models import Heartbeat, Job, JobAttempt, JobState, Periodic
from apps.platform.jobs.registry import JOBS
from config.services import SERVICES, Service
from tests.platform import job_handlers
from tests.platform.queue import MINUTE, SECOND, Clock, add, nudges, state

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_jobs")]


def test_the_sweeper_sends_a_new_task_for_what_a_lost_one_left(clock: Clock) -> None:
    due, fresh = add(key="due"), add(key="fresh", eta=clock.at + 30 * SECOND)
    OrmQ.objects.all().delete()
    clock.at += MINUTE
    assert job_queue.resend_lost_jobs(now=clock.at) == 1
    assert [job_id for job_id, _ in nudges()] == [due.pk]
    # fresh; due has its new task
    assert job_queue.resend_lost_jobs(now=clock.at + 59 * SECOND) == 1
    assert [job_id for job_id, _ in nudges()] == [due.pk, fresh.pk]
    assert job_queue.resend_lost_jobs(now=clock.at + MINUTE) == 1
    assert not job_handlers.ran


def test_the_sweeper_finds_the_jobs_of_dead_runners(clock: Clock) -> None:
    job = add()
    Job.objects.update(state=JobState.RUNNING, attempts=1, lease_until=clock.at + MINUTE)
    assert job_queue.resend_lost_jobs(now=clock.at + 2 * MINUTE - SECOND) == 0
    assert job_queue.resend_lost_jobs(now=clock.at + 2 * MINUTE) == 1
    clock.at += 2 * MINUTE
    job_queue.run_job(job.pk)
    assert state(job)[0] == "DONE"


def test_the_sweeper_leaves_finished_and_failed_jobs(clock: Clock) -> None:
    for number, ended in enumerate((JobState.DONE, JobState.FAILED)):
        job = add(key=str(number))
        Job.objects.filter(pk=job.pk).update(state=ended)
    assert job_queue.resend_lost_jobs(now=clock.at + timedelta(days=1)) == 0


def test_a_tick_beats_and_does_not_run_jobs_itself(clock: Clock) -> None:
    add("test.fail")
    clock.at += 5 * MINUTE
    job_queue.run_tick()
    assert Heartbeat.objects.get(name=job_queue.HEARTBEAT).at == clock.at
    assert not job_handlers.ran and len(nudges()) == 2


def test_a_periodic_job_keeps_its_rhythm_and_makes_nothing_up(clock: Clock) -> None:
    start = clock.at
    periodic = Periodic.objects.create(name="test.note", every_seconds=600, next_at=start)

    def planned(at: timedelta) -> tuple[int, timedelta]:
        Job.objects.all().delete()
        job_queue.enqueue_due_schedules(now=start + at)
        periodic.refresh_from_db()
        return Job.objects.count(), periodic.next_at - start

    assert planned(-SECOND) == (0, 0 * MINUTE)
    assert planned(20 * SECOND) == (1, 10 * MINUTE)
    assert planned(10 * MINUTE - SECOND) == (0, 10 * MINUTE)
    assert planned(10 * MINUTE) == (1, 20 * MINUTE)
    assert planned(125 * MINUTE) == (1, 130 * MINUTE)  # eleven were missed; one comes


def test_a_disabled_or_unknown_schedule_plans_nothing(clock: Clock) -> None:
    Periodic.objects.create(name="test.note", every_seconds=60, next_at=clock.at, enabled=False)
    Periodic.objects.create(name="test.gone", every_seconds=60, next_at=clock.at)
    job_queue.enqueue_due_schedules(now=clock.at)
    assert not Job.objects.exists()


def test_schedules_are_seeded_once_and_the_operators_rhythm_stays(noon: datetime) -> None:
    job_queue.sync_schedules(now=noon)
    assert set(Periodic.objects.values_list("name", flat=True)) == {
        name for name, work in JOBS.items() if work.every
    }
    Periodic.objects.filter(name="core.seal").update(every_seconds=90, enabled=False)
    Periodic.objects.create(name="test.gone", every_seconds=60, next_at=noon)
    job_queue.sync_schedules(now=noon + MINUTE)
    seal = Periodic.objects.get(name="core.seal")
    assert (seal.every_seconds, seal.enabled, seal.next_at) == (90, False, noon + MINUTE)
    assert not Periodic.objects.filter(name="test.gone").exists()
    assert Schedule.objects.get(name="tick").func == "apps.platform.jobs.job_queue.run_tick"


@pytest.mark.parametrize("name", sorted(JOBS))
def test_every_job_of_the_table_can_run(name: str) -> None:
    assert list(signature(JOBS[name].handler).parameters) == ["key", "now"]
    assert JOBS[name].lease >= MINUTE


# --- health and tidying ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("beat", "due", "status"),
    [
        (119, 0, "ok"),
        (120, 0, "degraded"),
        (None, 0, "degraded"),
        (1, 29, "ok"),
        (1, 30, "degraded"),
    ],
)
def test_health_is_what_workers_did_lately(
    noon: datetime, beat: int | None, due: int, status: str
) -> None:
    Heartbeat.objects.all().delete()
    if beat is not None:
        Heartbeat.objects.create(name=job_queue.HEARTBEAT, at=noon - beat * SECOND)
    if due:
        add(eta=noon - due * SECOND)
    jobs = health_checks.check_jobs(noon)
    assert jobs["status"] == status and jobs["lastHeartbeatSeconds"] == beat
    assert jobs["oldestDueSeconds"] == (due if due >= 30 else 0)


@pytest.mark.parametrize(("minutes", "status"), [(59, "ok"), (60, "degraded")])
def test_jobs_that_go_out_may_wait_longer_for_slow_upstreams(
    noon: datetime, minutes: int, status: str
) -> None:
    Heartbeat.objects.update_or_create(name=job_queue.HEARTBEAT, defaults={"at": noon})
    add("watchlists.refresh", eta=noon - minutes * MINUTE)
    jobs = health_checks.check_jobs(noon)
    waited = minutes * 60 if status == "degraded" else 0
    assert (jobs["status"], jobs["oldestDueSeconds"]) == (status, 0)
    assert jobs["outboundOldestDueSeconds"] == waited


def test_health_takes_three_queries_however_much_there_is(noon: datetime) -> None:
    jobs = [
        Job(name="x", key=str(n), state=JobState.DONE, eta=noon, created_at=noon) for n in range(50)
    ]
    Job.objects.bulk_create(jobs)
    with CaptureQueriesContext(connection) as queries:
        health_checks.check_jobs(noon)
    assert len(queries) == 3


def test_a_check_that_breaks_is_degraded_and_stops_no_other(
    noon: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SERVICES, "test", Service("test", "Test", "", checks=("broken",)))
    found = health_checks.collect_health_checks(service="test", now=noon)
    assert found["broken"] == {"status": "degraded", "detail": "The check itself failed"}
    assert found["database"] == {"status": "ok"} and "jobs" in found


def test_health_answers_503_when_the_database_is_away(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(now: datetime) -> None:
        raise OperationalError("away")

    monkeypatch.setattr(health_checks, "check_jobs", away)
    answer = client.get("/compliance/health")
    assert answer.status_code == 503
    assert answer.json()["checks"] == {"database": {"status": "down"}}


def test_old_jobs_and_runs_are_tidied_and_failed_ones_stay(noon: datetime) -> None:
    week = timedelta(days=7)
    for key, ended, at in (
        ("old", JobState.DONE, noon - week - SECOND),
        ("recent", JobState.DONE, noon - week),
        ("failed", JobState.FAILED, noon - 10 * week),
        ("polls", JobState.PENDING, None),
    ):
        job = add(key=key)
        Job.objects.filter(pk=job.pk).update(state=ended, finished_at=at)
        for number, started in enumerate((noon - week - SECOND, noon - week), 1):
            JobAttempt.objects.create(job=job, number=number, started_at=started)
    tasks.remove_expired_rows("", noon)
    left = dict.fromkeys(Job.objects.values_list("key", flat=True), 0)
    for run in JobAttempt.objects.select_related("job"):
        left[run.job.key] += 1
    assert left == {"recent": 1, "failed": 2, "polls": 1}
