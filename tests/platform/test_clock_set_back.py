"""A clock that was ahead is set back: what it planned is due now, not hours later."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django_q.models import OrmQ, Schedule

from apps.platform.jobs import broker, clock_skew, job_queue
from apps.platform.jobs.models import Job, JobState
from apps.platform.jobs.registry import HOUR, JOBS
from tests.platform.queue import MINUTE, SECOND, Clock, add, nudges, state

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_jobs")]
BACK = 2 * HOUR


def test_the_tick_comes_at_once_and_its_own_minute_is_left(noon: Any) -> None:
    tick = Schedule.objects.filter(name="tick")
    tick.update(next_run=noon + BACK)
    assert clock_skew.make_overdue_tick_due(now=noon) == 1
    assert tick.get().next_run == noon
    tick.update(next_run=noon + MINUTE)
    assert clock_skew.make_overdue_tick_due(now=noon) == 0


def test_every_lane_looks_after_the_tick(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    monkeypatch.setattr(clock_skew, "make_overdue_tick_due", lambda *, now: seen.append(now))
    monkeypatch.setattr("django_q.brokers.orm.sleep", lambda _: None)
    queue = broker.JobBroker(list_key="nobody's")
    for _ in range(3):
        assert queue.dequeue() is None
    assert len(seen) == 1
    queue.looked -= broker.CHECK_EVERY_SECONDS
    queue.dequeue()
    assert len(seen) == 2


def test_the_look_at_the_tick_is_by_a_connection_that_stands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[str] = []
    monkeypatch.setattr(broker.JobBroker, "get_connection", lambda *_: done.append("renewed"))
    monkeypatch.setattr(clock_skew, "make_overdue_tick_due", lambda *, now: done.append("looked"))
    monkeypatch.setattr(broker.ORM, "dequeue", lambda _: None)
    queue = broker.JobBroker(list_key="nobody's")
    done.clear()
    queue.dequeue()
    assert done == ["renewed", "looked"]


def test_the_tick_is_written_only_where_it_is_ahead(
    noon: Any, django_assert_num_queries: Any
) -> None:
    Schedule.objects.filter(name="tick").update(next_run=noon + MINUTE)
    with django_assert_num_queries(1):
        clock_skew.make_overdue_tick_due(now=noon)


def test_a_job_that_was_due_when_it_was_planned_is_due(clock: Clock) -> None:
    job = add()
    OrmQ.objects.all().delete()
    clock.at -= BACK
    assert job_queue.resend_lost_jobs(now=clock.at) == 1
    assert nudges() == [(job.pk, clock.at)]
    job_queue.run_job(job.pk)
    assert state(job)[0] == "DONE"


def test_a_job_that_was_planned_for_later_comes_as_much_later_and_is_moved_once(
    clock: Clock,
) -> None:
    job = add(eta=clock.at + 30 * MINUTE)
    OrmQ.objects.all().delete()
    clock.at -= BACK
    assert [job_queue.resend_lost_jobs(now=clock.at + n * MINUTE) for n in range(3)] == [1, 0, 0]
    job.refresh_from_db()
    assert job.eta == clock.at + 30 * MINUTE
    assert nudges() == [(job.pk, job.eta)]


def test_a_further_try_counts_from_the_run_that_failed(clock: Clock) -> None:
    job = add("test.fail", now=clock.at - 4 * HOUR)
    job_queue.run_job(job.pk)
    job.refresh_from_db()
    wait = job.eta - clock.at
    clock.at -= BACK
    job_queue.resend_lost_jobs(now=clock.at)
    job.refresh_from_db()
    assert job.eta == clock.at + wait


def test_what_is_planned_by_the_clock_that_holds_is_left(clock: Clock) -> None:
    job = add(eta=clock.at + 5 * HOUR)
    assert job_queue.resend_lost_jobs(now=clock.at + SECOND) == 0
    before = job.eta
    job.refresh_from_db()
    assert job.eta == before


def test_a_runner_that_died_is_found_after_one_lease(clock: Clock) -> None:
    job = add()
    lease = JOBS[job.name].lease
    Job.objects.update(state=JobState.RUNNING, attempts=1, lease_until=clock.at + lease)
    clock.at -= BACK
    job_queue.resend_lost_jobs(now=clock.at)
    job.refresh_from_db()
    assert job.lease_until == clock.at + lease
    assert job_queue.resend_lost_jobs(now=clock.at + lease + timedelta(minutes=1)) == 1


def test_tables_are_looked_at_by_few_statements(
    clock: Clock, django_assert_max_num_queries: Any
) -> None:
    assert connection.vendor
    with django_assert_max_num_queries(3):
        job_queue.resend_lost_jobs(now=clock.at)
